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

// levelBackfill is backfilling whose queue is in the order of level and arrival. Cost:
// that of hybrid.
type levelBackfill struct {
	levels
	*hybrid
}

func newLevelBackfill(of levels, depth int, needs [][]int) *levelBackfill {
	if depth == All {
		depth = None
	}
	return &levelBackfill{of, newHybrid(depth, len(needs[0]), needs)}
}

// Pass is that of hybrid. If all jobs have reservations, those that start now also have.
func (s *levelBackfill) Pass(v *View) {
	if s.depth < None {
		s.hybrid.Pass(v)
	} else if v.Jobs > 0 {
		s.backfill(v)
	}
}

// numbersOfALevel are more than jobs ever come.
const numbersOfALevel = 1 << 50

// ranked is the job with a number by which its level comes first.
func (l *levels) ranked(j *Job) Job {
	ranked := *j
	ranked.Number += l.base(j.Kind)
	return ranked
}

// base is the least of these numbers of jobs of a kind.
func (l *levels) base(kind int) int64 { return int64(l.of[kind]) * numbersOfALevel }

// Arrived puts the job in by that number.
func (s *levelBackfill) Arrived(v *View, j *Job) {
	ranked := s.ranked(j)
	s.hybrid.Arrived(v, &ranked)
}

// Reneged takes it out by that number.
func (s *levelBackfill) Reneged(v *View, j *Job) {
	ranked := s.ranked(j)
	s.hybrid.Reneged(v, &ranked)
}
