package mjq

import (
	"context"
	"testing"

	"github.com/mjqueue/mjq/mjq/result"
)

func TestWithLimitJudgesByTheGivenOne(t *testing.T) {
	m := FiveClassExponential().AtRate(1)
	given := m.WithLimit(&result.Stability{Rate: 0.5, Level: 0.95})
	if Must(given.Stability(background)).Rate != 0.5 || Must(given.AtRate(2).Stability(background)).Rate != 0.5 {
		t.Error("the given limit is not kept")
	}
	r := Must(given.Solve(context.Background(), Forward{Jobs: 10}))
	if r.Stable {
		t.Error("a rate beyond the given limit counts as stable")
	}
	if Must(m.Stability(background)).Rate < 1.7 {
		t.Errorf("the model it was made from has limit %v", Must(m.Stability(background)).Rate)
	}
}
