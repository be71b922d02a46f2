package events

import (
	"math"

	"github.com/mjqueue/mjq/internal/heap"
)

// After says what a job of a log comes after.
type After int8

// A job comes at its time in the log, some time after another job has left, some time after another has
// come, or at its time in the log but not before another has come.
const (
	Nothing After = iota
	End
	Arrival
	NotBefore
)

// Follow is when a job of a log comes.
type Follow struct {
	After After
	Job   int32 // after which, which stands before it in the log and which no other follows
	Gap   float64
}

// followers are the senders of a log in which jobs come after others.
type followers struct {
	jobs    []Logged
	follows []Follow
	next    []int32 // by job, the one that comes after it; nobody
	coming  heap.Heap
	entered []int64   // by number of the run, that in the log
	at      []float64 // by number in the log, when it came; NaN if it has not
}

// Follow has the simulator run a log in which jobs come after others. Numbers of jobs are then by
// arrival; see Fed.
func (s *Simulator) Follow(jobs []Logged, follows []Follow, key uint64) {
	f := &followers{jobs: jobs, follows: follows, next: make([]int32, len(jobs)), at: make([]float64, len(jobs))}
	for i := range f.next {
		f.next[i], f.at[i] = nobody, math.NaN()
	}
	for i, x := range follows {
		if x.After != Nothing {
			f.next[x.Job] = int32(i)
		}
	}
	s.senders, s.alone = followed{f}, true
	s.ResetTo(f, key)
}

// Came is when a job of a log came that was run by Follow; NaN if it did not.
func (s *Simulator) Came(fed int64) float64 { return s.senders.(followed).at[fed] }

// Next has no jobs: they are sent.
func (f *followers) Next([]Job) int { return 0 }

func (f *followers) start() float64 { return (&log{jobs: f.jobs}).start() }

// followed are followers as senders.
type followed struct{ *followers }

func (f followed) reset(s *Simulator) {
	for i := range f.jobs {
		if f.follows[i].After == Nothing {
			f.push(f.jobs[i].Arrival-s.origin, int32(i))
		}
	}
}

func (f followed) push(at float64, job int32) { f.coming.Push(heap.Item{Key: at, Tie: job, ID: job}) }

func (f followed) next() float64 { return f.coming.Least() }

func (f followed) send(s *Simulator) {
	i := f.coming.Pop().ID
	j := &f.jobs[i]
	f.at[i] = s.origin + s.view.Now
	in := Job{Service: j.Service, Estimate: j.Estimate, Class: int32(j.Class), Need: int32(j.Need), Form: j.Form}
	if n := f.followers.next[i]; n != nobody {
		switch x := &f.follows[n]; x.After {
		case Arrival:
			f.push(s.view.Now+x.Gap, n)
		case NotBefore:
			f.push(max(s.view.Now, f.jobs[n].Arrival-s.origin), n)
		}
	}
	if s.held != nil {
		s.come(&in, int64(i))
		return
	}
	f.followers.entered = append(f.followers.entered, int64(i))
	s.enter(&in, s.arrived)
}

func (f followed) entered(int32) {}

func (f followed) left(s *Simulator, j *job) {
	if n := f.followers.next[s.Fed(j.Number)]; n != nobody && f.follows[n].After == End {
		f.push(s.view.Now+f.follows[n].Gap, n)
		s.nextArrival()
	}
}

func (f followed) shift(by float64) {
	for i := range f.coming {
		f.coming[i].Key -= by
	}
}
