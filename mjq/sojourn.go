package mjq

import (
	"context"
	"fmt"
	"math"

	"github.com/mjqueue/mjq/mjq/internal/divisible"
	"github.com/mjqueue/mjq/mjq/internal/method"
)

// Moments are the first two moments of a time.
type Moments struct{ Mean, Square float64 }

// Variance is E[X²] - E[X]².
func (m Moments) Variance() float64 { return m.Square - m.Mean*m.Mean }

// TailBound is an upper bound for P(X > t): the one-sided inequality of
// Chebyshev, Var/(Var + (t - mean)²), and 1 where t is not above the mean. It
// is equation (8) of the capacity note.
func (m Moments) TailBound(t float64) float64 {
	if math.IsInf(m.Mean, 1) || !(t > m.Mean) {
		return 1
	}
	v := m.Variance()
	return v / (v + (t-m.Mean)*(t-m.Mean))
}

// Sojourn is the stationary queue for a divisible resource at an arrival rate.
type Sojourn struct {
	Rate   float64 // λ
	Limit  float64 // ũ(λ), the limiting rate of completions
	Stable bool    // λ < ũ(λ); if false all times are +Inf

	MeanJobs   float64 // E[N]
	MeanLine   float64 // E[Nq]
	LineSquare float64 // E[Nq²]
	Unused     float64 // mean amount of the resource not held
	Blocked    float64 // that part of it which is unused although a job waits

	Waiting  Moments // arrival to start of service, any class; exact
	Response Moments // waiting + service, the sojourn time; exact
	Classes  []SojournClass

	// Independent is the response with E[W²] by equation (7), which takes the
	// wait and the service of a job to be independent. Within a class they are;
	// over all classes both depend on the class.
	Independent Moments

	// WaitingAsPrinted and ResponseAsPrinted leave the states with no more jobs
	// than fit in service at once out of E[Nq²] but not of E[Nq]. They
	// reproduce the second moments of the note's Table I. That this is how those
	// came about is our inference; the note does not say so.
	WaitingAsPrinted, ResponseAsPrinted Moments

	Levels int // numbers of jobs for which conditional probabilities were found
	Sweeps int // of the fixed point over these
	Source string
}

// SojournClass is a class of a Sojourn.
type SojournClass struct {
	Name              string
	Waiting, Response Moments
}

// Sojourn solves the queue with Poisson arrivals of rate λ: conditional
// probabilities of the states given the number of jobs, by the note's fixed
// point, up to the number at which they have reached their limit; then the
// moments of the number waiting, and of times by Little's law and its
// extension to second moments, equation (6). Waits by class follow from the
// jobs behind one at the head of the line: jobs behind it have arrived since it
// did. The relative error is of order 1e-11, and was below 1e-9 where mean times
// and needs are orders of magnitude apart.
//
// Cost: levels times sweeps times the moves between states; 842 states at 97 %
// of capacity take some seconds, at most 3000 are accepted. Services must be
// exponential. With more than 500 states p̃ itself comes from a fixed point,
// which may not settle when mean times are orders of magnitude apart; that is
// an error which names the remedy.
//
// Source: the note's Section II, equations (1) to (8), with u(j) for u(n) in
// the product of (1); Whitt, "A review of L = λW and extensions", for (6).
func (d *DivisibleModel) Sojourn(ctx context.Context, lambda float64) (_ *Sojourn, err error) {
	defer method.Caught("sojourn", &err)
	const what = "sojourn time"
	if err := rateFault(what, lambda); err != nil {
		return nil, err
	}
	space, err := d.space(ctx, what)
	if err != nil {
		return nil, err
	}
	limit, err := d.limit(ctx, space, lambda)
	if err != nil {
		return nil, fmt.Errorf("mjq: %s: %w", what, err)
	}
	r := &Sojourn{Rate: lambda, Limit: limit.Rate, Stable: lambda < limit.Rate*(1-1e-12), Source: noteSource}
	if !r.Stable {
		d.overloaded(r)
		return r, nil
	}
	open, err := space.NewOpen(ctx, limit, d.progress)
	if err != nil {
		return nil, fmt.Errorf("mjq: %s: %w", what, err)
	}
	r.Levels, r.Sweeps = open.Levels(), open.Sweeps
	d.fill(r, open.Moments())
	return r, nil
}

// limit is the limit for few states from an eigenvalue, else by the fixed point.
func (d *DivisibleModel) limit(ctx context.Context, space *divisible.Space, lambda float64) (*divisible.Limit, error) {
	if space.Len() <= maxDirect {
		return space.Perron(ctx, lambda)
	}
	iterated, err := space.Limit(ctx, lambda)
	if err != nil {
		return nil, err
	}
	return best(ctx, space, iterated)
}

// overloaded fills a result at or beyond the capacity.
func (d *DivisibleModel) overloaded(r *Sojourn) {
	inf := math.Inf(1)
	never := Moments{inf, inf}
	r.MeanJobs, r.MeanLine, r.LineSquare = inf, inf, inf
	r.Unused, r.Blocked = math.NaN(), math.NaN()
	r.Waiting, r.Response, r.Independent, r.WaitingAsPrinted, r.ResponseAsPrinted = never, never, never, never, never
	for _, c := range d.classes {
		r.Classes = append(r.Classes, SojournClass{c.Name, never, never})
	}
}

// fill turns means over the states into times.
func (d *DivisibleModel) fill(r *Sojourn, m *divisible.Moments) {
	lambda := r.Rate
	r.MeanJobs, r.MeanLine, r.LineSquare = m.Jobs, m.Line, m.LineSquare
	r.Unused, r.Blocked = d.total-m.Used, m.Blocked
	mean, square := 0.0, 0.0 // of the service of a job of any class
	behind := 0.0
	for l, c := range d.classes {
		t := c.Service.Mean()
		mean, square = mean+c.Prob*t, square+c.Prob*2*t*t
		behind += m.Behind[l]
	}
	r.Waiting = Moments{m.Line / lambda, (m.LineSquare - m.Line) / (lambda * lambda)} // (6)
	for l, c := range d.classes {
		// The time to reach the head is common to all classes, the time at it is not.
		w := Moments{behind/lambda + m.Waiting[l]/(lambda*c.Prob), (m.BehindTwo + 2*m.Behind[l]/c.Prob) / (lambda * lambda)}
		t := c.Service.Mean()
		k := SojournClass{c.Name, w, w.plus(t, 2*t*t)}
		r.Classes = append(r.Classes, k)
		r.Response.Square += c.Prob * k.Response.Square
	}
	r.Response.Mean = m.Jobs / lambda
	r.Independent = r.Waiting.plus(mean, square) // (7)
	r.WaitingAsPrinted = Moments{r.Waiting.Mean, (m.LineSquare - m.Low - m.Line) / (lambda * lambda)}
	r.ResponseAsPrinted = r.WaitingAsPrinted.plus(mean, square)
}

// plus is the sum with an independent time.
func (m Moments) plus(mean, square float64) Moments {
	return Moments{m.Mean + mean, m.Square + 2*m.Mean*mean + square}
}

// Table is the result by class.
func (r *Sojourn) Table() *Table {
	var names []string
	var w, sdw, s, sds []float64
	row := func(name string, waiting, response Moments) {
		names = append(names, name)
		w, sdw = append(w, waiting.Mean), append(sdw, math.Sqrt(waiting.Variance()))
		s, sds = append(s, response.Mean), append(sds, math.Sqrt(response.Variance()))
	}
	for _, c := range r.Classes {
		row(c.Name, c.Waiting, c.Response)
	}
	row("all", r.Waiting, r.Response)
	t := NewTable(fmt.Sprintf("Divisible resource at λ = %.6g", r.Rate)).Text("class", names...).
		Numbers("mean wait", w...).Numbers("its standard deviation", sdw...).
		Numbers("mean response", s...).Numbers("its standard deviation ", sds...)
	t.Note = fmt.Sprintf("%.6g jobs in the system, %.6g waiting; %.6g of the resource unused, %.6g of it while a job waits.",
		r.MeanJobs, r.MeanLine, r.Unused, r.Blocked)
	return t
}

// String is the table as text.
func (r *Sojourn) String() string { return r.Table().String() }

// HTML is the table for a notebook.
func (r *Sojourn) HTML() string { return r.Table().HTML() }
