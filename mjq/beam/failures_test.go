package beam

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/result"
)

// tries counts the calls of the verb "at the third try" by rate.
var tries = struct {
	sync.Mutex
	of map[float64]int
}{of: map[float64]int{}}

// doomed names a file for the verb "killed once", which a worker that has it in
// its environment fills with its process id before it waits for its end.
const doomed = "MJQ_BEAM_DOOMED"

func init() {
	RegisterVerb("at the third try", func(ctx context.Context, m mjq.Model, seed uint64) (*result.Result, error) {
		tries.Lock()
		rate := math.Round(1000*m.Rate()) / 1000
		tries.of[rate]++
		n := tries.of[rate]
		tries.Unlock()
		if m.Rate() > 0.35 && n < 3 {
			panic(fmt.Sprintf("try %d of rate %v", n, rate))
		}
		return m.Solve(ctx, mjq.Backward{Samples: 30}, mjq.Seed(seed), mjq.Workers(1))
	})
	RegisterVerb("killed once", func(ctx context.Context, m mjq.Model, seed uint64) (*result.Result, error) {
		if file := os.Getenv(doomed); file != "" && m.Rate() > 0.35 {
			if w, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600); err == nil { // the first life
				fmt.Fprintln(w, os.Getpid())
				w.Close()
				time.Sleep(time.Minute)
				panic("nobody has killed this worker")
			}
		}
		return m.Solve(ctx, mjq.Backward{Samples: 30}, mjq.Seed(seed), mjq.Workers(1))
	})
}

// Bundles that panic fail their pipeline, for Prism does not repeat them. The
// next pipelines compute what is missing, and the result is the local one.
func TestPanickingBundles(t *testing.T) {
	ctx := context.Background()
	s := &Sweep{Model: model(t), Rates: []float64{0.3, 0.4, 0.25, 0.5}, Verb: "at the third try"}
	if _, err := Run(ctx, s, Options{}); err == nil || !strings.Contains(err.Error(), "attempt 1 of 1") {
		t.Fatalf("a pipeline with panics: %v", err)
	}
	reported, dir := 0, t.TempDir()
	res, err := Run(ctx, s, Options{Dir: dir, Attempts: 6, Report: func(int, error) { reported++ }})
	if err != nil || reported == 0 {
		t.Fatalf("error %v after %d failures", err, reported)
	}
	t.Logf("%d pipelines failed, tries by rate %v", reported+1, tries.of)
	if tries.of[0.4] < 3 || tries.of[0.5] < 3 { // more if a pipeline that was given up is still at it
		t.Errorf("tries by rate %v, want 3 or more of 0.4 and 0.5", tries.of)
	}
	if want := locally(t, s); bits(t, res) != bits(t, want) {
		t.Errorf("got\n%v\nwant\n%v", res, want)
	}
}

// inProcesses has workers run as processes for the rest of a test.
func inProcesses(t *testing.T, command string, environment ...string) {
	kind, config := *jobopts.EnvironmentType, *jobopts.EnvironmentConfig
	t.Cleanup(func() { *jobopts.EnvironmentType, *jobopts.EnvironmentConfig = kind, config })
	*jobopts.EnvironmentType = "PROCESS"
	*jobopts.EnvironmentConfig = fmt.Sprintf(`{"command":%q,"env":{%s}}`, command, strings.Join(environment, ","))
}

// A runner that waits for a worker that never comes is not waited for.
func TestLimit(t *testing.T) {
	inProcesses(t, "/bin/false")
	began := time.Now()
	_, err := Run(context.Background(), &Sweep{Model: model(t), Samples: 10}, Options{Limit: 2 * time.Second})
	if err == nil || !strings.Contains(err.Error(), "not done in 2s") || time.Since(began) > 30*time.Second {
		t.Errorf("error %v after %v", err, time.Since(began))
	}
}

// A worker process is killed in the middle of a part, with parts done and parts
// to do. Its pipeline fails, or is given up where Prism goes on waiting; the next
// has a worker of its own and gives the local result.
func TestKilledWorker(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "pid")
	inProcesses(t, self, fmt.Sprintf("%q:%q", doomed, file))
	killed := make(chan error, 1)
	go func() { killed <- kill(file) }()
	s := &Sweep{Model: model(t), Rates: []float64{0.2, 0.3, 0.4, 0.5}, Verb: "killed once"}
	dir, failures := t.TempDir(), []error(nil)
	res, err := Run(context.Background(), s, Options{Dir: dir, Attempts: 4, Limit: 30 * time.Second,
		Report: func(_ int, err error) { failures = append(failures, err) }})
	if err != nil {
		t.Fatal(err)
	}
	if err := <-killed; err != nil {
		t.Fatal(err)
	}
	if len(failures) == 0 {
		t.Error("no pipeline has failed, though its worker was killed")
	}
	t.Logf("the first pipeline: %v", failures)
	if want := locally(t, s); bits(t, res) != bits(t, want) {
		t.Errorf("got\n%v\nwant\n%v", res, want)
	}
}

// kill waits for a process id in the file and kills that process.
func kill(file string) error {
	for range 1200 {
		time.Sleep(50 * time.Millisecond)
		text, err := os.ReadFile(file)
		if err != nil || !strings.HasSuffix(string(text), "\n") {
			continue
		}
		pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
		if err != nil {
			return err
		}
		return syscall.Kill(pid, syscall.SIGKILL)
	}
	return fmt.Errorf("no worker has written %s", file)
}
