package scarcity

import "math"

// sums are those of the zeroth to the fourth power of what occurrences contribute.
type sums [5]float64

// effective is one over the squared relative error of a sum that is at most so large.
func (s *sums) effective(of float64) float64 {
	if s[2] == 0 {
		return math.Inf(1)
	}
	return of * of / s[2]
}

// judged is what there is to know under the worst of the suppositions.
type judged struct {
	effective float64
	supposed  int
	together  bool // by what several jobs at once contribute
	sums      sums
}

// coincidence divides the number of observations where it takes several large jobs at once,
// for they also vary in how long they run together.
const coincidence = 2

// worst finds the supposition under which the least is known of a sum: of says what everything
// contributes to it, and what several jobs at once do. These are judged by the sum that was
// measured, +Inf if none was: where it is less than that of everything, most of this makes no
// waits.
func worst(measured float64, of func(i int) (all, several sums, ok bool)) judged {
	worst := judged{effective: math.Inf(1)}
	for i := range surely {
		all, several, ok := of(i)
		if !ok || all[2] == 0 {
			continue
		}
		if n := all.effective(all[1]); n < worst.effective {
			worst = judged{n, i, false, all}
		}
		if several[2] > 0 {
			if n := several.effective(max(several[1], min(all[1], measured))) / coincidence; n < worst.effective {
				worst = judged{n, i, true, several}
			}
		}
	}
	return worst
}

// known is what there is to know of the powers of the work, by the worst of the suppositions.
type known [VarianceWait + 1]judged

// Effective is how many independent observations of the k-th power of a job's work there are, in
// the sense of one over the squared relative error of its average: N E[w^k]²/E[w^2k] for a run of
// N jobs. An exponential phase of which n are expected counts n/6 for k = 2 and n/20 for k = 3.
func (n *known) Effective(k int) float64 { return n[k].effective }

// Shape is the squared skewness and the excess kurtosis of the average of the k-th power.
func (n *known) Shape(k int) (skewness2, kurtosis float64) { return n[k].shape(k >= VarianceWait) }

// Plenty reports whether what is measured shows how averages of the k-th power vary.
func (n *known) Plenty(k int) bool { return n[k].plenty(k) }

// Together reports whether the number of observations of the k-th power is that of several
// large jobs at once, which no control variate knows.
func (n *known) Together(k int) bool { return n[k].together }

// judge fills in what there is to know.
func (n *known) judge(of func(k int) judged) {
	for k := MeanWait; k < len(n); k++ {
		n[k] = of(k)
	}
}

// shape is the squared skewness and the excess kurtosis of the sum. That of what several large
// jobs at once contribute is not known: variances are taken to be as skewed as the sum of as many
// exponential times, and means, which other jobs make, too, are not.
func (j *judged) shape(variance bool) (skewness2, kurtosis float64) {
	m := &j.sums
	switch {
	case j.together && variance:
		return 4 / j.effective, 6 / j.effective
	case j.together || m[2] == 0:
		return 0, 0
	}
	return m[3] * m[3] / (m[2] * m[2] * m[2]), m[4] / (m[2] * m[2])
}

// mostSkewed are the squared skewnesses of the averages of Plenty exponential phases, by power.
var mostSkewed = [...]float64{MeanWait: 0.125, VarianceWait: 0.35}

// plenty reports whether what is measured shows how averages of the k-th power vary: of so many
// observations, and no more skewed than as many exponential phases.
func (j *judged) plenty(k int) bool {
	skewness2, _ := j.shape(k >= VarianceWait)
	return j.effective >= Plenty && skewness2 <= mostSkewed[k]
}
