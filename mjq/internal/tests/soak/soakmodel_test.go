package soak

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/mjqueue/mjq/mjq"
)

// trial is a random model in plain numbers, so that it can be printed as code
// and made smaller.
type trial struct {
	Servers int
	Classes []trialClass
	Load    float64 // fraction of the stability limit
}

type trialClass struct {
	Need, Weight int // the probability is Weight over the sum of all
	Law          int // an index of trialLaws
	Mean         float64
}

// trialLaws are service laws by their mean, simplest first. The first
// phaseTypes of them have an exact solution.
var trialLaws = []struct {
	code string
	law  func(mean float64) mjq.Law
}{
	{"ExpMean(%g)", mjq.ExpMean},
	{"ErlangMeanPhases(%g, 2)", func(mean float64) mjq.Law { return mjq.ErlangMeanPhases(mean, 2) }},
	{"HyperExpMeanSCV(%g, 3)", func(mean float64) mjq.Law { return mjq.HyperExpMeanSCV(mean, 3) }},
	{"Cox2(%g, 1, 0.5)", func(mean float64) mjq.Law { return mjq.Cox2(mean, 1, 0.5) }},
	{"Deterministic(%g)", mjq.Deterministic},
	{"Uniform(0, 2*%g)", func(mean float64) mjq.Law { return mjq.Uniform(0, 2*mean) }},
	{"BoundedPareto(%g, 50, 1.5)", func(mean float64) mjq.Law { return mjq.BoundedPareto(mean, 50, 1.5) }},
}

const phaseTypes = 4

// randomTrial draws a model small enough for the exact solver: every class has
// at least one job in sixteen, so that no sampler waits for a rare one.
func randomTrial(rnd *rand.Rand) trial {
	t := trial{Servers: 1 + rnd.IntN(8), Load: 0.2 + 0.5*rnd.Float64()}
	laws := phaseTypes
	if rnd.IntN(3) == 0 {
		laws = len(trialLaws)
	}
	for range 1 + rnd.IntN(3) {
		t.Classes = append(t.Classes, trialClass{
			Need: 1 + rnd.IntN(t.Servers), Weight: 1 + rnd.IntN(5),
			Law: rnd.IntN(laws), Mean: []float64{0.25, 0.5, 1, 2, 3}[rnd.IntN(5)],
		})
	}
	return t
}

func (t trial) exact() bool {
	return !slices.ContainsFunc(t.Classes, func(c trialClass) bool { return c.Law >= phaseTypes })
}

// model builds it at its load.
func (t trial) model() (mjq.Model, error) {
	b, sum := mjq.Servers(t.Servers), 0
	for _, c := range t.Classes {
		sum += c.Weight
	}
	for i, c := range t.Classes {
		b = b.Class(fmt.Sprintf("c%d", i), c.Need, float64(c.Weight)/float64(sum), trialLaws[c.Law].law(c.Mean))
	}
	m := b
	err := m.Err()
	if err != nil {
		return mjq.Model{}, err
	}
	return m.AtLoad(t.Load).Resolve(background)
}

// String is the code that builds the model.
func (t trial) String() string {
	var b strings.Builder
	sum := 0
	for _, c := range t.Classes {
		sum += c.Weight
	}
	fmt.Fprintf(&b, "mjq.Servers(%d)", t.Servers)
	for i, c := range t.Classes {
		fmt.Fprintf(&b, ".Class(\"c%d\", %d, %d/%d., mjq.%s)", i, c.Need, c.Weight, sum, fmt.Sprintf(trialLaws[c.Law].code, c.Mean))
	}
	return fmt.Sprintf("%s at load %g", b.String(), t.Load)
}

// smaller are the models one step simpler, the largest steps first. Each step
// lowers a size, so that shrinking ends.
func (t trial) smaller() (list []trial) {
	with := func(change func(*trial)) {
		s := t
		s.Classes = slices.Clone(t.Classes)
		change(&s)
		list = append(list, s)
	}
	for i := range t.Classes {
		if len(t.Classes) > 1 {
			with(func(s *trial) { s.Classes = slices.Delete(s.Classes, i, i+1) })
		}
	}
	for _, servers := range []int{t.Servers / 2, t.Servers - 1} {
		if servers >= 1 && slices.IndexFunc(t.Classes, func(c trialClass) bool { return c.Need > servers }) < 0 {
			with(func(s *trial) { s.Servers = servers })
		}
	}
	for i, c := range t.Classes {
		for _, need := range []int{1, c.Need - 1} {
			if need >= 1 && need < c.Need {
				with(func(s *trial) { s.Classes[i].Need = need })
			}
		}
		if c.Law > 0 {
			with(func(s *trial) { s.Classes[i].Law = 0 })
		}
		if c.Mean != 1 {
			with(func(s *trial) { s.Classes[i].Mean = 1 })
		}
		if c.Weight > 1 {
			with(func(s *trial) { s.Classes[i].Weight = 1 })
		}
	}
	if t.Load != 0.5 {
		with(func(s *trial) { s.Load = 0.5 })
	}
	return list
}

// shrink is a model on which disagree still holds and on no simpler one, at
// most looks of which are tried.
func shrink(t trial, looks int, disagree func(trial) string) (trial, string) {
	why := disagree(t)
	for again := true; again; {
		again = false
		for _, s := range t.smaller() {
			if looks--; looks < 0 {
				return t, why
			}
			if text := disagree(s); text != "" {
				t, why, again = s, text, true
				break
			}
		}
	}
	return t, why
}
