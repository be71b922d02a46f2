package cells

import (
	"strings"
	"testing"
)

func TestTheCauseComesFirst(t *testing.T) {
	// What GoNB v0.11.4 reports of three cells with -raw_error.
	texts := map[int]*Cell{4: read("n := f(mjq.Servers(4).\n\tPoison(1))"), 5: read("fmt.Println(q)"), 6: read("use(1)\nfunc f() {}\nuse(2)")}
	b := NewBook()
	b.Keep(read("fmt.Println(1)\nq := 2\nfmt.Println(q)"))
	b.Fail(read("r := mjq.Must(f())"), 2)
	for _, c := range []struct {
		value string
		trace []string
		now   int
		meant string
		want  []string
	}{
		{"# gonb_1\n./main.go:11:16: not enough arguments in call to f\n\thave (unknown type)\n\twant (mjq.Model, error)\n./main.go:12:2: mjq.Servers(4).Poison undefined (type mjq.Model has no field or method Poison)\n",
			[]string{"# gonb_1", "Cell[4]: Line 1\n", "", "", "Cell[4]: Line 2\n", ""}, 4, "Poisson",
			[]string{"line 2: mjq.Servers(4).Poison undefined", "    Poison(1))", "Did you mean Poisson?", "1 more", "line 1: not enough arguments in call to f)"}},
		{"./main.go:9:14: undefined: q\n", []string{"Cell[5]: Line 1"}, 5, "quit", []string{"line 1: undefined: q", `var q = …`}},
		{"./main.go:9:14: undefined: q\n", []string{"Cell[5]: Line 1"}, 7, "", []string{"cell 5, line 1: undefined: q"}},
		{"./main.go:9:14: undefined: r\n", []string{"Cell[5]: Line 1"}, 5, "quit", []string{"line 1: undefined: r", "Cell 2 declares r, but has failed: mend it"}},
		{"/tmp/gonb_1/main.go:3:1: expected declaration, found use", []string{"Cell Line 1"}, 6, "", []string{"line 1: expected declaration", "put functions above them"}},
	} {
		got := rules.Explain(b, ReadFaults(c.value, c.trace), texts, c.now, c.meant)
		if !strings.HasPrefix(got, c.want[0]) {
			t.Errorf("begins with %q, want %q", got, c.want[0])
		}
		for _, w := range c.want {
			if !strings.Contains(got, w) {
				t.Errorf("%q lacks %q", got, w)
			}
		}
	}
	if f := ReadFaults("exit status 2", []string{"exit status 2"}); len(f) != 0 {
		t.Errorf("%v is no message of the compiler", f)
	}
}

func TestPanicsAreShort(t *testing.T) {
	texts := map[int]*Cell{2: read("func f() int {\n\treturn mjq.Must(g())\n}"), 3: read("fmt.Println(f())")}
	said := "panic: mjq: no class\n\tof jobs\n\ngoroutine 1 [running]:\nexample.org/q.Must[...](...)\n\t/x/must.go:17\nmain.f()\n\t \x1b[7m[[ Cell [2] Line 2 ]]\x1b[0m /tmp/main.go:5 +0x7a\nmain.main()\n\t \x1b[7m[[ Cell [3] Line 1 ]]\x1b[0m /tmp/main.go:9\nexit status 2\n"
	got, ok := rules.Crash(said, texts, 3)
	if want := "mjq: no class\n\tof jobs\n\nin cell 2, line 2:  return mjq.Must(g())\ncalled from line 1:  fmt.Println(f())"; !ok || got != want {
		t.Errorf("%q, %v, want %q", got, ok, want)
	}
	if got, _ := rules.Crash(said, texts, 4); !strings.HasSuffix(got, "mend cell 3 and run it again, and then this one.") {
		t.Errorf("%q does not say what to mend", got)
	}
	if _, ok := rules.Crash("panic: oh\n\ngoroutine 7 [running]:\nother()\n", texts, 3); ok {
		t.Error("a trace without a cell is shortened")
	}
}

func TestForgottenChanges(t *testing.T) {
	b := NewBook()
	b.Keep(read("var total, rows = 0, []int{}\nname := 1\nfunc add() { total++ }\nfunc twice() { add(); add() }\nvar table = map[string]int{}"))
	for _, c := range []struct{ cell, want string }{
		{"total := 2\ntotal++\nuse(total)", ""},
		{"%%\ntotal := 2\ntotal++", ""},
		{"use(total)", ""},
		{"%%\nfor _, total := range rows { total = 2 }", ""},
		{"func f() { }\nuse(1)\nrows[0] = 2\ntwice();", "changes in rows and total"},
		{"total = 3", ""}, // said once
		{"delete(table, \"a\")", "changes in table"},
		{"use(&name);", "changes in name"},
	} {
		if got := b.Forgotten(read(c.cell), nil, 2); (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%q: %q, want %q", c.cell, got, c.want)
		}
	}
}

// TestVariablesThatMethodsChange: such calls are found where they stand, and what they do is
// mentioned at once for variables of other cells, and for those of their own when another
// cell reads them.
func TestVariablesThatMethodsChange(t *testing.T) {
	b := NewBook()
	first := rules.Read("f := figure()\nfor _, x := range xs {\n\tf.Add(x)\n}\nf", b)
	b.Keep(first)
	touches := b.Touches(first)
	if len(touches) != 1 || touches[0].Name != "f" || !strings.HasPrefix(first.Text[touches[0].Offset:], "Add(x)") {
		t.Fatalf("found are %v", touches)
	}
	if got := b.Forgotten(first, []string{"f"}, 1); got != "" {
		t.Errorf("its own cell says %q", got)
	}
	if got := b.Forgotten(rules.Read("1 + 1", b), nil, 2); got != "" {
		t.Errorf("a cell without it says %q", got)
	}
	for i, want := range []string{"f is as cell 1 declares it", ""} {
		if got := b.Forgotten(rules.Read("f", b), nil, 3+i); !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("a cell that reads it says %q, want %q", got, want)
		}
	}
	later := rules.Read("f.Name(1).Add(2);\nf.Shown()", b)
	if touches := b.Touches(later); len(touches) != 1 || !strings.HasPrefix(later.Text[touches[0].Offset:], "Name(1)") {
		t.Errorf("in a later cell are found %v", touches)
	}
	if got := b.Forgotten(later, []string{"f"}, 5); !strings.Contains(got, "changes in f ends with it") {
		t.Errorf("another cell says %q", got)
	}
}

func TestLaterDeclarationsTakeThePlaceOfEarlierOnes(t *testing.T) {
	b := NewBook()
	for _, cell := range []string{"import \"os\"\nvar a, b = f()\nvar (\n\tc = 1\n\td = 2\n)", "func (t T) M() {}\nfunc M() {}\na := 1", "%reset\nvar e = 1"} {
		b.Keep(read(cell))
		if cell[0] == 'f' {
			for name, known := range map[string]bool{"a": true, "b": false, "c": true, "T.M": true, "M": true} {
				if b.known(name) != known {
					t.Errorf("known(%s) is %v", name, !known)
				}
			}
			at, kept, to := b.Documents(rules.Read("c := os.Args\nc.", b), nil)
			if strings.Contains(kept, "c = 1") || !strings.Contains(kept, "d = 2") || !strings.HasSuffix(at, "\nvar c = os.Args\nfunc main() { c. }") {
				t.Errorf("documents\n%s\n%s", at, kept)
			}
			if end := to(len("c := os.Args\nc.")); at[end-2:end] != "c." {
				t.Errorf("the cursor is after %q", at[:end])
			}
		}
	}
	if b.known("a") || !b.known("e") {
		t.Error("%reset is not followed")
	}
}

func TestNameAt(t *testing.T) {
	for code, want := range map[string]string{"m.Solve|": "Solve", "f(a, |": "f", "x.N(5|": "N", "f(g(1), 2|": "f", "f|(": "f", "|": ""} {
		at := strings.Index(code, "|")
		code := strings.Replace(code, "|", "", 1)
		if got := code[NameAt(code, at):]; !strings.HasPrefix(got, want) {
			t.Errorf("%q: %q, want %q", code, got, want)
		}
	}
}
