package mjq

import (
	"cmp"
	"context"
	"fmt"
	"html"
	"math"
	"slices"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/divisible"
	"github.com/mjqueue/mjq/mjq/internal/method"
)

const noteSource = "Brandwajn, Begin: A Note on the Determination of the Processing Capacity in a Multiserver Job System"

// WaitingState is what is in service while jobs wait, and who waits first.
type WaitingState struct {
	InService []int  // m_ℓ, jobs by class, in the order of the model
	Head      string // the class of the job at the head of the line, i
	Prob      float64
}

// Capacity is the processing capacity of a divisible resource: the queue is
// stable for every arrival rate below Rate and for none above.
type Capacity struct {
	Rate      float64 // λ_c, jobs per unit of time
	IdealRate float64 // the limit if no amount were ever left unused
	Unused    float64 // mean amount that is idle although a job waits, in saturation
	States    []WaitingState
	Classes   []string
	Source    string
}

// Capacity is the rate of completions of the saturated queue, from the
// stationary law of its states by elimination without subtractions. Time
// n³/3 multiplications and 8 n² bytes for n states; more than 3000 states are
// an error, and so are services that are not exponential. A model of 842
// states takes a tenth of a second.
//
// Source: the note's Section II, equation (4) at λ = ũ.
func (d *DivisibleModel) Capacity(ctx context.Context) (_ *Capacity, err error) {
	defer method.Caught("capacity", &err)
	space, err := d.space(ctx, "capacity")
	if err != nil {
		return nil, err
	}
	rate, p, err := space.Capacity(ctx, d.progress)
	if err != nil {
		return nil, fmt.Errorf("mjq: capacity: %w", err)
	}
	return &Capacity{Rate: rate, IdealRate: d.IdealRate(), Unused: space.Unused(p), States: d.states(space, p),
		Classes: d.names(), Source: noteSource}, nil
}

// space explores the states of the model.
func (d *DivisibleModel) space(ctx context.Context, what string) (*divisible.Space, error) {
	r, err := d.resource(what)
	if err != nil {
		return nil, err
	}
	s, err := divisible.Explore(ctx, r)
	if err != nil {
		return nil, fmt.Errorf("mjq: %s: %w", what, err)
	}
	return s, nil
}

func (d *DivisibleModel) names() (names []string) {
	for _, c := range d.classes {
		names = append(names, c.Name)
	}
	return names
}

// states puts names to the states, in the order of their counts.
func (d *DivisibleModel) states(s *divisible.Space, p []float64) []WaitingState {
	out := make([]WaitingState, s.Len())
	for i := range out {
		counts, head := s.State(i)
		out[i] = WaitingState{Head: d.classes[head].Name, Prob: p[i]}
		for _, m := range counts {
			out[i].InService = append(out[i].InService, int(m))
		}
	}
	slices.SortFunc(out, func(a, b WaitingState) int {
		return cmp.Or(slices.Compare(a.InService, b.InService), cmp.Compare(a.Head, b.Head))
	})
	return out
}

// stateTable is the states as a table.
func stateTable(title string, classes []string, states []WaitingState) *Table {
	t := NewTable(title)
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
func (c *Capacity) Table() *Table {
	t := stateTable("The saturated queue", c.Classes, c.States)
	t.Note = c.String()
	return t
}

// String says the capacity in a line.
func (c *Capacity) String() string {
	return fmt.Sprintf("stable below λ = %.10g jobs per unit of time; %.6g without blocking; %.6g of the resource unused in saturation",
		c.Rate, c.IdealRate, c.Unused)
}

// HTML is the line for a notebook.
func (c *Capacity) HTML() string { return "<p>" + html.EscapeString(c.String()) + "</p>" }

// ProcessingRate is what the rate of completions tends to as the line of a
// divisible resource grows, at some arrival rate.
type ProcessingRate struct {
	Arrivals float64 // λ
	Rate     float64 // ũ(λ), from an eigenvalue if there are at most 500 states, else by the fixed point
	Ratio    float64 // λ/ũ, the ratio of successive probabilities of long lines
	States   []WaitingState
	Classes  []string

	FixedPoint float64 // ũ(λ) by the note's fixed point; NaN if it did not settle
	Sweeps     int     // of the fixed point
	Source     string
}

// maxDirect is the most states for which the eigenvalue is looked for as well.
const maxDirect = 500

// ProcessingRate is the limiting rate of completions ũ at arrival rate λ with
// the limiting probabilities p̃ of the states, given that many jobs wait. The
// queue is stable if ũ > λ, and at the capacity both are equal: the curve of
// the note's Figure 2. Above it ũ < λ solves the same equations but describes
// no stationary queue.
//
// It is found twice, by the note's fixed point and, with up to 500 states, as
// the root of an equation for the Perron eigenvalue of -diag(rates) + η A2, A2
// the moves made by completions and η = λ/ũ; they agree to some 1e-12. The
// fixed point costs a pass over the moves a sweep, and some hundred sweeps; at
// rates below a thousandth of the capacity, and with mean times that are orders
// of magnitude apart, it may not settle in the 200 000 that it is given, which
// is an error with more than 500 states. The root costs
// some 20 factorisations of n³/3 multiplications for n states. Otherwise the
// limits are those of Capacity.
//
// Source: the note's equations (4) and (5) with the limits of (1) to (3).
func (d *DivisibleModel) ProcessingRate(ctx context.Context, lambda float64) (_ *ProcessingRate, err error) {
	defer method.Caught("processing rate", &err)
	if err := rateFault("processing rate", lambda); err != nil {
		return nil, err
	}
	space, err := d.space(ctx, "processing rate")
	if err != nil {
		return nil, err
	}
	iterated, err := space.Limit(ctx, lambda)
	if err != nil {
		return nil, fmt.Errorf("mjq: processing rate: %w", err)
	}
	fixed := iterated.Rate
	if !iterated.Settled {
		fixed = math.NaN()
	}
	limit, err := best(ctx, space, iterated)
	if err != nil {
		return nil, fmt.Errorf("mjq: processing rate: %w", err)
	}
	return &ProcessingRate{Arrivals: lambda, Rate: limit.Rate, Ratio: lambda / limit.Rate, States: d.states(space, limit.P),
		Classes: d.names(), FixedPoint: fixed, Sweeps: iterated.Sweeps, Source: noteSource}, nil
}

// best is the limit from an eigenvalue if there are few states, else the one
// that the fixed point gave, if it did.
func best(ctx context.Context, space *divisible.Space, iterated *divisible.Limit) (*divisible.Limit, error) {
	if space.Len() <= maxDirect {
		return space.Perron(ctx, iterated.Arrivals)
	}
	if !iterated.Settled {
		return nil, fmt.Errorf("the fixed point has not settled at arrival rate %v after %d sweeps, and %d states are more than %d, the most for an eigenvalue; ask for a higher rate, or use what .Model() returns",
			iterated.Arrivals, iterated.Sweeps, space.Len(), maxDirect)
	}
	return iterated, nil
}

// rateFault says what is wrong with an arrival rate.
func rateFault(what string, lambda float64) error {
	var f check.Faults
	f.That(lambda > 0 && !math.IsInf(lambda, 1), "the arrival rate is %v; give a positive finite one", lambda)
	return faultsOf(&f, what)
}

// Table is the limiting law of the states.
func (p *ProcessingRate) Table() *Table {
	return stateTable(fmt.Sprintf("Given a long line, at λ = %.6g (ũ = %.10g)", p.Arrivals, p.Rate), p.Classes, p.States)
}
