package explorer

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/result"
)

// Setting is where the controls of an explorer stand.
type Setting struct {
	Load    float64 `json:"load"`    // offered load λ E[ασ] / s
	Servers int     `json:"servers"` // s
	Tilt    float64 `json:"tilt"`    // job mix: probabilities are multiplied by need^Tilt
	Law     string  `json:"law"`     // a key of lawShapes
}

// shape is what of a setting the stability limit depends on.
type shape struct {
	servers int
	tilt    float64
	law     string
}

func (s Setting) shape() shape { return shape{s.Servers, s.Tilt, s.Law} }

// lawShape replaces the service laws of a model, keeping their means.
type lawShape struct {
	name string
	of   func(given mjq.Law) mjq.Law
}

var lawShapes = []lawShape{
	{"as given", func(l mjq.Law) mjq.Law { return l }},
	{"deterministic", func(l mjq.Law) mjq.Law { return mjq.Deterministic(l.Mean()) }},
	{"Erlang, 3 phases", func(l mjq.Law) mjq.Law { return mjq.ErlangMeanPhases(l.Mean(), 3) }},
	{"exponential", func(l mjq.Law) mjq.Law { return mjq.ExpMean(l.Mean()) }},
	{"hyperexponential, SCV 10", func(l mjq.Law) mjq.Law { return mjq.HyperExpMeanSCV(l.Mean(), 10) }},
	{"lognormal, SCV 10", func(l mjq.Law) mjq.Law { return mjq.LogNormalMeanSCV(l.Mean(), 10) }},
}

// explorer is the thinking half of Run: it knows what to compute for a
// setting and when, and nothing of the page.
type explorer struct {
	given   mjq.Model
	limits  map[shape]*result.Stability
	stages  int
	flops   float64       // the largest exact solution that is sought, in operations
	glance  time.Duration // how long a cell refines its picture
	hurry   time.Duration // how long the first picture may wait for the stability limit
	patient time.Duration // how long to wait for a first word from the page, which may be out of sight
	silent  time.Duration // how long to go on without one afterwards; a hidden page speaks once a minute
	parting time.Duration // and after the page has said that it may be going
}

func newExplorer(m mjq.Model) *explorer {
	return &explorer{given: m, limits: map[shape]*result.Stability{}, stages: 6, flops: 6e9,
		glance: 3 * time.Second, hurry: 100 * time.Millisecond, patient: 30 * time.Minute, silent: 150 * time.Second, parting: time.Minute}
}

// initial is the setting that stands for the given model.
func (e *explorer) initial() Setting {
	load := 0.5
	if e.given.Spec().Arrivals != nil {
		load = min(max(e.given.OfferedLoad(), 0.01), 1)
	}
	return Setting{Load: load, Servers: e.given.Spec().Servers, Law: lawShapes[0].name}
}

// fewest is the least number of servers that can serve every class.
func (e *explorer) fewest() int {
	least := 1
	for _, c := range e.given.Spec().Classes {
		least = max(least, c.Need)
	}
	return least
}

// model is the given model changed to a setting.
func (e *explorer) model(s Setting) (mjq.Model, error) {
	classes := slices.Clone(e.given.Spec().Classes)
	of := lawShapes[0].of
	for _, l := range lawShapes {
		if l.name == s.Law {
			of = l.of
		}
	}
	sum := 0.0
	for i := range classes {
		classes[i].Prob *= math.Pow(float64(classes[i].Need), s.Tilt)
		classes[i].Service = of(classes[i].Service)
		sum += classes[i].Prob
	}
	for i := range classes {
		classes[i].Prob /= sum
	}
	m := mjq.Servers(s.Servers).Classes(classes...)
	if gap := e.given.Spec().Arrivals; gap != nil {
		m = m.Process(gap)
	}
	return m.AtRate(s.Load * m.IdealRate()), m.Err()
}

// frame is what there is to show of a setting so far.
type frame struct {
	setting Setting
	model   mjq.Model
	limit   *result.Stability // nil: not found yet
	chosen  *result.Result    // at the load of the setting
	curve   []*result.Result  // at other loads, ascending
	stage   int               // of stages, from 1
	stages  int
	started time.Time
	exact   bool // solved, not sampled
	done    bool // no finer one follows
	err     error
}

// fractions are the loads of the curve as fractions of the stability limit.
var fractions = []float64{0.15, 0.3, 0.45, 0.6, 0.75, 0.87, 0.95}

const replications = 16

// jobs is the length of a replication in a stage: the first takes some
// milliseconds, each other four times as long as the one before.
func jobs(stage int) int { return 500 << (2 * stage) }

// refine shows ever finer pictures of a setting until ctx ends or the last
// stage is done. The seed is always the same, so that pictures change with the
// controls and not by chance.
func (e *explorer) refine(ctx context.Context, s Setting, show func(frame)) {
	f := frame{setting: s, stages: e.stages, started: time.Now()}
	if f.model, f.err = e.model(s); f.err != nil {
		f.done = true
		show(f)
		return
	}
	at := s.shape()
	quick, cancel := context.WithTimeout(ctx, e.hurry)
	f.limit = e.limit(quick, at, f.model)
	cancel()
	for f.stage = 1; f.stage <= e.stages; f.stage++ {
		if f.limit == nil && f.stage > 1 {
			f.limit = e.limit(ctx, at, f.model)
			f.curve = nil // its loads were chosen without the limit
		}
		if f.stage > sampled && e.solvable(f.model) {
			f.stage, f.exact = e.stages, true
			e.pass(ctx, &f, show, func(m mjq.Model, chosen bool) (*result.Result, error) {
				return m.Solve(ctx, mjq.Exact{MomentsOnly: !chosen})
			})
			return
		}
		sample := func(m mjq.Model, _ bool) (*result.Result, error) {
			return m.Solve(ctx, mjq.Forward{Jobs: jobs(f.stage - 1), Replications: replications})
		}
		if !e.pass(ctx, &f, show, sample) {
			return
		}
	}
}

// sampled is how many stages are sampled before a model that can be solved
// quickly is.
const sampled = 2

// solvable reports whether the exact solver is quick enough for one who waits.
func (e *explorer) solvable(m mjq.Model) bool {
	size, err := mjq.Exact{}.Size(m)
	return err == nil && size.Flops <= e.flops
}

// limit finds the stability limit to within a few per cent, or remembers it;
// nil when ctx ends first.
func (e *explorer) limit(ctx context.Context, at shape, m mjq.Model) *result.Stability {
	if st := e.limits[at]; st != nil {
		return st
	}
	st, err := m.Stability(ctx, mjq.RelErr(0.02))
	if err != nil {
		return nil
	}
	e.limits[at] = st
	return st
}

// often is the least time between pictures of one stage.
const often = 250 * time.Millisecond

// pass computes all points of a stage, the chosen one first. It shows the
// picture at the end, and in between when that takes long. It reports whether all
// were done.
func (e *explorer) pass(ctx context.Context, f *frame, show func(frame), answer func(m mjq.Model, chosen bool) (*result.Result, error)) bool {
	limit := f.limit
	if limit == nil {
		limit = &result.Stability{Rate: f.model.IdealRate(), IdealRate: f.model.IdealRate()}
	}
	m := f.model.WithLimit(limit)
	shown := time.Now()
	curve := append([]*result.Result(nil), f.curve...)
	for i := -1; i < len(fractions); i++ {
		point := m
		if i >= 0 {
			point = m.AtRate(fractions[i] * limit.Rate)
		}
		r, err := answer(point, i < 0)
		if ctx.Err() != nil {
			return false
		}
		if err != nil {
			f.err, f.done = err, true
			show(*f)
			return false
		}
		switch {
		case i < 0:
			f.chosen = r
		case i < len(curve):
			curve[i] = r
		default:
			curve = append(curve, r)
		}
		last := i == len(fractions)-1
		if f.curve = append([]*result.Result(nil), curve...); last || time.Since(shown) > often {
			f.done = last && f.stage == e.stages
			show(*f)
			shown = time.Now()
		}
	}
	return true
}
