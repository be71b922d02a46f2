package widgets_test

import (
	"context"
	"fmt"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/widgets"
)

func ExampleGantt() {
	m := mjq.Must(mjq.FiveClassExponential().Build()).AtRate(1.6)
	p, err := m.Path().Seed(3).Jobs(40).Run(context.Background())
	if err != nil {
		panic(err)
	}
	g := widgets.Gantt(p).Named("Forty jobs on twenty servers")
	svg, err := g.SVG() // or, in a notebook, widgets.Show(g)
	fmt.Println(g.Title(), len(svg) > 0, err)
	// Output: Forty jobs on twenty servers true <nil>
}
