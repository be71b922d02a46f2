package ordinary_test

import (
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/tests/ordinary"
)

// TestQueues: every queue is valid, and the same whatever their number.
func TestQueues(t *testing.T) {
	all := ordinary.Queues(ordinary.Seed, ordinary.Number)
	for _, q := range all {
		if err := q.Model.Err(); err != nil {
			t.Errorf("%s: %v", q.Name, err)
		}
	}
	for i, q := range ordinary.Queues(ordinary.Seed, 20) {
		if q.Name != all[i].Name {
			t.Errorf("%s is %s among more", q.Name, all[i].Name)
		}
	}
}
