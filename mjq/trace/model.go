package trace

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/internal/panics"
	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/replicate"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// Fit says which model is made of a log, for the question of that name.
type Fit struct {
	// Servers is their number; by default that which the log says, if it does.
	Servers int
	// Classes says which jobs make a class; by default those of one need.
	Classes Grouping
	// Moments is how many moments of the services of each class, and of the times between
	// arrivals, the laws of the model have. 0 takes each time of the log with equal
	// probability; 1 gives exponential laws; 2 those of law.FitMeanSCV; 3 the phase-type laws of
	// law.FitThreeMoments. Where no law of at most 50 phases has three (nearly equal times, or a
	// third moment out of bounds) it is two, and Fitted says where and why, as do the notes of
	// every result of the model.
	//
	// The third moment of a sample hangs on its few longest jobs. With a heavy tail it
	// estimates nothing: compare with Moments 0.
	Moments int
	// Arrivals is the arrival process; by default independent gaps with a law by Moments. Those
	// of two phases are fitted by maximum likelihood, with the rate of the log: it takes some
	// seconds for a million jobs. Gaps of 0, which come from times that were rounded, count as
	// half the smallest other gap; else a process could explain them by a rate without bounds.
	// Best is the process of the least BIC (Schwarz, The Annals of Statistics 6, 1978) among all
	// that can be fitted.
	Arrivals Arrivals
	// Period lets the rate depend on the time within it: a day most often, 86,400 for a log in
	// seconds. It begins at time 0 of the log, which must hold two periods.
	Period float64
	// Parts is how many equal parts of the period have a rate of their own; the default is 24.
	Parts int
	// Since and Until are the window in which jobs count, as those of Replay.
	Since, Until float64
}

// Fitted is a model of a log, with what it was made of.
type Fitted struct {
	Model    mjq.Model
	Classes  []LawFit           // the services, in the order of the classes of the model
	Gaps     *LawFit            // the times between arrivals; nil with a process from Arrivals
	Log      result.Log         // of a log that was read: its window and its lines; else its zero value
	Arrivals *result.ArrivalFit // the process next to the log, and all that were fitted; nil without
}

// Fit makes a model of the log: classes with the frequencies that they have in it, laws of
// their services, and arrivals. It has the load of the log, unless the grouping makes jobs
// wider.
//
//	f, err := log.Fit(ctx, trace.Fit{Servers: 64, Moments: 2, Arrivals: trace.Best})
//	r, err := f.Model.Solve(ctx)
//
// A model has independent jobs, and arrivals with independent gaps unless Arrivals says
// otherwise. Other dependence in a log is lost, such as users who submit one job ten times or
// classes that come in bursts. It mostly makes the log wait longer than the model: compare with
// Replay.
//
// It fails if the log has fewer than two jobs, all at one time, or a job that needs more
// servers than there are. It also fails if all service times of a law to fit are 0, and if the
// model has faults. Options: those of every question; nothing is random.
func (t *Trace) Fit(ctx context.Context, how Fit, opts ...mjq.Option) (_ *Fitted, err error) {
	defer panics.Catch(&err)
	if how.Servers == 0 {
		how.Servers = t.Report.Servers
	}
	if how.Period != 0 && how.Parts == 0 {
		how.Parts = 24
	}
	o, faults := problem.Read(ctx, "Fit", opts)
	t = t.windowed(how.Since, how.Until)
	q := fit{Fit: how, t: t, report: replicate.Throttled(o.Progress)}
	if err := q.check(faults); err != nil {
		return nil, err
	}
	return q.run(ctx)
}

// fit is a fit that was asked for.
type fit struct {
	Fit
	t      *Trace
	report func(done, total float64) // nil if nobody wants to hear
}

// check says what keeps a model from being made.
func (q *fit) check(faults []error) error {
	if err := errors.Join(q.t.Validate(), oneCluster(&q.t.Report)); err != nil {
		return err
	}
	var f check.Faults
	if n := len(q.t.Jobs); n < 2 || !(q.t.Span() > 0) {
		f.Add("it has %d jobs within %v units of time; two at different times are needed for a rate", n, q.t.Span())
	}
	windowFaults(&f, q.Since, q.Until)
	serverFaults(&f, q.Servers)
	q.Classes.check(&f)
	f.That(q.Moments >= 0 && q.Moments < len(fittings), "Moments %d: laws have 1, 2 or 3, and with 0 they are those of the log", q.Moments)
	f.That(q.Arrivals == OwnGaps || slices.Contains(Known, q.Arrivals), "Arrivals %q: choose one of %q, or leave them out", string(q.Arrivals), Known)
	f.That(q.Period == 0 || q.Arrivals != OwnGaps, "Period %v: independent interarrival times have no period; choose Arrivals, as trace.Hours or trace.Best", q.Period)
	f.That(q.Period != 0 || q.Arrivals != Hours && q.Arrivals != HoursOfBursts, "Arrivals %q: a profile has a period; give a Period, as 86400 for a day in seconds", string(q.Arrivals))
	if n := len(q.t.Jobs) - 1; q.Period != 0 {
		f.That(q.Period > 0 && q.Parts >= 1 && q.Parts <= n && q.t.Span() >= 2*q.Period,
			"Period %v and Parts %d: give a period that fits into the span %v of the log twice, and at least one part, but no more than there are gaps", q.Period, q.Parts, q.t.Span())
	}
	f.Join(faults...)
	return f.Err("Fit of trace " + q.t.Name)
}

// fittings are the ways to make a law, by the moments that it has.
var fittings = []fitting{nil, fitMean, fitTwo, fitThree}

// run fits the laws of the services and the arrivals.
func (q *fit) run(ctx context.Context) (*Fitted, error) {
	out, s := &Fitted{}, spec.Spec{Servers: q.Servers}
	var f check.Faults
	f.Join(q.t.fits(q.Servers))
	services, needs := map[group][]float64{}, map[group]int{}
	for i := range q.t.Jobs {
		j := &q.t.Jobs[i]
		k := q.Classes.of(j)
		services[k] = append(services[k], j.Service)
		needs[k] = max(needs[k], j.Need)
	}
	if q.Arrivals == OwnGaps {
		gaps, err := fittings[q.Moments].of("arrivals", q.gaps())
		f.Join(err)
		out.Gaps, s.Arrivals = &gaps, arrival.Renewal{Gap: gaps.Law}
	}
	for _, k := range slices.SortedFunc(maps.Keys(services), group.before) {
		name, share := q.Classes.name(k), float64(len(services[k]))/float64(len(q.t.Jobs))
		c, err := fittings[q.Moments].of(name, services[k])
		f.Join(err)
		out.Classes = append(out.Classes, c)
		s.Classes = append(s.Classes, spec.Class{Name: name, Need: needs[k], Prob: share, Service: c.Law})
	}
	if err := f.Err("Fit of trace " + q.t.Name); err != nil {
		return nil, err
	}
	if q.Arrivals != OwnGaps {
		var err error
		if out.Arrivals, s.Arrivals, err = q.process(ctx); err != nil {
			return nil, fmt.Errorf("Fit of trace %s: %w", q.t.Name, err)
		}
	}
	out.Log = q.t.account()
	s.Notes, s.Unit = append(out.fallbacks(), out.Log.Notes()...), q.t.Unit
	sound, err := s.Checked()
	if err != nil {
		return nil, err
	}
	out.Model = mjq.FromSpec(sound)
	return out, nil
}

// laws are all laws of the model, that of the gaps first.
func (r *Fitted) laws() []LawFit {
	if r.Gaps == nil {
		return r.Classes
	}
	return append([]LawFit{*r.Gaps}, r.Classes...)
}

// fallbacks is a note on the laws that have fewer moments than asked for.
func (r *Fitted) fallbacks() []string {
	var names []string
	for _, f := range r.laws() {
		if f.Note != "" {
			names = append(names, f.Class)
		}
	}
	if len(names) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("Some distributions match two moments instead of three: %s. Fitted says why; with Moments 0 the model takes the times as they are.", strings.Join(names, ", "))}
}

// gaps are the times between arrivals.
func (q *fit) gaps() []float64 {
	gaps := make([]float64, len(q.t.Jobs)-1)
	for i := range gaps {
		gaps[i] = q.t.Jobs[i+1].Arrival - q.t.Jobs[i].Arrival
	}
	return gaps
}

// fits says which jobs are too large for the servers, if any.
func (t *Trace) fits(servers int) error {
	wide, first := 0, math.MaxInt
	for i, j := range t.Jobs {
		if j.Need > servers {
			wide++
			first = min(first, i)
		}
	}
	if wide == 0 || servers < 1 {
		return nil
	}
	return fmt.Errorf("%s more than the %d servers, the first at line %d of the log (%d servers); take %d servers, or leave those jobs out",
		spec.Count(wide, "job")+" need", servers, t.Jobs[first].Line, t.Jobs[first].Need, t.MaxNeed())
}
