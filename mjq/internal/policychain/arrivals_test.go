package policychain

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/chain"
	"github.com/mjqueue/mjq/mjq/internal/states"
	"github.com/mjqueue/mjq/mjq/mam"
	"github.com/mjqueue/mjq/mjq/policy"

	"gonum.org/v1/gonum/mat"
)

// mapValue is an entry of policy_values.json whose arrivals are a MAP.
type mapValue struct {
	value
	D0     [][]float64
	D      [][][]float64
	Stages []struct {
		Need        int
		Rate, Entry float64
		Next        int
	}
}

// queue is the system with its rate. Stages make the classes if there are any: one for
// each need.
func (v mapValue) queue(t *testing.T) (System, *states.Arrivals) {
	in := &states.Arrivals{D0: v.D0}
	var per []float64
	for i, d := range v.D {
		e := states.Event{Rates: d, Size: 1, Class: states.Open}
		switch v.Model {
		case "batchMAP":
			e.Size = i + 1
		case "markedMAP":
			e.Class = i
		}
		in.Events = append(in.Events, e)
		per = append(per, 0)
	}
	n := len(v.D0)
	total := mat.NewDense(n, n, nil)
	for i := range n {
		for j := range n {
			total.Set(i, j, v.D0[i][j])
			for _, d := range v.D {
				total.Set(i, j, total.At(i, j)+d[i][j])
			}
		}
	}
	pi, err := mam.GTH(chain.Balance(total))
	if err != nil {
		t.Fatal(err)
	}
	s := System{Servers: v.Servers}
	for e, d := range v.D {
		for i := range n {
			for j := range n {
				per[e] += pi[i] * d[i][j]
			}
		}
		s.Rate += per[e] * float64(in.Events[e].Size)
	}
	for i, c := range v.Classes {
		p := c.Probability
		if v.Model == "markedMAP" {
			p = per[i] / s.Rate
		}
		s.Classes = append(s.Classes, exponential(c.Need, p, c.Rate))
	}
	for at := 0; at < len(v.Stages); {
		need, to := v.Stages[at].Need, at
		for to < len(v.Stages) && v.Stages[to].Need == need {
			to++
		}
		c := states.Class{Need: need}
		for i, x := range v.Stages[at:to] {
			row := make([]float64, to-at)
			row[i] = -x.Rate
			if x.Next >= 0 {
				row[x.Next-at] = x.Rate
			}
			c.Prob += x.Entry
			c.Alpha, c.A = append(c.Alpha, x.Entry), append(c.A, row)
		}
		for i := range c.Alpha {
			c.Alpha[i] /= c.Prob
		}
		s.Classes = append(s.Classes, c)
		at = to
	}
	return s, in
}

// TestArrivalValues holds all means with MAP, batch and marked arrivals, and with
// phase-type services, against the reference, but for those in which the order of marked
// classes would belong into the state: 2 of FCFS and 1 of FirstFit.
func TestArrivalValues(t *testing.T) {
	data, err := os.ReadFile("../../testdata/policy_values.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Values []json.RawMessage }
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	solved, refused, n := map[string]*Measures{}, map[string]bool{}, 0
	for _, raw := range file.Values {
		var v mapValue
		if json.Unmarshal(raw, &v) != nil || !strings.HasSuffix(v.Model, "MAP") || v.Quantity == "arrivalRate" {
			continue
		}
		id := strings.Split(v.ID, "/")[0]
		if solved[id] == nil && !refused[id] {
			s, in := v.queue(t)
			q, err := NewWith(s, in, v.policy())
			if err != nil {
				if v.Model != "markedMAP" || !strings.Contains(err.Error(), "mark") {
					t.Errorf("%s: %v", id, err)
				}
				refused[id] = true
				continue
			}
			if solved[id], err = q.Solve(context.Background()); err != nil {
				t.Fatalf("%s: %v", id, err)
			}
		}
		if refused[id] {
			continue
		}
		n++
		got := v.of(solved[id])
		if v.Model == "batchMAP" && v.Quantity == "startAtOnceByClass" {
			s, in := v.queue(t)
			got = firstAtOnce(t, s, in, v.policy(), v.Class)
		}
		if !(math.Abs(got-v.Value) <= v.Tolerance+solved[id].Error+1e-12) || solved[id].Error > 1e-8 {
			t.Errorf("%s class %d: %.12g, want %.12g ± %.2g", v.ID, v.Class, got, v.Value, v.Tolerance)
		}
	}
	if len(solved) != 21 || len(refused) != 3 {
		t.Errorf("%d systems solved, %d refused", len(solved), len(refused))
	}
	if n != 282 {
		t.Errorf("%d values", n)
	}
}

// firstAtOnce is the probability that the first job of a batch, being of a kind, starts at
// once, which is what the reference has of batches; ours is that of any job of them.
func firstAtOnce(t *testing.T, s System, in *states.Arrivals, p policy.Policy, kind int) float64 {
	q, err := NewWith(s, in, p)
	if err != nil {
		t.Fatal(err)
	}
	chain, law, err := q.stationary(context.Background(), q.rule.(bounded).sees(), Options{}.defaults())
	if err != nil {
		t.Fatal(err)
	}
	yes, total := 0.0, 0.0
	chain.Each(law, func(x *state, p, _, _ float64) {
		if x.coming > 0 {
			return
		}
		for _, e := range q.input.events {
			for _, m := range e.moves[x.phase] {
				total += p * m.rate
				if q.startsAtOnce(x, kind) {
					yes += p * m.rate
				}
			}
		}
	})
	return yes / total
}

// TestPoissonInDisguise: a MAP that is a Poisson process gives its answers, phases and
// marks or not.
func TestPoissonInDisguise(t *testing.T) {
	s := System{Servers: 2, Rate: 0.5, Classes: []states.Class{exponential(1, 0.6, 1), exponential(2, 0.4, 2)}}
	in := &states.Arrivals{D0: [][]float64{{-1.5, 1}, {2, -2.5}}, Events: []states.Event{{Rates: [][]float64{{0.5, 0}, {0.25, 0.25}}, Size: 1, Class: states.Open}}}
	marked := &states.Arrivals{D0: [][]float64{{-0.5}}, Events: []states.Event{{Rates: [][]float64{{0.3}}, Size: 1, Class: 0}, {Rates: [][]float64{{0.2}}, Size: 1, Class: 1}}}
	drawn := &states.Arrivals{D0: [][]float64{{-0.5}}, Events: []states.Event{{Rates: [][]float64{{0.3}}, Size: 1, Class: 0}, {Rates: [][]float64{{0.2}}, Size: 1, Class: states.Open}}, Drawn: []float64{0, 1}}
	for _, p := range general {
		want := solve(t, s, p)
		for i, a := range []*states.Arrivals{in, marked, drawn} {
			q, err := NewWith(s, a, p)
			if err != nil {
				if i == 0 {
					t.Error(err)
				}
				continue
			}
			got, err := q.Solve(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			for k, x := range got.all() {
				if y := want.all()[k]; !math.IsNaN(y) {
					near(t, p.String(), x, y, 1e-8)
				}
			}
			near(t, p.String()+" P(N = 1)", got.Levels[1], want.Levels[1], 1e-9)
		}
	}
}

// TestBatchesOfOneServer: batches at a single server, of which the Pollaczek-Khinchine
// formula for batches has the mean number: those before, and those of the own batch.
func TestBatchesOfOneServer(t *testing.T) {
	s := System{Servers: 1, Rate: 0.6, Classes: []states.Class{exponential(1, 1, 1)}}
	// Batches of 1 or 3 at rates 0.3 and 0.1.
	in := &states.Arrivals{D0: [][]float64{{-0.4}}, Events: []states.Event{{Rates: [][]float64{{0.3}}, Size: 1, Class: states.Open}, {Rates: [][]float64{{0.1}}, Size: 3, Class: states.Open}}}
	// A batch as one job: work B exponential(1), E[V] = λ E[V²] / 2(1-ρ), λ = 0.4.
	second := (0.3*2 + 0.1*(3+9)) / 0.4
	want := 0.4*second/(2*(1-0.6)) + (0.1*3*1)/0.6 // and one other on average before a job of three
	for _, p := range []policy.Policy{policy.FCFS{}, policy.ServerFilling{}, policy.MostServersFirst{}, policy.FirstFit{}, policy.MaxWeight{}} {
		q, err := NewWith(s, in, p)
		if err != nil {
			t.Fatal(err)
		}
		m, err := q.Solve(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		near(t, p.String(), m.Wait, want, 1e-8)
		if x := m.Classes[0].NoWait; !math.IsNaN(x) {
			near(t, p.String()+" at once", x, 0.4*0.4/0.6, 1e-8) // one a batch if it finds nobody
		}
	}
}
