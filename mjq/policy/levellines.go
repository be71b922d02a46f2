package policy

import "github.com/mjqueue/mjq/internal/ring"

// levelLines is first come, first served in every level, without preemption. Cost:
// O(levels) a pass.
type levelLines struct {
	levels
	passes bool                // a level goes on where a job of one above does not fit
	lines  []ring.Line[inLine] // by level
}

func newLevelLines(of levels, passes bool) *levelLines {
	return &levelLines{levels: of, passes: passes, lines: make([]ring.Line[inLine], of.count())}
}

func (s *levelLines) Arrived(_ *View, j *Job) {
	s.lines[s.of[j.Kind]].Push(inLine{j.Number, int32(j.Kind)})
}

func (s *levelLines) Pass(v *View) {
	for l := range s.lines {
		line := &s.lines[l]
		for line.Len() > 0 {
			j := line.Head()
			if j.number == v.Oldest[j.kind] && !v.Start(int(j.kind)) {
				break
			}
			line.Pop()
		}
		if line.Len() > 0 && !s.passes {
			return
		}
	}
}
