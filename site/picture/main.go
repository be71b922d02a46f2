// Command picture draws the picture of the start page: head-of-line blocking on twelve
// servers, as every Gantt chart of package widgets shows it.
//
//	go run ./site/picture > site/docs/queue.svg
package main

import (
	"context"
	"log"
	"os"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/widgets"
)

func main() {
	log.SetFlags(0)
	svg, err := picture()
	if err != nil {
		log.Fatal(err)
	}
	if _, err := os.Stdout.Write(svg); err != nil {
		log.Fatal(err)
	}
}

// picture returns the chart as SVG.
func picture() ([]byte, error) {
	m := mjq.Servers(12).Poisson(1.55).
		Class("needs 1", 1, 0.55, mjq.ExpMean(1)).
		Class("needs 3", 3, 0.25, mjq.ExpMean(1.5)).
		Class("needs 8", 8, 0.20, mjq.ExpMean(1.2))
	p, err := m.Path(context.Background(), 0, 19, mjq.Seed(13))
	if err != nil {
		return nil, err
	}
	return widgets.Gantt(p).Named("Head-of-line blocking: servers stand idle while job 4 waits for eight").SVG()
}
