package widgets

import (
	"bytes"
	"encoding/base64"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/janpfeifer/gonb/gonbui/protocol"

	"github.com/mjqueue/mjq/mjq/figure"
	"github.com/mjqueue/mjq/mjq/workload"
)

func TestShowChoosesTheRichestForm(t *testing.T) {
	f := figure.New("A line").Theory("y", []float64{1, 2}, []float64{1, 2})
	forms := bundle(f, vector)
	if h, _ := forms[protocol.MIMEImageSVG].(string); !strings.HasPrefix(h, "<svg") {
		t.Error("a figure is not shown as SVG")
	}
	png, err := base64.StdEncoding.DecodeString(bundle(f, bitmap)[protocol.MIMEImagePNG].(string))
	if err != nil || !bytes.HasPrefix(png, []byte("\x89PNG")) {
		t.Errorf("a figure carries no PNG: %v", err)
	}
	if forms[protocol.MIMETextPlain] != "[figure: A line]" {
		t.Errorf("as text a figure is %q", forms[protocol.MIMETextPlain])
	}
	m := workload.FiveClassExponential()
	if h := bundle(m, vector)[protocol.MIMETextHTML].(string); !strings.Contains(h, "<table") {
		t.Errorf("a model is shown as %q", h)
	}
	if forms := bundle(42, vector); len(forms) != 1 || forms[protocol.MIMETextPlain] != "42" {
		t.Errorf("a number is shown as %v", forms)
	}
	if h := bundle(m.Servers(-1), vector)[protocol.MIMETextHTML].(string); !strings.Contains(h, "-1") || strings.Contains(h, "<table") {
		t.Errorf("a faulty model is shown as %q", h)
	}
	bad := figure.New("").Theory("y", []float64{1}, nil)
	if text := bundle(bad, vector)[protocol.MIMETextPlain].(string); !strings.Contains(text, `"y" has 1 x values`) {
		t.Errorf("a faulty figure is shown as %q", text)
	}
	var out bytes.Buffer
	printText(&out, errors.New("boom"))
	if out.String() != "boom\n" {
		t.Errorf("an error prints as %q", out.String())
	}
}

func TestACaptionStandsBelowItsFigure(t *testing.T) {
	f := figure.New("A line").Theory("y", []float64{1, 2}, []float64{1, 2}).Caption("It rises to 10^{2}.")
	sent := apart(f)
	if len(sent) != 2 || sent[1][protocol.MIMETextPlain] != "It rises to 10^2." {
		t.Fatalf("a figure with a caption is sent as %v", sent)
	}
	if svg := sent[0][protocol.MIMEImageSVG].(string); strings.Contains(svg, "rises") {
		t.Error("the caption is in the figure, too")
	}
	if page := sent[1][protocol.MIMETextHTML].(string); !strings.HasSuffix(page, ">It rises to 10<sup>2</sup>.</p>") {
		t.Errorf("the caption is %q", page)
	}
	if sent := whole(f); len(sent) != 1 || sent[0][protocol.MIMEImagePNG] == nil {
		t.Errorf("as PNG it is sent as %d things", len(sent))
	}
	for _, alone := range []any{f.Caption(""), figure.New("").Theory("y", []float64{1}, nil).Caption("No."), figure.Grid(1, f), 42} {
		if sent := apart(alone); len(sent) != 1 {
			t.Errorf("%v is sent as %d things", alone, len(sent))
		}
	}
}

func TestProgressIsThrottledAndEnds(t *testing.T) {
	now := time.Unix(0, 0)
	var lines []string
	p := &line{label: "sampling", now: func() time.Time { return now }, started: now,
		write: func(text string) { lines = append(lines, text) }}
	for i := range 100 {
		now = now.Add(10 * time.Millisecond)
		p.report(float64(i), 100)
	}
	if len(lines) < 4 || len(lines) > 6 {
		t.Errorf("%d updates in a second", len(lines))
	}
	if last := lines[len(lines)-1]; !strings.Contains(last, "sampling: ") || !strings.Contains(last, "to go") {
		t.Errorf("the line reads %q", last)
	}
	p.report(100, 100)
	if lines[len(lines)-1] != "" {
		t.Error("the line stays when all is done")
	}
	quick := &line{now: func() time.Time { return now }, write: func(string) { t.Error("a run that is done at once shows a line") }}
	quick.report(1, 1)
}
