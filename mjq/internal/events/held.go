package events

import "github.com/mjqueue/mjq/internal/ring"

// Limits bound what some jobs hold together: those of a user, say, or of a class.
type Limits struct {
	Jobs  []int     // by limit, jobs; 0 is any number
	Units [][]int   // by limit and type of resource, units; servers where these are alike; 0 is any number
	Sets  [][]int32 // limits that jobs are under together
	Set   []int32   // by job of the feed, its set
}

// held are the jobs that limits keep out of the queue, and what those inside take. A job enters the
// queue as soon as each of its limits leaves room, behind the jobs that are there. Jobs of one set
// enter in order; of different sets that have room the earliest enters first.
type held struct {
	*Limits
	jobs    []int                 // by limit, in the queue or in service
	units   [][]int               // by limit and type, that these take
	outside []ring.Line[outsider] // by set
	some    []int32               // sets of which a job is outside
	entered []int64               // by number in the queue, that in the feed
	room    bool                  // a job has left since the last look
}

// outsider is a job outside the queue.
type outsider struct {
	Job
	number int64
}

// Limit has the simulator keep jobs out of its queue by limits, each of which is at least what any
// of its jobs takes. Numbers of jobs are then by entry; see Fed. To be called before a run.
func (s *Simulator) Limit(l *Limits) { s.held = &held{Limits: l} }

// Fed is the number in the feed of the job with a number of this run.
func (s *Simulator) Fed(number int64) int64 {
	if s.held != nil {
		return s.held.entered[number]
	}
	if f, ok := s.senders.(followed); ok {
		return f.followers.entered[number]
	}
	return number
}

// reset is without jobs.
func (h *held) reset() {
	h.jobs, h.units = make([]int, len(h.Jobs)), make([][]int, len(h.Jobs))
	for i, most := range h.Units {
		h.units[i] = make([]int, len(most))
	}
	h.outside, h.some, h.entered, h.room = make([]ring.Line[outsider], len(h.Sets)), nil, nil, false
}

// takes is what a job takes of each type.
func (s *Simulator) takes(in *Job) []int {
	if s.types != nil {
		return s.view.NeedUnits[s.kindOf(in)]
	}
	s.servers[0] = int(in.Need)
	return s.servers[:]
}

// lets reports whether the limits of a set leave room for what a job takes.
func (h *held) lets(set int32, takes []int) bool {
	for _, i := range h.Sets[set] {
		if h.Jobs[i] > 0 && h.jobs[i] == h.Jobs[i] {
			return false
		}
		for t, n := range takes {
			if most := h.Units[i][t]; most > 0 && h.units[i][t]+n > most {
				return false
			}
		}
	}
	return true
}

// count counts what a job takes that enters the queue, by +1, or leaves, by -1.
func (h *held) count(set int32, takes []int, by int) {
	for _, i := range h.Sets[set] {
		h.jobs[i] += by
		for t, n := range takes {
			h.units[i][t] += by * n
		}
	}
}

// come has a job of the feed enter the queue, or wait outside.
func (s *Simulator) come(in *Job, number int64) {
	h := s.held
	s.letIn()
	set := h.Set[number]
	line := &h.outside[set]
	if line.Len() == 0 && h.lets(set, s.takes(in)) {
		s.enterLimited(in, number)
		return
	}
	if line.Len() == 0 {
		h.some = append(h.some, set)
	}
	line.Push(outsider{*in, number})
}

func (s *Simulator) enterLimited(in *Job, number int64) {
	s.held.count(s.held.Set[number], s.takes(in), 1)
	s.held.entered = append(s.held.entered, number)
	s.enter(in, int64(len(s.held.entered))-1)
}

// leavesLimits gives back what a job took that has left.
func (s *Simulator) leavesLimits(j *job) {
	in := Job{Class: j.Class, Need: int32(j.Need)}
	s.held.count(s.held.Set[s.held.entered[j.Number]], s.takes(&in), -1)
	s.held.room, s.passDue = true, true
}

// letIn has the jobs enter for which there is room now.
func (s *Simulator) letIn() {
	for h := s.held; h.room; {
		first, at := int64(-1), 0
		for i, set := range h.some {
			if x := h.outside[set].Head(); (first < 0 || x.number < first) && h.lets(set, s.takes(&x.Job)) {
				first, at = x.number, i
			}
		}
		if h.room = first >= 0; !h.room {
			return
		}
		line := &h.outside[h.some[at]]
		x := *line.Head()
		if line.Pop(); line.Len() == 0 {
			h.some[at] = h.some[len(h.some)-1]
			h.some = h.some[:len(h.some)-1]
		}
		s.enterLimited(&x.Job, x.number)
	}
}
