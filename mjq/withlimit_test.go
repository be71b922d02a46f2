package mjq

import (
	"context"
	"testing"

	"github.com/mjqueue/mjq/mjq/result"
)

func TestWithLimitJudgesByTheGivenOne(t *testing.T) {
	m := Must(FiveClassExponential().Build()).AtRate(1)
	given := m.WithLimit(&result.Stability{Rate: 0.5, Level: 0.95})
	if Must(given.Limit(background)).Rate != 0.5 || Must(given.AtRate(2).Limit(background)).Rate != 0.5 {
		t.Error("the given limit is not kept")
	}
	r := Must(given.Sample().Forward().Jobs(10).Run(context.Background()))
	if r.Stable {
		t.Error("a rate beyond the given limit counts as stable")
	}
	if Must(m.Limit(background)).Rate < 1.7 {
		t.Errorf("the model it was made from has limit %v", Must(m.Limit(background)).Rate)
	}
}
