package widgets

import (
	"encoding/json"
	"regexp"
	"testing"

	"github.com/mjqueue/mjq/internal/escape/nasty"
	"github.com/mjqueue/mjq/mjq/result"
)

// TestNastyNames: whatever classes and pictures are called, a chart is XML, what a notebook shows
// has no foreign elements, and the script's texts stay texts.
func TestNastyNames(t *testing.T) {
	steps := regexp.MustCompile(`\("mjq-gantt-[0-9a-f]+", (\[.*\])\);</script>$`)
	p := samplePath(t)
	for _, name := range nasty.Names() {
		for c := range p.Classes {
			p.Classes[c] = name
		}
		chart := Gantt(p).Named(name)
		svg, err := chart.SVG()
		if err != nil || nasty.SVG(string(svg)) != nil {
			t.Fatalf("%q: %v, %v", name, err, nasty.SVG(string(svg)))
		}
		page := regexp.MustCompile(`<img style="width:100%;display:block" alt="([^"]*)" src="data:image/svg\+xml;base64,[A-Za-z0-9+/=]*"/>`).ReplaceAllString(chart.HTML(), "$1")
		if err := nasty.HTML(page, ganttScript); err != nil {
			t.Errorf("%q: %v", name, err)
		}
		var told []struct{ Text string }
		found := steps.FindStringSubmatch(page)
		if found == nil || json.Unmarshal([]byte(found[1]), &told) != nil || len(told) == 0 || nasty.Terminal(told[0].Text) != nil {
			t.Errorf("%q: %v", name, found)
		}
		if bar := barOf(result.Step{What: name}, 0); nasty.HTML(bar) != nil {
			t.Errorf("%q: %s", name, bar)
		}
	}
}
