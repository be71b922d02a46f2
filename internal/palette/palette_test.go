package palette

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestIdleIsOneColour: the playground has the colour of idle servers of the Gantt charts,
// and hatches nothing, which there is a wait at the head.
func TestIdleIsOneColour(t *testing.T) {
	pink := fmt.Sprintf("#%02x%02x%02x", Idle.R, Idle.G, Idle.B)
	all := ""
	for _, name := range []string{"widgets/playground/page/style.css", "widgets/playground/page/draw.js"} {
		text, err := os.ReadFile("../../" + name)
		if err != nil {
			t.Fatal(err)
		}
		all += string(text)
	}
	if !strings.Contains(all, pink) || strings.Contains(all, "<pattern") {
		t.Errorf("idle servers are not the colour %s, or something is hatched", pink)
	}
}

// TestPinkInTheDark: what dark themes make of the colour of idle servers is still pink: light, and
// redder than it is green or blue. Turned round it was brown.
func TestPinkInTheDark(t *testing.T) {
	for file, rules := range map[string][]string{
		"docker/custom.css":      {`data-jp-theme-light="false"\] \.mjq-explore img \{[^}]*filter: ([^;}]+)`},
		"site/docs/extra.css":    {`"slate"\] \.mjq-explore img \{[^}]*filter: ([^;}]+)`},
		"notebooks/run/page.css": {`  \.jp-RenderedSVG svg[^{]*\.mjq-explore img \{[^}]*filter: ([^;}]+)`, `html \{[^}]*filter: ([^;}]+)`}, // pictures, then all
	} {
		text, err := os.ReadFile("../../" + file)
		if err != nil {
			t.Fatal(err)
		}
		c := [3]float64{float64(Idle.R), float64(Idle.G), float64(Idle.B)}
		for _, rule := range rules {
			found := regexp.MustCompile(rule).FindSubmatch(text)
			if found == nil {
				t.Fatalf("%s has no rule %s", file, rule)
			}
			c = filtered(t, c, string(found[1]))
		}
		pink(t, file, c)
	}
	text, err := os.ReadFile("../../widgets/playground/page/style.css")
	if err != nil {
		t.Fatal(err)
	}
	for _, idle := range regexp.MustCompile(`--idle: #(..)(..)(..);`).FindAllSubmatch(text, -1) {
		var c [3]float64
		for i := range c {
			x, _ := strconv.ParseUint(string(idle[1+i]), 16, 8)
			c[i] = float64(x)
		}
		pink(t, "the playground", c)
	}
}

// pink fails unless a colour is.
func pink(t *testing.T, where string, c [3]float64) {
	t.Helper()
	if r, g, b := c[0], c[1], c[2]; !(r > 160 && r > 1.1*g && r > 1.1*b && g < 1.15*b && b < 1.15*g) {
		t.Errorf("%s shows idle servers in the colour %.0f", where, c)
	}
}

// filtered is a colour after filters of CSS.
func filtered(t *testing.T, c [3]float64, filters string) [3]float64 {
	for _, f := range regexp.MustCompile(`([a-z-]+)\(([0-9.]+)(deg)?\)`).FindAllStringSubmatch(filters, -1) {
		x, _ := strconv.ParseFloat(f[2], 64)
		switch f[1] + f[3] {
		case "invert":
			for i := range c {
				c[i] = 255*x + (1-2*x)*c[i]
			}
		case "brightness":
			for i := range c {
				c[i] = min(255, x*c[i])
			}
		case "hue-rotatedeg": // by half a turn: twice the luminance less the colour
			y := 0.213*c[0] + 0.715*c[1] + 0.072*c[2]
			for i := range c {
				c[i] = min(255, max(0, 2*y-c[i]))
			}
		default:
			t.Errorf("no rule for the filter %s", f[0])
		}
	}
	return c
}
