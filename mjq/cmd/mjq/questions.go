package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/trace"
)

// waits are the methods that find waits.
var waits = []string{"Exact", "Dominated", "Certified", "Backward", "Unbiased", "Forward", "RareEvent", "Simulation"}

// questions are the verbs of the questions about a model, each a method of mjq.Model or a
// function of package mjq. A new question is a new entry.
var questions = []verb{
	question(verb{
		name: "solve", short: "Find how long jobs wait, by the method that suits or by the one you choose",
		long: `Find the waiting and response times by class, the servers that blocking wastes and
the number of jobs. Without --method mjq takes exact where that takes some seconds at
most, otherwise forward or, under other policies than first come first served,
simulation. The target is then 2 % of the mean wait of every class or 0.5 % of its mean
service time, whichever is wider. The first note of the answer says which method and
why, the second what was reached.

  exact       no simulation: Poisson or Markovian arrivals, phase-type service times
  dominated   exact samples, at loads at which one job at a time would do
  certified   samples exact but for a probability of --eps each
  backward    independent samples, coupled from the past: lower bounds
  unbiased    means without bias, near the limit and under any policy
  forward     long runs from empty: cheapest
  rare-event  probability that a job waits longer than --wait, down to 1e-9
  simulation  discrete-event simulation, under any scheduling policy

Each method has settings of its own, and mjq names the methods that have a setting which
the one you chose lacks.`,
		example: `mjq solve queue.json
mjq solve queue.json --method forward --jobs 5e4 --seed 7
mjq solve queue.json --rate 0.5,1,1.4 --method exact --plot means --svg -o means.svg
mjq solve queue.json --load 80% --method forward --jobs 2e4 --controls plain --rel-err 5% --json
mjq solve classes.csv --servers 20 --rate 1 --method certified --eps 1e-6 --samples 200
mjq solve queue.json --load 0.8 --method rare-event --wait 100 --jobs 30000
mjq solve queue.json --policy 'Window(4)' --rate 1,2 --method simulation --jobs 20000 --csv
mjq solve queue.json --arrivals '{"arrivals":"MMPP","rates":[0.5,2],"generator":[[-0.1,0.1],[0.1,-0.1]]}' --method simulation --jobs 20000`,
		methods: waits, options: []string{"rel-err", "half-width", "max-jobs"},
	}, results, just(mjq.Model.Solve)),

	question(verb{
		name: "stability", short: "Find the arrival rate from which on the queue grows without bound",
		long: `Find the stability limit: the queue is stable below this arrival rate and not above.
Without --method mjq takes the best method for the model: an exact one if there is one,
otherwise pile (a simulation of the saturated system) or, under other policies than
first come first served, a search. --method exact gives an exact limit or an error.`,
		example: `mjq stability queue.json
mjq stability classes.csv --servers 20 --method pile --rel-err 0.02 --json
mjq stability experiment.toml --csv`,
		methods: []string{"Exact", "Pile"}, options: []string{"rel-err", "max-jobs"}, arrivals: ignored,
	}, limits, just(mjq.Model.Stability)),

	question(verb{
		name: "capacity", short: "Find the largest arrival rate that any scheduling policy can carry",
		example: "mjq capacity queue.json\nmjq capacity classes.csv --servers 20 --json", arrivals: ignored,
	}, form[*result.Capacity]{title: "Capacity", table: (*result.Capacity).Table}, just(mjq.Model.Capacity)),

	question(verb{
		name: "prices", short: "Find what one more server and one more job are worth where jobs are turned away",
		long: `Find what one more server, and one more job of each class, add to the worth of the jobs
that are served in a unit of time. A job is worth 1, or what --worth says. The queue turns
jobs away that cannot start at once (--loss).`,
		example: "mjq prices queue.json --loss\nmjq prices queue.json --loss --worth small=1,big=20 --json",
	}, form[*result.Prices]{title: "Prices", table: (*result.Prices).Table}, worthy(mjq.Model.Prices)),

	question(verb{
		name: "best-keep", short: "Find how many servers to keep free of each class where jobs are turned away",
		long: `Find the servers to keep free of each class (trunk reservation) with which the jobs that
are served are worth most, and how far that is from the best rule. A job is worth 1, or
what --worth says. The queue turns jobs away that cannot start at once (--loss).`,
		example: "mjq best-keep queue.json --loss --worth small=1,big=20",
	}, form[*result.Reservation]{title: "Best reservation", table: (*result.Reservation).Table}, worthy(mjq.Model.BestKeep)),

	question(verb{
		name: "checkpoints", short: "Find how often jobs should write a checkpoint where servers fail",
		long: `Find the best interval between checkpoints of each class that writes them, Young's
approximation, and what half and twice the best cost. ETTR is the effective share of the
time of a job that never ends and has the cluster to itself, waits for servers included.`,
		example: "mjq checkpoints training.json\nmjq checkpoints training.json --json", arrivals: ignored,
	}, form[*result.Checkpoints]{title: "Checkpoints", table: (*result.Checkpoints).Table}, just(mjq.Model.Checkpoints)),

	question(verb{
		name: "heavy-traffic", short: "Approximate the mean number of jobs near the stability limit",
		long: `Solve the Poisson equation of the saturated system, which tells how the mean number of
jobs grows near the stability limit. Service times have to be phase-type.`,
		example: "mjq heavy-traffic queue.json\nmjq heavy-traffic queue.json --svg -o heavy.svg", arrivals: ignored,
	}, heavy, just(mjq.Model.HeavyTraffic)),

	question(verb{
		name: "optimum", short: "Find the best scheduling policy of a small queue",
		long: `Find the policy of the least mean number of jobs among all that know how many jobs of
each class run and wait. Arrivals have to be Poisson, service times exponential, with up
to three classes.`,
		example: "mjq optimum small.json\nmjq optimum small.json --preemptive --weights small=2,big=0.5 --json",
		methods: []string{"PolicyIteration"}, options: []string{"rel-err"},
	}, optima, just(mjq.Model.Optimum)),

	question(verb{
		name: "sensitivities", short: "Find what changes of the queue do to the mean wait",
		example: "mjq sensitivities queue.json\nmjq sensitivities queue.json --method simulation --jobs 2000 --csv",
		methods: []string{"Exact", "Simulation"}, options: []string{"max-jobs"},
	}, form[*result.Sensitivities]{title: "Sensitivities"}, just(mjq.Model.Sensitivities)),

	question(verb{
		name: "by-time", short: "Find how the queue fares by the time of day, for arrivals with a profile",
		example: `mjq by-time queue.json --arrivals '{"arrivals":"Profile","period":24,"rates":[0.5,1.5]}' --parts 4 --method simulation --jobs 2000`,
		methods: []string{"Exact", "Backward", "Simulation"},
	}, courses, func(c *call) asking[*result.Transient] {
		parts := define(c.flags(), wholes, "parts", 24, "equal parts of the period")
		return func(m mjq.Model, ctx context.Context, opts ...mjq.Option) (*result.Transient, error) {
			return m.ByTime(ctx, *parts, opts...)
		}
	}),

	question(verb{
		name: "transient", short: "Find what happens from a given state on",
		example: `mjq transient queue.json --until 4 --parts 4
mjq transient queue.json --until 4 --state '{"running":[{"class":"small","jobs":3},{"class":"big","age":0.5}],"line":["big","small"]}' --json`,
		methods: []string{"Exact", "Simulation"}, needs: []string{"until"},
	}, courses, func(c *call) asking[*result.Transient] {
		to := mjq.Horizon{}
		c.flags().Var(numbers.one(&to.Until), "until", "last time, from now")
		c.flags().Var(wholes.one(&to.Parts), "parts", "equal parts of the time (12)")
		now := define(c.flags(), states, "state", mjq.State{}, "state now, as "+stateExample+"; the empty queue if left out")
		return func(m mjq.Model, ctx context.Context, opts ...mjq.Option) (*result.Transient, error) {
			return m.Transient(ctx, *now, to, opts...)
		}
	}),

	onLogToo(question(verb{
		name: "path", short: "Follow single jobs: when each arrives, starts and ends, and on which servers",
		example: "mjq path queue.json --to 10 --seed 8\nmjq path queue.json --from 30 --to 70 --policy EASY --csv\nmjq path centre.swf --from 3600 --to 7200 --policy EASY",
	}, paths, func(c *call) asking[*result.Path] {
		c.flags().Var(numbers.one(&c.from), "from", "number of the first job, from 0; of a log a time")
		c.flags().Var(numbers.one(&c.until), "to", "number of the job before which to end (20 more); of a log a time")
		return func(m mjq.Model, ctx context.Context, opts ...mjq.Option) (*result.Path, error) {
			from, to := int(c.from), int(c.until)
			if float64(from) != c.from || float64(to) != c.until {
				return nil, input(errors.New("--from and --to: jobs of a model are numbered; give whole numbers"))
			}
			if to == 0 {
				to = from + 20
			}
			return m.Path(ctx, from, to, opts...)
		}
	}), paths, func(c *call) askingLog[*result.Path] {
		return func(t *trace.Trace, ctx context.Context, how trace.Replay, opts ...mjq.Option) (*result.Path, error) {
			return t.Path(ctx, how, c.from, c.until, opts...)
		}
	}),

	question(verb{
		name: "methods", short: "List the methods that can answer for a model with their cost, and why not the others",
		example: "mjq methods queue.json\nmjq methods classes.csv --servers 20 --rate 1.4 --rel-err 5% --json",
		options: []string{"rel-err"}, arrivals: taken,
	}, methods, just(mjq.Model.Methods)),

	dividedSweep,

	onLogToo(question(verb{
		name: "compare", short: "Compare scheduling policies on the same jobs, of a model or of a log",
		long: `Serve the same jobs under each of several policies, so that differences are sharper
than what the results alone would show: jobs of a model, simulated, or those of a log,
where the waits that the log holds stand beside. --policy names the policies, with
semicolons between them. A CSV is a model if it has the column probability, and a log
otherwise.`,
		example: `mjq compare queue.json --policy 'FCFS;EASY;Window(4)' --jobs 5000
mjq compare queue.json --policy 'FCFS;FirstFit' --jobs 5000 --csv
mjq compare queue.json --policy 'Multifactor(Age=1000,MaxAge=9,Size=500)' --weight Size=0,500,5000 --jobs 5000
mjq compare centre.swf --policy 'FCFS;EASY' --by powers --slowdown-threshold 10`,
		methods: []string{"Simulation"}, options: []string{"rel-err", "half-width", "max-jobs"},
	}, comparisons, func(c *call) asking[*result.Comparison] {
		policyFlag(c.cmd, policies.list(&c.logs.policies, ";"), "scheduling policies, as 'FCFS;EASY;Window(4)', or in JSON")
		c.flags().StringVar(&c.logs.weight, "weight", "", "number of the Multifactor in --policy with the values to compare, as Age=0,1000,5000")
		return func(m mjq.Model, ctx context.Context, opts ...mjq.Option) (*result.Comparison, error) {
			list, err := weighted(c.logs.policies, c.logs.weight)
			if err == nil && len(list) < 2 {
				err = errors.New("--policy: a comparison needs two policies or more; give them as 'FCFS;EASY'")
			}
			if err != nil {
				return nil, input(err)
			}
			return mjq.Compare(ctx, m, list, opts...)
		}
	}), comparisons, func(c *call) askingLog[*result.Comparison] {
		return func(t *trace.Trace, ctx context.Context, how trace.Replay, opts ...mjq.Option) (*result.Comparison, error) {
			list, err := weighted(c.logs.policies, c.logs.weight)
			if err == nil && len(list) == 0 {
				err = errors.New("--policy: a comparison needs one policy or more; give them as 'FCFS;EASY'")
			}
			if err != nil {
				return nil, err
			}
			return t.Compare(ctx, how, list, opts...)
		}
	}),
}

// states are the states from which a transient starts.
var states = kind[mjq.State]{"state", stateExample, readState}

const stateExample = `{"running":[{"class":"small","jobs":3}],"line":["big"]}`

// readState reads a state in JSON.
func readState(text string) (now mjq.State, err error) {
	var in struct {
		At      float64 `json:"at"`
		Running []struct {
			Class     string          `json:"class"`
			Jobs      int             `json:"jobs"`
			Age       float64         `json:"age"`
			Remaining json.RawMessage `json:"remaining"`
		} `json:"running"`
		Line []string `json:"line"`
	}
	if !json.Valid([]byte(text)) {
		return now, fmt.Errorf("%q is no JSON; write the state as %s", text, stateExample)
	}
	if faults := append(check.Repeated([]byte(text)), check.Members("", []byte(text), in)...); len(faults) > 0 {
		return now, errors.Join(faults...)
	}
	if err := json.Unmarshal([]byte(text), &in); err != nil {
		return now, err
	}
	now.At, now.Line = in.At, in.Line
	for _, r := range in.Running {
		running := mjq.Running{Class: r.Class, Jobs: r.Jobs, Age: r.Age}
		if r.Remaining != nil {
			if running.Remaining, err = law.Unmarshal(r.Remaining); err != nil {
				return now, fmt.Errorf("running: remaining: %w", err)
			}
		}
		now.Running = append(now.Running, running)
	}
	return now, nil
}
