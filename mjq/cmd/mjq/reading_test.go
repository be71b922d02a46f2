//go:build unix

package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestReadingHears: an interrupt ends a command that waits for its input, whichever that is, with
// exit code 130.
func TestReadingHears(t *testing.T) {
	inFolder(t)
	for _, name := range []string{"pipe", "pipe.json", "pipe.csv", "pipe.swf", "pipe.gz"} {
		if err := syscall.Mkfifo(name, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, line := range []string{
		"solve -", "solve pipe.json", "stability pipe.csv --servers 3", "solve queue.json --rates pipe", "report -", "fewest-servers - --mean-wait 1",
		"merge pipe", "merge -", "replay pipe.swf --servers 3", "fit pipe.csv --servers 3", "advise pipe.gz --servers 3", "compare pipe.swf --policy FCFS;EASY",
		"path pipe.csv", "sweep - --rate 1 --part 0/2 --dir d", "advise jobs.csv --sinfo pipe --need cpu",
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		stdin, never := io.Pipe()
		var out, notes bytes.Buffer
		ended := make(chan int)
		go func() { ended <- run(ctx, strings.Fields(line), streams{in: stdin, out: &out, notes: &notes}) }()
		select {
		case code := <-ended:
			if code != interrupted || out.Len() > 0 {
				t.Errorf("mjq %s: exit code %d, printed %q, %q", line, code, out.String(), notes.String())
			}
		case <-time.After(20 * time.Second):
			t.Errorf("mjq %s does not hear", line)
		}
		cancel()
		_ = never.Close()
	}
}

// TestInputsAreBounded: what is too large, or cannot be a model by its name, is not read to its
// end.
func TestInputsAreBounded(t *testing.T) {
	inFolder(t)
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := io.CopyN(z, zeros{}, 1<<26); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{os.WriteFile("bomb.json.gz", packed.Bytes(), 0o600), os.WriteFile("hole.json", nil, 0o600), os.Truncate("hole.json", 20<<30)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for line, want := range map[string]string{
		"solve bomb.json.gz":                 "its ending does not say what it holds",
		"solve hole.json":                    "20480 MB; at most 256 MB are read",
		"merge hole.json":                    "at most 256 MB are read",
		"path bomb.json.gz":                  "a log is the output of sacct, SWF or CSV",
		"replay bomb.json.gz":                "a log is the output of sacct, SWF or CSV",
		"solve queue.json --rates hole.json": "at most 256 MB are read",
	} {
		if out, notes, code := command(strings.Fields(line)...); code != badInput || out != "" || !strings.Contains(notes, want) {
			t.Errorf("mjq %s: exit code %d, %q, want %q", line, code, notes, want)
		}
	}
}

// TestFiltersAndAccount: values of one column are alternatives, an overlapping export from standard
// input counts once, and JSON has the account and the window.
func TestFiltersAndAccount(t *testing.T) {
	inFolder(t)
	row := func(id, partition, submit string) string {
		return id + "|" + partition + "|COMPLETED|2026-03-02T" + submit + "|2026-03-02T" + submit + "|2026-03-02T09:00:00|01:00:00|cpu=2\n"
	}
	head := "JobID|Partition|State|Submit|Start|End|Elapsed|AllocTRES\n"
	text := head + row("1", "cpu", "01:00:00") + row("2", "gpu", "02:00:00") + row("3", "debug", "03:00:00") + head + row("2", "gpu", "02:00:00")
	if err := os.WriteFile("log.txt", []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for flags, want := range map[string][3]int{
		"":                         {3, 1, 0},
		"--only Partition=cpu,gpu": {2, 1, 1},
		"--only Partition=cpu --only Partition=debug":                 {2, 0, 2},
		"--without Partition=cpu --without Partition=debug":           {1, 1, 2},
		"--until 2026-03-02T03:00":                                    {2, 1, 0},
		"--only Partition=cpu,gpu --only Submit>=2026-03-02T02:00:00": {1, 1, 2},
	} {
		for _, verb := range []string{"replay log.txt --servers 8 --json ", "compare log.txt --servers 8 --policy FCFS;EASY --json ", "path log.txt --servers 8 --json "} {
			out, notes, code := command(strings.Fields(verb + flags)...)
			var got struct {
				Log struct {
					Jobs, Doubled, Filtered int
					Window                  struct{ Why string }
				}
			}
			if err := json.Unmarshal([]byte(out), &got); code != 0 || err != nil || [3]int{got.Log.Jobs, got.Log.Doubled, got.Log.Filtered} != want || got.Log.Window.Why == "" {
				t.Errorf("mjq %s%s: %d %s, %+v, want %v", verb, flags, code, notes, got, want)
			}
		}
	}
	for _, line := range []string{"replay - --servers 8", "compare - --servers 8 --policy FCFS;EASY", "path - --servers 8", "fit - --servers 8"} {
		var stdout, notes bytes.Buffer
		if code := run(t.Context(), strings.Fields(line), streams{in: strings.NewReader(text), out: &stdout, notes: &notes}); code != 0 || !strings.Contains(stdout.String(), "6 lines of - give 3 jobs; 1 doubled") {
			t.Errorf("mjq %s: %d %s %s", line, code, stdout.String(), notes.String())
		}
	}
	model, err := os.ReadFile("queue.json")
	if err != nil {
		t.Fatal(err)
	}
	var stdout, notes bytes.Buffer
	if code := run(t.Context(), strings.Fields("path - --to 5"), streams{in: bytes.NewReader(model), out: &stdout, notes: &notes}); code != 0 {
		t.Errorf("a model from standard input: %d %s", code, notes.String())
	}
	more := head + row("3", "debug", "03:00:00") + row("4", "cpu", "04:00:00")
	if err := os.WriteFile("more.txt", []byte(more), 0o600); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]string{
		"replay log.txt more.txt --servers 8":                     "9 lines of log.txt and 1 more give 4 jobs; 2 doubled",
		"compare more.txt log.txt --servers 8 --policy FCFS;EASY": "9 lines of more.txt and 1 more give 4 jobs; 2 doubled",
		"path queue.json log.txt --servers 8":                     "path takes several files of logs, or one model; 2 are given, and queue.json is a model",
		"replay log.txt jobs.csv --servers 8":                     "jobs.csv: several files are read together if all have the output of sacct",
		"replay centre.swf --only queue=7":                        "keep none of",
		"replay jobs.csv --servers 8 --only servers>=4 --json":    `"filtered": 8`,
		"replay jobs.csv --servers 8 --only colour=red":           "has no column colour",
	} {
		if out, notes, _ := command(strings.Fields(line)...); !strings.Contains(out+notes, want) {
			t.Errorf("mjq %s: %s %s, want %q", line, out, notes, want)
		}
	}
}

// TestClustersAreApart: every verb about logs refuses an export of several clusters, and takes one of them.
func TestClustersAreApart(t *testing.T) {
	inFolder(t)
	text := "Cluster|JobID|State|Submit|Start|End|Elapsed|AllocTRES\n"
	for day := range 4 {
		for _, cluster := range []string{"ada", "bob"} {
			at := fmt.Sprintf("2026-03-%02dT01:00:00", 2+day)
			text += fmt.Sprintf("%s|%d|COMPLETED|%s|%s|%s|01:00:00|cpu=2\n", cluster, day+1, at, at, at)
		}
	}
	if err := os.WriteFile("two.txt", []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"fit", "replay", "compare --policy FCFS;EASY", "path", "advise"} {
		args := append(strings.Fields(line), "two.txt", "--servers", "8")
		if out, notes, code := command(args...); code == 0 || out != "" || !strings.Contains(notes, "jobs of 2 clusters (ada, bob), which share no servers; keep those of one: --cluster ada") {
			t.Errorf("mjq %s: %d %.80s %s", line, code, out, notes)
		}
		if out, notes, code := command(append(args, "--cluster", "bob")...); code != 0 || strings.Contains(out, "clusters") {
			t.Errorf("mjq %s --cluster bob: %d %s", line, code, notes)
		}
	}
}

// zeros gives zeros for ever.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }
