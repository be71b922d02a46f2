package limit

import (
	"context"
	"fmt"

	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/scarcity"
	"github.com/mjqueue/mjq/mjq/internal/states"
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
			notes = append(notes, fmt.Sprintf("The interval is wide: class %s comes only %.2g times in a run of %.2g jobs. The run leaves it out, and the interval includes the most that it can do. %s",
				c.Name, float64(jobs)*c.Prob, float64(jobs), remedy))
		default:
			infinite := ""
			if problem.Heavy(c.Service) {
				infinite = ", of infinite variance,"
			}
			notes = append(notes, fmt.Sprintf("The interval is wide: service times %[2]v of class %[1]s%[3]s exceed %.4[4]g only %.2[5]g times in a run of %.2[6]g jobs, and %.3[7]g of their mean %.4[8]g lies beyond. The run truncates them there, and the interval includes the rest. %[9]s",
				c.Name, c.Service, infinite, b.level, float64(jobs)*c.Prob*scarcity.Rough(c.Service).Survival(b.level), float64(jobs), b.excess/c.Prob, c.Service.Mean(), remedy))
		}
	}
	if p.Loose {
		notes = append(notes, "The interval is as wide as can be, from one job at a time to no blocking. Some classes name their servers and others do not, so no bound on rare service times is known. Raise MaxJobs, or let all classes name servers.")
	}
	return notes
}

// remedy is what a user may do about what the pile has not seen.
func (q *pile) remedy(p *pilePlan) string {
	text := "No run of practical length contains enough of them."
	for jobs := float64(q.maxJobs); jobs < 1e13; jobs *= 2 {
		excess, strange := unseen(blind(context.Background(), q.Problem, jobs/2))
		if strange <= unseenPart*p.asked || excess <= cutPart*p.asked {
			text = fmt.Sprintf("Set MaxJobs(%.0e) to contain enough of them.", jobs)
			break
		}
	}
	if _, err := states.Of(q.Compiled()); err == nil {
		text += " mjq.Exact{} needs no run."
	}
	return text
}
