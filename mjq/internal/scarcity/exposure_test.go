package scarcity

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/spec"
)

func close(a, b, rel float64) bool { return math.Abs(a-b) <= rel*math.Abs(b) }

// rare is a queue on 16 servers of a class and one that comes once in a thousand.
func rare(need int, service law.Law) *spec.Spec {
	return &spec.Spec{Servers: 16, Arrivals: arrival.Poisson(6), Classes: []spec.Class{
		{Name: "c", Need: 1, Prob: 0.999, Service: law.ExpMean(1)},
		{Name: "r", Need: need, Prob: 0.001, Service: service}}}
}

// TestEffective: of an exponential phase that makes nearly all of the work's moments, n
// expected occurrences count n/6 for the second moment and n/20 for the third, and the
// averages have its shape.
func TestEffective(t *testing.T) {
	l := law.HyperExpMeanSCV(5, 1000)
	r := Of(rare(16, l), 0.42).Over(1e9)
	n := 1e9 * 0.001 * min(l.P, 1-l.P)
	if got := r.Effective(MeanWait); !close(got, n/6, 0.02) {
		t.Errorf("second moment: %v, want %v", got, n/6)
	}
	if got := r.Effective(VarianceWait); !close(got, n/20, 0.02) {
		t.Errorf("third moment: %v, want %v", got, n/20)
	}
	if skewness2, kurtosis := r.Shape(2); !close(skewness2, 37.5/n, 0.03) || !close(kurtosis, 70/n, 0.05) {
		t.Errorf("shape %v, %v, want %v, %v", skewness2, kurtosis, 37.5/n, 70/n)
	}
	if s := r.Largest(2); s.Class != 1 || s.Share < 0.9 || !close(s.Expected, n*math.Exp(-2.674)*1, 0.15) {
		t.Errorf("largest %+v of %v", s, n) // half of E[X²] of an exponential lies above 2.674 means
	}
	if got := Of(rare(16, l), 0.42).Enough(2, Least); !close(got*0.001*min(l.P, 1-l.P), 9, 0.1) {
		t.Errorf("%v jobs are enough, with %v long ones", got, got*0.001*min(l.P, 1-l.P))
	}
}

// TestFraction: of a rare long phase that makes the waits of a tenth of the jobs, a run knows
// as much of that tenth as the phase comes often, and of the hundredth that waits longest less.
func TestFraction(t *testing.T) {
	l := law.HyperExpMeanSCV(5, 1000)
	e := Of(rare(16, l), 0.42)
	p := 0.001 * min(l.P, 1-l.P)
	long := max(l.M1, l.M2)
	delayed := 16 * long * 0.42 / 0.58 / rare(16, l).Work()
	q, n := p*delayed, 10/p // all that ten long services hold up
	if got, want := e.Over(n).Fraction(q), q*(1-q)*n/(2*p*delayed*delayed); !close(got, want, 0.15) {
		t.Errorf("all of what ten services hold up is worth %v, want %v", got, want)
	}
	if some, all := q/10*e.Over(n).Fraction(q/10), q*e.Over(n).Fraction(q); some >= all/2 {
		t.Errorf("a tenth of it is known to %v jobs, all to %v", some, all)
	}
	if got := e.Over(1000 * n).Fraction(q); !math.IsInf(got, 1) {
		t.Errorf("of ten thousand services it is worth %v", got)
	}
}

// TestTogether: a job holds up the queue alone, or several do that run at once.
func TestTogether(t *testing.T) {
	l := law.HyperExpMeanSCV(5, 1000)
	for _, c := range []struct{ need, want int }{{16, 1}, {12, 1}, {9, 1}, {8, 2}, {3, 5}, {1, 13}} {
		s := rare(c.need, l)
		if got := newHolders(s, 0.42).together(&s.Classes[1]); got != c.want {
			t.Errorf("need %d: %v at once, want %v", c.need, got, c.want)
		}
	}
}

// TestPairs: where two jobs that each hold half of the servers hold up the queue, as many pairs
// count as jobs find another one in service, for the mean of both times together.
func TestPairs(t *testing.T) {
	const jobs, prob, mean = 1e7, 0.001, 30
	s := rare(8, law.ExpMean(mean))
	e := Of(s, 0.42).Waiting(1e-6, 1e-6) // too short a wait for anything else to make it
	r := e.Over(jobs)
	running := 6 * prob * mean
	pairs := jobs * prob * (running - running*running/2)
	if got := r.Effective(MeanWait); !close(got, pairs/6/coincidence, 0.1) || !r.Together(MeanWait) {
		t.Errorf("%v observations of %v pairs, together %v", got, pairs, r.Together(MeanWait))
	}
	if x := r.Largest(MeanWait); x.Together != 2 || x.Need != 8 || !close(x.Service, 2.674*mean/2, 0.15) || !close(x.Expected, pairs*math.Exp(-2.674), 0.25) {
		t.Errorf("largest %+v of %v pairs", x, pairs)
	}
	if x := Of(s, 0.42).Waiting(1e3, 1e6).Over(jobs); x.Together(MeanWait) || !close(x.Effective(MeanWait), jobs*prob/6, 0.1) {
		t.Errorf("waits that are too long for pairs: together %v, %v observations of %v jobs", x.Together(MeanWait), x.Effective(MeanWait), jobs*prob)
	}
}

// TestPairsInBursts: bursts that bring less than the servers can do make no waits, however much
// of the work's second moment is theirs, and the measured mean wait tells.
func TestPairsInBursts(t *testing.T) {
	s := &spec.Spec{Servers: 4, Arrivals: arrival.MMPP([]float64{2.32, 0.58}, [][]float64{{-0.114, 0.114}, {0.114, -0.114}}), Classes: []spec.Class{
		{Name: "c", Need: 1, Prob: 0.9985, Service: law.ExpMean(1)}, {Name: "r", Need: 2, Prob: 0.0015, Service: law.HyperExpMeanSCV(27, 9)}}}
	e := Of(s, 0.39)
	if all, seen := e.Over(2e6), e.Waiting(0.3, 10).Over(2e6); !seen.Together(MeanWait) || seen.Effective(MeanWait) > 0.6*all.Effective(MeanWait) {
		t.Errorf("%v observations, %v by the measured wait", all.Effective(MeanWait), seen.Effective(MeanWait))
	}
}

// TestShapeTogether: what several jobs at once contribute to a variance is as skewed as the sum
// of as many exponential times; of what they contribute to a mean that is not known.
func TestShapeTogether(t *testing.T) {
	e := Of(rare(8, law.ExpMean(30)), 0.42).Waiting(1e-6, 1e-6)
	r := e.Over(1e7)
	n := r.Effective(VarianceWait)
	if skewness2, kurtosis := r.Shape(VarianceWait); !r.Together(VarianceWait) || !close(skewness2, 4/n, 1e-9) || !close(kurtosis, 6/n, 1e-9) {
		t.Errorf("variance: %v, %v of %v observations", skewness2, kurtosis, n)
	}
	if skewness2, kurtosis := r.Shape(MeanWait); skewness2 != 0 || kurtosis != 0 {
		t.Errorf("mean: %v, %v", skewness2, kurtosis)
	}
}

// TestUsualQueues: neither many servers nor many alike classes leave a run without an interval.
func TestUsualQueues(t *testing.T) {
	for _, c := range []struct {
		servers int
		load    float64
	}{{4, 0.5}, {16, 0.5}, {64, 0.6}, {512, 0.8}} {
		for _, classes := range []int{1, 1000} {
			s := &spec.Spec{Servers: c.servers, Arrivals: arrival.Poisson(c.load * float64(c.servers)), Classes: make([]spec.Class, classes)}
			for i := range s.Classes {
				s.Classes[i] = spec.Class{Need: 1, Prob: 1 / float64(classes), Service: law.ExpMean(1)}
			}
			if got := Of(s, c.load).Over(2e6).Effective(MeanWait); got < 1000 {
				t.Errorf("%d servers at %v, %d classes: %v observations", c.servers, c.load, classes, got)
			}
		}
	}
}

// TestSamples: waits of a single server with exponential services have the squared
// coefficient of variation 3 at load 0.5.
func TestSamples(t *testing.T) {
	s := &spec.Spec{Servers: 1, Arrivals: arrival.Poisson(0.5), Classes: []spec.Class{{Name: "one", Need: 1, Prob: 1, Service: law.ExpMean(1)}}}
	if got := Of(s, 0.5).Samples(1000).Effective(1); !close(got, 250, 0.02) {
		t.Errorf("%v samples count, want 250", got)
	}
}

// TestSamplesJudgedOnce: what the samples of a class know is worked out once for each moment,
// whatever is asked of it: there may be thousands of classes.
func TestSamplesJudgedOnce(t *testing.T) {
	s := Of(rare(8, law.ExpMean(30)), 0.42).Samples(1000).Number(2000).Waiting(0.1, 2)
	n := s.Effective(1)
	s.all, s.several = [3]takacs{}, [3]takacs{}
	if skewness2, _ := s.Shape(1); s.Effective(1) != n || s.Together(1) && skewness2 != 0 {
		t.Errorf("%v observations, and then %v", n, s.Effective(1))
	}
	if again := s.Number(4000).Effective(1); again == n {
		t.Errorf("%v observations of other samples, too", again)
	}
}

// TestBursts: an arrival phase that comes seldom and lasts counts as its number tells.
func TestBursts(t *testing.T) {
	s := &spec.Spec{Servers: 1, Classes: []spec.Class{{Name: "one", Need: 1, Prob: 1, Service: law.ExpMean(0.1)}},
		Arrivals: arrival.MMPP([]float64{1, 100}, [][]float64{{-1e-6, 1e-6}, {1e-2, -1e-2}})}
	mean := (1 + 100e-4) / (1 + 1e-4)
	bursts := 1e9 / mean * 1e-6
	if got := Of(s, 0.5).Over(1e9).Effective(MeanWait); !close(got, bursts/6, 0.05) {
		t.Errorf("%v, want %v", got, bursts/6)
	}
}

// TestManyClasses: work grows as the number of classes, not as its square: a run of a hundred
// thousand takes half a second to know what it can know, where pairs of them took a minute.
func TestManyClasses(t *testing.T) {
	const n = 100_000
	s := &spec.Spec{Servers: 16, Arrivals: arrival.Poisson(6), Classes: make([]spec.Class, n)}
	for i := range s.Classes {
		s.Classes[i] = spec.Class{Need: 1 + i%8, Prob: 1. / n, Service: law.ExpMean(1)}
	}
	began := time.Now()
	Of(s, 0.5)
	if took := time.Since(began); took > 15*time.Second {
		t.Errorf("%v for %d classes", took, n)
	}
}

// TestAhead: what goroutines compute comes in order, each once.
func TestAhead(t *testing.T) {
	for _, n := range []int{0, 1, few, atOnce, 3*atOnce + 7} {
		next := 0
		for i, x := range ahead(n, func(i int, to *[]int) { *to = append((*to)[:0], i, i*i) }) {
			if i != next || !slices.Equal(*x, []int{i, i * i}) {
				t.Fatalf("%d: %v comes as number %d of %d", i, *x, next, n)
			}
			next++
		}
		if next != n {
			t.Errorf("%d came of %d", next, n)
		}
	}
}
