package beam

import (
	"context"
	"errors"
	"flag"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
)

// TestRefusals asks remote runners for sweeps that they cannot finish: mjqsweep names every fault
// before it submits anything.
func TestRefusals(t *testing.T) {
	runner := flag.Lookup("runner").Value.String()
	t.Cleanup(func() {
		if err := flag.Set("runner", runner); err != nil {
			t.Error(err)
		}
		*jobopts.Parallelism, *jobopts.Endpoint = -1, ""
		*jobopts.EnvironmentType, *jobopts.EnvironmentConfig, *jobopts.WorkerBinary = "", "", ""
	})
	t.Chdir(t.TempDir())
	ctx, s := context.Background(), &Sweep{Model: simple(t), Rates: []float64{0.5}, Samples: 5}
	for part, opt := range map[string]Options{
		"give its host and port":           {Flink: Flink{Slots: 4}},
		"Flink with 0 slots: say how many": {Flink: Flink{JobServer: "localhost:1"}},
		`the worker "mjqsweep": give the`:  {Flink: Flink{JobServer: "localhost:1", Slots: 4, Worker: "mjqsweep"}},
		"no Dir, and the workers are on":   {Flink: Flink{JobServer: "localhost:1", Slots: 4}},
		`scheme "s3" not registered`:       {Flink: Flink{JobServer: "localhost:1", Slots: 4}, Dir: "s3://bucket/path"},
	} {
		if _, err := Run(ctx, s, opt); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%+v: error %v does not say %q", opt.Flink, err, part)
		}
	}
	*jobopts.Parallelism = -1
	if _, err := Run(ctx, s, Options{Dir: t.TempDir()}); err == nil || !strings.Contains(err.Error(), "uses one core of the cluster") {
		t.Errorf("without the number of slots: %v", err)
	}
}

// Workers that do not see the file of the client say so, and on which machine.
func TestProbe(t *testing.T) {
	f := &partFn{Sweep: []byte(`{}`), Dir: t.TempDir(), Probe: ".seen-here"}
	if err := f.Setup(context.Background()); err == nil || !strings.Contains(err.Error(), "does not see what the client has written to "+f.Dir) {
		t.Errorf("without the file: %v", err)
	}
	if err := write(context.Background(), f.Dir, f.Probe, nil); err != nil {
		t.Fatal(err)
	}
	if err := f.Setup(context.Background()); err != nil && strings.Contains(err.Error(), "does not see") {
		t.Errorf("with the file: %v", err)
	}
}

// The cause stands first, and the plan of the pipeline is left out.
func TestCauses(t *testing.T) {
	for text, want := range map[string]string{
		"plan\nplan\njava.lang.X: beam: part 3 of 9: no room\n\tat java\n\tat java": "beam: part 3 of 9: no room",
		"rpc error: code = Unavailable desc = gone":                                 "the job server is gone, and the job may go on without it",
		"1\n2\n3\n4": "2\n3\n4",
	} {
		if got := caused(errors.New(text)).Error(); !strings.HasPrefix(got, want) {
			t.Errorf("%q gives %q, want %q", text, got, want)
		}
	}
}
