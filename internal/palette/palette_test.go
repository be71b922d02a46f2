package palette

import (
	"fmt"
	"os"
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
