package widgets

import (
	"context"
	"encoding/base64"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/janpfeifer/gonb/gonbui/protocol"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/workload"
)

func samplePath(t *testing.T) *result.Path {
	t.Helper()
	m := workload.FiveClassExponential().AtRate(1.6)
	p, err := m.Path(context.Background(), 200, 240, mjq.Seed(3))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// rects are the rectangles of an SVG with the given fill as (x, y, w, h).
func rects(svg, fill string) (out [][4]float64) {
	all := regexp.MustCompile(`<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)" fill="`+regexp.QuoteMeta(fill)+`"`).FindAllStringSubmatch(svg, -1)
	for _, m := range all {
		var r [4]float64
		for i := range r {
			r[i], _ = strconv.ParseFloat(m[i+1], 64)
		}
		out = append(out, r)
	}
	return out
}

// TestGanttDrawsEveryServerHour adds up areas: blocks are the work done in the
// picture, pink parts the time for which servers are blocked.
func TestGanttDrawsEveryServerHour(t *testing.T) {
	drawsEveryServerHour(t, samplePath(t))
	m := workload.FiveClassExponential().AtRate(1.6)
	for _, policy := range []mjq.Policy{mjq.ServerFilling(), mjq.EASY()} {
		p := mjq.Must(m.Policy(policy).Path(context.Background(), 200, 280, mjq.Seed(3)))
		drawsEveryServerHour(t, p)
		if svg, _ := Gantt(p).SVG(); strings.Contains(string(svg), "preempted") != (policy == mjq.ServerFilling()) {
			t.Errorf("%v: preemptions in the picture", policy)
		}
	}
}

func drawsEveryServerHour(t *testing.T, p *result.Path) {
	t.Helper()
	data, err := Gantt(p).Named("A < B").SVG()
	if err != nil {
		t.Fatal(err)
	}
	svg := string(data)
	for dec := xml.NewDecoder(strings.NewReader(svg)); ; {
		if _, err := dec.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	c, _ := Gantt(p).canvas()
	unit := (c.x(p.To) - c.x(p.From)) / (p.To - p.From) * c.row // area of a server and a unit of time
	area := func(fill string) (sum float64) {
		for _, r := range rects(svg, fill) {
			if r[1] > 60 && r[1] < c.headTop() { // not the legend
				sum += r[2] * r[3]
			}
		}
		return sum / unit
	}
	for i, name := range p.Classes {
		want := 0.0
		for _, j := range p.Jobs {
			if j.Class == i {
				for _, s := range j.Served() {
					want += float64(j.Need) * max(0, min(s.To, p.To)-max(s.From, p.From))
				}
			}
		}
		if got := area(hex(i)); math.Abs(got-want) > 0.01*want {
			t.Errorf("class %s holds %.3f server-hours in the picture, %.3f in the path", name, got, want)
		}
	}
	want := 0.0
	for _, b := range p.Blocked() {
		want += max(0, min(b.To, p.To)-b.From)
	}
	if got := area(idleFill); math.Abs(got-want) > 0.01*want {
		t.Errorf("%.3f blocked server-hours in the picture, %.3f in the path", got, want)
	}
}

// TestGanttStepsCountServersAndJobs recounts the state at every step.
func TestGanttStepsCountServersAndJobs(t *testing.T) {
	p := samplePath(t)
	c, err := Gantt(p).canvas()
	if err != nil {
		t.Fatal(err)
	}
	last := -1.0
	for _, s := range c.steps() {
		if s.X <= last || s.X > 1 {
			t.Fatalf("a step at %v after one at %v", s.X, last)
		}
		last = s.X
	}
	for _, j := range p.Jobs[:30] {
		if j.Start < p.From {
			continue
		}
		busy := 0
		for _, o := range p.Jobs {
			if o.Start <= j.Start && j.Start < o.End {
				busy += o.Need
			}
		}
		if text := state(p, j.Start); !strings.HasPrefix(text, fmt.Sprintf("%d of 20 servers busy", busy)) {
			t.Errorf("at %v: %q, but %d are busy", j.Start, text, busy)
		}
	}
	for _, l := range levels(p) {
		n := 0
		for _, j := range p.Jobs {
			if j.Arrival <= l.from && l.from < j.Start {
				n++
			}
		}
		if n != l.jobs {
			t.Errorf("%d jobs in line at %v, the picture has %d", n, l.from, l.jobs)
		}
	}
}

// TestTheLineEndsOpen: after the last arrival of the path the number in line is unknown,
// and the stair must not fall to zero.
func TestTheLineEndsOpen(t *testing.T) {
	p := samplePath(t)
	all := levels(p)
	data, err := Gantt(p).SVG()
	if err != nil {
		t.Fatal(err)
	}
	stair := regexp.MustCompile(`<path d="([^"]*)" fill="none" stroke="#555"`).FindStringSubmatch(string(data))
	if c, _ := Gantt(p).canvas(); all[len(all)-1].jobs == 0 || stair == nil || strings.HasSuffix(stair[1], fmt.Sprintf("V%.2f", c.axisTop())) {
		t.Errorf("the line ends at %d jobs and is drawn as %v", all[len(all)-1].jobs, stair)
	}
}

func TestGanttStaysAPictureWithoutScripts(t *testing.T) {
	g := Gantt(samplePath(t))
	forms := bundle(g, vector)
	page, _ := forms[protocol.MIMETextHTML].(string)
	svg, _ := forms[protocol.MIMEImageSVG].(string)
	if !strings.HasPrefix(svg, "<svg") || forms[protocol.MIMETextPlain] != "[figure: Head-of-line blocking, job by job]" {
		t.Errorf("shown as %.80q and %q", svg, forms[protocol.MIMETextPlain])
	}
	before, _, _ := strings.Cut(page, "<script>")
	if !strings.Contains(before, `src="data:image/svg+xml;base64,`+base64.StdEncoding.EncodeToString([]byte(svg))) {
		t.Error("without its script the page lacks the picture")
	}
	empty := bundle(Gantt(&result.Path{}), vector)
	if text, _ := empty[protocol.MIMETextPlain].(string); !strings.Contains(text, "holds no jobs") {
		t.Errorf("an empty path is shown as %v", empty)
	}
}
