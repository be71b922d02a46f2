package main

import (
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

func TestCellsBecomeGo(t *testing.T) {
	for _, c := range []struct{ name, cell, want string }{
		{"statements", "fmt.Println(1)\nfmt.Println(2) // two", "func main() { fmt.Println(1)\nfmt.Println(2) } // two"},
		{"kept", "m := f(\n\t1)\nfmt.Println(m)\nq := m\nuse(q)", "var m = f(\n\t1)\nfunc main() { fmt.Println(m)\nq := m\nuse(q) }"},
		{"not kept", "x := f()\nsum := 0\nsum += x\nuse(sum)", "var x = f()\nfunc main() { sum := 0\nsum += x\nuse(sum) }"},
		{"only kept", "m := f()", "var m = f()"},
		{"twice", "x := 1\nx := 2", "var x = 1\nfunc main() { x := 2 }"},
		{"pairs stay local", "m, err := f()\nuse(m, err)", "func main() { m, err := f()\nuse(m, err) }"},
		{"imports first", "import \"fmt\"\nfmt.Println(1)", "import \"fmt\"\nfunc main() { fmt.Println(1) }"},
		{"declarations", "var x = 1\nfunc f() int { return x }", "var x = 1\nfunc f() int { return x }"},
		{"after statements", "use(1)\nfunc f() {}", "func main() { use(1) }\nfunc f() {}"},
		{"a function among statements", "use(1)\nfunc f() {}\nuse(2)", "use(1)\nfunc f() {}\nuse(2)"},
		{"a method", "func (t T) String() string { return s }", "func (t T) String() string { return s }"},
		{"a call of a literal", "func() { use(1) }()", "func main() { func() { use(1) }() }"},
		{"with magic", "!ls \\\n -l\n%goflags -x\nuse(1)", "!ls \\\n -l\n%goflags -x\nfunc main() { use(1) }"},
		{"main itself", "func main() { use(1) }", "func main() { use(1) }"},
		{"said by %%", "var x = 1\n%%\ny := x\nuse(y)", "var x = 1\n%%\ny := x\nuse(y)"},
		{"not Go", "%%script bash\nls", "%%script bash\nls"},
		{"nothing", "// a remark", "// a remark"},
		{"a string with :=", "s := \"a := b\"", "var s = \"a := b\""},
	} {
		got := readCell(c.cell)
		if got.goText() != c.want {
			t.Errorf("%s:\n%q, want\n%q", c.name, got.goText(), c.want)
		}
		if n := strings.Count(c.cell, "\n"); strings.Count(got.goText(), "\n") != n {
			t.Errorf("%s: lines move", c.name)
		}
		for at := range c.cell {
			if at == got.body[1] && !got.magic || c.cell[at] == ':' {
				continue // before what closes main; part of what is taken out
			}
			if edited := got.goText(); edited[moved(at, got.edits)] != c.cell[at] {
				t.Errorf("%s: byte %d is lost", c.name, at)
			}
		}
		if got.body[1] > 0 && !got.magic {
			if _, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+strings.NewReplacer("!ls \\\n -l", "", "%goflags -x", "").Replace(got.goText()), 0); err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
		}
	}
}
