package special

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/internal/escape"
	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/result"
)

const noteSource = "Brandwajn, Begin: A Note on the Determination of the Processing Capacity in a Multiserver Job System"

// WaitingState is what is in service while jobs wait, and who waits first.
type WaitingState struct {
	InService []int  // m_ℓ, jobs by class, in the order of the classes
	Head      string // the class of the job at the head of the line, i
	Prob      float64
}

// Capacity is the processing capacity of a divisible resource: the queue is
// stable for every arrival rate below Rate and for none above.
type Capacity struct {
	Rate       float64 // λ_c, jobs per unit of time
	IdealRate  float64 // the limit if no amount were ever left unused
	Unused     float64 // mean amount that is idle although a job waits, in saturation
	States     []WaitingState
	Classes    []string
	Source     string
	Remembered time.Time // when it was computed, if it was not now; see mjq.Cache
}

// Capacity is the rate of completions of the saturated queue, from the stationary law of its
// states by elimination without subtractions. Time n³/3 multiplications and 8 n² bytes for n
// states; more than 3000 states are an error, and so are services that are not exponential. A
// model of 842 states takes a tenth of a second. Options: those of every question.
//
// Source: the note's Section II, equation (4) at λ = ũ.
func (d Divisible) Capacity(ctx context.Context, opts ...mjq.Option) (*Capacity, error) {
	return question[Capacity]{"Capacity", d.key("divisible capacity"), d.capacity,
		func(c *Capacity, at time.Time) { c.Remembered = at }}.answer(ctx, opts)
}

func (d Divisible) capacity(ctx context.Context, progress func(done, total float64)) (*Capacity, error) {
	space, err := d.space(ctx)
	if err != nil {
		return nil, err
	}
	rate, p, err := space.saturated(ctx, progress)
	if err != nil {
		return nil, err
	}
	return &Capacity{Rate: rate, IdealRate: d.IdealRate(), Unused: space.unused(p), States: d.states(space, p),
		Classes: d.names(), Source: noteSource}, nil
}

// space explores the states of the queue, of which something is asked at the arrival
// rates.
func (d Divisible) space(ctx context.Context, rates ...float64) (*waitingSpace, error) {
	var f check.Faults
	d.check(&f)
	for _, lambda := range rates {
		f.That(lambda > 0 && !math.IsInf(lambda, 1), "the arrival rate is %v; give a positive finite one", lambda)
	}
	r := d.resource(&f)
	if err := f.Err("Divisible"); err != nil {
		return nil, err
	}
	return explore(ctx, r)
}

func (d Divisible) names() (names []string) {
	for _, c := range d.classes {
		names = append(names, c.Name)
	}
	return names
}

// states puts names to the states, in the order of their counts.
func (d Divisible) states(s *waitingSpace, p []float64) []WaitingState {
	out := make([]WaitingState, s.len())
	for i := range out {
		out[i] = WaitingState{Head: d.classes[s.States[i].head].Name, Prob: p[i]}
		for _, m := range s.States[i].counts {
			out[i].InService = append(out[i].InService, int(m))
		}
	}
	slices.SortFunc(out, func(a, b WaitingState) int {
		return cmp.Or(slices.Compare(a.InService, b.InService), cmp.Compare(a.Head, b.Head))
	})
	return out
}

// stateTable is the states as a table.
func stateTable(title string, classes []string, states []WaitingState) *result.Table {
	t := result.NewTable(title)
	for l, name := range classes {
		var counts []float64
		for _, s := range states {
			counts = append(counts, float64(s.InService[l]))
		}
		t.Numbers(name+" in service", counts...)
	}
	var heads []string
	var probs []float64
	for _, s := range states {
		heads, probs = append(heads, s.Head), append(probs, s.Prob)
	}
	return t.Text("head of line", heads...).Numbers("probability", probs...)
}

// Table is the stationary law of the saturated states.
func (c *Capacity) Table() *result.Table {
	t := stateTable("The saturated queue", c.Classes, c.States)
	t.Note = c.String()
	return t
}

// String gives the capacity in a line.
func (c *Capacity) String() string {
	return fmt.Sprintf("stable below λ = %.10g jobs per unit of time; %.6g without blocking; %.6g of the resource unused in saturation",
		c.Rate, c.IdealRate, c.Unused)
}

// HTML returns the line as HTML, for a notebook.
func (c *Capacity) HTML() string { return "<p>" + escape.HTML(c.String()) + "</p>" }
