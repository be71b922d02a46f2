package figure

import (
	"strings"
	"testing"
)

func TestACaptionIsTextOfItsOwn(t *testing.T) {
	f := New("A line").Theory("y", []float64{1, 2}, []float64{1, 2}).Caption("At λ_{c} < 10^{3},\nwaits   are & stay at 5 %.")
	bare, text, page := f.Apart()
	if want := "At λ_c < 10^3,\nwaits are & stay at 5 %."; text != want {
		t.Errorf("as text %q, not %q", text, want)
	}
	if want := "At λ<sub>c</sub> &lt; 10<sup>3</sup>,<br>waits are &amp; stay at 5\u00a0%."; page != want {
		t.Errorf("as HTML %q, not %q", page, want)
	}
	_, whole := f.size()
	if _, height := bare.size(); height >= whole {
		t.Errorf("without its caption the figure is %v high, with it %v", height, whole)
	}
	svg, err := bare.SVG()
	if err != nil || strings.Contains(string(svg), "waits are") {
		t.Errorf("the caption is in the figure, too, or it fails: %v", err)
	}
	if svg, _ := f.SVG(); !strings.Contains(string(svg), "waits are") {
		t.Error("the figure itself has lost its caption")
	}
	if _, text, page := New("").Apart(); text != "" || page != "" {
		t.Errorf("no caption is %q and %q", text, page)
	}
}
