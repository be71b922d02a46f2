package policy

// nobody is no job.
const nobody = -1

// levelLists are the jobs of every level in order of arrival.
type levelLists struct {
	levels
	ends       []listEnds // by level
	next, prev []int32    // by ID; nobody at the ends
}

type listEnds struct{ head, tail int32 }

func newLevelLists(of levels) levelLists {
	l := levelLists{levels: of}
	for range of.count() {
		l.ends = append(l.ends, listEnds{nobody, nobody})
	}
	return l
}

// add puts a job at the end of its level.
func (s *levelLists) add(j *Job) {
	for int(j.ID) >= len(s.next) {
		s.next, s.prev = append(s.next, nobody), append(s.prev, nobody)
	}
	l := &s.ends[s.of[j.Kind]]
	s.next[j.ID], s.prev[j.ID] = nobody, l.tail
	if l.tail == nobody {
		l.head = j.ID
	} else {
		s.next[l.tail] = j.ID
	}
	l.tail = j.ID
}

// remove takes a job out.
func (s *levelLists) remove(j *Job) {
	l := &s.ends[s.of[j.Kind]]
	before, after := s.prev[j.ID], s.next[j.ID]
	if before == nobody {
		l.head = after
	} else {
		s.next[before] = after
	}
	if after == nobody {
		l.tail = before
	} else {
		s.prev[after] = before
	}
}

// prefixes is first come, first served in every level, with preemption: of each level the
// jobs up to an edge run. Cost: O(levels) a pass, besides the jobs that start and stop.
type prefixes struct {
	levelLists
	edge  []int32 // by level, the last job that runs
	held  []int   // by level, servers
	start []int32 // chosen in the pass
}

func newPrefixes(of levels) *prefixes {
	s := &prefixes{levelLists: newLevelLists(of), held: make([]int, of.count())}
	for range of.count() {
		s.edge = append(s.edge, nobody)
	}
	return s
}

// Arrived puts a job at the end of its level.
func (s *prefixes) Arrived(_ *View, j *Job) { s.add(j) }

// Reneged takes out a job that did not run.
func (s *prefixes) Reneged(_ *View, j *Job) { s.remove(j) }

// Left takes out a job that ran.
func (s *prefixes) Left(_ *View, j *Job) {
	l := s.of[j.Kind]
	if s.edge[l] == j.ID {
		s.edge[l] = s.prev[j.ID]
	}
	s.held[l] -= j.Need
	s.remove(j)
}

// Pass stops jobs at once and starts others when all are stopped.
func (s *prefixes) Pass(v *View) {
	s.start = s.start[:0]
	left := v.Servers
	for l := range s.held {
		for s.held[l] > left {
			s.stop(v, l)
		}
		s.extend(v, l, left)
		left -= s.held[l]
	}
	for _, id := range s.start {
		v.engine.StartJob(id)
	}
}

// stop stops the last job of a level that runs.
func (s *prefixes) stop(v *View, level int) {
	id := s.edge[level]
	need := v.engine.Job(id).Need
	if v.engine.Preempt(id) {
		return // Left was told
	}
	s.edge[level] = s.prev[id]
	s.held[level] -= need
}

// extend has more jobs of a level run while they fit.
func (s *prefixes) extend(v *View, level, left int) {
	id := s.ends[level].head
	if s.edge[level] != nobody {
		id = s.next[s.edge[level]]
	}
	for ; id != nobody; id = s.next[id] {
		need := v.engine.Job(id).Need
		if s.held[level]+need > left {
			return
		}
		s.edge[level] = id
		s.held[level] += need
		s.start = append(s.start, id)
	}
}
