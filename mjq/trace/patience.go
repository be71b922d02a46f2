package trace

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/result"
)

// Patience is how long the jobs of a log waited before they gave up: the estimate of Kaplan
// and Meier (Journal of the American Statistical Association 53, 1958, [41] of the references on
// the site). A job that started, or that waits still, tells only that its patience is longer than its wait.
type Patience struct {
	GaveUp, Started, Waiting int       // jobs that left, started, and wait still
	Times                    []float64 // after which jobs gave up, ascending and distinct
	Survival                 []float64 // Survival[i] is the share of jobs whose patience is longer than Times[i]
	Waited                   float64   // by all jobs together
	Unit                     result.Unit
}

// Patience estimates the patience of the jobs of a log, from those that left before they
// started (Left), those that started and whose wait is known, and those that wait still. It fails
// if no job left.
func (t *Trace) Patience() (*Patience, error) {
	type seen struct {
		wait float64
		left bool
	}
	p := &Patience{Unit: t.Unit}
	var all []seen
	for i := range t.Jobs {
		if j := &t.Jobs[i]; j.WaitKnown {
			all = append(all, seen{j.Waited, false})
			p.Started++
		}
	}
	for _, d := range t.Left {
		all = append(all, seen{d.Waited, !d.Waiting})
		if d.Waiting {
			p.Waiting++
		} else {
			p.GaveUp++
		}
	}
	if p.GaveUp == 0 {
		return nil, errors.New("patience: no job of the log left before it started; ReadSacct keeps those that did")
	}
	// Of those at one time the ones that left come first.
	slices.SortFunc(all, func(a, b seen) int {
		if c := cmp.Compare(a.wait, b.wait); c != 0 || a.left == b.left {
			return c
		}
		if a.left {
			return -1
		}
		return 1
	})
	share := 1.0
	for i, s := range all {
		p.Waited += s.wait
		if !s.left {
			continue
		}
		share *= 1 - 1/float64(len(all)-i)
		if n := len(p.Times); n > 0 && p.Times[n-1] == s.wait {
			p.Survival[n-1] = share
			continue
		}
		p.Times, p.Survival = append(p.Times, s.wait), append(p.Survival, share)
	}
	return p, nil
}

// Longer is the share of jobs whose patience is longer than a time. Beyond the last job that gave
// up it stays what it is there.
func (p *Patience) Longer(than float64) float64 {
	i, found := slices.BinarySearch(p.Times, than)
	if found {
		i++
	}
	if i == 0 {
		return 1
	}
	return p.Survival[i-1]
}

// Fit is the exponential patience of the largest likelihood: its mean is what all jobs have
// waited together by the number of those that gave up.
func (p *Patience) Fit() law.Law { return law.ExpMean(p.Waited / float64(p.GaveUp)) }

// Table has the estimate next to the fit at the quarters of the jobs that gave up.
func (p *Patience) Table() *result.Table {
	fit := p.Fit()
	t := result.NewTable("Patience").In(p.Unit).Numbers("time").Time(1).Numbers("share that waits longer").Numbers("exponential fit")
	for _, part := range []float64{0.25, 0.5, 0.75, 1} {
		at := p.Times[int(math.Ceil(part*float64(len(p.Times))))-1]
		t.Row(at, p.Longer(at), fit.Survival(at))
	}
	return t
}
