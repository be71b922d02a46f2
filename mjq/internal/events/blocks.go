package events

import "github.com/mjqueue/mjq/mjq/internal/estimate"

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

// observe does for a block what sums.observe and record do for a job, and does not branch
// on what differs from job to job.
func (r *recorder) observe(classes []sums, jobs []began) {
	if r.many() {
		r.observeMany(classes, jobs)
		return
	}
	for i := range jobs {
		j := &jobs[i]
		s, seen := &classes[j.class], &r.seen[j.class]
		values := r.asked.Values(j.wait, j.service)
		s.AddValues(&values, 1)
		s.AddPlain(values[estimate.Waiting], values[estimate.Response], &r.asked, 1)
		s.work += float64(j.need) * j.service
		seen.Add(&values)
	}
}

// whole records jobs that were never hit as they leave.
func (r *recorder) whole(jobs []gone) {
	var like Record
	for i := range jobs {
		j := &jobs[i]
		if b := r.at(j.number); b != nil && b == r.open[0] && !r.many() {
			b.missing--
			s := &b.classes[j.class]
			values := r.asked.Values(j.wait, j.service)
			s.AddValues(&values, 1)
			s.AddWhole(j.wait, values[estimate.Response], j.firstWait, j.lost, &r.asked)
			s.work += float64(j.need) * j.service
			s.work += float64(j.need) * (j.service + j.lost - j.service) // rounded as record rounds it
			s.lostWork += float64(j.need) * j.lost
			r.seen[j.class].Add(&values)
			continue
		}
		like.Number, like.Class, like.Need = j.number, j.class, int(j.need)
		like.Wait, like.FirstWait, like.Service, like.Lost = j.wait, j.firstWait, j.service, j.lost
		r.record(&like)
	}
}
