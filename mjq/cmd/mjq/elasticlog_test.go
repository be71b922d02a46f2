package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/trace"
)

// TestElasticFlags: flags say all that a replay knows of elastic jobs, in short or in JSON.
func TestElasticFlags(t *testing.T) {
	for text, want := range map[string]trace.Elastic{
		"train=0.25:2:Power(0.8)":        {Class: "train", Least: 0.25, Most: 2, Speed: mjq.Power(0.8)},
		"class:all=0.5:1:Linear:50%":     {Class: "all", Least: 0.5, Most: 1, Speed: mjq.Linear(), Share: 0.5},
		"all=0.5:1:Amdahl(0.9)":          {Least: 0.5, Most: 1, Speed: mjq.Amdahl(0.9)},
		"user:ann=1:2:Speeds(1,1.9):0.2": {User: "ann", Least: 1, Most: 2, Speed: mjq.Speeds(1, 1.9), Share: 0.2},
		"need:8=0.125:4:Linear":          {Need: 8, Least: 0.125, Most: 4, Speed: mjq.Linear()},
		`{"class":"a","user":"b","need":2,"least":0.5,"speed":{"law":"linear","resize":9}}`: {Class: "a", User: "b", Need: 2, Least: 0.5, Speed: mjq.Linear().Resize(9)},
	} {
		if got, err := readElastic(text, false, ""); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, not %+v: %v", text, got, want, err)
		}
	}
	want := trace.Elastic{Need: 8, Least: 0.5, Partial: true, Speed: mjq.Linear(), Share: 0.5}
	if got, err := readElastic("need:8=0.5:Linear:0.5", true, ""); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("partial: %+v, not %+v: %v", got, want, err)
	}
}

// TestElasticReplay: a training that asks for 4 of 4 servers gives 2 back to a job that comes at 1 and takes
// them for a time of 1. Its work of 3 is done at 1 + 1 + 1.5 = 3.5; a partial other job waits for its end.
func TestElasticReplay(t *testing.T) {
	file := filepath.Join(t.TempDir(), "two.csv")
	if err := os.WriteFile(file, []byte("arrival,servers,service,class\n0,4,3,train\n1,2,1,other\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		flag, value  string
		train, other float64
	}{
		{"--elastic", "train=0.5:1:Linear", 3.5, 1},
		{"--elastic", "need:4=0.5:1:Linear", 3.5, 1},
		{"--elastic", "need:5=0.5:1:Linear", 0, 0},
		{"--partial-class", "all=0.5:Linear", 3, 3},
	} {
		out, notes, code := command("replay", file, "--servers", "4", c.flag, c.value, "--json")
		if c.train == 0 {
			if code != 2 || !strings.Contains(notes, "the log has none of the jobs on 5 servers or more") {
				t.Errorf("%s: %d %s", c.value, code, notes)
			}
			continue
		}
		var r struct {
			Classes []struct {
				Response struct{ Mean struct{ Value float64 } }
			}
		}
		if err := json.Unmarshal([]byte(out), &r); err != nil || code != 0 || len(r.Classes) != 2 {
			t.Fatalf("%s: %v\n%s%s", c.value, err, notes, out)
		}
		oracle.Relative(t, "response of the other", r.Classes[0].Response.Mean.Value, c.other, 1e-12)
		oracle.Relative(t, "response of the training", r.Classes[1].Response.Mean.Value, c.train, 1e-12)
	}
}
