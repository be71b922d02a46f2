package events

import "github.com/mjqueue/mjq/mjq/policy"

// nobody is no job.
const nobody = -1

// job is a job in the system.
type job struct {
	policy.Job
	left       float64 // service still to come, while it waits
	began      float64 // its first start
	from       float64 // its last
	next, prev int32   // neighbours in the line of its kind
	stopped    int32   // how often it was preempted
	started    bool
	running    bool
	killed     bool
	dropped    bool // it left as it was preempted
	fate       Fate
	scattered  bool  // it had no place when it came, although enough was free
	at         int32 // the node that it holds, or the first of its pieces
}

// shift moves the origin of time.
func (j *job) shift(by float64) {
	j.Arrival -= by
	j.began -= by
	j.from -= by
}

// jobs holds the jobs in the system, by ID. IDs of those that have left are used again.
type jobs struct {
	all  []job
	free []int32
}

func (s *jobs) clear() { s.all, s.free = s.all[:0], s.free[:0] }

// add makes room for a job.
func (s *jobs) add() (id int32, j *job) {
	if n := len(s.free); n > 0 {
		id = s.free[n-1]
		s.free = s.free[:n-1]
	} else {
		id = int32(len(s.all))
		s.all = append(s.all, job{})
	}
	return id, &s.all[id]
}

// line is a list of jobs of one kind in order of arrival.
type line struct{ head, tail int32 }

var empty = line{nobody, nobody}

func (s *jobs) append(l *line, id int32) {
	j := &s.all[id]
	j.prev, j.next = l.tail, nobody
	if l.tail == nobody {
		l.head = id
	} else {
		s.all[l.tail].next = id
	}
	l.tail = id
}

func (s *jobs) prepend(l *line, id int32) {
	j := &s.all[id]
	j.prev, j.next = nobody, l.head
	if l.head == nobody {
		l.tail = id
	} else {
		s.all[l.head].prev = id
	}
	l.head = id
}

// insert puts a job into a line at its place by number, which is near the head.
func (s *jobs) insert(l *line, id int32) {
	after := int32(nobody)
	for at := l.head; at != nobody && s.all[at].Number < s.all[id].Number; at = s.all[at].next {
		after = at
	}
	if after == nobody {
		s.prepend(l, id)
		return
	}
	next := s.all[after].next
	if next == nobody {
		s.append(l, id)
		return
	}
	s.all[id].prev, s.all[id].next = after, next
	s.all[after].next, s.all[next].prev = id, id
}

func (s *jobs) remove(l *line, id int32) {
	j := &s.all[id]
	if j.prev == nobody {
		l.head = j.next
	} else {
		s.all[j.prev].next = j.next
	}
	if j.next == nobody {
		l.tail = j.prev
	} else {
		s.all[j.next].prev = j.prev
	}
}
