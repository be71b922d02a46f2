package sampling

import (
	"github.com/mjqueue/mjq/mjq/internal/recurrence"
	"github.com/mjqueue/mjq/mjq/internal/stream"
)

// state is what the line of another recurrence than that of the plain queue needs of it.
type state interface {
	Reset(t float64)
	Shift(by float64)
	Work(t float64) float64
	Front() float64
	Top() float64
	heights(dst []float64) []float64
	step(r *stream.Reader, at int64, t float64, j *stream.Job, waste []float64) (start float64)
	probe(r *stream.Reader, t float64, class int, waste []float64) (start float64)
}

// walk is the line of such a recurrence. Its calls through an interface, one a job, are
// cheap beside the steps of these recurrences.
type walk struct {
	state
	now   float64
	waste []float64 // by type of resource, at least one
	waits [block]float64
	kinds int
}

func newWalk(s state, kinds int) *walk {
	return &walk{state: s, waste: make([]float64, max(1, kinds)), kinds: kinds}
}

func (w *walk) empty() {
	w.Reset(0)
	w.now = 0
}

func (w *walk) rebase() {
	w.Shift(w.now)
	w.now = 0
}

func (w *walk) work() float64 { return w.Work(w.now) }

func (w *walk) mark() float64 {
	if m, ok := w.state.(interface{ Mark(t float64) float64 }); ok {
		return m.Mark(w.now)
	}
	return w.work()
}

func (w *walk) take(r *stream.Reader, first int64, jobs []stream.Job) {
	for i := range jobs {
		w.step(r, first+int64(i), w.now, &jobs[i], w.waste)
		w.now += jobs[i].Gap
	}
}

func (w *walk) record(r *stream.Reader, first int64, jobs []stream.Job, part *forwardPart) {
	for i := range jobs {
		j := &jobs[i]
		clear(w.waste)
		start := w.step(r, first+int64(i), w.now, j, w.waste)
		w.waits[i] = start - w.now
		for _, x := range w.waste {
			part.hol += x
		}
		for k := range part.kinds {
			part.kinds[k] += w.waste[k]
		}
		w.now += j.Gap
	}
	count(part.seen, jobs, w.waits[:len(jobs)])
}

func (w *walk) observe(r *stream.Reader, x *seen) {
	for c := range x.wait {
		clear(w.waste)
		x.wait[c] = w.probe(r, w.now, c, w.waste) - w.now
		x.waste[c] = 0
		for _, idle := range w.waste {
			x.waste[c] += idle
		}
		copy(x.kinds[c*w.kinds:(c+1)*w.kinds], w.waste)
	}
}

func (w *walk) pile(r *stream.Reader, first int64, jobs []stream.Job) {
	for i := range jobs {
		w.step(r, first+int64(i), 0, &jobs[i], w.waste)
	}
}

func (w *walk) gap() float64 { return w.Top() - w.Front() }

func (w *walk) lower() float64 {
	by := w.Front()
	w.Shift(by)
	return by
}

// typedState is the recurrence of several types of resources.
type typedState struct {
	*recurrence.Typed
	needs [][]int32 // by class and type
}

func (s *System) newTyped() line {
	y := &typedState{Typed: recurrence.NewTyped(s.Types.Units)}
	y.AsPrinted = s.AsPrinted
	for _, needs := range s.Types.Needs {
		y.needs = append(y.needs, narrow(needs))
	}
	return newWalk(y, len(s.Types.Units))
}

func (y *typedState) step(_ *stream.Reader, _ int64, t float64, j *stream.Job, waste []float64) float64 {
	return y.Step(t, y.needs[j.Class], j.Service, waste)
}

// heights: lifted together, types grow together. As printed, those that no job
// needs together part like random walks, and the mean of the highest would tell
// more of their fluctuations than of their growth.
func (y *typedState) heights(dst []float64) []float64 {
	if y.AsPrinted {
		return y.Heights(dst)
	}
	return append(dst, y.Top())
}

func (y *typedState) probe(_ *stream.Reader, t float64, class int, waste []float64) float64 {
	return y.Probe(t, y.needs[class], waste)
}
