package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
)

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

func TestWhatIsWantedComesFirst(t *testing.T) {
	edit := func(label, detail string) item {
		i := item{Label: label, Detail: detail}
		i.TextEdit = &struct {
			NewText string
			Range   struct{ Start, End struct{ Line, Character int } }
		}{NewText: label}
		return i
	}
	offered := func() []item {
		return []item{edit("Backward", "struct{...}"), edit("EASY", "func() mjq.Policy"), edit("Exact", "struct{...}"), edit("ExpMean", "func(mean float64) law.Exp"),
			edit("MeanWait", "func(most float64, classes ...string) mjq.Goal"), edit("NoCache", "func() mjq.Option"), edit("Seed", "func(seed uint64) mjq.Option")}
	}
	for wanted, want := range map[string]string{
		"mjq.Option": "Exact{} Backward{} MeanWait NoCache() Seed EASY() ExpMean",
		"mjq.Policy": "EASY() Backward Exact ExpMean MeanWait NoCache() Seed",
		"":           "Backward EASY Exact ExpMean MeanWait NoCache Seed",
	} {
		var got []string
		for _, i := range preferred(offered(), wanted) {
			got = append(got, i.TextEdit.NewText)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("for %q are offered %q, want %q", wanted, got, want)
		}
	}
}

// TestQuestionsComeFirst: after m. and Tab, Solve and the other questions.
func TestQuestionsComeFirst(t *testing.T) {
	offered := []item{{Label: "Arrivals", Detail: "func(gap law.Law) mjq.Model"}, {Label: "Capacity", Detail: "func(ctx context.Context, opts ...mjq.Option) (*mjq.Capacity, error)"},
		{Label: "Poisson", Detail: "func(rate float64) mjq.Model"}, {Label: "Solve", Detail: "func(ctx context.Context, opts ...mjq.Option) (*result.Result, error)"}}
	var got []string
	for _, i := range preferred(offered, "") {
		got = append(got, i.Label)
	}
	if want := []string{"Solve", "Capacity", "Arrivals", "Poisson"}; !slices.Equal(got, want) {
		t.Errorf("the order is %v, want %v", got, want)
	}
}

// TestParametersHaveNames: of every question that lacks an argument, by its signature.
func TestParametersHaveNames(t *testing.T) {
	for _, c := range []struct {
		function string
		types    []string
		want     []string
	}{
		{"FewestServers", []string{"context.Context", "mjq.Goal"}, []string{"ctx", "goal"}},
		{"LargestNeed", []string{"context.Context", "string", "mjq.Goal"}, []string{"ctx", "class", "goal"}},
		{"Sweep", []string{"context.Context", "mjq.Model", "mjq.Grid"}, nil},
		{"Nothing", []string{"int"}, nil},
	} {
		got := parametersIn("../../..", c.function, c.types)
		if c.want != nil && !slices.Equal(got, c.want) || c.want == nil && c.function == "Nothing" && got != nil {
			t.Errorf("%s%v: %v, want %v", c.function, c.types, got, c.want)
		}
		if c.function == "Sweep" && len(got) != 3 {
			t.Errorf("Sweep has the parameters %v", got)
		}
	}
	for text, want := range map[string]string{"mjq.Servers?": "mjq.Servers", "?m": "m", "m.Solve??": "m.Solve", " m? ": "m", "m.Solve()?": "m.Solve", "größe?": "größe", "a b?": "", "x := 1 ?": "", "?": "", "m": ""} {
		if got := queried(text); got != want {
			t.Errorf("%q asks for %q, want %q", text, got, want)
		}
	}
}

// TestAllMethodsAreOffered holds the list against the package's own.
func TestAllMethodsAreOffered(t *testing.T) {
	var names []string
	for _, m := range mjq.Methods() {
		names = append(names, reflect.TypeOf(m).Name())
	}
	if slices.Sort(names); !slices.Equal(names, slices.Sorted(slices.Values(methods))) {
		t.Errorf("mjq has the methods %v, offered are %v", names, methods)
	}
}
