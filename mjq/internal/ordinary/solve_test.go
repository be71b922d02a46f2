package ordinary_test

import (
	"context"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/oracle"
	"github.com/mjqueue/mjq/mjq/internal/ordinary"
)

// TestSolveAnswers: Solve without options answers ordinary queues: exactly, with an interval or a
// bound, and by no more jobs than some eight seconds have; nearly all by far fewer.
func TestSolveAnswers(t *testing.T) {
	const most, few = 80e6, 15e6
	step := oracle.Sized(16, 4)
	long, asked := 0, 0
	for i, q := range ordinary.Queues(ordinary.Seed, ordinary.Number) {
		if i%step != 3%step {
			continue
		}
		asked++
		r, err := q.Model.Solve(context.Background())
		if err != nil {
			t.Errorf("%s: %v", q.Name, err)
			continue
		}
		if !r.All.Waiting.Mean.Known() && !r.All.Blocked.Known() {
			t.Errorf("%s: no answer by %s: %q", q.Name, r.Run.Method, r.Notes)
		}
		jobs := float64(r.Run.Samples) * float64(r.Run.Jobs+r.Run.WarmUp)
		if jobs > most {
			t.Errorf("%s: %.3g jobs by %s", q.Name, jobs, r.Run.Method)
		} else if jobs > few {
			long++
		}
	}
	if 20*long > asked+20 {
		t.Errorf("%d of %d queues take more than %.2g jobs", long, asked, few)
	}
}
