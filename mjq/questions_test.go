package mjq

import (
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
)

// TestWaitsOfServedQueues: the waits of given jobs follow the recurrence, which knows no room, no
// patience, no users, no nodes and no other order.
func TestWaitsOfServedQueues(t *testing.T) {
	one := Servers(2).Poisson(1).Class("one", 1, 1, ExpMean(1))
	for name, x := range map[string]struct {
		m   Model
		why string
	}{
		"loss": {one.Loss(), "turns jobs away"}, "patience": {one.Patience(Deterministic(0.5)), "lets them give up"}, "nodes": {Nodes(2, 2).Poisson(1).Class("one", 1, 1, ExpMean(1)), "fit on nodes"},
		"users": {Servers(2).Class("one", 1, 0, ExpMean(1)).Users("one", 3, ExpMean(1)).Loss(), "users send jobs"},
		"order": {Servers(2).Poisson(1).Class("one", 1, 0.5, ExpMean(1)).Class("two", 2, 0.5, ExpMean(1)).Policy(FirstFit()), "policy FirstFit"},
	} {
		waits, err := x.m.Waits(Job{Class: "one", Service: 5, Gap: 1}, Job{Class: "one", Service: 5, Gap: 1}, Job{Class: "one", Service: 5})
		if waits != nil || err == nil {
			t.Errorf("%s: waits %v, %v", name, waits, err)
			continue
		}
		oracle.Mention(t, err, x.why)
	}
	if waits, err := one.Waits(Job{Class: "one", Service: 5, Gap: 1}, Job{Class: "one", Service: 5, Gap: 1}, Job{Class: "one", Service: 5}); err != nil || waits[2] != 3 {
		t.Errorf("%v, %v", waits, err)
	}
}
