package stream

import (
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/law"
)

var (
	bursty    = arrival.MMPP([]float64{0.3, 1.2}, [][]float64{{-0.2, 0.2}, {0.3, -0.3}})
	twoPhases = arrival.MAP([][]float64{{-2, 0.5}, {0.1, -0.6}}, [][]float64{{1.2, 0.3}, {0.1, 0.4}})
	marked    = arrival.MarkedMAP([][]float64{{-0.6, 0.1}, {0.1, -0.5}},
		map[string][][]float64{"one": {{0.3, 0.1}, {0.05, 0.05}}, "five": {{0.05, 0.05}, {0.1, 0.2}}})
	turns = arrival.MarkedMAP([][]float64{{-1, 0}, {0, -2}}, // of period 2
		map[string][][]float64{"one": {{0, 1}, {0, 0}}, "two": {{0, 0}, {2, 0}}})
	inBatches = arrival.BatchMAP([][]float64{{-0.4, 0.2}, {0.3, -0.8}}, [][]float64{{0.15, 0}, {0, 0.3}}, [][]float64{{0.05, 0}, {0, 0.2}})
	slow      = arrival.MMPP([]float64{10, 0.1}, [][]float64{{-1e-7, 1e-7}, {1e-8, -1e-8}})
	office    = arrival.Profile{Period: 240, Rates: []float64{0, 1, 4, 2}}
)

var names = []string{"one", "two", "five", "ten", "fifteen"}

// processes are of every kind that does not have independent gaps of one law.
func processes() []arrival.Process {
	return []arrival.Process{
		bursty, twoPhases, marked, turns, inBatches, slow,
		arrival.Batches{Of: arrival.Poisson(0.3), Sizes: arrival.Sizes{0.6, 0.3, 0.1}},
		arrival.Batches{Of: arrival.Renewal{Gap: law.BoundedPareto{Lo: 1, Hi: 9, Shape: 2}}, Sizes: arrival.FixedSize(3)},
		arrival.Batches{Of: marked, Sizes: arrival.Sizes{0.5, 0, 0.5}},
		arrival.Superposition{marked, arrival.Poisson(0.2), bursty},
		office, arrival.Profile{Period: 10, Rates: []float64{1, 3}, Of: twoPhases},
		arrival.Profile{Period: 10, Rates: []float64{1, 3}, Of: arrival.Batches{Of: turns, Sizes: arrival.Sizes{0.2, 0.8}}},
	}
}

// TestArrivalsAtRandom asks for the same jobs in other orders, windows and
// replications, and in several goroutines: they are the same to the bit.
func TestArrivalsAtRandom(t *testing.T) {
	for _, p := range processes() {
		src := NewFrom(7, p, mix(), names...)
		const from, n = -9000, 18_000
		whole, times := make([]Job, n), make([]float64, n)
		src.Reader(3).FillTimed(whole, times, from)
		read := func(seed uint64) (same bool) {
			rng := rand.New(rand.NewPCG(1, seed))
			r := src.Reader(seed)
			part, at := make([]Job, 70), make([]float64, 70)
			for range 25 {
				first := rng.IntN(n - 70)
				m := 1 + rng.IntN(70)
				r.Rewind(9)
				r.Fill(part[:m], int64(first))
				r.Rewind(3)
				if seed%2 == 0 {
					r.Fill(part[:m], int64(first)+from)
				} else {
					r.FillTimed(part[:m], at[:m], int64(first)+from)
					if !slices.EqualFunc(at[:m], times[first:first+m], func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }) {
						return false
					}
				}
				if !slices.Equal(part[:m], whole[first:first+m]) {
					return false
				}
			}
			for first := 5000; first > 4000; first -= 7 { // backward, without a jump
				r.Fill(part[:7], int64(first)+from)
				if !slices.Equal(part[:7], whole[first:first+7]) {
					return false
				}
			}
			return true
		}
		var all sync.WaitGroup
		for seed := range uint64(3) {
			all.Go(func() {
				if !read(seed) {
					t.Errorf("%v: jobs differ from those of the whole run", p)
				}
			})
		}
		all.Wait()
	}
}

// TestFarJobs reads where only a jump leads, next to where others are read.
func TestFarJobs(t *testing.T) {
	for _, p := range []arrival.Process{bursty, turns, slow, marked} {
		src := NewFrom(7, p, mix(), names...)
		r := src.Reader(1)
		for _, at := range []int64{1 << 61, -1 << 61, 1<<40 - 5, -1<<33 - 50, 1<<62 - 150} {
			whole, part := make([]Job, 100), make([]Job, 40)
			r.Fill(whole, at)
			r.Fill(part, 0)
			r.Fill(part, at+35)
			if !slices.Equal(part, whole[35:75]) {
				t.Errorf("%v: jobs from %d differ", p, at)
			}
		}
	}
}

// TestPoissonIsPoisson: where the randomness is the same, so are the bits.
func TestPoissonIsPoisson(t *testing.T) {
	exponential := mix()
	for i := range exponential {
		exponential[i].Service = law.ExpMean(float64(i + 1))
	}
	day := arrival.Profile{Period: 24, Rates: []float64{1.25, 1.25, 0}} // no job meets the end
	for _, classes := range [][]Class{mix(), exponential} {
		want, got := make([]Job, 300), make([]Job, 300)
		New(5, law.ExpRate(1.25), classes).Reader(2).Fill(want, -100)
		for _, p := range []arrival.Process{
			arrival.Poisson(1.25), arrival.MAP([][]float64{{-1.25}}, [][]float64{{1.25}}), arrival.MMPP([]float64{1.25}, [][]float64{{0}}),
			arrival.Batches{Of: arrival.Poisson(1.25), Sizes: arrival.FixedSize(1)}, arrival.Superposition{arrival.Poisson(1), arrival.Poisson(0.25)},
			arrival.Profile{Period: 24, Rates: []float64{1.25, 1.25}},
		} {
			src := NewFrom(5, p, classes)
			src.Reader(2).Fill(got, -100)
			if !slices.Equal(got, want) || src.arrivals != nil || !src.poisson {
				t.Errorf("%v does not draw what Poisson draws", p)
			}
		}
		// Marks change the classes alone: the gaps are those of the sum.
		mark := arrival.MarkedMAP([][]float64{{-1.25}}, map[string][][]float64{"one": {{0.5}}, "": {{0.75}}})
		NewFrom(5, mark, classes, names...).Reader(2).Fill(got, -100)
		ones := 0
		for i, j := range got {
			if j.Gap != want[i].Gap || j.Class != want[i].Class && j.Class != 0 {
				t.Fatalf("job %d is %+v, unmarked %+v", i, j, want[i])
			}
			if j.Class == 0 && want[i].Class != 0 {
				ones++
			}
		}
		if ones < 30 {
			t.Errorf("%d jobs were marked", ones)
		}
		// A day whose rate is constant while jobs come: gaps are equal until night.
		times := make([]float64, 300)
		src := NewFrom(5, day, classes).From(0)
		src.Reader(2).FillTimed(got, times, 0)
		New(5, law.ExpRate(1.25), classes).Reader(2).Fill(want, 0)
		equal := 0
		for i := range got {
			if d := got[i].Gap - want[i].Gap; math.Abs(d) < 1e-12 {
				equal++
			} else if math.Abs(d-8) > 1e-12 {
				t.Fatalf("gap %d is %v, without night %v", i, got[i].Gap, want[i].Gap)
			}
			if times[i] >= 16 {
				t.Fatalf("job %d arrives at %v, at night", i, times[i])
			}
		}
		if equal < 270 || equal == 300 {
			t.Errorf("%d of 300 gaps lie within a day", equal)
		}
	}
}

// TestClockAgreesWithGaps adds up gaps and compares with the time of day; also from
// a time that is given.
func TestClockAgreesWithGaps(t *testing.T) {
	for _, p := range []arrival.Process{office, arrival.Profile{Period: 10, Rates: []float64{1, 0, 3}, Of: twoPhases}} {
		period := p.(arrival.Profile).Period
		src := NewFrom(3, p, mix())
		for k, s := range []*Source{src, src.From(7), src.From(7 + 5*period)} {
			jobs, times := make([]Job, 3000), make([]float64, 3000)
			first := int64(-1000)
			if k > 0 {
				first = 0 // before it, all lies at a time that no job may have
			}
			s.Reader(4).FillTimed(jobs, times, first)
			now := times[0]
			for i, j := range jobs {
				if d := math.Abs(math.Remainder(now-times[i], period)); d > 1e-9 {
					t.Fatalf("%v: job %d arrives at %v, by gaps at %v", p, first+int64(i), times[i], now)
				}
				now += j.Gap
			}
		}
		a, b := make([]float64, 1), make([]float64, 1)
		src.From(7).Reader(4).FillTimed(make([]Job, 1), a, 0)
		src.From(7+5*period).Reader(4).FillTimed(make([]Job, 1), b, 0)
		if math.Abs(a[0]-b[0]) > 1e-9 || a[0] == 0 {
			t.Errorf("from 7 on job 0 arrives at %v, five periods later at %v", a, b)
		}
	}
	if s := NewFrom(3, bursty, mix()); s.From(7) != s {
		t.Error("time of day where there is none")
	}
}

// TestShortPeriods: periods so short that a gap has no digits for the time of day cost no
// more than others, and jobs come at the mean rate.
func TestShortPeriods(t *testing.T) {
	for _, period := range []float64{1e-10, 1e-30, 1e-60} {
		src := NewFrom(3, arrival.Profile{Period: period, Rates: []float64{1, 2}}, mix())
		for _, s := range []*Source{src, src.From(7), src.From(1e20), src.During(3e-61, 6e-61)} {
			jobs, times := make([]Job, 3000), make([]float64, 3000)
			s.Reader(4).FillTimed(jobs, times, 0)
			sum := 0.0
			for i, j := range jobs {
				sum += j.Gap
				if !(times[i] >= 0 && times[i] <= period*(1+1e-12)) {
					t.Fatalf("period %v: job %d arrives at %v of it", period, i, times[i])
				}
			}
			if z := (sum*1.5/3000 - 1) * math.Sqrt(3000); math.Abs(z) > 4 {
				t.Errorf("period %v: the mean gap is %v, want %v", period, sum/3000, 1/1.5)
			}
		}
	}
}

// TestTimesOfDay: job 0 is met at a time of day as often as the rate says, and
// after a time that is given, when the rate says.
func TestTimesOfDay(t *testing.T) {
	src := NewFrom(8, office, mix())
	const n = 7000
	times, jobs := make([]float64, 1), make([]Job, 1)
	var parts [4]float64
	later := 0.0
	for rep := range uint64(n) {
		src.Reader(rep).FillTimed(jobs, times, 0)
		parts[int(times[0]/60)]++
		src.From(50).Reader(rep).FillTimed(jobs, times, 0)
		later += times[0] - 60
	}
	for j, rate := range []float64{0, 1, 4, 2} {
		p := rate / 7
		if d := math.Abs(parts[j] - n*p); d > 4*math.Sqrt(n*p*(1-p)) {
			t.Errorf("%v of %d jobs in part %d, want %v", parts[j], n, j+1, n*p)
		}
	}
	if z := (later/n - 1) * math.Sqrt(n); math.Abs(z) > 4 {
		t.Errorf("after the night the first job comes after %v, want 1", later/n)
	}
}

// moments are the mean gap, its square and the product with the next, of
// replications of a given number of jobs from -jobs/2 on, with their standard errors.
func moments(src *Source, replications, jobs int) (mean, errs [3]float64) {
	in := make([]Job, jobs)
	r := src.Reader(0)
	var square [3]float64
	for rep := range replications {
		r.Rewind(uint64(rep))
		r.Fill(in, int64(-jobs/2))
		var sum [3]float64
		for i, j := range in[:jobs-1] {
			sum[0] += j.Gap
			sum[1] += j.Gap * j.Gap
			sum[2] += j.Gap * in[i+1].Gap
		}
		for k := range sum {
			x := sum[k] / float64(jobs-1)
			mean[k] += x / float64(replications)
			square[k] += x * x / float64(replications)
		}
	}
	for k := range errs {
		errs[k] = math.Sqrt(max(0, square[k]-mean[k]*mean[k])/float64(replications)) + 1e-12
	}
	return mean, errs
}

// TestSampledGaps holds rates, second moments and lag products against those of the
// process, at four standard errors, and the shares of the classes.
func TestSampledGaps(t *testing.T) {
	for _, p := range processes() {
		if p.String() == slow.String() {
			continue // TestSlowPhases
		}
		mean, errs := moments(NewFrom(11, p, mix(), names...), 300, 200)
		m := 1 / p.Rate()
		scv := arrival.SCV(p)
		product := m * m * (1 + scv*arrival.Correlations(p, 1)[0])
		for k, want := range []float64{m, m * m * (1 + scv), product} {
			if z := (mean[k] - want) / errs[k]; math.Abs(z) > 4 || math.IsNaN(z) && !math.IsNaN(want) {
				t.Errorf("%v: moment %d is %v, want %v: %.1f standard errors", p, k, mean[k], want, z)
			}
		}
		shares(t, p)
	}
}

// shares holds the rates of the classes against those of the process.
func shares(t *testing.T, p arrival.Process) {
	t.Helper()
	rates := arrival.ClassRates(p)
	classes := mix()
	src := NewFrom(11, p, classes, names...)
	r, in := src.Reader(0), make([]Job, 400)
	const replications = 200
	var sum, square [5]float64
	for rep := range uint64(replications) {
		r.Rewind(rep)
		r.Fill(in, -100)
		var n [5]float64
		for _, j := range in {
			n[j.Class]++
		}
		for k, x := range n {
			sum[k] += x
			square[k] += x * x
		}
	}
	for k, c := range classes {
		want := c.Prob * 400
		if rates != nil {
			want = (rates[names[k]] + rates[""]*c.Prob) / p.Rate() * 400
		}
		mean := sum[k] / replications
		e := math.Sqrt(max(0, square[k]/replications-mean*mean)/replications) + 1e-9
		if z := (mean - want) / e; math.Abs(z) > 4 {
			t.Errorf("%v: %v jobs of class %s, want %v: %.1f standard errors", p, mean, names[k], want, z)
		}
	}
}

// TestMarksGiveTheShares: where all jobs are marked, the model's probabilities do
// not matter, not even if they are all 0; the unit of time follows the jobs.
func TestMarksGiveTheShares(t *testing.T) {
	long := func(p, q float64) []Class {
		return []Class{{1, p, law.ExpMean(1)}, {2, q, law.ExpMean(1000)}}
	}
	never := arrival.MarkedMAP([][]float64{{-1}}, map[string][][]float64{"one": {{1}}})
	seldom := arrival.MarkedMAP([][]float64{{-1}}, map[string][][]float64{"one": {{1 - 1e-6}}, "": {{1e-6}}})
	a, b := NewFrom(1, never, long(0, 0), "one", "two"), NewFrom(1, never, long(0.1, 0.9), "one", "two")
	if a.Unit() != 1 || b.Unit() != 1 {
		t.Errorf("units %v and %v where all services have mean 1", a.Unit(), b.Unit())
	}
	if u := NewFrom(1, seldom, long(0, 1), "one", "two").Unit(); u != 1 {
		t.Errorf("unit %v where one in a million is longer", u)
	}
	x, y := make([]Job, 50), make([]Job, 50)
	a.Reader(0).Fill(x, 0)
	b.Reader(0).Fill(y, 0)
	if !slices.Equal(x, y) {
		t.Error("probabilities of classes change jobs that are all marked")
	}
}

// TestSlowPhases: phases that last for a million jobs keep their law, and are the
// same over short windows.
func TestSlowPhases(t *testing.T) {
	src := NewFrom(2, slow, mix())
	pi := slow.Chain().Start
	r := src.Reader(0)
	w := newWalker(src.arrivals.bridge, src.key)
	const n = 4000
	busy, changes := 0.0, 0
	for rep := range uint64(n) {
		w.rewind(rep)
		a, b := w.states(-50)
		c, _ := w.states(1000)
		if a == 0 {
			busy++
		}
		if a != b || a != c {
			changes++
		}
	}
	r.Rewind(0)
	if z := (busy/n - pi[0]) / math.Sqrt(pi[0]*pi[1]/n); math.Abs(z) > 4 {
		t.Errorf("a burst at a job with probability %v, want %v", busy/n, pi[0])
	}
	if changes > 5 {
		t.Errorf("phases change %d times in %d windows of 1000 jobs", changes, n)
	}
	if b := src.arrivals.bridge; b.top < 20 || b.top > 40 || !b.forgets {
		t.Errorf("the bursts are forgotten after 2^%d jobs", b.top)
	}
	if b := NewFrom(2, turns, mix(), names...).arrivals.bridge; b.top != farthest || b.forgets {
		t.Error("turns are forgotten")
	}
}

// TestTurnsAlternate: a periodic chain keeps its order in all replications, and
// begins with either with equal chance.
func TestTurnsAlternate(t *testing.T) {
	src := NewFrom(2, turns, mix(), names...)
	in := make([]Job, 64)
	begins := [2]int{}
	for rep := range uint64(400) {
		r := src.Reader(rep)
		r.Fill(in, -32)
		begins[in[0].Class]++
		for i, j := range in {
			if j.Class != in[i%2].Class || j.Class > 1 {
				t.Fatalf("replication %d: job %d is of class %d", rep, i, j.Class)
			}
		}
	}
	if d := math.Abs(float64(begins[0]-begins[1])) / 20; d > 4 {
		t.Errorf("turns begin %v times", begins)
	}
}

// TestLagsFollowTheProcess looks at correlations over many lags of one long run.
func TestLagsFollowTheProcess(t *testing.T) {
	const n = 400_000
	in := make([]Job, n)
	for _, p := range []arrival.Process{bursty, twoPhases, inBatches} {
		NewFrom(6, p, mix()).Reader(0).Fill(in, -n/2)
		m := 1 / p.Rate()
		variance := m * m * arrival.SCV(p)
		for lag, want := range arrival.Correlations(p, 8) {
			sum := 0.0
			for i := range in[lag+1:] {
				sum += (in[i].Gap - m) * (in[i+lag+1].Gap - m)
			}
			if d := sum/n/variance - want; math.Abs(d) > 4*2.5/math.Sqrt(n) {
				t.Errorf("%v: correlation at lag %d off by %v", p, lag+1, d)
			}
		}
	}
}

// TestFirst: the first job after a moment comes when the rates say, at night too, and
// not in the batch of the one before.
func TestFirst(t *testing.T) {
	const n = 4000
	for _, c := range []struct {
		p          arrival.Process
		from, want float64
	}{
		{office, 0, 60 + 1.0}, {office, 45, 15 + 1.0}, {office, 240 + 60, 1.0}, {office, 60, 1.0},
		{arrival.Poisson(0.5), 0, 2},
		{arrival.Batches{Of: arrival.Poisson(0.25), Sizes: arrival.FixedSize(5)}, 0, 4},
	} {
		src, sum, square := NewFrom(8, c.p, mix()).From(c.from), 0.0, 0.0
		for rep := range uint64(n) {
			job, after := src.Reader(rep).First()
			sum += after
			square += after * after
			if _, batches := c.p.(arrival.Batches); !batches && job != 0 {
				t.Fatalf("%v: the first job is %d", c.p, job)
			}
		}
		mean := sum / n
		if z := (mean - c.want) / math.Sqrt((square/n-mean*mean)/n); math.Abs(z) > 4 {
			t.Errorf("%v from %v: after %v, want %v", c.p, c.from, mean, c.want)
		}
	}
}

// TestDuring: job 0 comes in the part of the period that is asked for, as often as the
// rates say within, and the jobs are the same but for the time.
func TestDuring(t *testing.T) {
	src := NewFrom(8, office, mix())
	noon := src.During(60, 180)
	const n = 1500
	a, b, times := make([]Job, 3), make([]Job, 3), make([]float64, 3)
	early := 0.0
	for rep := range uint64(n) {
		src.Reader(rep).Fill(a, -2)
		noon.Reader(rep).FillTimed(b, times, -2)
		if at := times[2]; !(at >= 60 && at <= 180) {
			t.Fatalf("job 0 at %v", at)
		} else if at < 120 {
			early++
		}
		if a[1].Service != b[1].Service || a[1].Class != b[1].Class {
			t.Fatal("other jobs at noon")
		}
	}
	if z := (early - n/5) / math.Sqrt(n*0.2*0.8); math.Abs(z) > 4 {
		t.Errorf("%v of %d jobs in the first half, want a fifth", early, n)
	}
	if src.During(0, 50).arrivals.width != 0 || NewFrom(3, bursty, mix()).During(0, 1) == nil {
		t.Error("a part in which nobody comes")
	}
}
