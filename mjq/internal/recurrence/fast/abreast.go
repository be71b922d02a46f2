package fast

import (
	"math"
	"unsafe"

	"github.com/mjqueue/mjq/internal/lanes"
	"github.com/mjqueue/mjq/mjq/internal/stream"
)

// This file speeds up queues of few servers. The twin is Step of recurrence.Runs, whose
// starts are the same to the last bit; wastes are sums over single servers and differ by
// rounding. Gain over Note of noted.go with 20 servers: 2 by vector units; plain Go is
// slower than Note by as much (BenchmarkAbreast).
//
// All coordinates of the workload vector, ascending in absolute time, are few numbers
// then, and a step is the same for all of them without a branch: a job that needs a
// servers and releases them at r makes of each
//
//	W'(i) = max(W(i), min(W(i+a), r)),  W(i) = ∞ beyond the last server.
//
// Vector units take four coordinates at a time. A step waits for the memory that the
// last one wrote, so four queues go side by side.

// MostAbreast is the number of servers up to which Abreast is faster than Runs.
const MostAbreast = 40

// Side is how many queues can stand side by side.
const Side = lanes.Abreast

// Block is the most jobs of a queue that arrive in one call.
const Block = lanes.Block

// Jobs are those of queues side by side, and Waits theirs.
type (
	Jobs  [Side][Block]stream.Job
	Waits [Side][Block]float64
)

// Abreast is one queue or Side queues of the same number of servers, at most
// MostAbreast.
type Abreast struct {
	servers, queues int
	rows            lanes.Rows
	state           lanes.State
}

// NewAbreast has empty systems at time 0: one or Side.
func NewAbreast(servers, queues int) *Abreast {
	a := &Abreast{servers: servers, queues: queues}
	for q := range a.rows {
		for i := servers; i < len(a.rows[q]); i++ {
			a.rows[q][i] = math.Inf(1)
		}
	}
	return a
}

// Reset empties all systems at time 0, where the next jobs arrive.
func (a *Abreast) Reset() {
	for q := range a.rows {
		clear(a.rows[q][:a.servers])
	}
	a.state = lanes.State{}
}

// Take lets the first n jobs of each queue arrive.
func (a *Abreast) Take(jobs *Jobs, n int) {
	if lanes.On {
		lanes.Take(a.queues, &a.rows, a.servers, unsafe.Pointer(jobs), n, &a.state)
		return
	}
	for q := range a.queues {
		a.take(q, jobs[q][:n])
	}
}

// Note is Take that writes the waits and adds to the wastes.
func (a *Abreast) Note(jobs *Jobs, n int, waits *Waits) {
	if lanes.On {
		lanes.Note(a.queues, &a.rows, a.servers, unsafe.Pointer(jobs), n, &a.state, &waits[0][0])
		return
	}
	for q := range a.queues {
		a.note(q, jobs[q][:n], waits[q][:n])
	}
}

// take is Take in plain Go. Times are not negative and so order like their bits.
func (a *Abreast) take(q int, jobs []stream.Job) {
	w := a.rows[q][:a.servers]
	now, front := a.state.Now[q], a.state.Front[q]
	for i := range jobs {
		j := &jobs[i]
		front = after(after(now, front), w[j.Need-1])
		move(w, int(j.Need), front+j.Service)
		now += j.Gap
	}
	a.state.Now[q], a.state.Front[q] = now, front
}

// note is Note in plain Go.
func (a *Abreast) note(q int, jobs []stream.Job, waits []float64) {
	w, idle := a.rows[q][:a.servers], &a.state.Idle[q]
	now, front := a.state.Now[q], a.state.Front[q]
	for i := range jobs {
		j := &jobs[i]
		ready := after(now, front)
		front = after(ready, w[j.Need-1])
		waits[i] = front - now
		if front > ready { // else none stands idle
			var sum [4]float64
			for k := 0; k < len(w) && w[k] < front; k++ {
				sum[k&3] += front - after(ready, w[k])
			}
			for k := range sum {
				idle[k] += sum[k]
			}
		}
		move(w, int(j.Need), front+j.Service)
		now += j.Gap
	}
	a.state.Now[q], a.state.Front[q] = now, front
}

// after is the larger of two times.
func after(a, b float64) float64 {
	return math.Float64frombits(max(math.Float64bits(a), math.Float64bits(b)))
}

// move is the step of the row: those that are released before the job's servers move
// down, and these come above them.
func move(w []float64, need int, release float64) {
	i := 0
	for ; i+need < len(w) && w[i+need] < release; i++ {
		w[i] = w[i+need]
	}
	for ; i < len(w) && w[i] < release; i++ {
		w[i] = release
	}
}

// Shift moves the origin of every queue's time to its next arrival, and returns their
// wastes since the last time.
func (a *Abreast) Shift() (wastes [Side]float64) {
	for q := range a.queues {
		a.shift(q, a.state.Now[q])
		a.state.Now[q] = 0
		x := &a.state.Idle[q]
		wastes[q] = (x[0] + x[1]) + (x[2] + x[3])
		*x = [4]float64{}
	}
	return wastes
}

func (a *Abreast) shift(q int, by float64) {
	w := a.rows[q][:a.servers]
	for i, x := range w {
		w[i] = max(0, x-by)
	}
	a.state.Front[q] = max(0, a.state.Front[q]-by)
}

// Top is the time at which the last server of a queue becomes free.
func (a *Abreast) Top(q int) float64 { return a.rows[q][a.servers-1] }

// Front is a queue's latest start of service.
func (a *Abreast) Front(q int) float64 { return a.state.Front[q] }

// Work is the sum of all coordinates of the workload vector that a queue's next job
// meets.
func (a *Abreast) Work(q int) (sum float64) {
	now, front := a.state.Now[q], a.state.Front[q]
	for _, x := range a.rows[q][:a.servers] {
		sum += max(0, after(x, front)-now)
	}
	return sum
}
