package beam

import (
	"context"
	"errors"
	"flag"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"

	"github.com/mjqueue/mjq/mjq/internal/cache"
	"github.com/mjqueue/mjq/mjq/result"
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
		"no job server answers: dial tcp":  {Flink: Flink{JobServer: "localhost:1", Slots: 4}, Dir: t.TempDir()},
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
	f := &partFn{Sweep: []byte(`{}`), Dir: t.TempDir(), Probe: ".seen-here", Version: result.Version}
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

// TestWithdrawn: once the client has cancelled the job, a worker ends the part that it computes,
// and neither it nor the end of the pipeline gives or keeps anything, without an error.
func TestWithdrawn(t *testing.T) {
	ctx, s := context.Background(), &Sweep{Model: simple(t), Rates: []float64{0.5}, Samples: 1 << 40, Replications: 2}
	text, err := s.check()
	if err != nil {
		t.Fatal(err)
	}
	j := &job{Options: &Options{Dir: t.TempDir(), Parts: 2}, sweep: text, probed: ".seen-here"}
	if err := write(ctx, j.Dir, j.probed, []byte(goesOn)); err != nil {
		t.Fatal(err)
	}
	f := &partFn{Sweep: text, Parts: 2, Workers: 1, Dir: j.Dir, Probe: j.probed, Version: result.Version}
	if err := f.Setup(ctx); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	emit := func(cache.Part) { t.Error("a part is given") }
	go func() { ended <- f.ProcessElement(ctx, 0, emit) }()
	select {
	case err := <-ended:
		t.Fatalf("it ends before the job is cancelled: %v", err)
	case <-time.After(50 * time.Millisecond):
	}
	if err := j.withdraw(ctx); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Errorf("the part that was computed: %v", err)
	}
	if err := f.ProcessElement(ctx, 1, emit); err != nil {
		t.Errorf("the next part: %v", err)
	}
	if err := (&keepFn{Dir: j.Dir, Name: cache.PartName(text, 2, 2), Probe: j.probed}).ProcessElement(ctx, cache.Part{}); err != nil {
		t.Error(err)
	}
	if n, err := j.count(); n != 0 || err != nil {
		t.Errorf("%d parts are kept, %v", n, err)
	}
	if _, known := j.whole(ctx); known {
		t.Error("a result without its parts is kept")
	}
}

// A worker of another version says so.
func TestVersions(t *testing.T) {
	f := &partFn{Sweep: []byte(`{}`), Version: "0.0.9"}
	if err := f.Setup(context.Background()); err == nil || !strings.Contains(err.Error(), "is mjq "+result.Version+", and the client mjq 0.0.9") {
		t.Errorf("a client of another version: %v", err)
	}
}

// TestStrangePrograms: a program for another processor or of another commit is told before anything is
// submitted. This one is not, nor a file that is no program of Go.
func TestStrangePrograms(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if texts := append(strange(self), strange(filepath.Join(t.TempDir(), "none"))...); len(texts) != 0 {
		t.Errorf("this program, and none: %q", texts)
	}
	built := func(architecture, commit string) *debug.BuildInfo {
		return &debug.BuildInfo{Settings: []debug.BuildSetting{{Key: "GOOS", Value: "linux"}, {Key: "GOARCH", Value: architecture},
			{Key: "vcs.revision", Value: commit}, {Key: "vcs.modified", Value: "true"}}}
	}
	said := strings.Join(unlike("/opt/mjqsweep", built("arm64", "12ab"), built("amd64", "")), "\n")
	if strings.Count(said, "\n") != 1 || !strings.Contains(said, "/opt/mjqsweep, is for linux/arm64 and this one for linux/amd64") ||
		!strings.Contains(said, "is of commit 12ab with changes and this one of no known commit") {
		t.Errorf("a program for another processor: %s", said)
	}
	p := cache.Part{Machines: []string{"riscv64"}, Builds: []string{"0.0.9"}}
	if texts := strings.Join(elsewhere(&p), "\n"); !strings.Contains(texts, "processors of riscv64, and this machine has "+runtime.GOARCH) || !strings.Contains(texts, "by mjq 0.0.9, and this is "+cache.Build()) {
		t.Errorf("parts from elsewhere: %s", texts)
	}
	if texts := elsewhere(&cache.Part{Machines: []string{runtime.GOARCH}, Builds: []string{cache.Build()}}); len(texts) != 0 {
		t.Errorf("parts of this program here: %q", texts)
	}
}

// The cause stands first, and the plan of the pipeline is left out.
func TestCauses(t *testing.T) {
	for text, want := range map[string]string{
		"plan\nplan\njava.lang.X: beam: part 3 of 9: no room\n\tat java\n\tat java": "beam: part 3 of 9: no room",
		"1\n2\n3\n4": "2\n3\n4",
	} {
		if got := caused(errors.New(text)).Error(); !strings.HasPrefix(got, want) {
			t.Errorf("%q gives %q, want %q", text, got, want)
		}
	}
}

// TestLostServer: the error of a job whose server has ended counts the parts that are kept and says
// how to go on.
func TestLostServer(t *testing.T) {
	runner := flag.Lookup("runner").Value.String()
	t.Cleanup(func() {
		if err := flag.Set("runner", runner); err != nil {
			t.Error(err)
		}
		*jobopts.Endpoint = ""
	})
	if err := flag.Set("runner", "flink"); err != nil {
		t.Fatal(err)
	}
	server, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	*jobopts.Endpoint = server.Addr().String()
	j := &job{Options: &Options{Dir: t.TempDir(), Parts: 5}, sweep: []byte("sweep")}
	if err := cache.KeepPart(j.Dir, cache.PartName(j.sweep, 3, 5), cache.Part{}); err != nil {
		t.Fatal(err)
	}
	engine := errors.New("failed to get metrics\nrpc error: code = Unavailable desc = refused")
	if !serverEnded(engine) {
		t.Error("the end of a server is not noticed")
	}
	for _, want := range []string{"the connection to the job server " + *jobopts.Endpoint + " was lost", "the job server is gone (dial tcp " + *jobopts.Endpoint + ": connect"} {
		if err := j.lost(context.Background(), engine).Error(); !strings.Contains(err, want) || !strings.Contains(err, "1 of 5 parts are kept in "+j.Dir) || !strings.Contains(err, "run the same command again") {
			t.Errorf("%s does not say %q", err, want)
		}
		server.Close()
	}
}
