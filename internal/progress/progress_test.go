package progress

import (
	"context"
	"testing"

	"github.com/mjqueue/mjq/mjq/result"
)

func TestAContextCarriesWhoListens(t *testing.T) {
	ctx := context.Background()
	if Of(ctx) != nil {
		t.Error("somebody listens to a plain context")
	}
	heard := ""
	below, end := context.WithCancel(With(ctx, func(s result.Step) { heard = s.What }))
	defer end()
	Of(below)(result.Step{What: "Solve"})
	if heard != "Solve" {
		t.Errorf("heard %q", heard)
	}
}
