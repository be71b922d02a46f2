package palette

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestIdleIsOneColour: the pictures that are files of their own have the colour of idle
// servers of the Gantt charts, and hatch nothing, which there is a wait at the head.
func TestIdleIsOneColour(t *testing.T) {
	pink := fmt.Sprintf("#%02x%02x%02x", Idle.R, Idle.G, Idle.B)
	for _, files := range [][]string{
		{"site/docs/queue.svg"},
		{"widgets/playground/page/style.css", "widgets/playground/page/draw.js"},
	} {
		all := ""
		for _, name := range files {
			text, err := os.ReadFile("../../" + name)
			if err != nil {
				t.Fatal(err)
			}
			all += string(text)
		}
		if !strings.Contains(all, pink) || strings.Contains(all, "<pattern") {
			t.Errorf("%s: idle servers are not the colour %s, or something is hatched", files[0], pink)
		}
	}
}
