package beam

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/result"
)

// The pipeline gives the bits of the local sweep however it is cut: means,
// variances, distributions and all else that a result has.
func TestCuts(t *testing.T) {
	ctx := context.Background()
	s := &Sweep{Model: simple(t), Rates: []float64{0.7, 90}, Loads: []float64{0.5}, Servers: []int{3, 4}, Samples: 41,
		Shapes: []Shape{{"Erlang", mjq.ErlangMeanPhases(1, 2)}, {"two rates", mjq.HyperExpMeanSCV(1./3, 3)}}, Replications: 2, Seed: 5, Level: 0.9}
	whole := locally(t, s)
	if s.jobs() != 24 || len(whole.Jobs) != 24 {
		t.Fatalf("%d jobs, %d done", s.jobs(), len(whole.Jobs))
	}
	want := bits(t, whole)
	for parts, workers := range map[int]int{0: 1, 1: 2, 5: 1, 40: 2} {
		res, err := Run(ctx, s, Options{Parts: parts, Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		if bits(t, res) != want || res.Table().CSV() != whole.Table().CSV() {
			t.Errorf("%d parts give\n%v\nlocally it is\n%v", parts, res, whole)
		}
	}
	s.Seed = 6
	if other := locally(t, s); bits(t, other) == want {
		t.Error("another seed gives the same bits")
	}
}

// Certified samples travel too.
func TestCertified(t *testing.T) {
	m := mjq.Servers(1).Class("one", 1, 1, mjq.ExpMean(1))
	err := m.Err()
	if err != nil {
		t.Fatal(err)
	}
	s := &Sweep{Model: m, Rates: []float64{0.3}, Samples: 4, Eps: 0.1, Replications: 2}
	res, err := Run(context.Background(), s, Options{})
	if err != nil || bits(t, res) != bits(t, locally(t, s)) || res.Jobs[0].Result.Run.Eps != 0.1 {
		t.Errorf("%v, error %v", res, err)
	}
}

// A sweep is the same after it was written.
func TestSweepJSON(t *testing.T) {
	s := &Sweep{Model: model(t), Shapes: []Shape{{"third", mjq.LogNormalMeanSCV(1./3, 0.1)}}, Rates: []float64{1. / 3}, Seed: 1 << 63}
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	var back Sweep
	if err := json.Unmarshal(text, &back); err != nil || back.Shapes[0] != s.Shapes[0] || back.Seed != s.Seed || back.Rates[0] != s.Rates[0] {
		t.Errorf("%+v, error %v", back, err)
	}
	if err := json.Unmarshal([]byte(`{"shapes":[{"name":"odd","law":{"law":"Odd"}}]}`), &back); err == nil || !strings.Contains(err.Error(), `shape "odd"`) {
		t.Errorf("an odd law: %v", err)
	}
}

// What cannot run is refused before it is submitted.
func TestFaults(t *testing.T) {
	for part, s := range map[string]*Sweep{
		"no Model":                {},
		`"no such" is not`:        {Model: model(t), Verb: "no such"},
		"Rates: -1":               {Model: model(t), Rates: []float64{-1}},
		"need 3 exceeds the 2":    {Model: model(t), Servers: []int{2}},
		`"none" has no valid law`: {Model: model(t), Shapes: []Shape{{Name: "none"}}},
	} {
		if _, err := Run(context.Background(), s, Options{}); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("error %v does not say %q", err, part)
		}
	}
	if _, err := Run(context.Background(), &Sweep{Model: model(t)}, Options{Parts: -1}); err == nil || !strings.Contains(err.Error(), "Parts -1") {
		t.Errorf("-1 parts: %v", err)
	}
}

var computed atomic.Int64 // points by the verbs below, in this process

func init() {
	RegisterVerb("all but slow", func(ctx context.Context, m mjq.Model, seed uint64) (*result.Result, error) {
		computed.Add(1)
		if m.Rate() < 0.2 {
			return nil, errors.New("too slow")
		}
		return m.Solve(ctx, mjq.Backward{Samples: 30}, mjq.Seed(seed), mjq.Workers(1))
	})
}

// A point that has no result is named, and the others are as they are locally.
func TestFailedPoints(t *testing.T) {
	ctx := context.Background()
	s := &Sweep{Model: model(t), Rates: []float64{0.1, 0.3, 0.15, 0.4}, Verb: "all but slow"}
	want, wantErr := s.Run(ctx)
	res, err := Run(ctx, s, Options{Parts: 3})
	if err == nil || sorted(err) != sorted(wantErr) || strings.Count(err.Error(), "too slow") != 2 {
		t.Errorf("error %v, locally %v", err, wantErr)
	}
	if bits(t, res) != bits(t, want) || len(res.Jobs) != 2 {
		t.Errorf("got\n%v\nwant\n%v", res, want)
	}
}

// sorted are the lines of an error.
func sorted(err error) string {
	return strings.Join(slices.Sorted(strings.Lines(err.Error()+"\n")), "")
}

// A second run takes the result from its file, or the parts from theirs; one that is torn is
// computed again.
func TestKept(t *testing.T) {
	ctx := context.Background()
	s := &Sweep{Model: model(t), Rates: []float64{0.3, 0.4, 0.5, 0.6}, Verb: "all but slow"}
	want, dir := bits(t, locally(t, s)), t.TempDir()
	for run, points := range []int64{4, 0, 0, 1} {
		before := computed.Load()
		res, err := Run(ctx, s, Options{Dir: dir})
		if err != nil || bits(t, res) != want {
			t.Errorf("run %d: %v, error %v", run, res, err)
		}
		if n := computed.Load() - before; n != points {
			t.Errorf("run %d computed %d points, want %d", run, n, points)
		}
		files, err := filepath.Glob(filepath.Join(dir, "*-2-of-4"))
		if err != nil || len(files) != 1 {
			t.Fatalf("files of part 2: %v, error %v", files, err)
		}
		whole, err := filepath.Glob(filepath.Join(dir, "*-4-of-4"))
		if err != nil || len(whole) != 1 {
			t.Fatalf("files of the result: %v, error %v", whole, err)
		}
		switch run {
		case 1:
			err = os.Remove(whole[0])
		case 2:
			err = errors.Join(os.Remove(whole[0]), os.Truncate(files[0], 100))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}
