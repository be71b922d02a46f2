package failing

import (
	"math"

	"github.com/mjqueue/mjq/mjq/law"
)

// How says what a hit does to a job.
type How int

// What a hit does.
const (
	Restart    How = iota // it does the same work again
	Resume                // it keeps the work that is done
	Resampled             // it does new work of the same law
	Checkpoint            // it goes back to its last checkpoint
	Drop                  // it leaves
	Migrate               // it goes on, on servers that are up
)

// String is the word for it.
func (h How) String() string {
	return [...]string{"restart", "resume", "resampled", "checkpoint", "drop", "migrate"}[h]
}

// After is what follows a hit.
type After struct {
	How                 How
	Every, Cost         float64 // of a checkpoint: the work before it, and its time
	Recovery, Detection float64
}

// hits are those of a job that is hit at a rate.
func (a After) hits(rate float64) Hits { return Hits{rate, a.Recovery, a.Detection} }

// Held is the time that a job of a law of work holds its servers, when they are back at once
// after each failure and the job is hit at the rate φ. What grows beyond bounds is infinite: the
// mean of Restart if E exp(φ work) is, as with exponential work of a rate of at most φ.
func (a After) Held(work law.Law, rate float64) Time {
	switch {
	case rate == 0 && a.How != Checkpoint:
		return Time{Mean: work.Mean(), Variance: work.Variance(), Third: third(work)}
	case a.How == Resume, a.How == Migrate:
		return a.resumed(work, rate)
	case a.How == Resampled:
		return a.resampled(work, rate)
	case a.How == Drop:
		return dropped(work, rate)
	case a.How == Restart:
		return a.restarted(work, rate)
	}
	return a.checkpointed(work, rate)
}

// Kept is the mean work that a job ends with: under Resampled that of a try that no hit ends.
func (a After) Kept(work law.Law, rate float64) float64 {
	if a.How != Resampled || rate == 0 {
		return work.Mean()
	}
	var all, kept float64
	for _, n := range workOf(work, 0, 0) {
		p := n.weight * math.Exp(-rate*n.work)
		all, kept = all+p, kept+p*n.work
	}
	return kept / all
}

// third is the third cumulant of a law.
func third(l law.Law) float64 {
	m := l.Mean()
	return law.Moment(l, 3) - 3*m*l.Variance() - m*m*m
}

// resumed adds a detection and a successful recovery for each hit, of which there are as many as
// a Poisson law says of the work.
func (a After) resumed(work law.Law, rate float64) Time {
	h := a.hits(rate)
	h.Recovery = 0
	each := h.Stretch(a.Recovery)
	if a.How == Migrate {
		each = Time{}
	}
	each.Mean += a.Detection
	m, v := work.Mean(), work.Variance()
	t := Time{Mean: m * (1 + rate*each.Mean), Hits: m * rate * (1 + each.Hits)}
	t.Variance = v*math.Pow(1+rate*each.Mean, 2) + m*rate*each.Second()
	t.Third = third(work)*math.Pow(1+rate*each.Mean, 3) + 3*v*(1+rate*each.Mean)*rate*each.Second() + m*rate*each.ThirdMoment()
	if a.How == Migrate {
		t = Time{m, v, third(work), 0}
	}
	return t
}

// resampled tries until a try, each of its own work, ends before a hit.
func (a After) resampled(work law.Law, rate float64) Time {
	t := a.moments(workOf(work, 0, 0), rate).time()
	hits := (1/work.Laplace(rate) - 1) * math.Exp(rate*a.Recovery)
	t.Mean, t.Hits = (1/rate+a.Detection)*hits, hits
	return t
}

// dropped ends with the work or with the first hit.
func dropped(work law.Law, rate float64) Time {
	m := After{How: Drop}.moments(workOf(work, 0, 0), rate)
	lost := 1 - work.Laplace(rate)
	m[1] = lost / rate
	t := m.time()
	t.Hits = lost
	return t
}

// restarted is one stretch of all the work.
func (a After) restarted(work law.Law, rate float64) Time {
	hits := (work.Laplace(-rate) - 1) * math.Exp(rate*a.Recovery)
	inf := math.Inf(1)
	if math.IsInf(hits, 1) {
		return Time{inf, inf, inf, inf}
	}
	moment := func(k float64) bool { return !math.IsInf(work.Laplace(-k*rate), 1) }
	t := Time{Mean: inf, Variance: inf, Third: inf}
	if moment(2) {
		most := 2.0
		if moment(3) {
			most = 3
		}
		t = mixed(workOf(work, 0, most*rate), func(x node) Time { return a.hits(rate).Stretch(x.work) })
		if most == 2 {
			t.Third = inf
		}
	}
	t.Mean, t.Hits = (1/rate+a.Detection)*hits, hits
	return t
}

// checkpointed is a stretch for each checkpoint and one for the work after the last.
func (a After) checkpointed(work law.Law, rate float64) Time {
	h := a.hits(rate)
	whole := h.Stretch(a.Every + a.Cost)
	mu, ok := law.ExponentialRate(work)
	if !ok {
		return mixed(workOf(work, a.Every, 0), func(x node) Time {
			n := a.checkpoints(x)
			return whole.Times(n).Plus(h.Stretch(x.work - n*a.Every))
		})
	}
	// The number of checkpoints is geometric, and what remains after the last is independent.
	more := 1 / math.Expm1(mu*a.Every)
	within := workOf(work, a.Every, 0)
	last := within[:0]
	for _, n := range within {
		if n.work < a.Every || n.work == a.Every && !n.above {
			n.weight /= -math.Expm1(-mu * a.Every)
			last = append(last, n)
		}
	}
	t := Time{
		Mean:     more * whole.Mean,
		Variance: more*whole.Variance + more*(1+more)*whole.Mean*whole.Mean,
		Hits:     more * whole.Hits,
	}
	t.Third = more*whole.Third + 3*more*(1+more)*whole.Mean*whole.Variance + more*(1+more)*(1+2*more)*math.Pow(whole.Mean, 3)
	return t.Plus(mixed(last, func(x node) Time { return h.Stretch(x.work) }))
}

// checkpoints is how many a job writes: none when at most what is between two remains.
func (a After) checkpoints(x node) float64 {
	if x.above {
		return math.Floor(x.work / a.Every * (1 + 1e-12))
	}
	return math.Max(0, math.Ceil(x.work/a.Every*(1-1e-12))-1)
}

// mixed is the time given the work, averaged.
func mixed(work []node, of func(work node) Time) (t Time) {
	times := make([]Time, len(work))
	for i, n := range work {
		times[i] = of(n)
		t.Mean += n.weight * times[i].Mean
		t.Hits += n.weight * times[i].Hits
	}
	for i, n := range work {
		d := times[i].Mean - t.Mean
		t.Variance += n.weight * (times[i].Variance + d*d)
		t.Third += n.weight * (times[i].Third + 3*d*times[i].Variance + d*d*d)
	}
	return t
}
