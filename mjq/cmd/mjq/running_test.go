package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/plots"
	"github.com/mjqueue/mjq/mjq/result"
)

// TestInterrupted: what there was by then is written with a note, exit code 130, also of
// several models, of which the first is done.
func TestInterrupted(t *testing.T) {
	inFolder(t)
	for _, line := range []string{
		"solve queue.json --method backward --samples 100000000 --workers 1 --json",
		"solve queue.json --method simulation --jobs 2000 --replications 10000000 --workers 1 --json",
	} {
		r, notes := interruptedRun(t, line)
		if r.Run.Complete || r.Run.Samples == 0 || r.Notes[len(r.Notes)-1] != interruption || !strings.Contains(notes, "interrupted") {
			t.Errorf("mjq %s: %+v, %v, %s", line, r.Run, r.Notes, notes)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var out, notes bytes.Buffer
	if code := run(ctx, []string{"solve", "queue.json"}, streams{out: &out, notes: &notes}); code != interrupted || out.Len() > 0 {
		t.Errorf("before an answer: exit code %d, printed %q, %q", code, out.String(), notes.String())
	}
}

// interruptedRun is what a command answers that is interrupted once it has something to
// show, which on a busy machine may take a while.
func interruptedRun(t *testing.T, line string) (r result.Result, said string) {
	t.Helper()
	for wait := 700 * time.Millisecond; wait < time.Minute; wait *= 3 {
		ctx, cancel := context.WithTimeout(context.Background(), wait)
		var out, notes bytes.Buffer
		code := run(ctx, strings.Fields(line), streams{out: &out, notes: &notes})
		cancel()
		r, said = result.Result{}, notes.String()
		if err := json.Unmarshal(out.Bytes(), &r); err != nil || code != interrupted {
			t.Fatalf("mjq %s: exit code %d, %s, %v", line, code, said, err)
		}
		if r.Run.Samples > 0 {
			break
		}
	}
	return r, said
}

// TestInterruptSignal: Ctrl-C is an interrupt that ends the process in good order.
func TestInterruptSignal(t *testing.T) {
	inFolder(t)
	c := shell(t, "exec mjq solve queue.json --method simulation --jobs 2000 --replications 10000000 --workers 1 --json -o answer.json")
	var notes bytes.Buffer
	c.Stderr = &notes
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(1500 * time.Millisecond)
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	err := c.Wait()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != interrupted {
		t.Fatalf("%v, %s", err, notes.String())
	}
	text, err := os.ReadFile("answer.json")
	if err != nil {
		t.Fatal(err)
	}
	var r result.Result
	if err := json.Unmarshal(text, &r); err != nil || r.Run.Complete || r.Run.Samples == 0 {
		t.Errorf("%v, %+v", err, r.Run)
	}
}

// TestTarget: a target that is not reached is exit code 3, one that is 0.
func TestTarget(t *testing.T) {
	inFolder(t)
	for line, want := range map[string]int{
		"solve queue.json --method forward --jobs 1000 --replications 8 --rel-err 1e-5":        notMet,
		"solve queue.json --method forward --jobs 20000 --rel-err 0.2":                         0,
		"solve queue.json --method simulation --jobs 1000 --replications 40 --half-width 1e-5": notMet,
		"solve queue.json --method simulation --rate 4 --jobs 1000 --rel-err 0.1":              0, // beyond its limit
		"stability queue.json --method pile --max-jobs 100000 --rel-err 1e-6 --seed 1":         notMet,
	} {
		out, notes, code := command(strings.Fields(line)...)
		if code != want || out == "" {
			t.Errorf("mjq %s: exit code %d, %s, printed %q", line, code, notes, out)
		}
	}
}

// TestProgress: on a terminal, unless it is to be quiet, and in a pipe not.
func TestProgress(t *testing.T) {
	inFolder(t)
	for _, c := range []struct {
		terminal bool
		more     string
		shown    bool
	}{{true, "", true}, {true, " --quiet", false}, {false, "", false}} {
		var out, notes bytes.Buffer
		line := "solve queue.json --method simulation --jobs 10000 --replications 100" + c.more
		if code := run(context.Background(), strings.Fields(line), streams{out: &out, notes: &notes, terminal: c.terminal}); code != 0 {
			t.Fatal(notes.String())
		}
		if shown := regexp.MustCompile(`solve 1 of 1: \d+ %`).MatchString(notes.String()); shown != c.shown || !c.shown && notes.Len() > 0 {
			t.Errorf("%+v: %q", c, notes.String())
		}
		if c.shown && !strings.HasSuffix(notes.String(), "\r\x1b[K") {
			t.Errorf("the line stays: %q", notes.String())
		}
	}
}

// TestPictures: they are those of package plots, and --plot chooses.
func TestPictures(t *testing.T) {
	inFolder(t)
	ctx := context.Background()
	one := mjq.Must(queue().Solve(ctx, mjq.Exact{}))
	var two []*result.Result
	for _, rate := range []float64{1, 2} {
		two = append(two, mjq.Must(queue().AtRate(rate).Solve(ctx)))
	}
	for line, want := range map[string]drawing{
		"solve queue.json --svg": plots.Tails(mjq.Must(queue().Solve(ctx))), "solve queue.json --rate 1,2 --svg": plots.Means(two...),
		"solve queue.json --method exact --moments-only --svg": plots.Means(one), "solve queue.json --rate 1,2 --svg --plot waste": plots.Waste(two...),
		"compare queue.json --policy FCFS;EASY --jobs 1000 --svg": plots.Compare(mjq.Must(mjq.Compare(ctx, queue(), []mjq.Policy{mjq.FCFS(), mjq.EASY()}, mjq.Simulation{Jobs: 1000}))),
		"solve queue.json --rate 1,2 --svg --plot quantiles":      plots.Quantiles(0.9, two...), "solve queue.json --svg --plot variances": plots.Variances(one),
	} {
		svg, err := want.SVG()
		if err != nil {
			t.Fatal(err)
		}
		if out := answered(t, strings.Fields(line)...); out != string(svg) {
			t.Errorf("mjq %s is not %q", line, want.Title())
		}
	}
}

// elsewhere is whatever a page would load from another place.
var elsewhere = regexp.MustCompile(`(?i)(src|href)="?(https?:|//|[^#"])|@import|url\((?:https?|//)|<script`)

// TestPages: they stand alone, hold pictures, and escape what files say.
func TestPages(t *testing.T) {
	inFolder(t)
	evil := strings.Replace(string(mustRead(t, "queue.json")), `"small"`, `"<script>alert(1)</script>"`, 1)
	if err := os.WriteFile("evil.json", []byte(evil), 0o644); err != nil {
		t.Fatal(err)
	}
	for line, pictures := range map[string]int{
		"solve evil.json --html": 1, "solve evil.json --rate 1,2 --html": 5, "report evil.json": 4, "stability evil.json --html": 1,
		"methods evil.json --html": 0, "fit jobs.csv --servers 8 --html": 1, "fit centre.swf --arrivals best --html": 2, "fewest-servers evil.json --mean-wait 0.7 --html": 1, "path evil.json --html": 1, "heavy-traffic evil.json --html": 1, "capacity evil.json --html": 0, "replay jobs.csv --servers 8 --html": 1,
		"compare evil.json --policy FCFS;EASY --jobs 1000 --html": 2, "compare jobs.csv --servers 8 --policy FCFS;EASY --html": 2,
	} {
		out := answered(t, strings.Fields(line)...)
		if !strings.HasPrefix(out, "<!DOCTYPE html>") || !strings.HasSuffix(out, "</html>\n") || elsewhere.MatchString(out) {
			t.Errorf("mjq %s: not a page that stands alone: %q", line, elsewhere.FindString(out))
		}
		if n := strings.Count(out, "<figure><svg"); n != pictures {
			t.Errorf("mjq %s: %d pictures, want %d", line, n, pictures)
		}
	}
}

func mustRead(t *testing.T, file string) []byte {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestCompressed: a log in .gz is read as the log itself.
func TestCompressed(t *testing.T) {
	inFolder(t)
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write(mustRead(t, "centre.swf"))
	if err := errors.Join(err, z.Close(), os.WriteFile("packed.swf.gz", b.Bytes(), 0o644)); err != nil {
		t.Fatal(err)
	}
	want := strings.ReplaceAll(answered(t, "replay", "centre.swf", "--csv"), "centre.swf", "packed.swf.gz")
	if got := answered(t, "replay", "packed.swf.gz", "--csv"); got != want {
		t.Errorf("%s\nand not packed\n%s", got, want)
	}
}

// TestCompletion: shells get names of methods and policies, and a script.
func TestCompletion(t *testing.T) {
	for line, want := range map[string]string{
		"__complete solve --method ": "dominated", "__complete compare --policy ": "MostServersFirst",
		"__complete replay --by ": "powers", "__complete solve --plot ": "tails", "__complete fit ": "swf", "__complete st": "stability",
		"completion bash": "mjq", "completion zsh": "mjq", "completion fish": "mjq", "completion powershell": "mjq",
	} {
		args := strings.Split(line, " ")
		if out, _, code := command(args...); code != 0 || !strings.Contains(out, want) {
			t.Errorf("%s: exit code %d, printed %q", line, code, out)
		}
	}
}
