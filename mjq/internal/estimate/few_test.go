package estimate

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/result"
	"gonum.org/v1/gonum/stat/distuv"
)

// TestEveryNumberHasAKind: each estimate of a result is one of a quantity, or a row says what it
// is. Whoever adds a field to a result adds such a row.
func TestEveryNumberHasAKind(t *testing.T) {
	r := &result.Result{Classes: make([]result.ClassResult, 1), Resources: make([]result.ResourceResult, 1)}
	told := map[*result.Estimate]bool{}
	tell := func(e *result.Estimate, k Kind) {
		if k < Amount || k > InTime {
			t.Errorf("kind %d of a number", k)
		}
		told[e] = true
	}
	for _, c := range []*result.ClassResult{&r.All, &r.Classes[0]} {
		for i, e := range Numbers(c) {
			tell(e, numbers[i].kind)
		}
		for _, m := range Metrics(c) {
			tell(&m.Mean, Amount)
			tell(&m.Variance, Amount)
		}
		// These follow from the others.
		for _, e := range []*result.Estimate{&c.Arriving.Served, &c.Arriving.AtOnce, &c.Arriving.Delayed, &c.Arriving.ServiceLevel} {
			tell(e, Share)
		}
		tell(&c.Arriving.MeanWait, Amount)
		for _, m := range Metrics(c) {
			tell(&m.MeanDelayed, Amount)
		}
		// Only waits have a share of jobs that do not wait, and slowdowns no target.
		for _, e := range []*result.Estimate{&c.Response.NoWait, &c.Slowdown.NoWait, &c.Slowdown.ServiceLevel} {
			tell(e, Share)
		}
	}
	for _, x := range ofQueue(r) {
		tell(x.of, x.kind)
	}
	tell(&r.Limit.Pool, Amount) // the stability limit is a rate
	oracle.Estimates(reflect.ValueOf(r), "Result", func(at string, e *result.Estimate) {
		if !told[e] {
			t.Errorf("%s: no row of numbers or of ofQueue says what kind of number it is", at)
		}
	})
	if len(told) < 60 {
		t.Errorf("only %d numbers", len(told))
	}
}

// TestFewEventsCover draws events in clusters, geometric ones of a mean of 4, over 32 batches, from
// one cluster in ten runs to fifty a run: as many intervals hold as should. Student's, which is 0
// wide where there are none, does not.
func TestFewEventsCover(t *testing.T) {
	const batches, each, mean, runs = 32, 500, 4, 400
	of := &Rarity{Jobs: batches * each, Cluster: mean}
	rng := rand.New(rand.NewPCG(1, 2))
	for _, clusters := range []float64{0.1, 0.5, 1, 2, 3, 5, 10, 20, 50} {
		for kind := Share; kind <= Events; kind++ {
			truth := clusters * mean / of.Jobs
			held, student := 0, 0
			for range runs {
				influence, sum := make([]float64, batches), 0.0
				for n := (distuv.Poisson{Lambda: clusters, Src: rng}).Rand(); n > 0; n-- {
					size := 1.0
					for rng.Float64() > 1./mean {
						size++
					}
					influence[rng.IntN(batches)] += size
					sum += size
				}
				for i := range influence {
					influence[i] -= sum / batches
				}
				e := Plain(sum/of.Jobs, influence, of.Jobs, 0.95, "")
				if e.Covers(truth) {
					student++
				}
				if of.number(&e, kind, 1, 0.95); e.Covers(truth) {
					held++
				}
			}
			if held < 0.92*runs || clusters < 2 && student > 0.8*runs {
				t.Errorf("%v clusters, kind %d: %d of %d intervals hold, Student's %d", clusters, kind, held, runs, student)
			}
		}
	}
}

// TestFewEventsByHand: what nobody saw is below 3/N, one of N is within the exact interval of a
// binomial probability, an amount that is always 0 keeps what it has, and so do many events.
func TestFewEventsByHand(t *testing.T) {
	of := &Rarity{Jobs: 1000, Cluster: 1}
	number := func(value, half float64, kind Kind, most float64) float64 {
		e := result.Estimate{Value: value, HalfWidth: half, Level: 0.95, N: 1 << 20}
		of.number(&e, kind, most, 0.95)
		return e.HalfWidth
	}
	three := -math.Log(0.05) / 1000
	one := result.StudentT(0.95, 1<<20-1) * math.Sqrt(0.001*0.999/1000)
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"no event", number(0, 0, Share, 1), three}, {"all", number(1, 0, Share, 1), three}, {"of 8 servers", number(0, 0, Share, 8), 8 * three},
		{"no event a job", number(0, 0, Events, 1), three}, {"an amount", number(0, 0, Amount, 1), 0},
		{"one of a thousand", number(0.001, one, Share, 1), 0.0055589 - 0.001}, {"all but one", number(0.999, one, Share, 1), 0.0055589 - 0.001},
		{"one event", number(0.001, math.Sqrt(1000./999)*one, Events, 1), 0.0055716 - 0.001}, {"half of them", number(0.5, 0.04, Share, 1), 0.04},
		{"the same of every job", number(2, 0, Events, 1), 0}, {"below 0", number(-0.001, 0.002, Share, 1), 0.002 + three},
	} {
		if math.Abs(c.got-c.want) > 1e-7 {
			t.Errorf("%s: ± %.8f, want %.8f", c.name, c.got, c.want)
		}
	}
}

// TestLongWaitsComeTogether: jobs beyond a time count as fewer independent events than jobs within
// a short one, for a queue that makes some wait for long lets all wait that come next.
func TestLongWaitsComeTogether(t *testing.T) {
	of := &Rarity{Jobs: 16_000, Cluster: 5, Forget: 100}
	half := func(value float64, kind Kind) float64 {
		e := result.Estimate{Value: value, HalfWidth: 0.001, Level: 0.95, N: 32}
		of.number(&e, kind, 1, 0.95)
		return e.HalfWidth
	}
	long, short := half(0.998, InTime), half(0.002, InTime)
	if !(long > 1.5*short) || math.Abs(short-half(0.002, Share)) > 1e-9 || math.Abs(short-half(0.998, Share)) > 1e-9 {
		t.Errorf("± %v of jobs beyond a time, %v of jobs within one", long, short)
	}
	e := result.Estimate{Value: 1, Level: 0.95, N: 32}
	if of.number(&e, InTime, 1, 0.95); math.Abs(e.HalfWidth+math.Log(0.05)*50/16_000) > 1e-9 {
		t.Errorf("no job beyond a time: ± %v", e.HalfWidth)
	}
}

// TestSharesLieBetween0And1: samples with weights of either sign may give a share that cannot be.
func TestSharesLieBetween0And1(t *testing.T) {
	of := &Rarity{Jobs: 1000, Cluster: 1}
	for _, c := range []struct{ value, most, want float64 }{{1.0005, 1, 1}, {-0.002, 1, 0}, {8.1, 8, 8}, {0.4, 1, 0.4}} {
		for _, half := range []float64{0.01, math.NaN()} {
			e := result.Estimate{Value: c.value, HalfWidth: half, Level: 0.95, N: 10}
			of.number(&e, Share, c.most, 0.95)
			if e.Value != c.want || e.HalfWidth < half || math.IsNaN(e.HalfWidth) != math.IsNaN(half) {
				t.Errorf("%v of %v is %v ± %v, want %v", c.value, c.most, e.Value, e.HalfWidth, c.want)
			}
		}
	}
}
