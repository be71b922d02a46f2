package cells

import (
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

// rules are those of a made-up kernel.
var rules = Rules{Show: "show.Last", Must: "q.Must", Context: "show.Context()", Silent: []string{"show.All"},
	Packages: map[string]string{"show": "example.org/show", "q": "example.org/q", "trace": "example.org/trace"}}

func read(text string) *Cell { return rules.Read(text, NewBook()) }

const (
	q    = `import "example.org/q"; `
	show = `import "example.org/show"; `
	both = `import "example.org/q"; import "example.org/show"; `
)

func TestCellsBecomeGo(t *testing.T) {
	for _, c := range []struct{ name, cell, want string }{
		{"statements", "use(1)\nuse(2); // two", "func main() { use(1)\nuse(2) }; // two"},
		{"kept", "m := f(\n\t1)\nuse(m)\nr := m\nuse(r);", "var m = f(\n\t1)\nfunc main() { use(m)\nr := m\nuse(r) };"},
		{"not kept", "x := f()\nsum := 0\nsum += x\nuse(sum);", "var x = f()\nfunc main() { sum := 0\nsum += x\nuse(sum) };"},
		{"only kept", "m := f()", "var m = f()"},
		{"changed by a function", "x := 1\nfunc add() { x++ }\nadd();", "var x = 1\nfunc add() { x++ }\nfunc main() { add() };"},
		{"a name among new ones", "a, b := f()\nb, c := g()\nuse(a, b, c);", "func main() { a, b := f()\nb, c := g()\nuse(a, b, c) };"},
		{"imports first", "import \"fmt\"\nfmt.Println(1)", "import \"fmt\"\nfunc main() { fmt.Println(1) }"},
		{"declarations", "var x = 1\nfunc f() int { return x }", "var x = 1\nfunc f() int { return x }"},
		{"after statements", "use(1);\nfunc f() {}", "func main() { use(1) };\nfunc f() {}"},
		{"a function among statements", "use(1)\nfunc f() {}\nuse(2)", "use(1)\nfunc f() {}\nuse(2)"},
		{"a method", "func (t T) String() string { return s }", "func (t T) String() string { return s }"},
		{"with magic", "!ls \\\n -l\n%goflags -x\nuse(1);", "!ls \\\n -l\n%goflags -x\nfunc main() { use(1) };"},
		{"main itself", "func main() { use(1) }", "func main() { use(1) }"},
		{"said by %%", "var x = 1\n%%\ny := x\nuse(y);", "var x = 1\nfunc main() {\ny := x\nuse(y) };"},
		{"%% alone", "%%\n", "func main() { }\n"},
		{"%% with arguments", "%% a b\nuse(1)", "%% a b\nuse(1)"},
		{"not Go", "%%script bash\nls", "%%script bash\nls"},
		{"nothing", "// a remark", "// a remark"},
		{"a string with :=", "s := \"a := b\"", "var s = \"a := b\""},

		// What the last expression gives is shown.
		{"a value", "m", show + "func main() { show.Last(m) }"},
		{"a number", "use(1)\n1 + 2", show + "func main() { use(1)\nshow.Last(1 + 2) }"},
		{"a call", "m.\n\tSolve(1) // so", show + "func main() { show.Last(m.\n\tSolve(1)) } // so"},
		{"a semicolon", "m.Solve(1);", "func main() { m.Solve(1) };"},
		{"a semicolon on its own", "m.Solve(1)\n;", "func main() { m.Solve(1)\n; }"},
		{"an assignment", "x = 2", "func main() { x = 2 }"},
		{"what prints", "fmt.Printf(f, 1)", "import \"fmt\"; func main() { fmt.Printf(f, 1) }"},
		{"what shows", "show.All(m)", show + "func main() { show.All(m) }"},
		{"built in", "panic(1)", "func main() { panic(1) }"},
		{"a wait", "<-c", "func main() { <-c }"},
		{"a loop", "for {\n}", "func main() { for {\n} }"},
		{"a call of a literal", "func() int { return 1 }()", show + "func main() { show.Last(func() int { return 1 }()) }"},
		{"a slice", "[]int{1}", show + "func main() { show.Last([]int{1}) }"},
		{"last of %%", "%%\nm", show + "func main() {\nshow.Last(m) }"},
		{"after a function", "func f() int { return 1 }\nf()", show + "func f() int { return 1 }\nfunc main() { show.Last(f()) }"},

		// An error that nobody reads ends the cell.
		{"unread at the top", "r, err := f(1)\nuse(r);", q + "var r = q.Must(f(1))\nfunc main() { use(r) };"},
		{"unread below", "use(1)\nr, err := f(1)\nuse(r);", q + "func main() { use(1)\nr := q.Must(f(1))\nuse(r) };"},
		{"unread twice", "r, err := f()\ns, err := g()\nuse(r, s);", q + "var r = q.Must(f())\nvar s = q.Must(g())\nfunc main() { use(r, s) };"},
		{"no value", "use(1)\n_, err := f()", q + "func main() { use(1)\n_ = q.Must(f()) }"},
		{"read", "m, err := f()\nuse(m, err);", "func main() { m, err := f()\nuse(m, err) };"},
		{"read by if", "m, err := f()\nif err != nil {\n}", "func main() { m, err := f()\nif err != nil {\n} }"},
		{"read before the next", "a, err := f()\nif err != nil {\n}\nb, err := g()\nuse(a, b);", q + "func main() { a, err := f()\nif err != nil {\n}\nb := q.Must(g())\nuse(a, b) };"},
		{"only the last is read", "a, err := f()\nb, err := g()\nuse(a, b, err);", q + "var a = q.Must(f())\nfunc main() { b, err := g()\nuse(a, b, err) };"},
		{"assigned, unread", "r, err := f()\nr, err = g()\nuse(r);", q + "func main() { r := q.Must(f())\nr = q.Must(g())\nuse(r) };"},
		{"assigned, read", "r, err := f()\nr, err = g()\nuse(r, err);", "func main() { r, err := f()\nr, err = g()\nuse(r, err) };"},
		{"assigned alone", "r, err := f()\nerr = g()\nuse(r, err);", "func main() { r, err := f()\nerr = g()\nuse(r, err) };"},
		{"read in a block", "r, err := f()\nfor {\n\tuse(err)\n}", "func main() { r, err := f()\nfor {\n\tuse(err)\n} }"},
		{"of a block", "for {\n\tr, err := f()\n}", "func main() { for {\n\tr, err := f()\n} }"},
		{"three results", "a, b, err := f()\nuse(a);", "func main() { a, b, err := f()\nuse(a) };"},
		{"err alone", "err := f()", "var err = f()"},
		{"dropped by name", "r, _ := f()\nuse(r);", "var r, _ = f()\nfunc main() { use(r) };"},
		{"pairs are kept", "a, b := f()\nuse(a);", "var a, b = f()\nfunc main() { use(a) };"},
		{"pairs that change are not", "a, b := f()\nb++", "func main() { a, b := f()\nb++ }"},

		// Imports and ctx come by themselves.
		{"standard", "x := math.Pi", "import \"math\"; var x = math.Pi"},
		{"ours before the standard", "trace.X();", "import \"example.org/trace\"; func main() { trace.X() };"},
		{"in order", "q.X(strings.Fields(s));", q + "import \"strings\"; func main() { q.X(strings.Fields(s)) };"},
		{"imported as another", "import math \"example.org/m\"\nuse(math.Pi);", "import math \"example.org/m\"\nfunc main() { use(math.Pi) };"},
		{"a variable", "math := f()\nuse(math.Pi);", "var math = f()\nfunc main() { use(math.Pi) };"},
		{"a parameter", "func f(math T) int { return math.Pi }", "func f(math T) int { return math.Pi }"},
		{"unknown", "nobody.Knows();", "func main() { nobody.Knows() };"},
		{"ctx", "m.Solve(ctx);", show + "var ctx = show.Context(); func main() { m.Solve(ctx) };"},
		{"ctx after imports", "import \"fmt\"\nfmt.Println(ctx)", show + "import \"fmt\"\nvar ctx = show.Context(); func main() { fmt.Println(ctx) }"},
		{"a ctx of one's own", "ctx := f()\nm.Solve(ctx);", "var ctx = f()\nfunc main() { m.Solve(ctx) };"},
		{"all at once", "r, err := m.Solve(ctx)\nr", both + "var ctx = show.Context(); var r = q.Must(m.Solve(ctx))\nfunc main() { show.Last(r) }"},
		{"%% needs them too", "%%\nm.Solve(ctx, math.Pi);", "import \"math\"; " + show + "var ctx = show.Context(); func main() {\nm.Solve(ctx, math.Pi) };"},
	} {
		got := read(c.cell)
		if got.Go() != c.want {
			t.Errorf("%s:\n%q, want\n%q", c.name, got.Go(), c.want)
		}
		if n := strings.Count(c.cell, "\n"); strings.Count(got.Go(), "\n") != n {
			t.Errorf("%s: lines move", c.name)
		}
		keepsBytes(t, c.name, got)
		if got.body[1] > 0 && !got.magic {
			if _, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+strings.NewReplacer("!ls \\\n -l", "", "%goflags -x", "").Replace(got.Go()), 0); err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
		}
	}
}

// TestWhatACellCannotHold: one sentence says so, and what to do.
func TestWhatACellCannotHold(t *testing.T) {
	for cell, want := range map[string]string{
		"//go:embed a.txt\nvar s string":              "line 1: //go:embed does nothing in a cell\n\n    //go:embed a.txt\n\nRead the file: os.ReadFile(\"a.txt\").",
		"var x = 1\n\n//go:embed a/*\nvar s embed.FS": "line 3: //go:embed does nothing in a cell",
		"//go:build linux\nuse(1)":                    "line 1: build constraints do nothing in a cell",
		"// +build linux\nuse(1)":                     "line 1: build constraints do nothing in a cell",
		"//go:generate ls\nuse(1)":                    "line 1: //go:generate does nothing here",
		"//go:noinline\nvar x = 1":                    "line 1: //go:noinline does nothing here",
		"//go:noinline\nfunc f() {}":                  "",
		"//go:noinline\n// so\nfunc (t T) f() {}":     "",
		"s := `\n//go:embed a.txt\n`":                 "",
		"use(1)\n// go:embed is said here":            "",
		"import \"C\"":                                "line 1: a cell cannot hold C code",
		"import (\n\t\"fmt\"\n\t\"C\"\n)":             "line 1: a cell cannot hold C code",
		"func main() { use(1) }\nuse(2)":              "line 2: a cell has statements or func main, not both",
	} {
		if got := read(cell).Refused; !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("%q: %q, want %q", cell, got, want)
		}
	}
}

// FuzzCells: whatever a user types, nothing that reads it fails.
func FuzzCells(f *testing.F) {
	for _, cell := range []string{"y := 1 $", "mjq.Servers?", "s := `a\r\nb` + c", "x :=", "\ufeff1", "\x00", "func (", "a, b := f(\n%rm a\n", "?", "'", "use(1)\r\nm.Solve(ctx)\r\n", "\xff $", "\xb9", "//go:embed", "// +build "} {
		f.Add(cell)
	}
	f.Fuzz(func(t *testing.T, cell string) {
		c := read(cell)
		b := NewBook()
		b.Keep(c)
		b.Touches(c)
		b.Forgotten(c, nil, 1)
		b.Documents(c, nil)
		c.Dropped()
		c.Complete()
		c.Program(true)
		if c.Go() == "" && cell != "" {
			t.Errorf("nothing is left of %q", cell)
		}
	})
}

// TestNamesDeclaredTwice: what Go refuses at one level of a function or a file, it refuses in a cell.
func TestNamesDeclaredTwice(t *testing.T) {
	for cell, want := range map[string]string{
		"x := 1\nx := 2":                                    "line 2: line 1 declares x already\n\n    x := 2\n\nGive it another value by x = …, or take another name.",
		"x := 1\nuse(x)\n\nx := 2\nuse(x)":                  "line 4: line 1 declares x already",
		"use(1)\nx := 1\nx := 2\nuse(x)":                    "line 3: line 2 declares x already",
		"a, b := f()\na, b := g()":                          "line 2: line 1 declares a already",
		"a, a := f()":                                       "line 1: line 1 declares a already",
		"r, err := f()\nr, err := g()\nuse(r)":              "line 2: line 1 declares r already",
		"r, err := f()\nuse(err)\nr, err := g()\nuse(err)":  "line 3: line 1 declares r already",
		"var x = 1\nvar x = 2":                              "line 2: line 1 declares x already\n\n    var x = 2\n\nDelete one of the two",
		"var (\n\tx = 1\n\ty = 2\n\tx = 3\n)":               "line 4: line 2 declares x already",
		"var x = 1\nx := 2":                                 "line 2: line 1 declares x already",
		"x := 1\nvar x = 2":                                 "line 2: line 1 declares x already",
		"x := 1\nuse(x)\nvar x = 2\nuse(x)":                 "line 3: line 1 declares x already",
		"const x = 1\nx := 2":                               "line 2: line 1 declares x already",
		"type T int\ntype T string":                         "line 2: line 1 declares T already",
		"func f() {}\nfunc f() int { return 1 }":            "line 2: line 1 declares f already",
		"func f() {}\nf := 2":                               "line 2: line 1 declares f already",
		"func (t T) M() {}\nfunc (t *T) M() {}":             "line 2: line 1 declares T.M already",
		"func (s S[T]) M() {}\nfunc (s S[U]) M() {}":        "line 2: line 1 declares S.M already",
		"func init() {}\nfunc init() {}":                    "line 2: line 1 declares init already",
		"func main() { use(1) }\nvar x = 1\nvar x = 2":      "line 3: line 2 declares x already",
		"%%\nx := 1\nx := 2":                                "line 3: line 2 declares x already",
		"%% a b\nx := 1\nx := 2":                            "line 3: line 2 declares x already",
		"var x = 1\nx, y := f()\nuse(x, y)":                 "line 2: line 1 declares x already\n\n    x, y := f()\n\nHere := makes another x",
		"func f() {}\nf, y := g()\nuse(y)":                  "line 2: line 1 declares f already",
		"x := 1\nfor {\n\tx := 2\n\tuse(x)\n}":              "",
		"x := 1\nif x := 2; x > 1 {\n\tuse(x)\n}":           "",
		"x := 1\nfunc f(x int) int { y := x; return y }":    "",
		"x := 1\n{\n\tx := 2\n\tuse(x)\n}":                  "",
		"_, err := f()\n_, err := g()":                      "", // becomes _ = Must(…)
		"_ := f()\n_ = g()":                                 "", // for the compiler
		"var _ = f()\nvar _ = g()":                          "",
		"a, err := f()\nb, err := g()\nuse(a, b)":           "",
		"use(1)\nvar x = 1\nx, y := f()\nuse(x, y)":         "",
		"var x = 1\n%%\nx := 2\nuse(x)":                     "", // main is written out
		"func (t T) M() {}\nfunc (u U) M() {}\nfunc M() {}": "",
		"import \"fmt\"\nimport \"fmt\"\nfmt.Print(1)":      "",
	} {
		if got := read(cell).Refused; !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("%q: %q, want %q", cell, got, want)
		}
	}
}

func TestBracketsThatDoNotMatch(t *testing.T) {
	for cell, want := range map[string]string{
		"use(1)":                       "",
		"x := 1\nuse(\"a\", x\nuse(2)": "line 2: the ( is never closed\n\n    use(\"a\", x\n\nA closing ) is missing.",
		"if x {\n\tuse(1)":             "line 1: the { is never closed\n\n    if x {\n\nA closing } is missing.",
		"use(1))":                      "line 1: the ) closes nothing",
		"use(a[1)":                     "line 1: the ) closes nothing",
		"use(\"(\", ')')":              "",
		"use('(one')":                  "", // no Go, but not for its brackets
		"// (\nuse(1)":                 "",
		"!echo (\nuse(1)":              "",
	} {
		if got := read(cell).Refused; !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("%q: %q, want %q", cell, got, want)
		}
	}
}

// keepsBytes: what is not dropped is where moved says.
func keepsBytes(t *testing.T, name string, c *Cell) {
	t.Helper()
	for at := range c.Text {
		if at == c.body[1] && !c.magic {
			continue // before what closes main
		}
		dropped := false
		for _, e := range c.edits {
			dropped = dropped || e.drop > 0 && at >= e.at && at < e.at+e.drop || e.closes && e.at == at
		}
		if edited := c.Go(); !dropped && edited[moved(at, c.edits)] != c.Text[at] {
			t.Errorf("%s: byte %d is lost", name, at)
		}
	}
}

func TestComplete(t *testing.T) {
	for cell, want := range map[string]string{
		"m.Solve(ctx)": "complete", "": "complete", "// so": "complete", "!ls (": "complete",
		"m.Solve(": "incomplete \t", "if x {\n\tf(": "incomplete \t\t", "m.": "incomplete \t", "x +": "incomplete \t",
		"f(1))": "invalid",
	} {
		state, indent := read(cell).Complete()
		if got := strings.TrimRight(state+" "+indent, " "); got != want {
			t.Errorf("%q is %q, want %q", cell, got, want)
		}
	}
}
