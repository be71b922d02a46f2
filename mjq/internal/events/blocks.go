package events

import "math"

// block records jobs that have started, with their numbers in a row from the first. Under
// FCFS jobs start in order and no batch waits for jobs before it, so that all of them are
// of the first open batch once those that are complete have been filed.
func (r *recorder) block(first int64, jobs []began) {
	for len(jobs) > 0 {
		left := r.WarmUp - first
		if left <= 0 {
			left = r.Length - (first-r.WarmUp)%r.Length
		}
		some := jobs[:min(left, int64(len(jobs)))]
		if b := r.at(first); b != nil {
			for b != r.open[0] {
				r.file()
			}
			b.missing -= int64(len(some))
			r.observe(b.classes, some)
		}
		jobs = jobs[len(some):]
		first += int64(len(some))
	}
}

const (
	one      = 1023 << 52 // the bits of 1
	infinity = never - one
)

// observe does for a block what sums.observe and record do for a job, and does not branch
// on what differs from job to job.
func (r *recorder) observe(classes []sums, jobs []began) {
	if r.many() {
		r.observeMany(classes, jobs)
		return
	}
	inTime, threshold := r.InTime, r.Threshold
	for i := range jobs {
		j := &jobs[i]
		s, seen := &classes[j.class], &r.seen[j.class]
		wait, response := j.wait, j.wait+j.service
		// The slowdown is 1 where the quotient is less or, of 0 and 0, is no number.
		bits := math.Float64bits(response / max(j.service, threshold))
		if bits-one > infinity {
			bits = one
		}
		slow := math.Float64frombits(bits)
		s.n++
		s.w += wait
		s.w2 += wait * wait
		s.r += response
		s.r2 += response * response
		s.slow += slow
		s.slow2 += slow * slow
		s.work += float64(j.need) * j.service
		s.waitInTime += float64(indicator(wait <= inTime))
		s.responseInTime += float64(indicator(response <= inTime))
		seen.wait.Add(wait)
		seen.response.Add(response)
		seen.slow.Add(slow)
	}
}

func indicator(b bool) (n int32) {
	if b {
		n = 1
	}
	return n
}
