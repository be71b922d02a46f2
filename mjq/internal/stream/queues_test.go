package stream_test

import (
	"context"
	"math"
	"testing"

	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/internal/compiled"
	"github.com/mjqueue/mjq/mjq/internal/recurrence"
	"github.com/mjqueue/mjq/mjq/internal/sampling"
	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/law"
)

// queue is a small first-come first-served queue whose waits are known: values of
// a Markov chain of jobs and arrival phases, cut at a given number of jobs that the first
// nine digits are right, and solved to 1e-15.
type queue struct {
	name     string
	servers  int
	arrivals arrival.Process
	classes  []stream.Class
	wait     []float64 // by class
	start    []float64 // probability to start at once, by class; nil: not looked at
}

type matrix = [][]float64

func queues() []queue {
	exponential := func(p, rate1, rate2 float64, need2 int) []stream.Class {
		return []stream.Class{{Need: 1, Prob: p, Service: law.ExpRate(rate1)}, {Need: need2, Prob: 1 - p, Service: law.ExpRate(rate2)}}
	}
	three, four, two := exponential(0.7, 1, 0.5, 2), exponential(0.8, 1, 2, 4), exponential(0.5, 1, 1, 2)
	bursty := arrival.MMPP([]float64{0.3, 1.2}, matrix{{-0.2, 0.2}, {0.3, -0.3}})
	twoPhases := arrival.MAP(matrix{{-2, 0.5}, {0.1, -0.6}}, matrix{{1.2, 0.3}, {0.1, 0.4}})
	erlang := arrival.MAP(matrix{{-1.4, 1.4}, {0, -1.4}}, matrix{{0, 0}, {1.4, 0}})
	hyper := arrival.MAP(matrix{{-2, 0}, {0, -0.4}}, matrix{{1.2, 0.8}, {0.24, 0.16}})
	onOff := arrival.MMPP([]float64{1.2, 0}, matrix{{-0.4, 0.4}, {0.6, -0.6}})
	marks := func(d0, first, second matrix) arrival.Process {
		return arrival.MarkedMAP(d0, map[string][][]float64{"first": first, "second": second})
	}
	phases := []stream.Class{{Need: 1, Prob: 0.7, Service: law.HyperExpMeans(0.5, 5.5, 0.9)}, {Need: 2, Prob: 0.3, Service: law.ErlangMeanPhases(2, 2)}}
	return []queue{
		{"bursts, 3 servers", 3, bursty, three, []float64{1.2807649741591, 2.0145909918892}, []float64{0.61676185147192, 0.4574816187281}},
		{"two phases, 3 servers", 3, twoPhases, three, []float64{1.2033249692128, 1.9404668361377}, []float64{0.62610438986883, 0.46111310312562}},
		{"Erlang, 3 servers", 3, erlang, three, []float64{0.6763891785586, 1.3288857011293}, []float64{0.75448541438065, 0.57364821184879}},
		{"Erlang renewals, 3 servers", 3, arrival.Renewal{Gap: law.ErlangMeanPhases(1/0.7, 2)}, three, []float64{0.6763891785586, 1.3288857011293}, []float64{0.75448541438065, 0.57364821184879}},
		{"hyperexponential, 3 servers", 3, hyper, three, []float64{1.9325206381806, 2.7598423550838}, []float64{0.50838912319975, 0.35895537017892}},
		{"batches, 3 servers", 3, arrival.Batches{Of: arrival.Poisson(0.42), Sizes: arrival.Sizes{0.6, 0.3, 0.1}}, three, []float64{1.1286074247886, 1.8644121637191}, nil},
		{"batch MAP, 3 servers", 3, arrival.BatchMAP(matrix{{-0.42}}, matrix{{0.252}}, matrix{{0.126}}, matrix{{0.042}}), three, []float64{1.1286074247886, 1.8644121637191}, nil},
		{"two phases, 4 servers", 4, twoPhases, four, []float64{0.23365589113848, 0.77323770751519}, []float64{0.8213609117351, 0.452041429127}},
		{"on and off, 4 servers", 4, onOff, four, []float64{0.29644869820662, 0.90722457199875}, []float64{0.78400293518469, 0.38984969738568}},
		{"bursts of batches, 4 servers", 4, arrival.BatchMAP(matrix{{-0.4, 0.2}, {0.3, -0.8}}, matrix{{0.15, 0}, {0, 0.3}}, matrix{{0.05, 0}, {0, 0.2}}), four, []float64{0.17080823697747, 0.65867810931586}, nil},
		{"bursts, 2 servers", 2, bursty, two, []float64{1.8853686180665, 2.2259640372852}, []float64{0.41957020871729, 0.31188607089933}},
		{"bursts and phases of service", 3, bursty, phases, []float64{1.1148404197743, 1.7787217147265}, nil},
		{"marks in turn", 2, marks(matrix{{-0.55, 0.25}, {0.4, -0.6}}, matrix{{0.3, 0}, {0, 0}}, matrix{{0, 0}, {0, 0.2}}), exponential(0.5, 2, 2, 2),
			[]float64{0.008292667620098, 0.058066541686836}, []float64{0.98053278262931, 0.89434964023504}},
		{"marks that switch", 2, marks(matrix{{-0.6, 0.1}, {0.1, -0.5}}, matrix{{0.3, 0.1}, {0.05, 0.05}}, matrix{{0.05, 0.05}, {0.1, 0.2}}), exponential(0.5, 2, 2, 2),
			[]float64{0.064284984031867, 0.12569426009455}, []float64{0.89166708413864, 0.79219668915831}},
	}
}

// TestQueuesForward runs each queue from the past to the future of job 0 and holds
// waits and starts at once by class against the values, at four standard errors.
func TestQueuesForward(t *testing.T) {
	for _, q := range queues() {
		const replications, past, jobs = 200, 300, 700
		src := stream.NewFrom(23, q.arrivals, q.classes, "first", "second")
		in := make([]stream.Job, past+jobs)
		r := src.Reader(0)
		runs := recurrence.NewRuns(q.servers)
		wait, start := newRatio(len(q.classes)), newRatio(len(q.classes))
		for rep := range uint64(replications) {
			r.Rewind(rep)
			r.Fill(in, -past)
			runs.Reset(0)
			now := 0.0
			for i, j := range in {
				begun, _ := runs.Step(now, j.Need, j.Service)
				if i >= past {
					wait.add(j.Class, begun-now)
					if begun == now {
						start.add(j.Class, 1)
					} else {
						start.add(j.Class, 0)
					}
				}
				now += j.Gap
			}
			wait.end()
			start.end()
		}
		wait.holds(t, q.name+": the wait", q.wait)
		if q.start != nil {
			start.holds(t, q.name+": the start at once", q.start)
		}
	}
}

// ratio estimates means by class over replications of many jobs.
type ratio struct{ sum, count [][]float64 }

func newRatio(classes int) *ratio {
	r := new(ratio)
	for range classes {
		r.sum, r.count = append(r.sum, []float64{0}), append(r.count, []float64{0})
	}
	return r
}

func (r *ratio) add(class int32, x float64) {
	last := len(r.sum[class]) - 1
	r.sum[class][last] += x
	r.count[class][last]++
}

func (r *ratio) end() {
	for k := range r.sum {
		r.sum[k], r.count[k] = append(r.sum[k], 0), append(r.count[k], 0)
	}
}

func (r *ratio) holds(t *testing.T, what string, want []float64) {
	t.Helper()
	for k := range r.sum {
		sum, count := 0.0, 0.0
		for i, x := range r.sum[k] {
			sum, count = sum+x, count+r.count[k][i]
		}
		mean, square := sum/count, 0.0
		for i, x := range r.sum[k] {
			d := x - mean*r.count[k][i]
			square += d * d
		}
		if z := (mean - want[k]) / (math.Sqrt(square) / count); !(math.Abs(z) < 4) {
			t.Errorf("%s of class %d is %v, want %v: %.1f standard errors", what, k, mean, want[k], z)
		}
	}
}

// TestQueuesFromThePast samples what job 0 finds by coupling from the past, and
// estimates it without bias from windows of random length: the phases of the
// arrivals before it are the same in every window. Runs forward with control
// variates do without those where gaps depend on each other.
func TestQueuesFromThePast(t *testing.T) {
	for _, q := range queues()[:12] {
		s := sampling.System{System: compiled.System{Servers: q.servers, Input: stream.NewFrom(29, q.arrivals, q.classes)}, Light: true, Workers: 2}
		want := 0.0
		for k, c := range q.classes {
			s.Needs, s.Probs = append(s.Needs, c.Need), append(s.Probs, c.Prob)
			want += c.Prob * q.wait[k]
		}
		r := (&sampling.Backward{System: s, Samples: 400, Batch: 1, Window: 256, MaxWindow: 1 << 16, Level: 0.99994}).Run(context.Background(), nil)
		// At this level half a width is four standard errors.
		if e := r.MeanWait(0.99994); r.Unsettled > 0 || r.MaxWindow == 256 || !(math.Abs(e.Value-want) < e.HalfWidth) {
			t.Errorf("%s: the mean wait is %v ± %v, want %v (%d capped, windows to %d)", q.name, e.Value, e.HalfWidth, want, r.Unsettled, r.MaxWindow)
		}
		for _, follow := range []int64{0, 200} {
			u := (&sampling.Unbiased{System: s, Samples: 200, Window: 200, Follow: follow, Level: 0.99994}).Run(context.Background(), nil)
			if e := u.MeanWait(0.99994); !(math.Abs(e.Value-want) < e.HalfWidth) {
				t.Errorf("%s: without bias the mean wait is %v ± %v, want %v", q.name, e.Value, e.HalfWidth, want)
			}
		}
		f := (&sampling.Forward{System: s, Replications: 60, WarmUp: 300, Jobs: 800, Controlled: true, Level: 0.99994}).Run(context.Background(), nil)
		if e := f.Fit.Mean(3*len(q.classes), 0.99994, ""); !(math.Abs(e.Value-want) < e.HalfWidth) {
			t.Errorf("%s: forward the mean wait is %v ± %v, want %v", q.name, e.Value, e.HalfWidth, want)
		}
	}
}
