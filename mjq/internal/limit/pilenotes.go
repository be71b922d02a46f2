package limit

import (
	"context"
	"fmt"

	"github.com/mjqueue/mjq/mjq/internal/problem"
)

// notes say what the pile has not seen in the jobs of its run.
func (p *pilePlan) notes(q *pile, jobs int64) (notes []string) {
	remedy := ""
	for i, c := range q.Classes {
		b := p.classes[i]
		if !p.spared(i) {
			continue
		}
		if remedy == "" {
			remedy = q.remedy(p)
		}
		switch {
		case b.out:
			notes = append(notes, fmt.Sprintf("Class %s comes %.2g times to a pile of %.2g jobs: it was left out, and the interval has room for what it may do. %s",
				c.Name, float64(jobs)*c.Prob, float64(jobs), remedy))
		default:
			infinite := ""
			if problem.Heavy(c.Service) {
				infinite = ", of infinite variance"
			}
			notes = append(notes, fmt.Sprintf("Class %s: services %v%s exceed %.4g only %.2g times in a pile of %.2g jobs, and %.3g of their mean %.4g lies beyond. They were cut there, and the interval has room for the rest. %s",
				c.Name, c.Service, infinite, b.level, float64(jobs)*c.Prob*c.Service.Survival(b.level), float64(jobs), b.excess/c.Prob, c.Service.Mean(), remedy))
		}
	}
	if p.Loose {
		notes = append(notes, "A class asks for servers by number and another for any: nothing bounds what rare services do to such a queue, so that the interval is all that can be: from one job at a time to no blocking at all.")
	}
	return notes
}

// remedy is what a user may do about what the pile has not seen.
func (q *pile) remedy(p *pilePlan) string {
	text := "No run of practicable length holds enough of them."
	for jobs := float64(q.maxJobs); jobs < 1e13; jobs *= 2 {
		excess, strange := unseen(blind(context.Background(), q.Problem, jobs/2))
		if strange <= unseenPart*p.asked || excess <= cutPart*p.asked {
			text = fmt.Sprintf("MaxJobs(%.0e) would hold enough of them.", jobs)
			break
		}
	}
	if _, err := problem.PhaseSystem(q.Spec); err == nil {
		text += " mjq.Exact{} needs no run."
	}
	return text
}
