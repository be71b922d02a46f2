package product

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/methods"
	"github.com/mjqueue/mjq/mjq/internal/run"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/result"
)

var update = flag.Bool("update", false, "write the page of pairs again")

// property is one that a cluster may have, with a parameter that can be made strong.
type property struct {
	name  string
	base  string                                        // of queues with it; "" is the pool
	only  string                                        // of which a queue, or a class, has one
	fixed bool                                          // it has no strength
	with  func(m mjq.Model, strength float64) mjq.Model // usual at 1, strong at 3
}

// modern are the properties of clusters, in the order of the page.
var modern = []property{
	{name: "failures", with: func(m mjq.Model, x float64) mjq.Model {
		return m.Failures("hardware", mjq.ExpMean(20/x), mjq.ExpMean(2)).After(mjq.Resume)
	}},
	{name: "interruptions", with: func(m mjq.Model, x float64) mjq.Model {
		return m.Failures("glitch", mjq.ExpMean(20/x), mjq.Deterministic(0)).After(mjq.Restart)
	}},
	{name: "spares", with: func(m mjq.Model, x float64) mjq.Model {
		return m.Failures("disk", mjq.ExpMean(20/x), mjq.ExpMean(1)).After(mjq.Resume).Spares(1)
	}},
	{name: "reservations", with: func(m mjq.Model, x float64) mjq.Model { return m.Reserve(5, 2*x, 2).Every(20) }},
	{name: "fair share", only: "order", with: func(m mjq.Model, x float64) mjq.Model {
		return m.Policy(mjq.Multifactor{FairShare: 1000, Age: 1000, MaxAge: 9 / x, HalfLife: 5 / x})
	}},
	{name: "class weights", only: "order", with: func(m mjq.Model, x float64) mjq.Model {
		return m.Policy(mjq.Multifactor{Class: 1000, Factors: map[string]float64{"one": x - 1, "three": 1}})
	}},
	{name: "elastic", only: "size", with: func(m mjq.Model, x float64) mjq.Model { return m.Elastic("three", 1, 4, mjq.Power(0.9/x)) }},
	{name: "partial", only: "size", with: func(m mjq.Model, x float64) mjq.Model { return m.Partial("three", 1, mjq.Power(0.9/x)) }},
	{name: "users", with: func(m mjq.Model, x float64) mjq.Model {
		if len(m.Spec().Resources) > 0 {
			m = m.Needing("users", mjq.Needs{"cpu": 1}, 0, mjq.ExpMean(1))
		} else {
			m = m.Class("users", 1, 0, mjq.ExpMean(1))
		}
		return m.Users("users", int(2*x), mjq.ExpMean(2))
	}},
	{name: "sleep", with: func(m mjq.Model, x float64) mjq.Model { return m.Sleep(mjq.Deterministic(0), mjq.ExpMean(0.5*x)) }},
}

// older are those that queues had before them.
var older = []property{
	{name: "types", base: "types", fixed: true, with: func(m mjq.Model, x float64) mjq.Model { return m.AtRate(3) }},
	{name: "nodes", base: "nodes", fixed: true, with: func(m mjq.Model, x float64) mjq.Model { return m }},
	{name: "room", with: func(m mjq.Model, x float64) mjq.Model { return m.Room(int(6 / x)) }},
	{name: "patience", with: func(m mjq.Model, x float64) mjq.Model { return m.Patience(mjq.ExpMean(3 / x)) }},
	{name: "First-Fit", only: "order", fixed: true, with: func(m mjq.Model, x float64) mjq.Model { return m.Policy(mjq.FirstFit()) }},
	{name: "EASY", only: "order", fixed: true, with: func(m mjq.Model, x float64) mjq.Model { return m.Policy(mjq.EASY()) }},
	{name: "preemption", only: "order", fixed: true, with: func(m mjq.Model, x float64) mjq.Model {
		return m.Policy(mjq.Priority([]string{"one"}, []string{"three"}).Preemptive(mjq.Resume))
	}},
	{name: "batches", fixed: true, with: func(m mjq.Model, x float64) mjq.Model { return features["batches"](m) }},
}

// properties are all of them.
var properties = slices.Concat(modern, older)

// pair is a queue with two properties of these strengths.
func pair(a, b property, x, y float64) mjq.Model {
	base := a.base + b.base
	if base == "" {
		base = "pool"
	}
	return b.with(a.with(bases[base](), x), y)
}

// pairs calls for every two properties of which one is among the first n.
func pairs(n int, each func(a, b property)) {
	for i, a := range properties[:n] {
		for _, b := range properties[i+1:] {
			if (a.only == "" || a.only != b.only) && (a.base == "" || b.base == "") {
				each(a, b)
			}
		}
	}
}

// served are the names of the methods that are for a queue, or why none is.
func served(m mjq.Model) (list []string, why error) {
	if err := m.Err(); err != nil {
		return nil, err
	}
	s, err := m.Spec().Checked()
	if err != nil {
		return nil, err
	}
	for _, x := range methods.All {
		row := run.Under(x, s).Row()
		if faults := run.Fits(x, s); len(faults) == 0 {
			list = append(list, row.Name)
		} else if row.Name == "Simulation" {
			why = faults[0]
		}
	}
	return list, why
}

// TestPairs: every method that a row names solves a queue with two properties, and every other refuses it with a
// remedy. The answers of Exact and Simulation move with the parameters of both. Jobs that begin again after
// interruptions are left to tests of their own: their stability limit takes minutes.
func TestPairs(t *testing.T) {
	number, step := 0, oracle.Sized(5, 1)
	pairs(len(properties), func(a, b property) {
		number++
		what := a.name + " along with " + b.name
		fit, why := served(pair(a, b, 1, 1))
		if why != nil {
			refuses(t, what, why)
		}
		for name, method := range methodsByName {
			if method == nil || name == "own method" {
				continue
			}
			answers := slices.Contains(fit, name)
			if answers && (a.name == "interruptions" || number%step > 0) {
				continue
			}
			solve := func(x, y float64) *result.Result {
				r, err := pair(a, b, x, y).Solve(background, method, mjq.NoCache())
				var wrong *mjq.Panic
				if errors.As(err, &wrong) {
					t.Errorf("%s by %s: panic: %.2000v", what, name, err)
				} else if err != nil {
					refuses(t, what+" by "+name, err)
				}
				return r
			}
			r := solve(1, 1)
			if !answers && r != nil {
				t.Errorf("%s: %s answers, and its row does not say so", what, name)
			}
			if r == nil || name != "Exact" && name != "Simulation" {
				continue
			}
			if x := solve(3, 1); x != nil && !a.fixed && alike(r, x) {
				t.Errorf("%s by %s: the answer is the same when %s is strong", what, name, a.name)
			}
			if x := solve(1, 3); x != nil && !b.fixed && alike(r, x) {
				t.Errorf("%s by %s: the answer is the same when %s is strong", what, name, b.name)
			}
		}
	})
}

// alike reports whether two results have the same means, to a thousandth.
func alike(x, y *result.Result) bool {
	near := func(a, b result.Estimate) bool {
		return !a.Known() && !b.Known() || math.Abs(a.Value-b.Value) <= 1e-3*math.Abs(a.Value) || math.IsInf(a.Value, 1) && math.IsInf(b.Value, 1)
	}
	same := near(x.Energy.On, y.Energy.On) && near(x.Up, y.Up)
	for k := range x.Classes {
		c, d := &x.Classes[k], &y.Classes[k]
		same = same && near(c.Waiting.Mean, d.Waiting.Mean) && near(c.Response.Mean, d.Response.Mean) && near(c.Left, d.Left) && near(c.Blocked, d.Blocked)
	}
	return same
}

// togetherPage is where users look.
const togetherPage = "../../../../site/docs/methods/together.md"

// TestTogetherPage: the page of pairs says what the rows say.
func TestTogetherPage(t *testing.T) {
	var b strings.Builder
	b.WriteString(`# Properties together

The table says which methods answer for a queue with two properties: **E** [Exact](exact.md), **S** [Simulation](simulation.md), **U**
[Unbiased](unbiased.md), **f** [forward](control-variates.md) or [backward](sampling.md) sampling. A dash is refused, by the model or by every method, with an error that says
what to leave out. E, U and f can need more, such as exponential service times: ask ` + "`m.Methods(ctx)`" + ` for your queue.

`)
	b.WriteString("| |")
	for _, c := range properties {
		b.WriteString(" " + c.name + " |")
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(properties)) + "\n")
	cells, why, kinds := map[string]string{}, map[string][]string{}, []string{}
	pairs(len(modern), func(a, b property) {
		fit, err := served(pair(a, b, 1, 1))
		text := ""
		for _, name := range fit {
			for _, x := range [][2]string{{"Exact", "E"}, {"Simulation", "S"}, {"Unbiased", "U"}, {"Forward", "f"}, {"Backward", "f"}} {
				if x[0] == name && !strings.Contains(text, x[1]) {
					text += x[1]
				}
			}
		}
		if text == "" {
			text = "–"
			lines := strings.Split(err.Error(), "\n")
			reason := lines[len(lines)-1]
			if why[reason] == nil {
				kinds = append(kinds, reason)
			}
			why[reason] = append(why[reason], a.name+" and "+b.name)
		}
		cells[a.name+b.name], cells[b.name+a.name] = text, text
	})
	for _, a := range modern {
		fmt.Fprintf(&b, "| **%s** |", a.name)
		for _, c := range properties {
			fmt.Fprintf(&b, " %s |", cells[a.name+c.name])
		}
		b.WriteString("\n")
	}
	b.WriteString(`
"Spares" fail too. "Fair share" and "class weights" are priorities of Slurm, ` + "`mjq.Multifactor`" + `; an empty cell has two orders of one queue, or two sizes of one job. "Users" wait for their
jobs before they send the next ones. Failures, elastic jobs, users and sleep stand in each row as on their pages.

## Refusals

| pair | the error |
|---|---|
`)
	for _, reason := range kinds {
		fmt.Fprintf(&b, "| %s | `%s` |\n", strings.Join(why[reason], "; "), strings.NewReplacer("\t", " ", "|", "/", "`", "").Replace(reason))
	}
	b.WriteString(`
**Evidence**: ` + "`TestPairs`" + ` asks every method about every pair: it answers or names a remedy, and the answers of Exact and Simulation move when either property is made three
times as strong. ` + "`TestTogetherPage`" + ` writes this page from the rows of the methods. Small chains by hand hold users with failures, sleep, nodes, types and priorities, and
priorities with sleep, within the intervals of the simulation (` + "`TestUsersOfServersThatFail`" + ` and its neighbours). So they hold elastic jobs
on servers that fail, and users who send elastic jobs (` + "`TestShrinkingOnServersThatFail`" + `, ` + "`TestUsersOfElasticJobs`" + `).
`)
	if *update {
		if err := os.WriteFile(togetherPage, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if is, err := os.ReadFile(togetherPage); err != nil || string(is) != b.String() {
		t.Errorf("the page differs from the rows (%v); look at it and run go test ./mjq/internal/tests/product -run TogetherPage -update", err)
	}
}
