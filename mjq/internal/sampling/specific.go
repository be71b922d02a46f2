package sampling

import (
	"slices"

	"github.com/mjqueue/mjq/mjq/internal/compiled"

	"github.com/mjqueue/mjq/mjq/internal/recurrence"
	"github.com/mjqueue/mjq/mjq/internal/stream"
)

// servers is a workload whose jobs take given servers and any others.
type servers interface {
	Reset(t float64)
	Shift(by float64)
	Work(t float64) float64
	Top() float64
	Front() float64
	Step(t float64, given []int32, others int32, service float64) (start, waste float64)
	Probe(t float64, given []int32, others int32) (start, waste float64)
}

// specificState is the recurrence of a queue whose jobs ask for specific servers besides any.
type specificState struct {
	servers
	picks  []compiled.Pick
	choose *stream.Chooser
	parts  func(dst []float64) []float64
}

func (s *System) newSpecific() line {
	x := &specificState{picks: s.Picks, choose: stream.NewChooser(s.Servers)}
	if s.Ordered {
		p := recurrence.NewPositions(s.Servers)
		p.AsPrinted = s.AsPrinted
		x.servers = p
		x.parts = func(dst []float64) []float64 { return append(dst, p.Work(0)/float64(s.Servers)) }
	} else {
		n := recurrence.NewNamed(s.Servers)
		n.AsPrinted = s.AsPrinted
		x.servers = n
		x.parts = func(dst []float64) []float64 { return append(dst, n.Work(0)/float64(s.Servers)) }
		if s.named() {
			x.parts = func(dst []float64) []float64 { return n.Coordinates(dst, 0) }
		}
	}
	if !s.AsPrinted {
		x.parts = func(dst []float64) []float64 { return append(dst, x.Top()) }
	}
	return newWalk(x, 0)
}

// named reports whether some class asks for servers by their numbers.
func (s *System) named() bool {
	return slices.ContainsFunc(s.Picks, func(p compiled.Pick) bool { return len(p.Named) > 0 })
}

// Mark tells states apart. Of named servers the total work does not, for which of two is
// the longer busy may be forgotten by it; ordered vectors are told apart by it.
func (x *specificState) Mark(t float64) float64 {
	if n, ok := x.servers.(*recurrence.Named); ok {
		return n.Mark(t)
	}
	return x.Work(t)
}

// heights: lifted together, servers grow together. As printed, servers drawn at
// random grow alike, so that the mean tells of their growth; named ones may part.
func (x *specificState) heights(dst []float64) []float64 { return x.parts(dst) }

func (x *specificState) step(r *stream.Reader, at int64, t float64, j *stream.Job, waste []float64) float64 {
	p := &x.picks[j.Class]
	given := p.Named
	if p.Random > 0 {
		given = x.choose.Job(r, at, p.Random)
	}
	start, idle := x.Step(t, given, int32(p.Any), j.Service)
	waste[0] += idle
	return start
}

func (x *specificState) probe(r *stream.Reader, t float64, class int, waste []float64) float64 {
	p := &x.picks[class]
	given := p.Named
	if p.Random > 0 {
		given = x.choose.Probe(r, class, 0, p.Random)
	}
	start, idle := x.Probe(t, given, int32(p.Any))
	waste[0] += idle
	return start
}
