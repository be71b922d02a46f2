package sampling

import (
	"math"

	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/result"
)

// Cells are those of estimate.Histogram, in the octaves around the unit of time.
const (
	cellShift = 52 - result.CellBits
	around    = 24 // octaves below the unit, and above it
	tallied   = 2 * around << result.CellBits
)

// tally counts the jobs of a class and adds up what they met: it does what an
// estimate.Batch and two histograms do, faster. Counts lie in one array and are short,
// for what is counted often should stay near the processor (16 bits take a third more
// time where four queues take turns); what 8 bits do not hold, and times far from the
// unit, go to the histograms at once.
type tally struct {
	jobs             int64
	wait, square     float64
	lowest           uint64             // number of the cell of count 1
	waits, responses [1 + tallied]uint8 // of zero, and by cell
	touched          [2][]uint32        // counts that are not 0, if not others too
	far              [2]estimate.Histogram
}

// newTally has counted nothing, by class. It takes 25 kB a class.
func newTally(s *System) []tally {
	all := make([]tally, len(s.Needs))
	lowest := uint64(max(int(math.Float64bits(s.Input.Unit())>>52)-around, 1))
	for c := range all {
		all[c].lowest = lowest << result.CellBits
	}
	return all
}

// count observes a block of jobs, which are of at most as many classes as there are
// tallies. What is done twice is written out twice: a call is not cheap here.
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
		if k := (bits>>cellShift - t.lowest) & something; k < tallied {
			k -= something
			n := t.waits[k] + 1
			if t.waits[k] = n; n <= 1 {
				t.turn(0, uint32(k), n)
			}
		} else {
			t.far[0].Add(wait)
		}
		response := wait + j.Service
		if k := math.Float64bits(response)>>cellShift - t.lowest; k < tallied {
			n := t.responses[k+1] + 1
			if t.responses[k+1] = n; n <= 1 {
				t.turn(1, uint32(k+1), n)
			}
		} else {
			t.far[1].Add(response)
		}
	}
}

// turn notes that a count is 1, or has come round to 0.
func (t *tally) turn(which int, k uint32, n uint8) {
	if n == 0 {
		t.far[which].AddMany(t.time(k), 1<<8)
		return
	}
	t.touched[which] = append(t.touched[which], k)
}

// time is one that is counted at k.
func (t *tally) time(k uint32) float64 {
	if k == 0 {
		return 0
	}
	return math.Float64frombits((t.lowest + uint64(k) - 1) << cellShift)
}

// flush moves what has been counted to histograms of waits and responses, and returns
// the sums.
func (t *tally) flush(waits, responses *estimate.Histogram) estimate.Batch {
	sums := estimate.Batch{N: float64(t.jobs), X: t.wait, X2: t.square}
	t.jobs, t.wait, t.square = 0, 0, 0
	for which, h := range []*estimate.Histogram{waits, responses} {
		counts := &t.waits
		if which == 1 {
			counts = &t.responses
		}
		h.Merge(&t.far[which])
		t.far[which].Reset()
		for _, k := range t.touched[which] {
			h.AddMany(t.time(k), uint64(counts[k]))
			counts[k] = 0
		}
		t.touched[which] = t.touched[which][:0]
	}
	return sums
}
