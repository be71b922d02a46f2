package sampling

import (
	"math"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/compiled"
	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/recurrence"
	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/result"
)

// small is a queue of five servers whose chains couple within some hundred jobs.
func small(workers int) *System {
	s := &System{System: compiled.System{Servers: 5, Needs: []int{1, 3, 5}, Probs: []float64{0.5, 0.3, 0.2}}, Light: true, Workers: workers}
	laws := []law.Law{law.ExpMean(1), law.Uniform{Lo: 0, Hi: 2}, law.ErlangMeanPhases(0.7, 2)}
	var classes []stream.Class
	for c, l := range laws {
		classes = append(classes, stream.Class{Need: s.Needs[c], Prob: s.Probs[c], Service: l})
	}
	s.Input = stream.New(11, law.ExpMean(0.9), classes)
	return s
}

// model is a recurrence as the tests follow it: job by job, in absolute time.
type model interface {
	occupy(until float64)
	arrive(r *stream.Reader, at int64, j stream.Job) (start float64, waste []float64)
	meet(r *stream.Reader, class int) (wait float64, waste []float64)
	total() float64
}

// plain is the queue by equation (2), one number a server.
type plain struct {
	*recurrence.Dense
	needs []int32
}

func (p *plain) occupy(until float64) {
	for i := range p.W {
		p.W[i] = until
	}
}

func (p *plain) arrive(_ *stream.Reader, _ int64, j stream.Job) (float64, []float64) {
	wait, waste := p.Arrive(int(j.Need), j.Service)
	p.Pass(j.Gap)
	return wait, []float64{waste}
}

func (p *plain) meet(_ *stream.Reader, class int) (wait float64, waste []float64) {
	n, sum := p.needs[class], 0.0
	wait = p.W[n-1]
	for _, w := range p.W[:n] {
		sum += wait - w
	}
	return wait, []float64{sum}
}

func (p *plain) total() (sum float64) {
	for _, w := range p.W {
		sum += w
	}
	return sum
}

// path follows a model along a replication.
type path struct {
	model
	r *stream.Reader
}

func newPath(s *System, rep uint64) *path {
	var m model = &plain{recurrence.NewDense(s.Servers), narrow(s.Needs)}
	switch {
	case s.Types != nil:
		m = newTypedModel(s)
	case s.Picks != nil:
		m = newSpecificModel(s)
	}
	return &path{m, s.Input.Reader(rep)}
}

// run lets the jobs from index from up to index to arrive.
func (p *path) run(from, to int64, each func(at int64, j stream.Job, wait float64, waste []float64)) {
	var one [1]stream.Job
	for at := from; at < to; at++ {
		p.r.Fill(one[:], at)
		wait, waste := p.arrive(p.r, at, one[0])
		if each != nil {
			each(at, one[0], wait, waste)
		}
	}
}

// at0 is the path at job 0 when job -window found an empty system.
func at0(s *System, rep uint64, window int64) *path {
	p := newPath(s, rep)
	p.run(-window, 0, nil)
	return p
}

// shown is what a job of each class would meet.
type shown struct {
	wait, hol, response []float64 // by class
	kinds               [][]float64
	work                float64
}

func (p *path) state(s *System, at int64) (x shown) {
	x.work = p.total()
	for c := range s.Needs {
		wait, waste := p.meet(p.r, c)
		hol := 0.0
		for _, w := range waste {
			hol += w
		}
		x.wait, x.hol, x.kinds = append(x.wait, wait), append(x.hol, hol), append(x.kinds, waste)
		x.response = append(x.response, wait+p.r.Probe(c, at))
	}
	return x
}

// means are averages over samples of one or several states each.
type means struct {
	wait, square        []float64 // by class
	all, allSquare, hol float64
	kinds               []float64
	waits, responses    []estimate.Histogram
}

func newMeans(s *System) *means {
	n := len(s.Needs)
	return &means{wait: make([]float64, n), square: make([]float64, n), kinds: make([]float64, s.OfTypes()),
		waits: make([]estimate.Histogram, n), responses: make([]estimate.Histogram, n)}
}

// add enters a state with the given weight. For all jobs together it counts with
// the expectation over the class.
func (m *means) add(s *System, x shown, weight float64) {
	for c, p := range s.Probs {
		w := x.wait[c]
		m.wait[c] += weight * w
		m.square[c] += weight * w * w
		m.all += weight * p * w
		m.allSquare += weight * p * w * w
		m.hol += weight * p * x.hol[c]
		for k := range m.kinds {
			m.kinds[k] += weight * p * x.kinds[c][k]
		}
		m.waits[c].Add(w)
		m.responses[c].Add(x.response[c])
	}
}

func close9(a, b float64) bool { return math.Abs(a-b) <= 1e-9*(1+math.Abs(a)+math.Abs(b)) }

// check holds the means against pairs of moments by class and for all jobs.
func (m *means) check(t *testing.T, name string, n float64, class func(c int) (x, y float64), x, y, hol float64, kinds []float64) {
	t.Helper()
	if m.all == 0 || m.hol == 0 {
		t.Fatalf("%s: nobody waits", name)
	}
	for c := range m.wait {
		if x, y := class(c); !close9(x, m.wait[c]/n) || !close9(y, m.square[c]/n) {
			t.Errorf("%s, class %d: moments %v and %v, by the equation %v and %v", name, c, x, y, m.wait[c]/n, m.square[c]/n)
		}
	}
	if !close9(x, m.all/n) || !close9(y, m.allSquare/n) || !close9(hol, m.hol/n) {
		t.Errorf("%s: moments of all jobs %v and %v, waste %v; by the equation %v, %v, %v", name, x, y, hol, m.all/n, m.allSquare/n, m.hol/n)
	}
	for k, z := range kinds {
		if !close9(z, m.kinds[k]/n) || m.kinds[k] == 0 {
			t.Errorf("%s: waste of type %d %v, by the equation %v", name, k, z, m.kinds[k]/n)
		}
	}
	if len(kinds) != len(m.kinds) {
		t.Errorf("%s: %d types of resources have a waste, there are %d", name, len(kinds), len(m.kinds))
	}
}

// checkBackward is check for what Backward, Certified and Dominated collect.
func (m *means) checkBackward(t *testing.T, name string, res *BackwardResult, samples int) {
	t.Helper()
	var kinds []float64
	for _, k := range res.Kinds {
		kinds = append(kinds, k.X)
	}
	m.check(t, name, float64(samples), func(c int) (x, y float64) { return res.Classes[c].Waiting.X, res.Classes[c].Waiting.Y },
		res.All.Waiting.X, res.All.Waiting.Y, res.HOL.X, kinds)
	if res.Done != samples || res.All.Waiting.N != samples || res.HOL.N != samples {
		t.Errorf("%s: %d samples, %d of all jobs, %d of the waste, want %d", name, res.Done, res.All.Waiting.N, res.HOL.N, samples)
	}
	for c := range res.Classes {
		sameLaws(t, name, &res.Classes[c], &m.waits[c], &m.responses[c])
	}
}

// sameLaws compares what a class has gathered with histograms.
func sameLaws(t *testing.T, name string, got *Gathered, waits, responses *estimate.Histogram) {
	t.Helper()
	tally := got.Tally(0.9, "")
	sameLaw(t, name+": waits", tally.Waiting.Dist, waits.Distribution())
	sameLaw(t, name+": responses", tally.Response.Dist, responses.Distribution())
}

// sameLaw allows rounding to move an observation to the next cell.
func sameLaw(t *testing.T, name string, a, b result.Distribution) {
	t.Helper()
	if a.Total != b.Total || a.Zero != b.Zero {
		t.Errorf("%s: %v observations, %v of them 0, want %v and %v", name, a.Total, a.Zero, b.Total, b.Zero)
	}
	for _, p := range []float64{0.2, 0.5, 0.9, 1} {
		if x, y := a.Quantile(p), b.Quantile(p); !(math.Abs(x-y) <= 0.01*y) {
			t.Errorf("%s: %v-quantile %v, want %v", name, p, x, y)
		}
	}
}

// typedModel and specificModel take the recurrences of package recurrence as they
// are, which has twins for them.
type typedModel struct {
	v   *compiled.Types
	y   *recurrence.Typed
	now float64
}

func newTypedModel(s *System) *typedModel {
	y := recurrence.NewTyped(s.Types.Units)
	y.AsPrinted = s.AsPrinted
	return &typedModel{v: s.Types, y: y}
}

func (m *typedModel) occupy(float64) { panic("not for types") }
func (m *typedModel) total() float64 { return m.y.Work(m.now) }

func (m *typedModel) arrive(_ *stream.Reader, _ int64, j stream.Job) (float64, []float64) {
	waste := make([]float64, len(m.v.Units))
	wait := m.y.Step(m.now, narrow(m.v.Needs[j.Class]), j.Service, waste) - m.now
	m.now += j.Gap
	return wait, waste
}

func (m *typedModel) meet(_ *stream.Reader, class int) (float64, []float64) {
	waste := make([]float64, len(m.v.Units))
	return m.y.Probe(m.now, narrow(m.v.Needs[class]), waste) - m.now, waste
}

type specificModel struct {
	v    *System
	q    servers
	pick *stream.Chooser
	now  float64
}

func newSpecificModel(s *System) *specificModel {
	m := &specificModel{v: s, pick: stream.NewChooser(s.Servers)}
	if s.Ordered {
		q := recurrence.NewPositions(s.Servers)
		q.AsPrinted = s.AsPrinted
		m.q = q
	} else {
		q := recurrence.NewNamed(s.Servers)
		q.AsPrinted = s.AsPrinted
		m.q = q
	}
	return m
}

func (m *specificModel) occupy(float64) { panic("not for named servers") }
func (m *specificModel) total() float64 { return m.q.Work(m.now) }

func (m *specificModel) arrive(r *stream.Reader, at int64, j stream.Job) (float64, []float64) {
	p := m.v.Picks[j.Class]
	given := p.Named
	if p.Random > 0 {
		given = m.pick.Job(r, at, p.Random)
	}
	start, waste := m.q.Step(m.now, given, int32(p.Any), j.Service)
	wait := start - m.now
	m.now += j.Gap
	return wait, []float64{waste}
}

func (m *specificModel) meet(r *stream.Reader, class int) (float64, []float64) {
	p := m.v.Picks[class]
	given := p.Named
	if p.Random > 0 {
		given = m.pick.Probe(r, class, 0, p.Random)
	}
	start, waste := m.q.Probe(m.now, given, int32(p.Any))
	return start - m.now, []float64{waste}
}

// variants are small queues of every recurrence.
func variants(workers int) map[string]*System {
	all := map[string]*System{"plain": small(workers)}
	for _, printed := range []bool{false, true} {
		name := ""
		if printed {
			name = ", as printed"
		}
		typed, named, ordered := small(workers), small(workers), small(workers)
		typed.Types = &compiled.Types{Units: []int{3, 8}, Needs: [][]int{{1, 0}, {2, 5}, {0, 6}}}
		named.Picks = []compiled.Pick{{Any: 1}, {Named: []int32{0, 3}, Any: 1}, {Named: []int32{1, 2, 4}}}
		ordered.Ordered = true
		ordered.Picks = []compiled.Pick{{Any: 1}, {Random: 2, Any: 1}, {Random: 4}}
		all["typed"+name], all["named"+name], all["ordered"+name] = typed, named, ordered
		drawn := small(workers)
		drawn.Picks = []compiled.Pick{{Any: 2}, {Random: 2}, {Random: 4, Any: 1}}
		all["drawn"+name] = drawn
		for _, s := range []*System{typed, named, ordered, drawn} {
			s.AsPrinted = printed
		}
	}
	return all
}
