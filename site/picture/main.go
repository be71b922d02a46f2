// Command picture draws the moving picture of the start page and of README: a multiserver
// job queue whose servers are seized and released as time goes on. It is a plain SVG that
// moves by itself, in light and dark.
//
//	go run ./site/picture > site/docs/queue.svg
package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"slices"

	"github.com/mjqueue/mjq/internal/palette"
	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/result"
)

// The picture in its own units: a row a server above, the line of waiting jobs below.
const (
	width, row, line = 900.0, 14.0, 60.0
	seconds          = 14 // that it takes
	still            = 2  // seconds for which the finished picture stands before
)

func main() {
	log.SetFlags(0)
	if err := write(os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// write writes the picture.
func write(to io.Writer) error {
	m := mjq.Servers(12).Poisson(1.55).
		Class("one", 1, 0.55, mjq.ExpMean(1)).
		Class("three", 3, 0.25, mjq.ExpMean(1.5)).
		Class("eight", 8, 0.20, mjq.ExpMean(1.2))
	p, err := m.Path(context.Background(), 60, 130, mjq.Seed(5))
	if err != nil {
		return err
	}
	out := bufio.NewWriter(to)
	draw(out, p)
	return out.Flush()
}

// draw writes the picture of a path. It begins with all of it; while it is drawn anew,
// what is to come is pale.
func draw(out *bufio.Writer, p *result.Path) {
	rows := row * float64(p.Servers)
	x := func(t float64) float64 { return width * min(1, max(0, (t-p.From)/(p.To-p.From))) }
	fmt.Fprintf(out, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g" role="img" aria-label="Twelve servers over time: jobs of one, three and eight servers seize them together; pale pink servers stand idle while the job at the head of the line waits for more. Below, the line.">`+"\n", width, rows+line+4)
	fmt.Fprint(out, `<style>.p{fill:#f4f5f7}.w{fill:#d5d8dc;stroke:#888}.n{stroke:#222}`)
	fmt.Fprintf(out, ".i{fill:#%02x%02x%02x}", palette.Idle.R, palette.Idle.G, palette.Idle.B)
	for i := range p.Classes {
		c := palette.Color(i)
		fmt.Fprintf(out, ".c%d{fill:#%02x%02x%02x}", i, c.R, c.G, c.B)
	}
	fmt.Fprint(out, `@media(prefers-color-scheme:dark){.p{fill:#1f2327}.i{fill:#7d5457}.w{fill:#3a3f45;stroke:#777}.n{stroke:#eee}}</style>`+"\n")
	fmt.Fprintf(out, `<defs><clipPath id="now"><rect width="%g" height="%g"><animate attributeName="width" begin="%[4]ds" values="0;%[1]g;%[1]g" keyTimes="0;.9;1" dur="%[3]ds" repeatCount="indefinite"/></rect></clipPath><g id="q">`+"\n", width, rows+line+2, seconds, still)
	for _, j := range p.Jobs {
		for _, s := range j.Served() {
			for _, k := range s.Seized {
				bar(out, fmt.Sprintf("c%d", j.Class), x(s.From), x(s.To), k)
			}
		}
	}
	for _, b := range p.Blocked() {
		bar(out, "i", x(b.From), x(b.To), b.Server)
	}
	waiting(out, p, x, rows+line)
	fmt.Fprintf(out, `</g></defs><rect class="p" width="%g" height="%g"/><use href="#q" opacity=".25"/><use href="#q" clip-path="url(#now)"/>`+"\n", width, rows)
	fmt.Fprintf(out, `<path class="n" d="M0 0V%g" stroke-width="1.5" transform="translate(%g)"><animateTransform attributeName="transform" type="translate" begin="%[4]ds" values="0;%[2]g;%[2]g" keyTimes="0;.9;1" dur="%[3]ds" repeatCount="indefinite"/></path>`+"\n", rows+line, width, seconds, still)
	fmt.Fprint(out, "</svg>\n") // words are beside it, for on a telephone they would be too small here
}

// bar is a server held by a job of a class, or idle: the class of its style.
func bar(out *bufio.Writer, class string, from, to float64, server int) {
	if to <= from {
		return
	}
	fmt.Fprintf(out, `<rect class="%s" x="%.1f" y="%g" width="%.1f" height="%g"/>`+"\n", class, from, row*float64(server), max(0.5, to-from-0.6), row-1)
}

// waiting is the number of servers that jobs in line ask for, upward from the bottom.
func waiting(out *bufio.Writer, p *result.Path, x func(float64) float64, bottom float64) {
	type change struct {
		at   float64
		need int
	}
	var changes []change
	for _, j := range p.Jobs {
		changes = append(changes, change{j.Arrival, j.Need}, change{j.Start, -j.Need})
	}
	slices.SortFunc(changes, func(a, b change) int {
		if a.at < b.at {
			return -1
		}
		return 1
	})
	most, sum := 1, 0
	for _, c := range changes {
		sum += c.need
		most = max(most, sum)
	}
	fmt.Fprintf(out, `<path class="w" d="M0 %g`, bottom)
	sum = 0
	for _, c := range changes {
		sum += c.need
		fmt.Fprintf(out, "H%.1fV%.1f", x(c.at), bottom-(line-8)*float64(sum)/float64(most))
	}
	fmt.Fprintf(out, "H%gV%g\"/>\n", width, bottom)
}
