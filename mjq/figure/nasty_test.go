package figure

import (
	"testing"

	"github.com/mjqueue/mjq/internal/escape/nasty"
)

// TestNastyNames: whatever a title, an axis, a curve or a caption is called, the picture is XML
// without foreign elements, and every form can be written.
func TestNastyNames(t *testing.T) {
	for i, name := range nasty.Names() {
		f := New(name).X(name).Y(name).Theory(name, []float64{0, 1}, []float64{1, 2}).Points("b "+name, []float64{0, 1}, []float64{2, 3}, nil).Caption(name)
		svg, err := f.SVG()
		if err != nil || nasty.SVG(string(svg)) != nil {
			t.Errorf("%q: %v, %v in %s", name, err, nasty.SVG(string(svg)), svg)
		}
		if _, _, page := f.Apart(); nasty.HTML(page) != nil {
			t.Errorf("%q: %v in %s", name, nasty.HTML(page), page)
		}
		if i%10 == 0 {
			if _, err := f.PDF(); err != nil {
				t.Errorf("%q: %v", name, err)
			}
		}
	}
}
