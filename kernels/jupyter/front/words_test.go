package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"strings"
	"testing"
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
