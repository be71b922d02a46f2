package special

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/result"
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

	Levels     int // numbers of jobs for which conditional probabilities were found
	Sweeps     int // of the fixed point over these
	Source     string
	Remembered time.Time // when it was computed, if it was not now; see mjq.Cache
}

// SojournClass is a class of a Sojourn.
type SojournClass struct {
	Name              string
	Waiting, Response Moments
}

// Sojourn solves the queue with Poisson arrivals of rate λ. The note's fixed point gives the
// probabilities of the states for each number of jobs, up to the number at which they have
// converged. Moments of the number waiting follow, and moments of times by Little's law and its
// extension to second moments, equation (6). Waits by class follow from the jobs behind one at
// the head of the line: jobs behind it have arrived since it did. The relative error is of
// order 1e-11, and was below 1e-9 where mean times and needs are orders of magnitude apart.
//
// Cost: levels times sweeps times the moves between states; 842 states at 97 % of capacity take
// some seconds, at most 3000 are accepted. Services must be exponential. With more than 500
// states p̃ itself comes from a fixed point, which may not converge when mean times are orders
// of magnitude apart; that is an error which names the remedy. Options: those of every
// question.
//
// Source: the note's Section II, equations (1) to (8), with u(j) for u(n) in
// the product of (1); Whitt, "A review of L = λW and extensions", for (6).
func (d Divisible) Sojourn(ctx context.Context, lambda float64, opts ...mjq.Option) (*Sojourn, error) {
	return question[Sojourn]{"Sojourn", d.key("sojourn time", lambda), func(ctx context.Context, progress func(done, total float64)) (*Sojourn, error) {
		return d.sojourn(ctx, lambda, progress)
	}, func(s *Sojourn, at time.Time) { s.Remembered = at }}.answer(ctx, opts)
}

func (d Divisible) sojourn(ctx context.Context, lambda float64, progress func(done, total float64)) (*Sojourn, error) {
	space, err := d.space(ctx, lambda)
	if err != nil {
		return nil, err
	}
	limit, err := space.limit(ctx, lambda)
	if err != nil {
		return nil, err
	}
	r := &Sojourn{Rate: lambda, Limit: limit.rate, Stable: lambda < limit.rate*(1-1e-12), Source: noteSource}
	if !r.Stable {
		r.overload(d.classes)
		return r, nil
	}
	open, err := space.open(ctx, limit, progress)
	if err != nil {
		return nil, err
	}
	r.Levels, r.Sweeps = open.last(), open.sweeps
	r.fill(d, open.means())
	return r, nil
}

// limit is the limit for few states from an eigenvalue, else by the fixed point.
func (s *waitingSpace) limit(ctx context.Context, lambda float64) (*limitLaw, error) {
	if s.len() <= maxDirect {
		return s.perron(ctx, lambda)
	}
	iterated, err := s.fixedPoint(ctx, lambda, silent)
	if err != nil {
		return nil, err
	}
	return best(ctx, s, iterated)
}

// overload is the result at or beyond the capacity.
func (r *Sojourn) overload(classes []DivisibleClass) {
	inf := math.Inf(1)
	never := Moments{inf, inf}
	r.MeanJobs, r.MeanLine, r.LineSquare = inf, inf, inf
	r.Unused, r.Blocked = math.NaN(), math.NaN()
	r.Waiting, r.Response, r.Independent, r.WaitingAsPrinted, r.ResponseAsPrinted = never, never, never, never, never
	for _, c := range classes {
		r.Classes = append(r.Classes, SojournClass{c.Name, never, never})
	}
}

// fill turns means over the states into times.
func (r *Sojourn) fill(d Divisible, m *lineMeans) {
	lambda, classes := r.Rate, d.Classes()
	r.MeanJobs, r.MeanLine, r.LineSquare = m.jobs, m.line, m.lineSquare
	r.Unused, r.Blocked = d.total-m.used, m.blocked
	mean, square := 0.0, 0.0 // of the service of a job of any class
	behind := 0.0
	for l, c := range classes {
		t := c.Service.Mean()
		mean, square = mean+c.Prob*t, square+c.Prob*2*t*t
		behind += m.behind[l]
	}
	r.Waiting = Moments{m.line / lambda, (m.lineSquare - m.line) / (lambda * lambda)} // (6)
	for l, c := range classes {
		// The time to reach the head is common to all classes, the time at it is not.
		w := Moments{behind/lambda + m.waiting[l]/(lambda*c.Prob), (m.behindTwo + 2*m.behind[l]/c.Prob) / (lambda * lambda)}
		t := c.Service.Mean()
		k := SojournClass{c.Name, w, w.plus(t, 2*t*t)}
		r.Classes = append(r.Classes, k)
		r.Response.Square += c.Prob * k.Response.Square
	}
	r.Response.Mean = m.jobs / lambda
	r.Independent = r.Waiting.plus(mean, square) // (7)
	r.WaitingAsPrinted = Moments{r.Waiting.Mean, (m.lineSquare - m.low - m.line) / (lambda * lambda)}
	r.ResponseAsPrinted = r.WaitingAsPrinted.plus(mean, square)
}

// plus is the sum with an independent time.
func (m Moments) plus(mean, square float64) Moments {
	return Moments{m.Mean + mean, m.Square + 2*m.Mean*mean + square}
}

// Table is the result by class.
func (r *Sojourn) Table() *result.Table {
	t := result.NewTable(fmt.Sprintf("Divisible resource at λ = %.6g", r.Rate)).Text("class").
		Numbers("mean wait").Numbers("its standard deviation").Numbers("mean response").Numbers("its standard deviation ")
	row := func(name string, waiting, response Moments) {
		t.Row(name, waiting.Mean, math.Sqrt(waiting.Variance()), response.Mean, math.Sqrt(response.Variance()))
	}
	for _, c := range r.Classes {
		row(c.Name, c.Waiting, c.Response)
	}
	row("all", r.Waiting, r.Response)
	t.Note = fmt.Sprintf("%.6g jobs in the system, %.6g waiting; %.6g of the resource unused, %.6g of it while a job waits.",
		r.MeanJobs, r.MeanLine, r.Unused, r.Blocked)
	return t
}

// String returns the table as text.
func (r *Sojourn) String() string { return r.Table().String() }

// HTML returns the table as HTML, for a notebook.
func (r *Sojourn) HTML() string { return r.Table().HTML() }
