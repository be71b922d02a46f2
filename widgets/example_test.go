package widgets_test

import (
	"context"
	"fmt"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/workload"
	"github.com/mjqueue/mjq/widgets"
)

func ExampleGantt() {
	m := workload.FiveClassExponential().AtRate(1.6)
	p, err := m.Path(context.Background(), 0, 40, mjq.Seed(3))
	if err != nil {
		panic(err)
	}
	g := widgets.Gantt(p).Named("Forty jobs on twenty servers")
	svg, err := g.SVG() // or, in a notebook, widgets.Show(g)
	fmt.Println(g.Title(), len(svg) > 0, err)
	// Output: Forty jobs on twenty servers true <nil>
}

func ExampleProgress() {
	m := workload.FiveClassExponential().AtRate(1.6)
	r, err := m.Solve(context.Background(), mjq.Backward{Samples: 100}, mjq.Progress(widgets.Progress("sampling")))
	if err != nil {
		panic(err)
	}
	fmt.Println(r.Run.Samples, "samples")
	// Output: 100 samples
}
