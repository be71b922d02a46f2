package cells

import "testing"

func TestProgramsForPlainGoNB(t *testing.T) {
	for _, c := range []struct {
		cell  string
		gives bool
		want  string
	}{
		{"x := math.Pi\nx", true, "import \"math\"\nimport \"example.org/show\"\nvar x = math.Pi\n%%\nshow.Last(x)"},
		{"tally.End()", false, "import \"example.org/show\"\n%%\ntally.End()"},
		{"r, err := m.Solve(ctx)\nr", true, "import \"example.org/q\"\nimport \"example.org/show\"\nvar ctx = show.Context()\nvar r = q.Must(m.Solve(ctx))\n%%\nshow.Last(r)"},
		{"%%\nfmt.Println(1)", true, "import \"fmt\"\n%%\nfmt.Println(1)"},
		{"f();\nfunc f() {}", true, "func main() {\nf()\n};\nfunc f() {}"},
		{"var x = 1", true, "var x = 1"},
	} {
		if got := read(c.cell).Program(c.gives); got != c.want {
			t.Errorf("%q becomes\n%q, want\n%q", c.cell, got, c.want)
		}
	}
}
