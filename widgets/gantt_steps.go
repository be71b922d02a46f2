package widgets

import (
	"cmp"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"slices"

	"github.com/mjqueue/mjq/internal/escape"
	"github.com/mjqueue/mjq/mjq/result"
)

//go:embed gantt.js
var ganttScript string

// step is one moment of the animation: how far the picture has come, as a
// fraction of its width, and what happens.
type step struct {
	X    float64 `json:"x"`
	Text string  `json:"text"`
}

// HTML is the picture as a notebook shows it: an image, so that it stays when
// scripts are taken out, and a script that adds the controls.
func (g *GanttChart) HTML() string {
	svg, err := g.SVG()
	if err != nil {
		return "<p>" + escape.HTMLLines(err.Error()) + "</p>"
	}
	c, _ := g.canvas() // which SVG has done without a fault
	steps, _ := json.Marshal(c.steps())
	sum := fnv.New64a()
	sum.Write(svg)
	id := fmt.Sprintf("mjq-gantt-%x", sum.Sum64())
	return fmt.Sprintf(`<div class="mjq-gantt %s" style="max-width:%dpx;overflow-x:auto"><div style="position:relative;min-width:820px"><img style="width:100%%;display:block" alt="%s" src="data:image/svg+xml;base64,%s"/></div></div><script>%s("%s", %s);</script>`,
		id, ganttWidth, escape.HTML(g.name), base64.StdEncoding.EncodeToString(svg), ganttScript, id, steps)
}

// happening is a moment at which something happens to a job.
type happening struct {
	at   float64
	rank int // ends before arrivals before starts
	what string
}

// steps tells the story of the path in the order of time.
func (c *canvas) steps() []step {
	p := c.path
	var all []happening
	for _, j := range p.Jobs {
		who := fmt.Sprintf("job %d (%s)", j.Number, p.Classes[j.Class])
		all = append(all, happening{j.Arrival, 1, who + " arrives"}, happening{j.Start, 2, who + " starts"}, happening{j.End, 0, who + " leaves"})
		for i, s := range j.Served()[1:] {
			all = append(all, happening{j.Served()[i].To, 1, who + " is preempted"}, happening{s.From, 2, who + " resumes"})
		}
	}
	all = slices.DeleteFunc(all, func(h happening) bool { return h.at < p.From || h.at > p.To })
	slices.SortStableFunc(all, func(a, b happening) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.rank, b.rank))
	})
	var out []step
	for i, h := range all {
		what := h.what
		if n := len(out); n > 0 && all[i-1].at == h.at {
			what = all[i-1].what + "; " + h.what
			all[i].what = what
			out = out[:n-1]
		}
		out = append(out, step{X: c.x(h.at) / ganttWidth, Text: escape.Line(fmt.Sprintf("t = %s: %s. %s", c.clock(h.at), what, state(p, h.at)))})
	}
	return out
}

// clock is a time of the path in words.
func (c *canvas) clock(t float64) string {
	unit := c.unit()
	if unit.Unit == "" {
		return fmt.Sprintf("%.4g", t)
	}
	return fmt.Sprintf("%.6g %s", unit.Show(t, 1), unit.Unit)
}

// runsAt says whether a job is in service just after time t.
func runsAt(j *result.PathJob, t float64) bool {
	return slices.ContainsFunc(j.Served(), func(s result.Stretch) bool { return s.From <= t && t < s.To })
}

// state is the system just after time t, in words.
func state(p *result.Path, t float64) string {
	busy, waiting := 0, 0
	var head *result.PathJob
	for i := range p.Jobs {
		switch j := &p.Jobs[i]; {
		case runsAt(j, t):
			busy += j.Need
		case j.Arrival <= t && t < j.End:
			if waiting++; head == nil {
				head = j
			}
		}
	}
	if head == nil {
		return fmt.Sprintf("%d of %d servers busy, nobody waits.", busy, p.Servers)
	}
	blocked, least := "", ""
	if idle := p.Servers - busy; idle > 0 {
		blocked = fmt.Sprintf(", %d idle through blocking", idle)
	}
	if t > p.Jobs[len(p.Jobs)-1].Arrival {
		least = "at least " // later jobs are not part of the path
	}
	return fmt.Sprintf("%d of %d servers busy%s: job %d (%s) at the head needs %d; %s%d wait.",
		busy, p.Servers, blocked, head.Number, p.Classes[head.Class], head.Need, least, waiting)
}
