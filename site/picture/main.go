// Command picture draws the pictures of the site that are files: head-of-line blocking on
// twelve servers, as every Gantt chart of package widgets shows it, and measured coverage.
//
//	go run ./site/picture
package main

import (
	"context"
	"log"
	"os"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/widgets"
)

// pictures are the files, as seen from the root of the repository, and who draws them.
var pictures = map[string]func(root string) ([]byte, error){
	"site/docs/queue.svg":            blocking,
	"site/docs/methods/coverage.svg": coverage,
}

func main() {
	log.SetFlags(0)
	for file, draw := range pictures {
		svg, err := draw(".")
		if err != nil {
			log.Fatal(err)
		}
		if err := os.WriteFile(file, svg, 0o644); err != nil {
			log.Fatal(err)
		}
	}
}

// blocking is a Gantt chart in which servers wait for a job that needs many.
func blocking(string) ([]byte, error) {
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
