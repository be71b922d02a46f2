package stream

import "math/bits"

// seek sets the clock to the arrival of a job.
func (r *Reader) seek(job int64) {
	x := r.steps
	if x.clock == nil {
		return
	}
	if !x.known || x.rep != r.rep {
		x.known, x.rep = true, r.rep
		x.later, x.before = x.later[:0], x.before[:0]
		x.moved(0, r.begins())
	}
	for k := len(x.before); int64(-k)*apart > job; k++ { // the past, a stretch at a time
		end, sum := x.mark(-k), r.passed(-int64(k+1)*apart, apart)
		x.before = append(x.before, end-sum)
	}
	k := int(max(job>>12, -int64(len(x.before))))
	k = min(k, len(x.later)-1)
	if from := int64(k) * apart; !(x.at <= job && x.at > from) {
		x.at, x.now = from, x.mark(k)
	}
	for x.at < job {
		n := min(job-x.at, apart-(x.at&(apart-1)))
		x.moved(x.at+n, x.now+r.passed(x.at, n))
	}
}

// First is the first job to arrive after a moment, and how long after it: that which
// From set, and of other sources that of job -1. Jobs that come in a batch with job -1
// have come by then.
func (r *Reader) First() (job int64, after float64) {
	if r.steps == nil {
		var last [1]Job
		r.Fill(last[:], -1)
		return 0, last[0].Gap
	}
	x := r.steps
	x.walker.rewind(r.rep)
	for after == 0 {
		word, _ := philox(uint64(job-1), counter(r.rep, forJob, 0), r.src.key)
		now, next := x.walker.states(job - 1)
		if after = r.gapBetween(job-1, word, now, next); after == 0 {
			job++
		}
	}
	if x.clock != nil {
		after = x.idle + x.clock.pass(x.from, after)
	}
	return job, after
}

// begins is the position of job 0.
func (r *Reader) begins() uint64 {
	if r.steps.started {
		return r.steps.from + r.passed(-1, 1)
	}
	word, _ := philox(0, counter(r.rep, forReplication, 1), r.src.key)
	if width := r.steps.width; width > 0 {
		within, _ := bits.Mul64(word, width)
		return r.steps.from + within
	}
	return word
}

// mark is the position of job k·apart.
func (x *steps) mark(k int) uint64 {
	if k < 0 {
		return x.before[-k-1]
	}
	return x.later[k]
}

// moved notes the position of a job that follows on the last.
func (x *steps) moved(job int64, position uint64) {
	x.at, x.now = job, position
	if job >= 0 && job&(apart-1) == 0 && int(job/apart) == len(x.later) {
		x.later = append(x.later, position)
	}
}

// passed is by how much the gaps of n jobs move the clock.
func (r *Reader) passed(first, n int64) (sum uint64) {
	x := r.steps
	x.walker.rewind(r.rep)
	for ; n > 0; n-- {
		word, _ := philox(uint64(first), counter(r.rep, forJob, 0), r.src.key)
		now, next := x.walker.states(first)
		sum += x.clock.advance(r.gapBetween(first, word, now, next))
		first++
	}
	return sum
}
