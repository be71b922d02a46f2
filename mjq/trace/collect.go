package trace

import "github.com/mjqueue/mjq/internal/check"

// mostProblems is how many malformed lines an error names; the others it
// counts.
const mostProblems = 10

// Collect reads a whole log. Malformed lines make the error, which names the
// first ten; the jobs of the others are returned with it.
func (s *Stream) Collect() ([]Job, error) {
	var jobs []Job
	bad := check.Faults{Most: mostProblems}
	for j, err := range s.Jobs() {
		if err != nil {
			bad.Join(err)
			continue
		}
		jobs = append(jobs, j)
	}
	return jobs, bad.Err("")
}
