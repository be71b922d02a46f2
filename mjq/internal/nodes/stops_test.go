package nodes

import (
	"context"
	"errors"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/chain"
	"github.com/mjqueue/mjq/mjq/internal/queue"
	"github.com/mjqueue/mjq/mjq/internal/states"
	"github.com/mjqueue/mjq/mjq/mam"
)

// eights is a cluster of nodes of eight with five classes.
func eights(nodes int) *System {
	return &System{Nodes: nodes, Units: 8, Score: bestFit, Classes: []states.Class{exponential(1, 0.55, 1), exponential(2, 0.15, 1.5),
		exponential(4, 0.12, 2), exponential(8, 0.12, 3), exponential(16, 0.06, 4)}}
}

// TestSize: the configurations that are met are at most those that are counted, and nearly all
// of them.
func TestSize(t *testing.T) {
	s := eights(2)
	z, err := s.Size()
	if err != nil {
		t.Fatal(err)
	}
	c, err := s.compile()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.all(context.Background()); err != nil {
		t.Fatal(err)
	}
	if met := float64(len(c.configs)); met != z.Configs || z.Contents != 35 || z.Jobs != 16 {
		t.Errorf("%g configurations met, %+v counted", met, z)
	}
}

// TestStops: chains end with their context, with what they may take, and beyond the limit.
func TestStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := eights(4).Limit(ctx, most); !errors.Is(err, context.Canceled) {
		t.Errorf("limit: %v", err)
	}
	if _, err := eights(2).Queue(ctx, 1, 1e9, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("queue: %v", err)
	}
	var large *chain.TooLarge
	if _, err := eights(4).Rooms(context.Background(), queue.System{Rate: 1, Room: 0}, chain.Limits{States: 1000, Bytes: 1e9, Flops: 1e9}); !errors.As(err, &large) {
		t.Errorf("too many states: %v", err)
	}
	var much *chain.TooLarge
	if _, err := eights(2).Queue(context.Background(), 1, 1e6, nil); !errors.As(err, &much) {
		t.Errorf("too many bytes: %v", err)
	}
	var unstable *mam.Unstable
	if _, err := (&System{Nodes: 2, Units: 2, Score: bestFit, Classes: []states.Class{exponential(1, 0.5, 1), exponential(2, 0.5, 1)}}).Queue(context.Background(), 5, 1e9, nil); !errors.As(err, &unstable) {
		t.Errorf("beyond the limit: %v", err)
	}
}
