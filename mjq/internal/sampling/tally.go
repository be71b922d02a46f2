package sampling

import (
	"math"

	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/stream"
)

// tally counts the jobs of a class and adds up what they met: it does what an
// estimate.Batch and two histograms do, faster.
type tally struct {
	jobs             int64
	wait, square     float64
	waits, responses estimate.Short
}

// newTally has counted nothing, by class. It takes 25 kB a class.
func newTally(s *System) []tally {
	all := make([]tally, len(s.Needs))
	for c := range all {
		all[c].waits.From(s.Input.Unit(), estimate.ShortOctaves/2)
		all[c].responses.From(s.Input.Unit(), estimate.ShortOctaves/2)
	}
	return all
}

// count observes a block of jobs, which are of at most as many classes as there are
// tallies. It has Short.Add written out twice: a call is not cheap here.
func count(tallies []tally, jobs []stream.Job, waits []float64) {
	waits = waits[:len(jobs)]
	for i := range jobs {
		j := &jobs[i]
		t := &tallies[j.Class]
		wait := waits[i]
		t.jobs++
		t.wait += wait
		t.square += wait * wait
		bits := math.Float64bits(wait)
		something := uint64(int64(bits|-bits) >> 63) // all ones, or 0 of zero
		if k := (bits>>estimate.CellShift - t.waits.Lowest) & something; k < estimate.ShortCells {
			k -= something
			n := t.waits.Counts[k] + 1
			if t.waits.Counts[k] = n; n <= 1 {
				t.waits.Turn(uint32(k), n)
			}
		} else {
			t.waits.Far.Add(wait)
		}
		response := wait + j.Service
		if k := math.Float64bits(response)>>estimate.CellShift - t.responses.Lowest; k < estimate.ShortCells {
			n := t.responses.Counts[k+1] + 1
			if t.responses.Counts[k+1] = n; n <= 1 {
				t.responses.Turn(uint32(k+1), n)
			}
		} else {
			t.responses.Far.Add(response)
		}
	}
}

// flush moves what has been counted of waits and responses, by way of an empty histogram, and
// returns the sums.
func (t *tally) flush(room *estimate.Histogram, waits, responses *[]estimate.Count) estimate.Batch {
	sums := estimate.Batch{N: float64(t.jobs), X: t.wait, X2: t.square}
	t.jobs, t.wait, t.square = 0, 0, 0
	t.waits.MoveTo(room)
	*waits = room.MoveTo((*waits)[:0])
	t.responses.MoveTo(room)
	*responses = room.MoveTo((*responses)[:0])
	return sums
}
