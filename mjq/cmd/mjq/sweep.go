package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/result"
)

// dividedSweep is the verb of a sweep, in this process or in parts.
var dividedSweep = inParts(verb{
	name: "sweep", short: "Solve every point of a grid of servers, rates, loads and distributions",
	long: `Solve the model for every service-time distribution of --laws (with the means of the
model) on every number of --servers at every --rate and --load. All points have the same
randomness, so that their differences are sharp.

A grid too large for one machine is computed in parts by a job array or by hand. Each task
computes part k of n, counted from 0, and keeps it in a directory that all machines reach:

  mjq sweep MODEL ... --part k/n --dir D        compute part k, unless D has it
  mjq sweep MODEL ... --part slurm/n --dir D    k is SLURM_ARRAY_TASK_ID (sbatch --array)
  mjq sweep MODEL ... --part k8s/n --dir D      k is JOB_COMPLETION_INDEX (Indexed Job)
  mjq sweep --status --dir D                    what D has and lacks; --watch repeats it
  mjq sweep MODEL ... --merge n --dir D         write the answer of the n parts in D

Digits are those of one run, however the work is cut, on processors of one architecture.
A part that is interrupted keeps nothing and exits with 75: run the same command again. So
choose n such that a part takes minutes. --shard and mjq merge do the same with files that
you name.`,
	example: `mjq sweep queue.json --load 0.5,0.9 --servers 20,40 --method forward --jobs 2e4
mjq sweep queue.json --load 0.5 --laws 'Deterministic,ErlangMeanPhases(3)' --method simulation --jobs 2000 --csv
mjq sweep queue.json --rate 0.5,1 --method exact --shard 0/2 --json -o part0.json
mjq sweep queue.json --rate 0.5,1 --method exact --part 0/2 --dir parts
mjq sweep queue.json --rate 0.5,1 --method exact --part 1/2 --dir parts
mjq sweep --status --dir parts
mjq sweep queue.json --rate 0.5,1 --method exact --merge 2 --dir parts --csv`,
	methods: waits, options: []string{"rel-err", "half-width", "max-jobs", "shard"}, arrivals: taken, grid: true,
})

// gridFlags defines the flags of a grid. The sweep has what is done of it, perhaps no point.
func gridFlags(c *call) asking[*result.Sweep] {
	var g mjq.Grid
	c.flags().Var(lawFamilies.list(&g.Laws, ","), "laws", "in place of the service-time distributions: "+strings.Join(lawNames, ", "))
	c.flags().Var(wholes.one(&g.Replications), "replications-a-point", "jobs of its own into which each point is cut (1)")
	return func(m mjq.Model, ctx context.Context, opts ...mjq.Option) (*result.Sweep, error) {
		g.Rates, g.Loads, g.Servers = c.models.rates, c.models.loads, c.models.servers
		return mjq.Sweep(ctx, m, g, opts...)
	}
}

// unlessEmpty is a sweep without an answer where no point is done.
func unlessEmpty(ask asking[*result.Sweep]) asking[*result.Sweep] {
	return func(m mjq.Model, ctx context.Context, opts ...mjq.Option) (*result.Sweep, error) {
		s, err := ask(m, ctx, opts...)
		if s != nil && len(s.Jobs) == 0 {
			return nil, err
		}
		return s, err
	}
}

// lawFamilies are the laws of a sweep.
var lawFamilies = kind[mjq.LawFamily]{"laws", "Deterministic,ErlangMeanPhases(3)", readFamily}

// byMean are laws that a mean makes, some with a number besides: ErlangMeanPhases(phases).
var byMean = func() map[string]law.Form {
	all := map[string]law.Form{}
	for _, f := range law.Examples() {
		switch p := f.Parameters; {
		case p[0].Name != "mean" && f.Name != "Deterministic" || len(p) > 2:
		case len(p) == 2:
			all[f.Name+"("+p[1].Name+")"] = f
		default:
			all[f.Name] = f
		}
	}
	return all
}()

var lawNames = slices.Sorted(maps.Keys(byMean))

// readFamily reads a family of laws.
func readFamily(text string) (mjq.LawFamily, error) {
	text = strings.TrimSpace(text)
	name, rest, has := strings.Cut(text, "(")
	at := slices.IndexFunc(lawNames, func(known string) bool { return name == strings.Split(known, "(")[0] })
	if at < 0 {
		return mjq.LawFamily{}, fmt.Errorf("%q is not known%s", text, check.OneOf(name, lawNames))
	}
	x, err := strconv.ParseFloat(strings.TrimSuffix(rest, ")"), 64)
	if has != strings.Contains(lawNames[at], "(") || has && err != nil {
		return mjq.LawFamily{}, fmt.Errorf("%q: write %s", text, lawNames[at])
	}
	of := func(mean float64) (mjq.Law, error) { return withMean(byMean[lawNames[at]], mean, x) }
	if _, err := of(1); err != nil {
		return mjq.LawFamily{}, fmt.Errorf("%q: %w", text, err)
	}
	return mjq.LawFamily{Name: text, Of: func(mean float64) mjq.Law {
		l, _ := of(mean)
		return l
	}}, nil
}

// withMean is the law of a form with other numbers.
func withMean(f law.Form, mean, x float64) (mjq.Law, error) {
	f.Parameters = slices.Clone(f.Parameters)
	for i, number := range []float64{mean, x}[:len(f.Parameters)] {
		f.Parameters[i].Value = number
	}
	text, err := f.MarshalJSON()
	if err != nil {
		return nil, err
	}
	return law.Unmarshal(text)
}
