package open

import (
	"context"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mjqueue/mjq/mjq/internal/states"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/mam"
	"github.com/mjqueue/mjq/mjq/result"
)

// plain is the open system with the class at the head of the line in the state
// and the line cut off, explored with a map: nothing is shared with Solution.
type plain struct {
	sys    states.System
	lambda float64
	most   int // jobs
	need   []int
	class  []int
	phase  []int // within the class
	exit   []float64
	place  map[string]int
	list   []plainState
}

// plainState has a job of class head at the head of the line, -1 if there is
// none, and as many behind it. With a tagged job, these are the ones before it,
// and -1 if it is at the head itself.
type plainState struct {
	counts []int
	head   int
	behind int
	tagged int // class of the tagged job that waits; none and served if negative
	served int // its phase of service
}

const (
	none = -1
	gone = -2
)

func newPlain(sys states.System, lambda float64, most int) *plain {
	p := &plain{sys: sys, lambda: lambda, most: most, place: map[string]int{}}
	for c, class := range sys.Classes {
		for i := range class.Alpha {
			exit := 0.0
			for _, v := range class.A[i] {
				exit -= v
			}
			p.need, p.class, p.phase, p.exit = append(p.need, class.Need), append(p.class, c), append(p.phase, i), append(p.exit, exit)
		}
	}
	return p
}

func (p *plain) number(s plainState) int {
	key := fmt.Sprint(s)
	i, ok := p.place[key]
	if !ok {
		i = len(p.list)
		p.place[key] = i
		p.list = append(p.list, s)
	}
	return i
}

func (p *plain) free(counts []int) int {
	free := p.sys.Servers
	for k, n := range counts {
		free -= n * p.need[k]
	}
	return free
}

func (p *plain) jobs(s plainState) (n int) {
	for _, k := range s.counts {
		n += k
	}
	if s.head >= 0 {
		n += 1 + s.behind
	}
	return n
}

// begin adds a job of class c in each phase that it can begin in.
func (p *plain) begin(counts []int, c int, visit func(more []int, prob float64)) {
	for k, of := range p.class {
		if of != c {
			continue
		}
		if a := p.sys.Classes[c].Alpha[p.phase[k]]; a > 0 {
			more := append([]int(nil), counts...)
			more[k]++
			visit(more, a)
		}
	}
}

// advance lets jobs start from the line until one does not fit.
func (p *plain) advance(s plainState, rate float64, visit func(plainState, float64)) {
	switch {
	case s.head < 0 && s.behind > 0:
		for c, class := range p.sys.Classes {
			p.advance(plainState{s.counts, c, s.behind - 1, s.tagged, s.served}, rate*class.Prob, visit)
		}
	case s.head < 0 && s.tagged >= 0: // the tagged job is next
		p.advance(plainState{s.counts, s.tagged, -1, s.tagged, s.served}, rate, visit)
	case s.head < 0 || p.sys.Classes[s.head].Need > p.free(s.counts):
		visit(s, rate)
	case s.behind < 0:
		for k, c := range p.class {
			if c != s.head {
				continue
			}
			if a := p.sys.Classes[s.head].Alpha[p.phase[k]]; a > 0 {
				visit(plainState{nil, none, 0, none, k}, rate*a)
			}
		}
	default:
		p.begin(s.counts, s.head, func(more []int, prob float64) {
			p.advance(plainState{more, -1, s.behind, s.tagged, s.served}, rate*prob, visit)
		})
	}
}

// service visits what completions and changes of phase lead to.
func (p *plain) service(s plainState, visit func(plainState, float64)) {
	if s.counts == nil { // the tagged job is in service
		visit(plainState{nil, none, 0, none, gone}, p.exit[s.served])
		for j, rate := range p.sys.Classes[p.class[s.served]].A[p.phase[s.served]] {
			if j != p.phase[s.served] && rate > 0 {
				visit(plainState{nil, none, 0, none, s.served + j - p.phase[s.served]}, rate)
			}
		}
		return
	}
	for k, n := range s.counts {
		if n == 0 {
			continue
		}
		less := append([]int(nil), s.counts...)
		less[k]--
		if p.exit[k] > 0 {
			p.advance(plainState{less, s.head, s.behind, s.tagged, s.served}, float64(n)*p.exit[k], visit)
		}
		for j, rate := range p.sys.Classes[p.class[k]].A[p.phase[k]] {
			if j != p.phase[k] && rate > 0 {
				to := append([]int(nil), less...)
				to[k+j-p.phase[k]]++
				visit(plainState{to, s.head, s.behind, s.tagged, s.served}, float64(n)*rate)
			}
		}
	}
}

// arrive visits what an arrival leads to.
func (p *plain) arrive(s plainState, visit func(plainState, float64)) {
	if s.head >= 0 {
		visit(plainState{s.counts, s.head, s.behind + 1, none, none}, p.lambda)
		return
	}
	for c, class := range p.sys.Classes {
		p.advance(plainState{s.counts, c, 0, none, none}, p.lambda*class.Prob, visit)
	}
}

// stationary is the distribution over list, by elimination.
func (p *plain) stationary(t *testing.T) []float64 {
	t.Helper()
	p.number(plainState{make([]int, len(p.need)), none, 0, none, none})
	var rates []map[int]float64
	for i := 0; i < len(p.list); i++ {
		row := map[int]float64{}
		rates = append(rates, row)
		add := func(to plainState, rate float64) { row[p.number(to)] += rate }
		p.service(p.list[i], add)
		if p.jobs(p.list[i]) < p.most {
			p.arrive(p.list[i], add)
		}
	}
	q := mat.NewDense(len(rates), len(rates), nil)
	for i, row := range rates {
		for j, r := range row {
			if i != j {
				q.Set(i, j, r)
				q.Set(i, i, q.At(i, i)-r)
			}
		}
	}
	pi, err := mam.GTH(q)
	if err != nil {
		t.Fatal(err)
	}
	return pi
}

// waits is what a tagged job of a class goes through that finds the states of
// list with probabilities pi.
type waits struct {
	first, second, zero float64
	waiting, response   map[float64]float64 // P(> t)
}

func (p *plain) tag(t *testing.T, pi []float64, class int, times []float64) waits {
	t.Helper()
	w := newPlain(p.sys, p.lambda, p.most)
	start := map[int]float64{}
	for i, s := range p.list {
		from := plainState{s.counts, s.head, s.behind, class, none}
		w.advance(from, pi[i], func(to plainState, prob float64) { start[w.number(to)] += prob })
	}
	var rates []map[int]float64
	for i := 0; i < len(w.list); i++ {
		row := map[int]float64{}
		rates = append(rates, row)
		if w.list[i].served != gone {
			w.service(w.list[i], func(to plainState, rate float64) { row[w.number(to)] += rate })
		}
	}
	n := len(rates)
	waits := func(i int) bool { return w.list[i].counts != nil }
	a, one, first, second := mat.NewDense(n, n, nil), mat.NewVecDense(n, nil), mat.NewVecDense(n, nil), mat.NewVecDense(n, nil)
	top := 0.0
	for i, row := range rates {
		out := 0.0
		for j, r := range row {
			out += r
			if waits(i) && waits(j) {
				a.Set(i, j, -r)
			}
		}
		top = max(top, out)
		a.Set(i, i, 1)
		if waits(i) {
			a.Set(i, i, out)
			one.SetVec(i, 1)
		}
	}
	var lu mat.LU
	lu.Factorize(a)
	if err := lu.SolveVecTo(first, false, one); err != nil {
		t.Fatal(err)
	}
	twice := mat.NewVecDense(n, nil)
	twice.ScaleVec(2, first)
	if err := lu.SolveVecTo(second, false, twice); err != nil {
		t.Fatal(err)
	}
	out := waits2(start, first, second)
	for i, v := range start {
		if !waits(i) {
			out.zero += v
		}
	}
	for _, at := range times {
		// Uniformised: Poisson many steps of the chain that jumps at rate top.
		x := make([]float64, n)
		for i, v := range start {
			x[i] = v
		}
		weight := math.Exp(-top * at)
		for k := 0; float64(k) < 20*(top*at+5); k++ {
			for i, v := range x {
				if waits(i) {
					out.waiting[at] += weight * v
				}
				if w.list[i].served != gone {
					out.response[at] += weight * v
				}
			}
			next := make([]float64, n)
			for i, row := range rates {
				stay := 1.0
				for j, r := range row {
					next[j] += x[i] * r / top
					stay -= r / top
				}
				next[i] += x[i] * stay
			}
			x = next
			weight *= top * at / float64(k+1)
		}
	}
	return out
}

func waits2(start map[int]float64, first, second *mat.VecDense) waits {
	out := waits{waiting: map[float64]float64{}, response: map[float64]float64{}}
	for i, v := range start {
		out.first += v * first.AtVec(i)
		out.second += v * second.AtVec(i)
	}
	return out
}

// coarse has servers that no job can use, and counts them in pairs.
func coarse() states.System {
	return exponential(7, []int{2, 4, 6}, []float64{0.6, 0.3, 0.1}, []float64{1, 2, 1.5})
}

// cyclic is one server and one class, whose last phase leads to the first.
func cyclic() states.System {
	return states.System{Servers: 1, Classes: []states.Class{{Need: 1, Prob: 1, Alpha: []float64{0.4, 0.5, 0.1},
		A: [][]float64{{-3, 1.5, 0.2}, {0.5, -1.1, 0.3}, {0.7, 0.25, -2}}}}}
}

// TestAgainstPlainChain compares everything that a solution gives with the
// plain chain, whose line is cut off where hardly anything is left.
func TestAgainstPlainChain(t *testing.T) {
	for name, c := range map[string]struct {
		sys    states.System
		lambda float64
		most   int
	}{"roomy": {exponential(5, []int{1, 2}, []float64{0.6, 0.4}, []float64{1, 2}), 0.9, 20}, "mixed": {mixed(), 0.12, 11}, "coarse": {coarse(), 0.3, 16}} {
		t.Run(name, func(t *testing.T) {
			s := solve(t, c.sys, c.lambda)
			p := newPlain(c.sys, c.lambda, c.most)
			pi := p.stationary(t)
			compareMoments(t, s, p, pi)
			compareWaits(t, s, p, pi)
		})
	}
}

func close2(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol*max(1e-3, math.Abs(want))) {
		t.Errorf("%s: %.12g, want %.12g", what, got, want)
	}
}

func compareMoments(t *testing.T, s *Solution, p *plain, pi []float64) {
	var jobs, queue [factorials - 1]float64
	levels := make([]float64, p.most+1)
	var idle, wasted, empty float64
	busy := make([]float64, len(p.sys.Classes))
	for i, at := range p.list {
		n, line := float64(p.jobs(at)), 0.0
		if at.head >= 0 {
			line = float64(1 + at.behind)
			wasted += pi[i] * float64(p.free(at.counts))
		} else {
			empty += pi[i]
		}
		idle += pi[i] * float64(p.free(at.counts))
		levels[int(n)] += pi[i]
		a, b := pi[i], pi[i]
		for k := range jobs {
			a *= n - float64(k)
			b *= line - float64(k)
			jobs[k] += a
			queue[k] += b
		}
		for k, m := range at.counts {
			busy[p.class[k]] += pi[i] * float64(m*p.need[k])
		}
	}
	m := s.Moments()
	for k := range jobs {
		close2(t, fmt.Sprint("factorial moment of jobs ", k+1), m.Jobs[k], jobs[k], 1e-4)
		close2(t, fmt.Sprint("factorial moment of the line ", k+1), m.Queue[k], queue[k], 1e-4)
	}
	close2(t, "idle", m.Idle, idle, 1e-9)
	close2(t, "wasted", m.WastedHOL, wasted, 1e-9)
	close2(t, "empty", m.Empty, empty, 1e-9)
	for n, v := range s.Levels(8) {
		close2(t, fmt.Sprint("P(N = ", n, ")"), v, levels[n], 1e-9)
	}
	if got := s.Levels(2); len(got) != 2 {
		t.Errorf("%d levels of 2", len(got))
	}
	far := s.Levels(300)
	close2(t, "decay", m.Decay, far[299]/far[298], 1e-5)
	for c, k := range s.Kinds() {
		close2(t, fmt.Sprint("servers held by ", c), k.Busy, busy[c], 1e-9)
	}
	if !(s.Residual < 1e-13) {
		t.Errorf("residual %.2g", s.Residual)
	}
}

func compareWaits(t *testing.T, s *Solution, p *plain, pi []float64) {
	w := NewWaits(context.Background(), s)
	var services []Service
	for c, class := range p.sys.Classes {
		services = append(services, Service{Kind: c, Alpha: class.Alpha, A: class.A, Mean: s.Plan.Kinds[c].Mean})
	}
	waiting, response, err := w.Curves(context.Background(), services, 2)
	if err != nil {
		t.Fatal(err)
	}
	times := []float64{0.3, 2.5}
	for c, k := range s.Kinds() {
		want := p.tag(t, pi, c, times)
		close2(t, fmt.Sprint("E[W] of ", c), k.Mean, want.first, 1e-8)
		close2(t, fmt.Sprint("E[W²] of ", c), k.Second, want.second, 1e-7)
		close2(t, fmt.Sprint("P(W = 0) of ", c), k.Zero, want.zero, 1e-9)
		for _, at := range times {
			close2(t, fmt.Sprintf("P(W > %v) of %d", at, c), beyond(waiting[c], at), want.waiting[at], 1e-6)
			close2(t, fmt.Sprintf("P(R > %v) of %d", at, c), beyond(response[c], at), want.response[at], 1e-6)
		}
	}
}

func beyond(c result.Curve, x float64) float64 { return c.Survival(x) }

// TestBlocksAgainstPlainChain solves for E exp(θH) of a pile of jobs directly.
func TestBlocksAgainstPlainChain(t *testing.T) {
	const theta = 0.05
	for _, sys := range []states.System{mixed(), coarse(), cyclic()} {
		b := blocksOf(t, sys)
		for _, size := range []int{1, 3, 7} {
			p := newPlain(sys, 0, 0)
			begin := map[int]float64{}
			p.advance(plainState{make([]int, len(p.need)), none, size, none, none}, 1, func(s plainState, prob float64) { begin[p.number(s)] += prob })
			var rates []map[int]float64
			for i := 0; i < len(p.list); i++ {
				row := map[int]float64{}
				rates = append(rates, row)
				p.service(p.list[i], func(to plainState, rate float64) { row[p.number(to)] += rate })
			}
			a, rhs := mat.NewDense(len(rates), len(rates), nil), mat.NewVecDense(len(rates), nil)
			for i, row := range rates {
				if len(row) == 0 { // nobody is left
					a.Set(i, i, 1)
					rhs.SetVec(i, 1)
					continue
				}
				a.Set(i, i, -theta)
				for j, r := range row {
					a.Set(i, i, a.At(i, i)+r)
					a.Set(i, j, a.At(i, j)-r)
				}
			}
			var f mat.VecDense
			if err := f.SolveVec(a, rhs); err != nil {
				t.Fatal(err)
			}
			want := 0.0
			for i, prob := range begin {
				want += prob * f.AtVec(i)
			}
			close2(t, fmt.Sprint("log moment of ", size), b.LogMoment(context.Background(), theta, size), math.Log(want), 1e-10)
		}
	}
}

// TestLongBlocks: on one server the moments of a block are a power, however
// large, and a cancelled computation says so every 64 jobs.
func TestLongBlocks(t *testing.T) {
	b := blocksOf(t, cyclic())
	one, many := b.LogMoment(context.Background(), 0.3, 1), b.LogMoment(context.Background(), 0.3, 2000)
	close2(t, "log moment of 2000", many, 2000*one, 1e-11)
	if many < 300 {
		t.Errorf("log moment %v is not beyond what needs no scaling", many)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if v := b.LogMoment(ctx, 0.3, 63); math.IsNaN(v) {
		t.Error("63 jobs are not worth a look at the context")
	}
	if v := b.LogMoment(ctx, 0.3, 64); !math.IsNaN(v) {
		t.Errorf("cancelled: %v", v)
	}
	if w := blocksOf(t, exponential(1, []int{1}, []float64{1}, []float64{2})).Work(); w != 2 {
		t.Errorf("one state with one rate counts %d", w)
	}
}

// TestSize: three phases and two levels, by hand.
func TestSize(t *testing.T) {
	x, err := states.NewIndex(cyclic().Compile())
	if err != nil {
		t.Fatal(err)
	}
	want := Size{Phases: 3, Levels: 2, Bytes: 8*(1.5*1.5+3*3) + 100*9, Flops: 2.7*(1.5*1.5*1.5+27) + 160*27}
	z := SizeOf(x)
	if z.Phases != want.Phases || z.Levels != want.Levels {
		t.Errorf("%v, want %v", z, want)
	}
	close2(t, "bytes", z.Bytes, want.Bytes, 1e-14)
	close2(t, "flops", z.Flops, want.Flops, 1e-14)
	if s := (Size{Phases: 3, Levels: 2, Bytes: 2e6, Flops: 3e9}).String(); s != "3 phases, 2 boundary levels, about 2 MB and 3·10⁹ operations" {
		t.Error(s)
	}
}

// TestProgress: parts of the work, ascending, the whole at the end.
func TestProgress(t *testing.T) {
	x, err := states.NewIndex(mixed().Compile())
	if err != nil {
		t.Fatal(err)
	}
	last, whole := 0.0, 0.0
	if _, err := Solve(context.Background(), x, 5, 0.5, func(done, total float64) {
		if !(done >= last && done <= total) {
			t.Errorf("%v of %v after %v", done, total, last)
		}
		last, whole = done, total
	}); err != nil || math.Abs(last-whole) > 1e-9*whole || whole != SizeOf(x).Flops {
		t.Errorf("ended at %v of %v: %v", last, whole, err)
	}
}

// TestServiceSurvival compares the transform of the service time with its law.
func TestServiceSurvival(t *testing.T) {
	c := cyclic().Classes[0]
	v := Service{Alpha: c.Alpha, A: c.A}
	l := law.PhaseType(c.Alpha, c.A)
	for _, s := range []float64{0.01, 0.7, 20} {
		close2(t, "∫ e^{-st} P(X > t) dt", real(v.survival(complex(s, 0))), (1-l.Laplace(s))/s, 1e-12)
	}
}

// TestCurvesOfKnownTails: M/M/1, far into the tail, and a class of short jobs
// beside slow ones on other servers, whose response time is in the far tail a
// multiple of its service time.
func TestCurvesOfKnownTails(t *testing.T) {
	curves := func(sys states.System, lambda float64) (waiting, response []result.Curve, err error) {
		s := solve(t, sys, lambda)
		var services []Service
		for c, class := range sys.Classes {
			services = append(services, Service{Kind: c, Alpha: class.Alpha, A: class.A, Mean: s.Plan.Kinds[c].Mean})
		}
		return NewWaits(context.Background(), s).Curves(context.Background(), services, 1)
	}
	waiting, response, _ := curves(exponential(1, []int{1}, []float64{1}, []float64{1}), 0.7)
	for _, x := range []float64{0.1, 1, 5, 20, 80} {
		if got, want := beyond(waiting[0], x), 0.7*math.Exp(-0.3*x); math.Abs(got/want-1) > 1e-8 {
			t.Errorf("P(W > %v) = %.12g, want %.12g", x, got, want)
		}
		if got, want := beyond(response[0], x), math.Exp(-0.3*x); math.Abs(got/want-1) > 1e-8 {
			t.Errorf("P(R > %v) = %.12g, want %.12g", x, got, want)
		}
	}
	_, response, _ = curves(exponential(6, []int{1, 2, 3}, []float64{0.2, 0.3, 0.5}, []float64{1, 3, 9}), 0.2)
	for c, rate := range []float64{1, 3} {
		near, far := beyond(response[c], 8/rate)*math.Exp(8), beyond(response[c], 20/rate)*math.Exp(20)
		if !(near >= 1 && near < 1.1) || math.Abs(far/near-1) > 1e-4 {
			t.Errorf("class %d: response against service %.9g, farther out %.9g", c, near, far)
		}
	}
}
