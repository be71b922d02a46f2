package elastic_test

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/chain"
	"github.com/mjqueue/mjq/mjq/internal/compiled"
	"github.com/mjqueue/mjq/mjq/internal/elastic"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/policy"
)

// speed is that of a reference value.
func speed(kind string, x float64) func(int) float64 {
	switch kind {
	case "power":
		return func(k int) float64 { return math.Pow(float64(k), x) }
	case "amdahl":
		return func(k int) float64 { return 1 / (1 - x + x/float64(k)) }
	}
	return func(k int) float64 { return float64(k) }
}

// form is how jobs change their size, with a speed.
func form(least, need, most int, partial bool, speed func(int) float64) compiled.Form {
	f := compiled.Form{Least: least, Need: need, Most: max(need, most), Partial: partial, Speed: make([]float64, max(need, most)+1)}
	for k := range f.Speed {
		f.Speed[k] = speed(k) / speed(need)
	}
	return f
}

// model is a queue as the reference values write it.
type model struct {
	Servers int
	Policy  string
	Rate    float64
	Classes []struct {
		Kind              string
		Least, Need, Most int
		Prob              float64
		Service           string `json:"service_on_need"`
		Speed             struct {
			Kind      string
			Parameter float64
		}
	}
}

var mean = regexp.MustCompile(`^ExpMean\((.*)\)$`)

func (m *model) queue(t *testing.T) *elastic.Queue {
	q := &elastic.Queue{Servers: m.Servers, Rate: m.Rate, Oldest: strings.Contains(m.Policy, "oldest first")}
	for _, c := range m.Classes {
		x, err := strconv.ParseFloat(mean.FindStringSubmatch(c.Service)[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		q.Classes = append(q.Classes, elastic.Class{Form: form(c.Least, c.Need, c.Most, c.Kind == "partial", speed(c.Speed.Kind, c.Speed.Parameter)), Prob: c.Prob, Rate: 1 / x})
	}
	return q
}

var most = chain.Limits{States: 1e6, Bytes: 1 << 30}

func solve(t *testing.T, q *elastic.Queue) *elastic.Answer {
	t.Helper()
	a, err := q.Solve(t.Context(), most)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func limit(t *testing.T, q *elastic.Queue) float64 {
	t.Helper()
	rate, err := q.Limit(t.Context(), most)
	if err != nil {
		t.Fatal(err)
	}
	return rate
}

// TestValues: all reference values, to their tolerance.
func TestValues(t *testing.T) {
	n := 0
	for _, v := range oracle.AllFrontier(t, "elastic-") {
		text, err := json.Marshal(v.Model)
		if err != nil {
			t.Fatal(err)
		}
		var m model
		if err := json.Unmarshal(text, &m); err != nil {
			t.Fatal(err)
		}
		a := solve(t, m.queue(t))
		var class int
		got := math.NaN()
		last := v.ID[strings.LastIndex(v.ID, "-")+1:]
		switch kind := strings.TrimRight(last, "0123456789"); kind {
		case "Q", "T":
			fmt.Sscan(last[1:], &class)
			if got = a.Classes[class].Waiting; kind == "T" {
				got = a.Classes[class].Response
			}
		case "busy":
			got = a.Busy
		case "limit":
			got = limit(t, m.queue(t))
		}
		oracle.Near(t, v.ID, got)
		n++
	}
	if n < 20 {
		t.Errorf("only %d values", n)
	}
}

// one is a queue of one class with a speed.
func one(servers, least, need, most int, rate float64, speed func(int) float64) *elastic.Queue {
	return &elastic.Queue{Servers: servers, Rate: rate, Classes: []elastic.Class{{Form: form(least, need, most, false, speed), Prob: 1, Rate: 1}}}
}

// TestLimits: where elastic jobs are those of other queues.
func TestLimits(t *testing.T) {
	near := func(what string, got, want float64) {
		t.Helper()
		if !(math.Abs(got-want) <= 1e-11*math.Max(1, math.Abs(want))) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	linear := speed("linear", 0)
	a := solve(t, one(6, 1, 1, 6, 4.5, linear)) // M/M/1 of rate 6
	near("linear from 1 to all: response", a.Classes[0].Response, 1/(6-4.5))
	near("linear from 1 to all: limit", limit(t, one(6, 1, 1, 6, 4.5, linear)), 6)
	a = solve(t, one(3, 1, 1, 1, 2, linear)) // M/M/3 at load 2/3: P(wait) 4/9
	near("no more than one: waiting", a.Classes[0].Waiting, 4./9)
	near("no more than one: starts at once", a.Classes[0].NoWait, 5./9)
	for _, rate := range []float64{0.5, 1.9, 3.5} { // a partial class of one size, and least = most
		rigid, partial := one(8, 2, 2, 2, rate, linear), one(8, 2, 2, 2, rate, linear)
		partial.Classes[0].Partial = true
		near("a partial class of one size", solve(t, partial).Classes[0].Waiting, solve(t, rigid).Classes[0].Waiting)
	}
	q := one(8, 2, 4, 8, 2, speed("power", 0.5)) // with all sizes given, and without
	given := one(8, 2, 4, 8, 2, speed("power", 0.5))
	given.Classes[0].Sizes = []int{2, 3, 4, 5, 6, 7, 8}
	near("all sizes are given", solve(t, given).Classes[0].Response, solve(t, q).Classes[0].Response)
}

// TestWork: what arrives is served. With linear speed the servers that are held are those of the
// rigid queue.
func TestWork(t *testing.T) {
	for seed := range 12 {
		r := float64(seed)
		linear := speed("linear", 0)
		q := &elastic.Queue{Servers: 7 + seed%4, Rate: 0.7, Oldest: seed%2 == 0, Classes: []elastic.Class{
			{Form: elastic.Rigid(1 + seed%3), Prob: 0.5, Rate: 1 + r/40},
			{Form: form(1+seed%2, 3, 5+seed%3, false, linear), Prob: 0.3, Rate: 1.5},
			{Form: form(2, 4, 4, true, linear), Prob: 0.2, Rate: 2}}}
		a, want := solve(t, q), 0.
		for k, c := range q.Classes {
			want += q.Rate * c.Prob * float64(c.Need) / c.Rate
			if size := a.Classes[k].Size; size < float64(c.Least)-1e-9 || size > float64(c.Most)+1e-9 {
				t.Errorf("seed %d: class %d runs on %v servers", seed, k, size)
			}
		}
		if math.Abs(a.Busy-want) > 1e-10 {
			t.Errorf("seed %d: %v servers are held, %v of work arrive", seed, a.Busy, want)
		}
	}
}

// TestShare: who gets what is free, by hand.
func TestShare(t *testing.T) {
	for _, c := range []struct {
		least, most, jobs, free int
		sizes                   []int
		oldest                  bool
		want                    string
	}{
		{1, 4, 3, 5, nil, false, "[3 3 2]"}, {1, 4, 3, 5, nil, true, "[4 3 1]"}, {2, 16, 2, 20, nil, false, "[12 12]"},
		{2, 16, 2, 100, nil, false, "[16 16]"}, {2, 16, 3, 7, []int{2, 4, 8, 16}, false, "[4 4 4]"},
		{2, 16, 3, 7, []int{2, 4, 8, 16}, true, "[8 2 2]"}, {2, 16, 2, 1, []int{2, 4, 8, 16}, false, "[2 2]"},
		{2, 8, 2, 9, []int{2, 4, 8, 16}, false, "[8 4]"}, {1, 3, 0, 9, nil, false, "[]"},
	} {
		class := &compiled.Form{Least: c.least, Most: c.most, Sizes: c.sizes}
		if got := fmt.Sprint(elastic.Share(class, c.jobs, c.free, c.oldest)); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

// TestTwoElasticClasses are refused.
func TestTwoElasticClasses(t *testing.T) {
	q := &compiled.System{Servers: 8, Needs: []int{2, 2}, Probs: []float64{0.5, 0.5}, Known: []policy.Class{{Service: law.ExpMean(1)}, {Service: law.ExpMean(2)}},
		Elastic: &compiled.Elastic{Forms: []compiled.Form{form(2, 4, 8, false, speed("power", 0.5))}, Of: []int32{1, 1}}}
	if _, err := elastic.Of(q); err == nil || !strings.Contains(err.Error(), "two classes are elastic") {
		t.Error(err)
	}
}
