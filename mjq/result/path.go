package result

import (
	"cmp"
	"slices"
	"time"
)

// Path is what happens to a stretch of successive jobs and to every single
// server meanwhile: plain data, for pictures such as widgets.Gantt and for
// teaching. Times are in the caller's unit, from the arrival of job 0 or, of a log, its own.
type Path struct {
	Servers    int
	Unit       Unit     // of all times; "" if it is not known
	Seed       uint64   // the one given or the method's own
	Classes    []string // names, in the order of the model
	From, To   float64  // the interval asked for, or from the first arrival asked for; under FCFS no job after these starts before To, else To is the arrival of the next
	Jobs       []PathJob
	Nodes      []int     // the first server of each node; none where servers are not on nodes
	Closed     bool      // no other job arrives before To
	Complete   bool      // false: interrupted, or jobs were not served; fewer than asked for
	Log        Log       // of a log that was read: its window and its lines; else its zero value
	Remembered time.Time // when it was followed, if it was not now; see mjq.Cache
}

// PathJob is one job of a path: 0 ≤ Arrival ≤ Head ≤ Start ≤ End.
type PathJob struct {
	Number  int64 // in the order of arrival, from 0
	Class   int   // index
	Need    int   // number of servers, α in the papers
	Arrival float64
	Head    float64 // comes to the head of the line: nobody who arrived before it has yet to start; Start if it starts before that
	Start   float64 // seizes its servers; Start - Arrival is its wait
	End     float64 // releases them; End - Start is its service, σ, unless it is preempted
	Seized  []int   // the servers, numbered from 0, ascending; those of its first start
	// Stretches are the times in which it ran, if it was preempted; else there are none.
	Stretches []Stretch
}

// Stretch is a time in which a job runs, and the servers that it holds.
type Stretch struct {
	From, To float64
	Seized   []int
}

// Served are the times in which the job ran, a single one unless it was preempted.
func (j PathJob) Served() []Stretch {
	if len(j.Stretches) > 0 {
		return j.Stretches
	}
	return []Stretch{{j.Start, j.End, j.Seized}}
}

// Waiting is the time from arrival to the first start of service.
func (j PathJob) Waiting() float64 { return j.Start - j.Arrival }

// Idle is a stretch of time for which one server stands idle although the job
// of the given number waits at the head of the line, for want of others.
type Idle struct {
	Server   int
	From, To float64
	Job      int64
}

// Blocked returns the intervals in which servers stand idle through head-of-line blocking: idle
// while the job at the head of the queue waits for more of them. Under other policies than
// first come, first served, the head is the earliest job that has not started. First come first
// served their total length over the time is what Result.WastedHOL estimates. Times before From
// are left out. O(s) a job.
func (p *Path) Blocked() []Idle {
	busy := make([][]Stretch, p.Servers) // of each server, in order
	for _, j := range p.Jobs {
		for _, s := range j.Served() {
			for _, k := range s.Seized {
				busy[k] = append(busy[k], s)
			}
		}
	}
	for k := range busy {
		slices.SortStableFunc(busy[k], func(a, b Stretch) int { return cmp.Compare(a.From, b.From) })
	}
	free := make([]float64, p.Servers) // when each server was last released
	var idle []Idle
	for _, j := range p.Jobs {
		if j.Head >= j.Start {
			continue
		}
		for k := range free {
			for {
				next := j.Start
				if len(busy[k]) > 0 {
					next = min(next, busy[k][0].From)
				}
				if from := max(free[k], j.Head, p.From); from < next {
					idle = append(idle, Idle{Server: k, From: from, To: next, Job: j.Number})
				}
				if len(busy[k]) == 0 || busy[k][0].From >= j.Start {
					break
				}
				free[k] = max(free[k], busy[k][0].To)
				busy[k] = busy[k][1:]
			}
		}
	}
	return idle
}
