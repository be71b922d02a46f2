package trace

import "github.com/mjqueue/mjq/internal/check"

// mostProblems is how many malformed lines an error names; the others it
// counts.
const mostProblems = 10

// Collect reads a whole log. Malformed lines make the error, which names the
// first ten; the jobs of the others are returned with it.
func (s *Stream) Collect() ([]Job, error) { return s.collect(func(Job) {}) }

func (s *Stream) collect(each func(j Job)) ([]Job, error) {
	var jobs []Job
	bad := check.Faults{Most: mostProblems}
	for j, err := range s.Jobs() {
		if err != nil {
			bad.Join(err)
			continue
		}
		jobs = append(jobs, j)
		each(j)
	}
	return jobs, bad.Err("")
}

// once collects a log, each job once: lines with the same number, arrival, user, need and times tell
// of one job. Where numbers ascend none comes twice.
func (s *Stream) once() (jobs []Job, err error) {
	var numbers []uint64
	ascending, last := true, uint64(0)
	jobs, err = s.collect(func(Job) {
		numbers = append(numbers, s.number)
		ascending = ascending && s.number > last
		last = s.number
	})
	if ascending {
		return jobs, err
	}
	type line struct {
		number                   uint64
		user                     string
		need                     int
		arrival, service, waited float64
	}
	seen, kept := map[line]bool{}, jobs[:0]
	for i := range jobs {
		j := &jobs[i]
		k := line{numbers[i], j.User, j.Need, j.Arrival, j.Service, j.Waited}
		if numbers[i] > 0 && seen[k] {
			s.skip(sameRun, j.Line)
			s.report.Jobs--
			continue
		}
		seen[k] = true
		kept = append(kept, *j)
	}
	return kept, err
}
