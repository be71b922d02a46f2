package nodes

import (
	"context"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/chain"
	"github.com/mjqueue/mjq/mjq/internal/queue"
	"github.com/mjqueue/mjq/mjq/internal/states"
)

// TestSweeps: chains too large for elimination have the laws that elimination finds.
func TestSweeps(t *testing.T) {
	s := &System{Nodes: 3, Units: 4, Classes: []states.Class{exponential(1, 0.55, 1), exponential(2, 0.25, 2), exponential(4, 0.15, 0.01), exponential(8, 0.05, 30)}, Score: worstFit}
	swept := chain.Limits{States: 100_000, Bytes: 1e9, Tolerance: 1e-13}
	want, err := s.Limit(context.Background(), most)
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.Limit(context.Background(), swept)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "limit", got.Rate, want.Rate)
	m, err := s.Rooms(context.Background(), queue.System{Rate: 2, Room: 3}, most)
	if err != nil {
		t.Fatal(err)
	}
	w, err := s.Rooms(context.Background(), queue.System{Rate: 2, Room: 3}, swept)
	if err != nil {
		t.Fatal(err)
	}
	for k := range s.Classes {
		near(t, "turned away", w.Blocked[k], m.Blocked[k])
	}
	near(t, "held", w.Held, m.Held)
}
