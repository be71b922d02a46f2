package product

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

var background = context.Background()

// trial is a combination.
type trial struct {
	question, base, one, other, method, option, goal string

	given time.Duration // before its context ends; 0: as usual
}

func (c trial) String() string {
	goal := c.goal
	if !slices.Contains(searches, c.question) {
		goal = ""
	}
	return c.question + " of " + joined(c.base, c.one, c.other) + " by " + joined(c.method, c.option, goal)
}

// usual is how long a question may take before its context ends. What it has then is an answer too.
const usual = 150 * time.Millisecond

// tolerable is how late a question may come to an end on a busy machine; see oracle.Soon for one
// that does not.
const tolerable = 1500 * time.Millisecond

// outcome is what a question came to.
type outcome struct {
	answer any
	err    error
	panic  string
	late   time.Duration // after its context
}

// asked asks the question, and says whether it has come to an end soon after its context.
func (c trial) asked(m mjq.Model, opts ...mjq.Option) (o outcome, ended bool) {
	given := cmp.Or(c.given, usual)
	ctx, cancel := context.WithTimeout(background, given)
	defer cancel()
	end := time.Now().Add(given)
	if c.option == "too late" {
		end = time.Now()
		cancel()
	}
	done := make(chan outcome, 1)
	go func() {
		var o outcome
		defer func() {
			if p := recover(); p != nil {
				o.panic = fmt.Sprintf("%v\n%s", p, debug.Stack())
			}
			done <- o
		}()
		o.answer, o.err = questions[c.question](ctx, m, goals[c.goal], append(opts, methodsByName[c.method], options[c.option])...)
	}()
	select {
	case o := <-done:
		o.late = time.Since(end)
		return o, true
	case <-time.After(given + oracle.Soon):
		return outcome{}, false
	}
}

// try asks, and checks what comes back. It reports whether there was an answer.
func (c trial) try(t testing.TB) (answered, ended bool) {
	m, what := built(c.base, cmp.Or(c.one, "plain"), cmp.Or(c.other, "plain")), c.String()
	o, ended := c.asked(m)
	if !ended {
		t.Errorf("%s: not heard that the context has ended %v ago", what, oracle.Soon)
		return false, false
	}
	delay := o.late
	for again := 0; delay > tolerable && again < 3; again++ { // other work delays some, a fault delays all
		if next, ended := c.asked(m); ended {
			delay = min(delay, next.late)
		}
	}
	if delay > tolerable {
		t.Errorf("%s: heard the end of its context after %v, and no sooner in three more tries", what, delay)
	}
	var wrong *mjq.Panic
	if o.panic != "" || errors.As(o.err, &wrong) {
		t.Errorf("%s: panic: %s%.3000v", what, o.panic, o.err)
		return false, true
	}
	late := errors.Is(o.err, context.DeadlineExceeded) || errors.Is(o.err, context.Canceled)
	if o.err != nil && !late {
		refuses(t, what, o.err)
		if c.ordinary(m) {
			t.Errorf("%s: an ordinary question is refused: %v", what, o.err)
		}
	}
	if _, model := o.answer.(mjq.Model); o.answer == nil || model && o.err != nil {
		if o.err == nil {
			t.Errorf("%s: neither an answer nor an error", what)
		}
		return false, true
	}
	reads(t, what, o.answer)
	if text := fmt.Sprint(o.answer); strings.Contains(text, `\n`) {
		t.Errorf("%s: a note of several lines: %.3000s", what, text)
	}
	holds(t, what, o.answer)
	if r, is := o.answer.(*result.Result); is && o.err == nil {
		balances(t, what, m, r)
		c.keeps(t, what, m, r)
	}
	if s, is := o.answer.(*result.Sizing); is && o.err == nil {
		c.sized(t, what, m, s)
	}
	return o.err == nil, true
}

// ordinary reports whether the question must have an answer, if there is time: Solve of a model
// without fault that has arrivals, by the method that mjq chooses. A target may have none:
// a relative one of a mean near 0, or any where a moment is missing.
func (c trial) ordinary(m mjq.Model) bool {
	s := m.Spec()
	arrives := s.Arrivals != nil || s.Load != nil || !slices.ContainsFunc(s.Classes, func(k mjq.Class) bool { return k.Users == 0 })
	hopeless := c.option == "RelErr" || c.option == "HalfWidth" && (c.one == "heavy tail" || c.other == "heavy tail")
	return c.question == "Solve" && c.method == "" && m.Err() == nil && arrives && !hopeless && !partlyServed(s)
}

// partlyServed reports whether a queue has what only some methods serve, and what else it has may be
// beyond these: jobs that change their size are solved and not simulated, reservations neither, and
// the limit of servers that fail is not searched for.
func partlyServed(s *spec.Spec) bool {
	has := s.Features()
	return has.Has(spec.Resizing|spec.Reserving) || has.Has(spec.Failing) && s.Load != nil
}

// keeps fails unless a target leaves an exact answer as it is, and a level is that of all intervals.
func (c trial) keeps(t testing.TB, what string, m mjq.Model, r *result.Result) {
	t.Helper()
	if c.option == "Level" && c.method != "own method" && r.Level != 0.8 {
		t.Errorf("%s: the level is %v", what, r.Level)
	}
	exact := strings.HasPrefix(r.Run.Method, "mjq.Exact")
	if exact && !r.Run.Met {
		t.Errorf("%s: exact, and the target is said to be missed", what)
	}
	if c.method == "" && slices.Contains([]string{"RelErr", "HalfWidth", "MaxJobs"}, c.option) && !exact {
		free := c
		free.option = ""
		if o, _ := free.asked(m); o.err == nil && strings.HasPrefix(o.answer.(*result.Result).Run.Method, "mjq.Exact") {
			t.Errorf("%s: by %s, and exact without the option", what, r.Run.Method)
		}
	}
	if exact && r.Stable && c.question == "Solve" {
		other := trial{question: "Solve", method: "Simulation", option: "", base: c.base, one: c.one, other: c.other}
		if o, ended := other.asked(m, mjq.Seed(5)); ended && o.err == nil {
			s := o.answer.(*result.Result)
			same(t, what+": mean wait, exact and simulated", s.All.Waiting.Mean, r.All.Waiting.Mean)
			same(t, what+": jobs in the system, exact and simulated", s.MeanJobs, r.MeanJobs)
			same(t, what+": utilization, exact and simulated", s.Utilization, r.Utilization)
			same(t, what+": blocked, exact and simulated", s.All.Blocked, r.All.Blocked)
		}
	}
}

// sized fails on a size that no queue needs, and on a goal of waits that is met by losing the jobs.
func (c trial) sized(t testing.TB, what string, m mjq.Model, s *result.Sizing) {
	t.Helper()
	if drops := dropping(m.Spec()); drops && slices.Contains([]string{"a mean wait", "a quantile", "a slowdown"}, c.goal) {
		t.Errorf("%s: waits of a queue that drops jobs have no goal without one on the drops, and the answer is %v", what, s.Best)
	}
	if ideal := m.AtRate(1).IdealRate(); c.question == "LargestRate" && s.Best > 1000*ideal && !math.IsInf(ideal, 0) {
		t.Errorf("%s: the largest rate is %v, and all servers together carry %v", what, s.Best, ideal)
	}
}

// trials draws combinations: every question with its share, half of the queues with two features,
// two thirds of the questions without a method.
func trials(n int) (list []trial) {
	rng := rand.New(rand.NewPCG(1, 2))
	drawn := slices.DeleteFunc(named(features), func(name string) bool { return name == slowest })
	pick := func(names []string) string { return names[rng.IntN(len(names))] }
	for len(list) < n {
		for _, q := range named(questions) {
			c := trial{question: q, option: pick(named(options)), goal: pick(named(goals))}
			for faulty := true; faulty; { // of ten models with a fault nine are drawn again
				c.base, c.one, c.other = pick(named(bases)), pick(drawn), "plain"
				if rng.IntN(2) == 0 {
					c.other = pick(drawn)
				}
				faulty = built(c.base, c.one, c.other).Err() != nil && rng.IntN(10) > 0
			}
			if rng.IntN(3) == 0 {
				c.method = pick(named(methodsByName))
			}
			list = append(list, c)
		}
	}
	return list
}

// faulty are combinations that were wrong before there was this test.
var faulty = []trial{
	{question: "Solve", base: "light", one: "log-normal", given: 4 * time.Second},                   // a number of jobs that overflowed
	{question: "Solve", base: "light", one: "log-normal", option: "RelErr", given: 4 * time.Second}, // the same
	{question: "Solve", base: "one class", option: "RelErr", given: time.Second},                    // simulated, although exact without the target
	{question: "Solve", base: "one class", one: "phases", option: "MaxJobs", given: time.Second},    // the same
	{question: "FewestServers", base: "pool", one: "loss", goal: "a mean wait"},                     // met by losing the jobs
	{question: "LargestRate", base: "pool", one: "loss", goal: "a mean wait"},                       // the same
	{question: "FewestServers", base: "pool", one: "patience", goal: "a quantile"},                  // the same
	{question: "Solve", base: "pool", one: "room", other: slowest, method: "Exact"},                 // had no end
	{question: "Solve", base: "pool", one: "loss", other: "large batches", method: "Exact"},         // exponential in the size
	{question: "CheapestMix", base: "types", one: "patience", method: "Unbiased", option: "Level", goal: "a service level"},
	{question: "Stability", base: "nodes", one: "marked", option: "too late"}, // refused without a remedy
	{question: "Solve", base: "users alone", method: "Simulation"},            // a panic
	{question: "Sweep", base: "pool", one: "slow phases"},                     // did not hear its context
}

// TestProductFaulty asks those again.
func TestProductFaulty(t *testing.T) {
	for _, c := range faulty {
		c.try(t)
	}
}

// TestProduct asks questions about queues by methods with options, all drawn, and fails on
// whatever is neither an answer whose identities hold nor a refusal that says what to do.
func TestProduct(t *testing.T) {
	answered, hung := 0, 0
	all := trials(oracle.Sized(200, 5000))
	for _, c := range all {
		got, ended := c.try(t)
		if got {
			answered++
		}
		if !ended {
			if hung++; hung == 3 {
				t.Fatalf("three questions have not come to an end")
			}
		}
	}
	t.Logf("%d answers to %d questions", answered, len(all))
}
