package classic

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/mjqueue/mjq/mjq/law"
)

// values are those of priority_values.json by their name.
func values(t *testing.T) map[string]float64 {
	t.Helper()
	data, err := os.ReadFile("../../testdata/priority_values.json")
	var list []struct {
		ID    string
		Value float64
	}
	if err == nil {
		err = json.Unmarshal(data, &list)
	}
	if err != nil {
		t.Fatal(err)
	}
	by := map[string]float64{}
	for _, v := range list {
		by[v.ID] = v.Value
	}
	return by
}

func nearly(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*math.Max(1, math.Abs(want))) && got != want {
		t.Errorf("%s is %.14g, want %.14g", what, got, want)
	}
}

// TestPriorityValues holds all forms against values that other programs found.
func TestPriorityValues(t *testing.T) {
	want := values(t)
	three := []PriorityClass{{0.2, 0, law.Deterministic{X: 1}}, {0.3, 1, law.ErlangMeanPhases(0.8, 2)}, {0.1, 2, law.ExpMean(2)}}
	for i, m := range Nonpreemptive(three) {
		nearly(t, "Cobham", m.Wait, want["priority-cobham-non-W"+string(rune('0'+i))], 1e-12)
	}
	for i, m := range Resume(three) {
		nearly(t, "resume", m.Wait+three[i].Service.Mean(), want["priority-cobham-pre-T"+string(rune('0'+i))], 1e-12)
	}
	one := []PriorityClass{{0.3, 0, law.ExpMean(1)}, {0.4, 1, law.ExpMean(1)}}
	two := []PriorityClass{{1.2, 0, law.ExpMean(1)}, {1, 1, law.ExpMean(1)}}
	for name, got := range map[string][]PriorityMeans{"non_mm1": Nonpreemptive(one), "pre_mm1": Resume(one), "non_mmc": AlikePriorities(4, 1, two, false)} {
		for i, m := range got {
			class := string(rune('0' + i))
			nearly(t, name, m.Wait, want["priority-"+name+"-W"+class], 1e-10)
			nearly(t, name+" at once", m.AtOnce, want["priority-"+name+"-now"+class], 1e-10)
		}
	}
	for i, m := range AlikePriorities(1, 1, one, true) {
		nearly(t, "M/M/1 as M/M/c", m.Wait, want["priority-pre_mm1-W"+string(rune('0'+i))], 1e-10)
	}
	above, below := []PriorityClass{{0.3, 0, law.ExpMean(0.5)}}, PriorityClass{0.2, 1, law.Deterministic{X: 1}}
	c := Restarted(above, below, false)
	nearly(t, "completion", c.Mean, want["priority-restart_det-C1"], 1e-12)
	nearly(t, "kept", c.Kept, want["priority-restart_det-kept1"], 1e-12)
	nearly(t, "lost", c.Lost, want["priority-restart_det-lost1"], 1e-12)
	nearly(t, "limit", 1/c.Mean, want["priority-restart_det-limit1"], 1e-12)
}

// TestConservation: at one server without preemption Σ ρ W is the same for all orders of the
// levels (Kleinrock 1965); with equal exponential services so is Σ λ W with preemption.
func TestConservationOfWork(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 50 {
		classes := make([]PriorityClass, 3)
		for i := range classes {
			classes[i] = PriorityClass{0.05 + 0.2*rng.Float64(), 0, law.LogNormalMeanSCV(0.5+rng.Float64(), 0.2+2*rng.Float64())}
		}
		var sums []float64
		for _, order := range [][]int{{0, 0, 0}, {0, 1, 2}, {2, 1, 0}, {1, 0, 1}} {
			sum := 0.0
			for i, level := range order {
				classes[i].Level = level
			}
			for i, m := range Nonpreemptive(classes) {
				sum += classes[i].Rate * classes[i].Service.Mean() * m.Wait
			}
			sums = append(sums, sum)
		}
		for _, sum := range sums[1:] {
			nearly(t, "Σ ρ W", sum, sums[0], 1e-12)
		}
		for i := range classes {
			classes[i].Service = law.ExpMean(2)
		}
		sum, want := 0.0, queued(4, 2*(classes[0].Rate+classes[1].Rate+classes[2].Rate))
		for i, m := range AlikePriorities(4, 2, classes, true) {
			sum += classes[i].Rate * m.Wait
		}
		nearly(t, "Σ λ W", sum, want, 1e-12)
	}
}

// TestUnstableLevels: a level beyond its limit has infinite waits; those above do not notice
// it with preemption, and without meet a server that is always busy.
func TestUnstableLevels(t *testing.T) {
	classes := []PriorityClass{{0.3, 0, law.ExpMean(1)}, {0.9, 1, law.ExpMean(2)}, {0.1, 2, law.ExpMean(1)}}
	pre, non := Resume(classes), Nonpreemptive(classes)
	nearly(t, "the first level", pre[0].Wait, 0.3/0.7, 1e-12)
	nearly(t, "the first level without preemption", non[0].Wait, (0.3+0.7/2*4)/0.7, 1e-12) // the rest of a service of the level above or of the endless one
	for _, m := range []PriorityMeans{pre[1], pre[2], non[1], non[2]} {
		if !math.IsInf(m.Wait, 1) || m.AtOnce != 0 {
			t.Errorf("beyond the limit: %+v", m)
		}
	}
}

// TestRestarts holds the moments of completions against draws, and resampling of an
// exponential service against resuming, which is the same in law.
func TestRestarts(t *testing.T) {
	above := []PriorityClass{{0.3, 0, law.ExpMean(0.5)}}
	for _, c := range []PriorityClass{{0.2, 1, law.Deterministic{X: 1}}, {0.2, 1, law.Uniform{Lo: 0.5, Hi: 2}}, {0.2, 1, law.ExpMean(0.4)}} {
		for _, resampled := range []bool{false, true} {
			rng := rand.NewPCG(7, 7)
			const draws = 200_000
			var sum, square, ran float64
			for range draws {
				x, run := drawn(rng, above[0], c, resampled)
				sum += x
				square += x * x
				ran += run
			}
			got := Restarted(above, c, resampled)
			mean, spread := sum/draws, math.Sqrt((square/draws-sum*sum/draws/draws)/draws)
			if math.Abs(mean-got.Mean) > 5*spread {
				t.Errorf("%v, resampled %v: completion %v, drawn %v ± %v", c.Service, resampled, got.Mean, mean, spread)
			}
			if math.Abs(square/draws/got.Square-1) > 0.03 {
				t.Errorf("%v, resampled %v: its square %v, drawn %v", c.Service, resampled, got.Square, square/draws)
			}
			if math.Abs(ran/draws-got.Lost) > 0.02*(1+got.Lost) {
				t.Errorf("%v, resampled %v: lost %v, drawn %v", c.Service, resampled, got.Lost, ran/draws)
			}
		}
	}
	two := []PriorityClass{above[0], {0.2, 1, law.ExpMean(0.8)}}
	same, resumed := Restart(two, true), Resume(two)
	nearly(t, "start of resampled exponential services", same[1].Start, resumed[1].Start, 1e-8)
	nearly(t, "their response", same[1].Wait+two[1].Kept(0.3), resumed[1].Wait+0.8, 1e-8)
}

// drawn is a completion, and the time that the job runs in vain.
func drawn(rng rand.Source, above, c PriorityClass, resampled bool) (time, lost float64) {
	gap := law.ExpRate(above.Rate)
	for service := c.Service.Sample(rng); ; {
		until := gap.Sample(rng)
		if until >= service {
			return time + service, lost
		}
		lost += until
		time += until
		for busy := 1; busy > 0; busy-- { // a busy period, job by job
			s := above.Service.Sample(rng)
			time += s
			for x := gap.Sample(rng); x < s; x += gap.Sample(rng) {
				busy++
			}
		}
		if resampled {
			service = c.Service.Sample(rng)
		}
	}
}

// TestInfiniteRestarts: an exponential service that begins again has an infinite mean from
// the rate of the first level on, however small the load is, and the second moment earlier.
func TestInfiniteRestarts(t *testing.T) {
	above := []PriorityClass{{0.5, 0, law.ExpMean(0.01)}}
	for _, c := range []struct {
		service      law.Law
		mean, square bool // finite
	}{{law.ExpMean(2), false, false}, {law.ExpMean(1.5), true, false}, {law.ExpMean(0.5), true, true}, {law.LogNormalMeanSCV(0.1, 1), false, false}, {law.Deterministic{X: 9}, true, true}} {
		got := Restarted(above, PriorityClass{1e-9, 1, c.service}, false)
		if math.IsInf(got.Mean, 1) == c.mean || math.IsInf(got.Square, 1) == c.square {
			t.Errorf("%v: %+v", c.service, got)
		}
		m := Restart([]PriorityClass{above[0], {1e-9, 1, c.service}}, false)
		if math.IsInf(m[1].Wait, 1) != !c.square || math.IsInf(m[0].Wait, 1) {
			t.Errorf("%v: %+v", c.service, m)
		}
	}
}
