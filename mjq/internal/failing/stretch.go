// Package failing has what theory knows of servers that fail: the time that a job holds its
// servers when failures throw it back, the best interval between its checkpoints, the law of
// the servers that are up, the share of time in which jobs that never end do work that is
// kept, and queues of jobs on servers that fail and are repaired.
//
// All of it is for failures after exponential times. The symbols are those of the literature:
// a job of b servers is hit at the rate φ = b·f, f being the sum of the rates of all kinds of
// failures of one server.
package failing

import "math"

// Hits say how failures hit a job that runs.
type Hits struct {
	Rate      float64 // φ, while it runs
	Recovery  float64 // time with which every begin after the first starts; a job can be hit in it
	Detection float64 // time after a hit in which the job does nothing and is not hit
}

// Time is what is known of a time: its first three cumulants, and the hits in it.
type Time struct {
	Mean, Variance, Third float64
	Hits                  float64 // mean
}

// Plus is the time of two that follow one another and are independent.
func (t Time) Plus(o Time) Time {
	return Time{t.Mean + o.Mean, t.Variance + o.Variance, t.Third + o.Third, t.Hits + o.Hits}
}

// Times is the time of n independent ones that follow one another.
func (t Time) Times(n float64) Time {
	if n == 0 {
		return Time{}
	}
	return Time{n * t.Mean, n * t.Variance, n * t.Third, n * t.Hits}
}

// Second is the second moment.
func (t Time) Second() float64 { return t.Variance + t.Mean*t.Mean }

// ThirdMoment is the third one.
func (t Time) ThirdMoment() float64 {
	return t.Third + 3*t.Variance*t.Mean + t.Mean*t.Mean*t.Mean
}

// Stretch is the time until a job has run for w without a hit: the first try takes w, each
// later one the recovery more, and the detection follows each hit. Its mean is
// (1/φ + D) exp(φR) (exp(φw) - 1).
func (h Hits) Stretch(w float64) Time {
	if h.Rate == 0 || w <= 0 {
		return Time{Mean: max(w, 0)}
	}
	first, later := h.hit(w), h.hit(h.Recovery+w)
	hit, passes := first[0], math.Exp(-h.Rate*(h.Recovery+w))
	hits := math.Exp(h.Rate*h.Recovery) * math.Expm1(h.Rate*w)
	if math.IsInf(hits, 1) || passes == 0 {
		inf := math.Inf(1)
		return Time{inf, inf, inf, inf}
	}
	// After a first hit the rest is that try, detection, recovery, and as many tries that fail
	// as a geometric law says.
	f1, f2 := first.failed(), later.failed()
	many, spread := later[0]/passes, later[0]/(passes*passes)
	rest := f1[0] + h.Detection + h.Recovery + many*(f2[0]+h.Detection)
	variance := f1[1] + many*f2[1] + spread*(f2[0]+h.Detection)*(f2[0]+h.Detection)
	t := Time{
		Mean:     (1/h.Rate + h.Detection) * hits,
		Variance: hit*variance + hit*math.Exp(-h.Rate*w)*rest*rest,
		Hits:     hits,
	}
	t.Third = h.during(w)[3] - 3*t.Mean*t.Second() + 2*t.Mean*t.Mean*t.Mean
	return t
}
