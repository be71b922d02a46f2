package result

// Path is what happens to a stretch of successive jobs and to every single
// server meanwhile: plain data, for pictures such as widgets.Gantt and for
// teaching. Times are in the caller's unit, from the arrival of job 0.
type Path struct {
	Servers  int
	Seed     uint64   // the one given or the method's own
	Classes  []string // names, in the order of the model
	From, To float64  // first arrival asked for; no job after these starts before To
	Jobs     []PathJob
	Complete bool // false: interrupted, fewer jobs than asked for
}

// PathJob is one job of a path: 0 ≤ Arrival ≤ Head ≤ Start ≤ End.
type PathJob struct {
	Number  int64 // in the order of arrival, from 0
	Class   int   // index
	Need    int   // number of servers, α in the papers
	Arrival float64
	Head    float64 // comes to the head of the line: nobody is waiting before it
	Start   float64 // seizes its servers; Start - Arrival is its wait
	End     float64 // releases them; End - Start is its service, σ
	Seized  []int   // the servers, numbered from 0, ascending
}

// Waiting is the time from arrival to start of service.
func (j PathJob) Waiting() float64 { return j.Start - j.Arrival }

// Idle is a stretch of time for which one server stands idle although the job
// of the given number waits at the head of the line, for want of others.
type Idle struct {
	Server   int
	From, To float64
	Job      int64
}

// Blocked lists the stretches in which servers stand idle through
// head-of-line blocking: idle, while the job at the head of the line waits for
// more of them. Their total length over the time is what Result.WastedHOL
// estimates. What was before From is left out. O(s) a job.
func (p *Path) Blocked() []Idle {
	free := make([]float64, p.Servers) // when each server was last released
	var idle []Idle
	for _, j := range p.Jobs {
		for k, at := range free {
			if from := max(at, j.Head, p.From); from < j.Start {
				idle = append(idle, Idle{Server: k, From: from, To: j.Start, Job: j.Number})
			}
		}
		for _, k := range j.Seized {
			free[k] = j.End
		}
	}
	return idle
}
