package cells

import (
	"os/exec"
	"slices"
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
		{"./main.go:9:14: undefined: r\n", []string{"Cell[5]: Line 1"}, 5, "quit", []string{"line 1: undefined: r", "Cell 2 declares r, but has failed: fix it"}},
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

func TestDroppedResults(t *testing.T) {
	for _, c := range []struct{ cell, want string }{
		{"m.Solve(ctx)", ""},
		{"m.Solve(ctx)\nuse(1)", "Line 1: nobody reads what Solve gives"},
		{"use(1)\nm.At(2).\n\tSolve(ctx, one)\nm", "Line 2: nobody reads what Solve gives"},
		{"q.Compare(ctx, m)\n\nm.Solve(ctx)", "Line 1: nobody reads what Compare gives"},
		{"for i := range 3 {\n\tm.Solve(ctx)\n}", "Line 2: nobody"},
		{"%%\nm.Solve(ctx)\nuse(1)", "Line 2: nobody"},
		{"m.Solve(ctx);\nuse(1)", ""}, // as it is meant
		{"for {\n\tm.Solve(ctx); use(1)\n}", ""},
		{"r, err := m.Solve(ctx)\nr", ""},
		{"run(ctx)\nuse(1)", ""}, // of the notebook, which may give nothing
		{"m.Rate()\nuse(1)", ""},
		{"use(m.Solve(ctx))\nuse(1)", ""},
		{"go m.Solve(ctx)\nuse(1)", ""},
	} {
		if got := read(c.cell).Dropped(); !strings.HasPrefix(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%q: %q, want %q", c.cell, got, c.want)
		}
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

// TestWhatIsTakenAwayIsForgotten: by %rm and %reset, before the cell is read.
func TestWhatIsTakenAwayIsForgotten(t *testing.T) {
	b := NewBook()
	b.Keep(rules.Read("import . \"math\"\nimport s \"strings\"\nctx := f()\nx := 1\ntype T int\nfunc (t *T) M() {}", b))
	if got := rules.Read("%rm ctx x\nuse(ctx);", b).Go(); !strings.Contains(got, "var ctx = show.Context();") {
		t.Errorf("ctx does not come back: %q", got)
	}
	b.Keep(rules.Read("//gonb:%rm ctx\n%remove x T~M\n%rm .~math s", b))
	for name, known := range map[string]bool{"ctx": false, "x": false, "T": true, "T.M": false} {
		if b.known(name) != known {
			t.Errorf("known(%s) is %v", name, !known)
		}
	}
	if len(b.imports) != 0 {
		t.Errorf("imported is %v", b.imports)
	}
	b.Keep(rules.Read("func (t T) N() {}", b))
	b.Keep(rules.Read("%rm T", b))
	if b.known("T.N") {
		t.Error("the methods of a type stay")
	}
	b.Keep(rules.Read("type T int", b))
	b.Forget(rules.Read("%reset\n1 +", b))
	if b.known("T") {
		t.Error("%reset is not followed where the cell does not compile")
	}
}

// TestFatalErrorsAreShort: of the run time's own, the kind and the lines of the cell.
func TestFatalErrorsAreShort(t *testing.T) {
	texts := map[int]*Cell{3: read("use(1)\ngo f()\nm[1]++")}
	at := "\t \x1b[7m[[ Cell [3] Line 3 ]]\x1b[0m /tmp/main.go:9\n"
	for said, want := range map[string]string{
		"fatal error: all goroutines are asleep - deadlock!\n\ngoroutine 1 [chan receive]:\nmain.main()\n" + at:                                                                                    "deadlock: every goroutine of the cell waits, and none is left to go on\n\nin line 3:  m[1]++",
		"runtime: goroutine stack exceeds 1-byte limit\nfatal error: stack overflow\n\nruntime stack:\nx\n\ngoroutine 1 [running]:\n" + strings.Repeat("main.f(...)\n"+at, 50):                     "stack overflow: a function calls itself without end\n\nin line 3:  m[1]++",
		"fatal error: concurrent map writes\n\ngoroutine 7 [running]:\ninternal/runtime/maps.fatal()\n\t/x.go:1\n\ngoroutine 8 [running]:\nmain.main()\n" + at + "\ngoroutine 9 [running]:\n" + at: "two goroutines use one map at the same time: let them take a sync.Mutex first\n\nin line 3:  m[1]++",
		"fatal error: runtime: cannot allocate memory\n":                                                          "fatal error: runtime: cannot allocate memory",
		"runtime: out of memory: cannot allocate 8-byte block\nfatal error: out of memory\n\nruntime stack:\nx\n": "out of memory: the cell wants more than there is",
	} {
		if !Crashes(said) {
			t.Errorf("%q is taken for what a program prints", said)
		}
		if got, ok := rules.Crash(said, texts, 3); !ok || got != want {
			t.Errorf("%q, %v, want %q", got, ok, want)
		}
	}
	if Crashes("no panic: at all\n a fatal error: \n") {
		t.Error("what a program prints is taken for its end")
	}
}

// TestBlanked: an import by a dot that nothing uses becomes blank, and no other.
func TestBlanked(t *testing.T) {
	const program = "package main\n\nimport (\n\t. \"math\"\n\t\"os\"\n)\n"
	got, ok := Blanked(program, "./main.go:4:2: \"math\" imported and not used\n./main.go:5:2: \"os\" imported and not used\n")
	if want := strings.Replace(program, ". ", "_ ", 1); !ok || got != want {
		t.Errorf("%q, %v", got, ok)
	}
	if _, ok := Blanked(program, "./main.go:5:2: \"os\" imported and not used\n./main.go:900:1: \"x\" imported and not used"); ok {
		t.Error("another import is blank")
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

// TestAdvice: what Go 1.26 says of some cells, and what becomes of it. Over the kernel's
// protocol test_messages.py has them all.
func TestAdvice(t *testing.T) {
	b := NewBook()
	rules := rules
	rules.Parameters = func(function string, types []string) []string {
		return map[string][]string{"FewestServers": {"ctx", "goal"}, "LargestNeed": {"ctx", "class", "goal"}}[function]
	}
	for _, c := range []struct{ text, line, words, remedy string }{
		{"assignment mismatch: 1 variable but m.Solve returns 2 values", "r := m.Solve(ctx)", "Solve gives two values", "q.Must"},
		{"multiple-value m.Solve(ctx) (value of type (*result.Result, error)) in variable declaration", "", "m.Solve(ctx) gives an answer and an error", "q.Must(m.Solve(ctx))"},
		{"too many arguments in call to plots.Tails\n\thave (*result.Result, error)\n\twant (*result.Result)", "", "plots.Tails gets an answer and an error", "q.Must"},
		{"not enough arguments in call to m.Solve\n\thave ()\n\twant (context.Context, ...mjq.Option)", "m.Solve()", "m.Solve wants ctx first", "m.Solve(ctx, …)"},
		{"not enough arguments in call to m.FewestServers\n\thave (context.Context)\n\twant (context.Context, mjq.Goal, ...mjq.Option)", "m.FewestServers(ctx)", "m.FewestServers wants goal (mjq.Goal)", "m.FewestServers(ctx, goal, …)"},
		{"not enough arguments in call to m.LargestNeed\n\thave (context.Context, string)\n\twant (context.Context, string, mjq.Goal, ...mjq.Option)", "", "m.LargestNeed wants goal (mjq.Goal)", "m.LargestNeed(ctx, class, goal, …)"},
		{"not enough arguments in call to m.LargestNeed\n\thave (context.Context, mjq.Goal)\n\twant (context.Context, string, mjq.Goal, ...mjq.Option)", "", "m.LargestNeed wants class (string)", "m.LargestNeed(ctx, class, goal, …)"},
		{"not enough arguments in call to m.LargestNeed\n\thave ()\n\twant (context.Context, string, mjq.Goal, ...mjq.Option)", "", "m.LargestNeed wants ctx and class (string) and goal (mjq.Goal)", "m.LargestNeed(ctx, class, goal, …)"},
		{"not enough arguments in call to f\n\thave (number)\n\twant (int, func(a, b int) bool)", "", "f wants func(a, b int) bool", "f(int, …)"},
		{"not enough arguments in call to strings.Map\n\thave (func(s string) string)\n\twant (func(rune) rune, string)", "", "strings.Map wants string", "strings.Map(…, string)"},
		{"not enough arguments in call to m.CheapestMix\n\thave (mjq.Goal)\n\twant (context.Context, map[string]float64, mjq.Goal, ...mjq.Option)", "", "m.CheapestMix wants ctx and map[string]float64", "m.CheapestMix(ctx, …, goal, …)"},
		{"not enough arguments in call to mjq.Sweep\n\thave (context.Context, mjq.Model)\n\twant (context.Context, mjq.Model, mjq.Grid, ...mjq.Option)", "", "mjq.Sweep wants grid (mjq.Grid)", "mjq.Sweep(ctx, model, grid, …)"},
		{"cannot use xs (variable of type []float64) as string value in argument to f", "", "f wants string here, and xs is []float64", ""},
		{"cannot use 2.5 (untyped float constant) as int value in argument to mjq.Servers (truncated)", "", "mjq.Servers wants int here, not 2.5", ""},
		{"mjq.Exact (type) is not an expression", "", "mjq.Exact is a type", "mjq.Exact{}"},
		{"cannot use mjq.NoCache (value of type func() mjq.Option) as mjq.Option value in argument to m.Solve: func() mjq.Option does not implement mjq.Option (missing method set)", "", "mjq.NoCache is a function", "mjq.NoCache()."},
		{`cannot use "20" (untyped string constant) as int value in argument to mjq.Servers`, "", `mjq.Servers wants int here, not the text "20"`, ""},
		{"say() (no value) used as value", "say()", "say() gives nothing", "semicolon"},
		{"declared and not used: err", "r, err := f()", "declared and not used: err", "q.Must"},
		{"undefined: True", "x := True", "undefined: True", "true"},
		{"undefined: x", "x = 3", "undefined: x", "x := …"},
		{"missing import path; require quoted string", "import numpy as np", "an import names a path", "come by themselves"},
		{"illegal character U+0023 '#'", "use(1) # one", "a remark begins with //", ""},
		{"syntax error: unexpected name in at end of statement", "for i in range(3):", "syntax error", "for i := range 10"},
		{"something new", "use(1)", "something new", ""},
	} {
		words, remedy := rules.advice(b, c.text, read(c.line), c.line)
		if !strings.HasPrefix(words, c.words) || !strings.Contains(remedy, c.remedy) || c.remedy == "" && remedy != "" {
			t.Errorf("%q: %q, %q, want %q, %q", c.text, words, remedy, c.words, c.remedy)
		}
	}
}

// TestHowToDeclare: what is called is a function, and what has braces a type.
func TestHowToDeclare(t *testing.T) {
	for line, want := range map[string]string{"odd(3)": "func odd(…) { … }", "x := odd{1}": "type odd …", "var x odd": "type odd …", "xs := []odd{}": "type odd …",
		"func f(x odd) {}": "type odd …", "use(odd)": "odd := …", "m.odd(odd)": "odd := …", "odd.F()": "odd := …"} {
		if got := declaring("odd", line); got != want {
			t.Errorf("%s: %s, want %s", line, got, want)
		}
	}
}

// TestUnshown: the call that gives nothing stands as it was written, on its line.
func TestUnshown(t *testing.T) {
	const program = "package main\n\nfunc main() {\n\tuse(1)\n\tshow.Last(say(\n\t\t2))\n}\n"
	plain, ok := Unshown(program, "./main.go:5:12: say(2) (no value) used as value", "show.Last")
	if want := strings.Replace(program, "show.Last(say(\n\t\t2))", "show.Last(); say(\n\t\t2)", 1); !ok || plain != want {
		t.Errorf("%q, %v", plain, ok)
	}
	for _, c := range []struct{ program, complaint string }{
		{program, "undefined: say"},
		{"package main\n\nfunc main() {\n\tx := say()\n}\n", "say() (no value) used as value"},
		{"not Go", "say() (no value) used as value"},
	} {
		if _, ok := Unshown(c.program, c.complaint, "show.Last"); ok {
			t.Errorf("%q is changed for %q", c.program, c.complaint)
		}
	}
}

// TestTheStandardLibraryIsKnown holds the list of its packages against the one of go.
func TestTheStandardLibraryIsKnown(t *testing.T) {
	out, err := exec.Command("go", "list", "std").Output()
	if err != nil {
		t.Fatal(err)
	}
	known := strings.Fields(standardPaths)
	for _, path := range strings.Fields(string(out)) {
		if inside := strings.Contains(path, "internal") || strings.HasPrefix(path, "vendor/"); !inside && !slices.Contains(known, path) {
			t.Errorf("std.txt lacks %s", path)
		}
	}
}
