package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

func TestTheCauseComesFirst(t *testing.T) {
	// What GoNB v0.11.4 reports of three cells with -raw_error.
	cells := map[int]*cell{4: readCell("n := f(mjq.Servers(4).\n\tPoison(1))"), 5: readCell("fmt.Println(q)"), 6: readCell("use(1)\nfunc f() {}\nuse(2)")}
	b := newBook()
	b.keep(readCell("fmt.Println(1)\nq := 2\nfmt.Println(q)"))
	b.fail(readCell("r := mjq.Must(f())"), 2)
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
		got := b.explain(readFaults(c.value, c.trace), cells, c.now, c.meant)
		if !strings.HasPrefix(got, c.want[0]) {
			t.Errorf("begins with %q, want %q", got, c.want[0])
		}
		for _, w := range c.want {
			if !strings.Contains(got, w) {
				t.Errorf("%q lacks %q", got, w)
			}
		}
	}
	if f := readFaults("exit status 2", []string{"exit status 2"}); len(f) != 0 {
		t.Errorf("%v is no message of the compiler", f)
	}
}

func TestNearestNames(t *testing.T) {
	var items []item
	for _, label := range []string{"Servers", "Stability", "Solve", "Simulation", "Exact", "Poisson", "PoissonAt", "Rate", "m"} {
		items = append(items, item{Label: label})
	}
	for name, want := range map[string]string{"Stabilty": "Stability", "Servrs": "Servers", "exact": "Exact", "Poison": "Poisson", "Exakt": "Exact",
		"Load": "", "Mean": "", "x": "", "Simulate": "", "N": ""} {
		if got := nearest(name, items); got != want {
			t.Errorf("%s: %q is offered, want %q", name, got, want)
		}
	}
	for text, want := range map[string]string{"undefined: mjq.Servrs": "Servrs", "undefined: q": "q",
		"m.Stabilty undefined (type mjq.Model has no field or method Stabilty)":                       "Stabilty",
		"m.exact undefined (type mjq.Model has no field or method exact, but does have method Exact)": "",
		"mjq.Servers(4).Poison undefined (type mjq.Model has no field or method Poison)":              "Poison"} {
		got := ""
		if m := unknown.FindStringSubmatch(text); m != nil {
			got = m[1] + m[2]
		}
		if got != want {
			t.Errorf("%s: the unknown name is %q, want %q", text, got, want)
		}
	}
}

func TestPanicsAreShort(t *testing.T) {
	cells := map[int]*cell{2: readCell("func f() int {\n\treturn mjq.Must(g())\n}"), 3: readCell("fmt.Println(f())")}
	said := "panic: mjq: no class\n\tof jobs\n\ngoroutine 1 [running]:\nmjq.Must(...)\n\t/x/must.go:17\nmain.f()\n\t \x1b[7m[[ Cell [2] Line 2 ]]\x1b[0m /tmp/main.go:5 +0x7a\nmain.main()\n\t \x1b[7m[[ Cell [3] Line 1 ]]\x1b[0m /tmp/main.go:9\nexit status 2\n"
	got, ok := crash(said, cells, 3)
	if want := "mjq: no class\n\tof jobs\n\nin cell 2, line 2:  return mjq.Must(g())\ncalled from line 1:  fmt.Println(f())"; !ok || got != want {
		t.Errorf("%q, %v, want %q", got, ok, want)
	}
	if got, _ := crash(said, cells, 4); !strings.HasSuffix(got, "mend cell 3 and run it again, and then this one.") {
		t.Errorf("%q does not say what to mend", got)
	}
	if _, ok := crash("panic: oh\n\ngoroutine 7 [running]:\nother()\n", cells, 3); ok {
		t.Error("a trace without a cell is shortened")
	}
}

func TestForgottenAssignments(t *testing.T) {
	b := newBook()
	b.keep(readCell("var total, rows = 0, []int{}\nname := 1"))
	for _, c := range []struct{ cell, want string }{
		{"total := 2\ntotal++\nuse(total)", ""},
		{"%%\ntotal := 2\ntotal++", ""},
		{"use(total)", ""},
		{"%%\nfor _, total := range rows { total = 2 }", ""},
		{"func f() { }\nuse(1)\nrows[0] = 2\ntotal += 1", "rows and total"},
		{"total = 3", ""}, // said once
	} {
		if got := b.forgotten(readCell(c.cell)); (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%q: %q, want %q", c.cell, got, c.want)
		}
	}
}

func TestLaterDeclarationsTakeThePlaceOfEarlierOnes(t *testing.T) {
	b := newBook()
	for _, cell := range []string{"import \"os\"\nvar a, b = f()\nvar (\n\tc = 1\n\td = 2\n)", "func (t T) M() {}\nfunc M() {}\na := 1", "%reset\nvar e = 1"} {
		b.keep(readCell(cell))
		if cell[0] == 'f' {
			for name, known := range map[string]bool{"a": true, "b": false, "c": true, "T.M": true, "M": true} {
				if b.known(name) != known {
					t.Errorf("known(%s) is %v", name, !known)
				}
			}
			at, kept, edits := documents(b, readCell("c := os.Args\nc."))
			if strings.Contains(kept, "c = 1") || !strings.Contains(kept, "d = 2") || !strings.HasSuffix(at, "\nvar c = os.Args\nfunc main() { c. }") {
				t.Errorf("documents\n%s\n%s", at, kept)
			}
			if end := strings.Index(at, "\n") + 1 + moved(len("c := os.Args\nc."), edits); at[end-2:end] != "c." {
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
		if got := code[nameAt(code, at):]; !strings.HasPrefix(got, want) {
			t.Errorf("%q: %q, want %q", code, got, want)
		}
	}
}

func TestMessagesKeepTheirBytes(t *testing.T) {
	m := message{topic: [][]byte{[]byte("topic")}, header: json.RawMessage(`{"msg_id":"1","msg_type":"x"}`), parent: json.RawMessage("{}"),
		metadata: json.RawMessage("{}"), content: json.RawMessage(`{"a":"` + strings.Repeat("b", 300) + `"}`), buffers: [][]byte{{1, 2}}}
	key := []byte("key")
	sent := encode(m.frames(key))
	frames, err := readFrames(bufio.NewReader(bytes.NewReader(sent)))
	if err != nil {
		t.Fatal(err)
	}
	got, ok := decode(frames, key)
	if !ok || !bytes.Equal(encode(got.frames(key)), sent) || got.head.Type != "x" {
		t.Errorf("got %v", got)
	}
	if _, ok := decode(frames, []byte("other")); ok {
		t.Error("a wrong signature is taken")
	}
	if _, err := readFrames(bufio.NewReader(bytes.NewReader(sent[:len(sent)-1]))); err == nil {
		t.Error("half a message is taken")
	}
}
