package stream

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/mjqueue/mjq/internal/lanes"
	"github.com/mjqueue/mjq/mjq/law"
)

// TestPhiloxKnownAnswers uses the vectors that the authors publish with their
// Random123 library for philox4x32 with 10 rounds.
func TestPhiloxKnownAnswers(t *testing.T) {
	const ones = math.MaxUint64
	for _, v := range [][5]uint64{
		{0, 0, 0, 0xe169c58d_6627e8d5, 0x9b00dbd8_bc57ac4c},
		{ones, ones, ones, 0x41c83b0e_408f276d, 0x6d5451fd_a20bc7c6},
		{0x85a308d3_243f6a88, 0x03707344_13198a2e, 0x299f31d0_a4093822, 0x94fdcceb_d16cfe09, 0x24126ea1_5001e420},
	} {
		if a, b := philox(v[0], v[1], v[2]); a != v[3] || b != v[4] {
			t.Errorf("philox(%x, %x, %x) = %x, %x, want %x, %x", v[0], v[1], v[2], a, b, v[3], v[4])
		}
	}
}

func mix() []Class {
	return []Class{
		{1, 0.5, law.ExpMean(0.5)}, {2, 0.1, law.ErlangMeanPhases(0.83, 3)}, {5, 0.2, law.HyperExpMeans(62.5, 0.6, 0.01)},
		{10, 0.19, law.Deterministic{X: 3.33}}, {15, 0.01, law.PhaseType([]float64{0.3, 0.7}, [][]float64{{-1, 0.5}, {0.2, -2}})},
	}
}

// TestRandomAccess asks for the same jobs in different orders, blocks and
// replications: every job must come out bit by bit the same.
func TestRandomAccess(t *testing.T) {
	src := New(7, law.ErlangMeanPhases(1, 2), mix())
	whole := make([]Job, 1000)
	src.Reader(3).Fill(whole, -600)
	r := src.Reader(0)
	rng := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		from := rng.IntN(1000)
		n := 1 + rng.IntN(1000-from)
		part := make([]Job, min(n, 17))
		r.Rewind(9)
		r.Fill(part, int64(from))
		r.Rewind(3)
		r.Fill(part, int64(from-600))
		if !slices.Equal(part, whole[from:from+len(part)]) {
			t.Fatalf("jobs from %d differ from those of the whole run", from-600)
		}
	}
	if r.Probe(2, 0) != src.Reader(3).Probe(2, 0) {
		t.Error("the probe of a class is not reproducible")
	}
}

// TestFillDrawsWhatTheLawDraws holds the inlined laws against Law.Sample on
// the same words.
func TestFillDrawsWhatTheLawDraws(t *testing.T) {
	exponential := mix()
	for i := range exponential {
		exponential[i].Service = law.ExpMean(float64(i + 1))
	}
	rarely, often := mix(), mix() // services of more than one word
	rarely[0].Prob, rarely[2].Prob = 0.6, 0.1
	rarely[3].Service, rarely[4].Service = law.BoundedPareto{Lo: 1, Hi: 100, Shape: 1.5}, law.WeibullMeanShape(3, 0.5)
	often[0].Service, often[3].Service = law.ErlangMeanPhases(1, 2), law.LogNormalMeanSCV(2, 4)
	for _, gap := range []law.Law{law.ExpMean(2), law.ErlangMeanPhases(2, 3), law.BoundedPareto{Lo: 1, Hi: 9, Shape: 2}} {
		for _, mix := range [][]Class{exponential, rarely, often} {
			drawsWhatTheLawDraws(t, gap, mix)
		}
	}
	if New(11, law.ExpMean(2), rarely).wordy || !New(11, law.ExpMean(2), often).wordy {
		t.Error("the mixes do not take the two ways of drawing further words")
	}
}

func drawsWhatTheLawDraws(t *testing.T, gaps law.Law, mix []Class) {
	t.Helper()
	src := New(11, gaps, mix)
	jobs := make([]Job, 500)
	src.Reader(5).Fill(jobs, -250)
	for i, j := range jobs {
		job := uint64(int64(i) - 250)
		w0, w1 := philox(job, counter(5, forJob, 0), src.key)
		w := words{key: src.key}
		w.resetAfter(w0, job, counter(5, forGap, 0))
		gap := gaps.Sample(&w)
		class := src.classes.pick(w0<<53 | w1&0x7ff<<42)
		w.resetAfter(w1, job, counter(5, forService, 0))
		if want := (Job{gap, mix[class].Service.Sample(&w), class, int32(mix[class].Need)}); j != want {
			t.Fatalf("job %d is %+v, its laws give %+v", int64(job), j, want)
		}
	}
}

// TestFewBitsOfTheClass checks that what pickFew is sure of holds whatever the
// other bits are, and that it is unsure no more often than it must be.
func TestFewBitsOfTheClass(t *testing.T) {
	const rest = 1<<(64-few) - 1
	for _, probs := range [][]float64{{1}, {0.5, 0.1, 0.2, 0.19, 0.01}, {1e-5, 0.3, 0.7 - 1e-5}, {0.25, 0.25, 0.5}} {
		a := newAlias(probs)
		unsure := 0
		for b := uint64(0); b < 1<<few; b++ {
			word := b << (64 - few)
			class, sure := a.pickFew(word)
			if !sure {
				unsure++
			} else if class != a.pick(word) || class != a.pick(word|rest) || class != a.pick(word|rest/3) {
				t.Fatalf("probabilities %v: sure of class %d of bits %x, but it is not", probs, class, b)
			}
		}
		if unsure > 2*len(probs) {
			t.Errorf("probabilities %v: unsure of %d of 2^22 words", probs, unsure)
		}
	}
}

// TestLeadingBitsOfTheClass holds the table of leading bits against the alias
// table at both ends and in the middle of what it covers.
func TestLeadingBitsOfTheClass(t *testing.T) {
	const width = 1 << (64 - quickBits)
	for _, probs := range [][]float64{{1}, {0.5, 0.1, 0.2, 0.19, 0.01}, {1e-5, 0.3, 0.7 - 1e-5}, {0.25, 0.25, 0.5}, make([]float64, 3000)} {
		if len(probs) == 3000 {
			for i := range probs {
				probs[i] = 1.0 / 3000
			}
		}
		a := newAlias(probs)
		unsure := 0
		for i, class := range a.quick() {
			word := uint64(i) * width
			if class < 0 {
				unsure++
			} else if class != a.pick(word) || class != a.pick(word+width/3) || class != a.pick(word+width-1) {
				t.Fatalf("%d classes: bits %x give class %d, the alias table others", len(probs), i, class)
			}
		}
		if unsure > 2*len(probs) {
			t.Errorf("%d classes: unsure of %d of %d", len(probs), unsure, 1<<quickBits)
		}
	}
}

// TestSeedsAndReplicationsDiffer looks for repeats among neighbouring seeds,
// replications and jobs.
func TestSeedsAndReplicationsDiffer(t *testing.T) {
	seen := map[float64]bool{}
	jobs := make([]Job, 50)
	for seed := range uint64(10) {
		for rep := range uint64(10) {
			New(seed, law.ExpMean(1), mix()).Reader(rep).Fill(jobs, -25)
			for _, j := range jobs {
				if seen[j.Gap] {
					t.Fatalf("gap %v appears twice", j.Gap)
				}
				seen[j.Gap] = true
			}
		}
	}
}

// TestFrequencies checks class frequencies by chi-square, gap means and the
// correlations between what should be independent, at five standard errors.
func TestFrequencies(t *testing.T) {
	const n = 400_000
	classes := mix()
	for i := range classes {
		classes[i].Service = law.ExpMean(1)
	}
	classes = append(classes, Class{20, 1e-4, law.ExpMean(1)})
	classes[0].Prob -= 1e-4
	jobs := make([]Job, n)
	New(3, law.ExpMean(1), classes).Reader(0).Fill(jobs, -n/2)
	counts := make([]float64, len(classes))
	var gap, cross, serial, big float64
	for i, j := range jobs {
		counts[j.Class]++
		gap += j.Gap
		cross += (j.Gap - 1) * (j.Service - 1)
		big += (j.Gap - 1) * (float64(j.Class) - 1)
		if i > 0 {
			serial += (j.Gap - 1) * (jobs[i-1].Gap - 1)
		}
	}
	chi2 := 0.0
	for c, k := range classes {
		want := n * k.Prob
		chi2 += (counts[c] - want) * (counts[c] - want) / want
	}
	if p := (distuv.ChiSquared{K: float64(len(classes) - 1)}).Survival(chi2); p < 1e-6 {
		t.Errorf("class counts %v: chi-square %v, p = %.2g", counts, chi2, p)
	}
	root := math.Sqrt(n)
	for name, z := range map[string]float64{"mean gap": (gap - n) / root, "gap and service": cross / root,
		"successive gaps": serial / root, "gap and class": big / root / 1.1} {
		if math.Abs(z) > 5 {
			t.Errorf("%s: %.1f standard errors from independence", name, z)
		}
	}
}

// TestAliasIsExact sums the mass of every class over the table.
func TestAliasIsExact(t *testing.T) {
	for _, probs := range [][]float64{{1}, {0.5, 0.5}, {0.5, 0.1, 0.2, 0.19, 0.01}, {1e-9, 1 - 1e-9}, {0.2, 0.2, 0.2, 0.2, 0.2}} {
		a := newAlias(probs)
		mass := make([]float64, len(probs))
		for cell := range probs {
			keep := float64(a.cells[cell].keep) * 0x1p-64
			mass[cell] += keep / float64(len(probs))
			mass[a.cells[cell].other] += (1 - keep) / float64(len(probs))
		}
		for c, p := range probs {
			if math.Abs(mass[c]-p) > 1e-15 {
				t.Errorf("probabilities %v: class %d has mass %v", probs, c, mass[c])
			}
		}
	}
}

// prepared is a law from elsewhere that is drawn as it is prepared: always 2, or by a
// mishap.
type prepared struct {
	law.Law
	mishap bool
}

func (p prepared) Prepare() law.Sampler { return drawn(p.mishap) }

type drawn bool

func (d drawn) Sample(rand.Source) float64 {
	if d {
		panic("mishap")
	}
	return 2
}

// memoryless says so of a law that is not, so that one sees whether it is believed.
type memoryless struct{ law.Law }

func (m memoryless) Rate() float64 { return 1 / m.Mean() }

// TestLawsFromElsewhere: their own samplers draw, and who panics is named; what says
// that it is memoryless draws as the exponential law, which makes Poisson arrivals.
func TestLawsFromElsewhere(t *testing.T) {
	var jobs, want [40]Job
	New(3, memoryless{law.Deterministic{X: 2}}, []Class{{1, 0.5, memoryless{law.Deterministic{X: 4}}}, {2, 0.5, prepared{law.ExpMean(1), false}}}).Reader(1).Fill(jobs[:], 0)
	New(3, law.ExpMean(2), []Class{{1, 0.5, law.ExpMean(4)}, {2, 0.5, law.Deterministic{X: 2}}}).Reader(1).Fill(want[:], 0)
	if jobs != want {
		t.Errorf("%v, want %v", jobs, want)
	}
	defer func() {
		if text := fmt.Sprint(recover()); !strings.Contains(text, "the Sample of the law ExpMean(1) panicked: mishap") {
			t.Errorf("the panic says %s", text)
		}
	}()
	New(3, prepared{law.ExpMean(1), true}, []Class{{1, 1, law.ExpMean(1)}}).Reader(1).Fill(jobs[:], 0)
}

// TestDraw holds the words drawn together against those drawn one by one, with and
// without vector units, at counters whose lower halves are full.
func TestDraw(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	var w0, w1 [ahead]uint64
	for _, lanes.On = range []bool{false, lanes.Has} {
		for try := range 2000 {
			first, at, key := rng.Uint64(), rng.Uint64(), rng.Uint64()
			switch try % 4 {
			case 0:
				first = first<<32 - uint64(try%ahead)
			case 1:
				first, at = -uint64(try%ahead), at|math.MaxUint32
			}
			n := 1 + try%ahead
			draw(&w0, &w1, first, at, key, n)
			for i := range n {
				if a, b := philox(first+uint64(i), at, key); w0[i] != a || w1[i] != b {
					t.Fatalf("vector units %v: block %d of %d at (%x, %x) under %x is %x %x, want %x %x", lanes.On, i, n, first, at, key, w0[i], w1[i], a, b)
				}
			}
		}
	}
}
