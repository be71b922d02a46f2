//go:build unix

package main

import (
	"bytes"
	"compress/gzip"
	"context"
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

// zeros gives zeros for ever.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }
