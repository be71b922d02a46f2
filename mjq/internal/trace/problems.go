package trace

import (
	"errors"
	"fmt"
)

// mostProblems is how many malformed lines an error names; the others it
// counts.
const mostProblems = 10

// Problems collects malformed lines, the first ones in words.
type Problems struct {
	list []error
	more int
}

func (p *Problems) add(err error) {
	if len(p.list) < mostProblems {
		p.list = append(p.list, err)
		return
	}
	p.more++
}

// Err is nil, or one error of all.
func (p *Problems) Err() error {
	if p.more > 0 {
		return errors.Join(errors.Join(p.list...), fmt.Errorf("and %d more", p.more))
	}
	return errors.Join(p.list...)
}

// Collect reads a whole log. Malformed lines make the error, which names the
// first ten; the jobs of the others are returned with it.
func (s *Stream) Collect() ([]Job, error) {
	var jobs []Job
	var bad Problems
	for j, err := range s.Jobs() {
		if err != nil {
			bad.add(err)
			continue
		}
		jobs = append(jobs, j)
	}
	return jobs, bad.Err()
}
