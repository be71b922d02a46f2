package events

import (
	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/replicate"
	"github.com/mjqueue/mjq/mjq/result"
)

// CountOvertaking has f called with the number of jobs of each class that a job
// overtakes as it first starts: they arrived before it and have not started. F must not
// keep the slice. To be called before the run.
func (s *Simulator) CountOvertaking(classes int, f func(n int64, class int32, overtaken []int)) {
	s.overtook, s.passed = f, make([]int, classes)
}

// overtakes reports whom a job overtakes.
func (s *Simulator) overtakes(j *job) {
	at := s.line.Place(j.ID)
	for c := range s.passed {
		s.passed[c] = s.line.UpTo(at-1, c)
	}
	s.line.Remove(j.ID, int(j.Class))
	s.overtook(j.Number, j.Class, s.passed)
}

// overtaking estimates how many jobs of one class a job of another overtakes.
func (p *Plan) overtaking(res *Result, batches []batch) [][]result.Estimate {
	table := make([][]result.Estimate, p.Classes)
	for a := range table {
		for b := range p.Classes {
			table[a] = append(table[a], replicate.RatioOf(estimate.Events, batches, func(x *batch) float64 { return x.overtaking[a*p.Classes+b] },
				func(x *batch) float64 { return x.classes[a].N }, res.Classes[a].Waiting.Worth, p.Level, p.method()))
		}
	}
	return table
}
