package events

import (
	"math"

	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/replicate"
	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/result"
)

// CourseResult is what a course has shown.
type CourseResult struct {
	Replications int
	Jobs         int64 // observed
	Unfinished   int64 // not served within as many jobs again
	Refused      bool  // the policy does not serve the jobs of the start together
	Spans        []SpanResult
	Line         []estimate.Times // when each job that waited at time 0 started
	Clear        estimate.Times   // when the line was first empty
	Cleared      float64          // share of the replications in which it was
}

// SpanResult is that of a part of time.
type SpanResult struct {
	Jobs                        int64            // that arrived in it
	Classes                     []estimate.Tally // waiting, response and no wait of these jobs
	All                         estimate.Tally
	System, Queue, Idle, Wasted result.Estimate // averages over time
	Cleared                     result.Estimate // probability that the line has been empty by the end
}

// byReplications is how the estimates come about.
const byReplications = "replications"

// key is what a replication chooses estimates by.
func key(input *stream.Reader) uint64 { return math.Float64bits(input.Uniform()) }

// courseSum adds up groups.
type courseSum struct {
	*Course
	replications float64
	unfinished   int64
	refused      bool
	groups       [][]span // by part and group
	sizes        []float64
	seen         []counts
	spread       []spreads
	line         []moments
	clear        moments
}

// moments are a moment by group.
type moments struct {
	times  []estimate.Batch
	seen   estimate.Histogram
	spread estimate.Spread
}

func (m *moments) add(x *moment) {
	m.times = append(m.times, x.times)
	m.spread.Take(&x.seen, 1)
	m.spread.Close()
	m.seen.Merge(&x.seen)
}

func newCourseSum(p *Course) *courseSum {
	s := &courseSum{Course: p, groups: make([][]span, p.Parts)}
	for range p.Parts {
		s.seen, s.spread = append(s.seen, newCounts(p.Classes)), append(s.spread, newSpreads(p.Classes))
	}
	if p.Start != nil {
		s.line = make([]moments, p.Start.Waiting)
	}
	return s
}

// add takes in a group, which it leaves without counts.
func (s *courseSum) add(g *passage) {
	s.replications += g.replications
	s.sizes = append(s.sizes, g.replications)
	s.unfinished += g.unfinished
	s.refused = s.refused || g.refused
	for k, at := range g.spans {
		at.classes = append([]arrivals(nil), at.classes...)
		s.groups[k] = append(s.groups[k], at)
		s.spread[k].add(g.seen[k])
		g.seen[k].moveTo(s.seen[k])
	}
	for i := range g.line {
		s.line[i].add(&g.line[i])
	}
	s.clear.add(&g.clear)
}

func (s *courseSum) result() *CourseResult {
	r := &CourseResult{Replications: int(s.replications), Unfinished: s.unfinished, Refused: s.refused}
	for k := range s.groups {
		r.Spans = append(r.Spans, s.span(k))
		r.Jobs += r.Spans[k].Jobs
	}
	for i := range s.line {
		r.Line = append(r.Line, s.line[i].result(s.Level))
	}
	r.Clear = s.clear.result(s.Level)
	for _, b := range s.clear.times {
		r.Cleared += b.N / s.replications
	}
	return r
}

func (m *moments) result(level float64) (t estimate.Times) {
	t = estimate.TimesOf(m.times, level, byReplications)
	t.Dist, t.Precision = m.seen.Distribution(), m.spread.Precision()
	return t
}

// span is the result of a part.
func (s *courseSum) span(k int) (r SpanResult) {
	groups, seen, spread := s.groups[k], s.seen[k], s.spread[k]
	var waits, responses estimate.Histogram
	for c := range s.Classes {
		waits.Merge(&seen[c][estimate.Waiting])
		responses.Merge(&seen[c][estimate.Response])
		x := s.arrivals(groups, func(g *span) arrivals { return g.classes[c] })
		x.Waiting.Dist, x.Response.Dist = seen[c][estimate.Waiting].Distribution(), seen[c][estimate.Response].Distribution()
		spread.tell(&x, c)
		for i := range groups {
			r.Jobs += int64(groups[i].classes[c].wait.N)
		}
		r.Classes = append(r.Classes, x)
	}
	r.All = s.arrivals(groups, func(g *span) (sum arrivals) {
		for _, c := range g.classes {
			join(&sum.wait, c.wait)
			join(&sum.response, c.response)
			sum.delayed += c.delayed
		}
		return sum
	})
	r.All.Waiting.Dist, r.All.Response.Dist = waits.Distribution(), responses.Distribution()
	spread.tell(&r.All, s.Classes)
	over := func(of func(*span) float64) result.Estimate {
		return s.ratio(estimate.Amount, groups, of, func(g *span) float64 { return g.area.Time }, r.All.Waiting.Worth)
	}
	r.System = over(func(g *span) float64 { return g.area.System })
	r.Queue = over(func(g *span) float64 { return g.area.Queue })
	r.Idle = over(func(g *span) float64 { return g.area.Idle })
	r.Wasted = over(func(g *span) float64 { return g.area.Wasted })
	at := -1
	r.Cleared = s.ratio(estimate.Share, groups, func(g *span) float64 { return g.cleared }, func(*span) float64 { at++; return s.sizes[at] }, estimate.Worth{})
	return r
}

// arrivals is what the jobs of one or all classes met.
func (s *courseSum) arrivals(groups []span, of func(*span) arrivals) (r estimate.Tally) {
	var waits, responses []estimate.Batch
	var delayed, jobs []float64
	for i := range groups {
		x := of(&groups[i])
		waits, responses = append(waits, x.wait), append(responses, x.response)
		delayed, jobs = append(delayed, x.delayed), append(jobs, x.wait.N)
	}
	r.Waiting, r.Response = estimate.TimesOf(waits, s.Level, byReplications), estimate.TimesOf(responses, s.Level, byReplications)
	r.NoWait = replicate.Ratio(estimate.Share, delayed, jobs, r.Waiting.Worth, s.Level, byReplications)
	r.NoWait.Value = 1 - r.NoWait.Value
	return r
}

func join(b *estimate.Batch, x estimate.Batch) {
	b.N += x.N
	b.X += x.X
	b.X2 += x.X2
}

// ratio is the ratio of two sums over the groups.
func (s *courseSum) ratio(kind estimate.Kind, groups []span, num, den func(*span) float64, worth estimate.Worth) result.Estimate {
	return replicate.RatioOf(kind, groups, num, den, worth, s.Level, byReplications)
}
