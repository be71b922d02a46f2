package policy

// levelLines is first come, first served in every level, without preemption. Cost:
// O(levels) a pass.
type levelLines struct {
	levels
	passes bool   // a level goes on where a job of one above does not fit
	lines  []fcfs // by level
}

func newLevelLines(of levels, passes bool) *levelLines {
	return &levelLines{levels: of, passes: passes, lines: make([]fcfs, of.count())}
}

func (s *levelLines) Arrived(v *View, j *Job) { s.lines[s.of[j.Kind]].Arrived(v, j) }

func (s *levelLines) Pass(v *View) {
	for l := range s.lines {
		s.lines[l].Pass(v)
		if s.lines[l].line.Len() > 0 && !s.passes {
			return
		}
	}
}
