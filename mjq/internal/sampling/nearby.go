package sampling

import (
	"github.com/mjqueue/mjq/mjq/internal/recurrence"
	"github.com/mjqueue/mjq/mjq/internal/recurrence/fast"
	"github.com/mjqueue/mjq/mjq/internal/stream"
)

// Nearby is a smaller queue on the jobs of the system: that of its few classes that move
// the waits most, without all others. What it has to wait is known exactly, and along a
// path it is what the system has to wait but for what the others do. So it gives control
// variates, each less its mean:
//
//   - how long a job would have to wait that came now and needed as many servers as the
//     least of its classes do, and the square of that. Poisson arrivals of any class find
//     it in its stationary state (Wolff, Oper. Res. 30, 1982);
//   - the wait of every job that does come, by class, and what the jobs waste;
//   - the first one again, where a job of another class comes that is rare.
//
// By the last two a class that is rare is known as well as if it were not.
type Nearby struct {
	Servers int
	Known   []Known // by class of the system
	Waste   float64 // server-time that a job keeps idle while it gathers its servers, in the mean
	Enough  bool    // the waits of the system leave so little that more controls cost more than they bring
}

// Known is the stationary wait of a class in the smaller queue.
type Known struct {
	Kept         bool // or it is none of its classes, and the rest is 0
	Mean, Second float64
}

// seldom is how probable a class is at most whose jobs are watched one by one.
const seldom = 0.03

// besides is a chain of the smaller queue beside one of the system. Without one it is nil,
// and does nothing.
type besides struct {
	*Nearby
	runs *fast.Runs
	now  float64
	view recurrence.View
	need int32 // that is looked at
	look Known // what it waits
	own  []int // by class: its control, or -1
	rest tail  // where the other controls stand, behind the first
}

// tail is the controls behind those of the classes that are kept.
type tail struct{ waste, square, all int }

func (n *Nearby) beside(s *System) *besides {
	b := &besides{Nearby: n, runs: fast.NewRuns(n.Servers)}
	for c, known := range n.Known {
		if known.Kept && (b.need == 0 || int32(s.Needs[c]) < b.need) {
			b.need, b.look = int32(s.Needs[c]), known
		}
	}
	b.own, b.rest = n.places(s)
	return b
}

// places says where the controls stand. The first is the look.
func (n *Nearby) places(s *System) (own []int, rest tail) {
	own = make([]int, len(n.Known))
	at := 1
	for c := range n.Known {
		own[c] = -1
		if n.Known[c].Kept {
			own[c] = at
			at++
		}
	}
	rest = tail{at, at + 1, at + 2}
	for c := range n.Known {
		if own[c] < 0 && s.Probs[c] <= seldom {
			own[c] = rest.all
			rest.all++
		}
	}
	return own, rest
}

// controls is how many control variates there are.
func (n *Nearby) controls(s *System) int {
	_, rest := n.places(s)
	return rest.all
}

func (b *besides) empty() {
	if b == nil {
		return
	}
	b.runs.Reset(0)
	b.now = 0
}

func (b *besides) rebase() {
	if b == nil {
		return
	}
	b.runs.Shift(b.now)
	b.now = 0
}

// wait is what a job would have to wait that came now, less its mean.
func (b *besides) wait() float64 {
	b.runs.View(&b.view, b.now)
	return b.view.Wait(b.need) - b.look.Mean
}

// take runs through jobs that are not looked at.
func (b *besides) take(jobs []stream.Job) {
	if b == nil {
		return
	}
	for i := range jobs {
		j := &jobs[i]
		if b.Known[j.Class].Kept {
			b.runs.Step(b.now, j.Need, j.Service)
		}
		b.now += j.Gap
	}
}

// note enters the controls of jobs and runs through them. The first finds what all of
// them are taken to find.
func (b *besides) note(jobs []stream.Job, sums []float64) {
	if b == nil {
		return
	}
	n, off := float64(len(jobs)), b.wait()
	wait := off + b.look.Mean
	sums[0] += n * off
	sums[b.rest.square] += n * (wait*wait - b.look.Second)
	for i := range jobs {
		j := &jobs[i]
		at, known := b.own[j.Class], &b.Known[j.Class]
		switch {
		case known.Kept:
			start, waste := b.runs.Step(b.now, j.Need, j.Service)
			sums[at] += start - b.now - known.Mean
			sums[b.rest.waste] += waste - b.Waste
		case at >= 0:
			sums[at] += b.wait()
		}
		b.now += j.Gap
	}
}
