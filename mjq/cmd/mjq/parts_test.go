package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// grid is a sweep of eight jobs.
const grid = "sweep queue.json --load 0.5,0.8 --servers 20,24 --replications-a-point 2 --method backward --samples 60 --seed 7"

// inDir is a command line about part or parts of a sweep in the directory parts.
func inDir(line string, more ...string) []string {
	return slices.Concat(strings.Fields(line), more, []string{"--dir", "parts"})
}

// TestPartsAreTheWhole: answers are those of one run however the work is cut, in whatever order
// parts are computed, and more parts than jobs.
func TestPartsAreTheWhole(t *testing.T) {
	inFolder(t)
	for _, form := range []string{"--csv", "--level=0.95"} { // the last leaves it a table
		want := answered(t, append(strings.Fields(grid), form)...)
		for _, n := range []int{1, 3, 8, 11} {
			for k := range n {
				answered(t, inDir(grid, "--part", fmt.Sprintf("%d/%d", n-1-k, n))...)
			}
			if got := answered(t, inDir(grid, "--merge", fmt.Sprint(n), form)...); got != want {
				t.Errorf("%d parts give\n%s\nwant\n%s", n, got, want)
			}
		}
	}
	out := answered(t, inDir(grid, "--part", "2/3")...)
	if !strings.HasPrefix(out, "part 2 of 3 was there already: jobs with a result: 2; time: ") {
		t.Errorf("a part that is kept: %q", out)
	}
}

// TestFailedPoints: points that have no result are named as one run names them.
func TestFailedPoints(t *testing.T) {
	inFolder(t)
	line := "sweep queue.json --rate 1 --laws Deterministic,ExpMean --servers 20,24 --method exact"
	want, said, code := command(append(strings.Fields(line), "--csv")...)
	if code != failed || strings.Count(want, "\n") < 3 || strings.Count(said, "Deterministic") < 2 {
		t.Fatalf("exit code %d, %s%s", code, want, said)
	}
	for _, part := range []string{"0/3", "1/3", "2/3"} {
		if _, notes, code := command(inDir(line, "--part", part)...); code != 0 {
			t.Errorf("part %s: exit code %d, %s", part, code, notes)
		}
	}
	got, notes, code := command(inDir(line, "--merge", "3", "--csv")...)
	if got != want || notes != said || code != failed {
		t.Errorf("exit code %d\n%s%s\nwant\n%s%s", code, got, notes, want, said)
	}
}

// TestMissingParts: parts that are missing or torn are named in ranges, and --partial writes
// the others.
func TestMissingParts(t *testing.T) {
	inFolder(t)
	for k := range 8 {
		answered(t, inDir(grid, "--part", fmt.Sprintf("%d/8", k))...)
	}
	want := answered(t, append(strings.Fields(grid), "--csv")...)
	for _, k := range []int{1, 5, 6} {
		file := partFile(t, k, 8)
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		switch k {
		case 1: // torn
			err = os.Truncate(file, 100)
		case 5: // changed
			data[len(data)-9]++
			err = os.WriteFile(file, data, 0o600)
		case 6: // never computed
			err = os.Remove(file)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	lack := "3 of 8 parts are not in parts (torn: 1,5); compute them by sbatch --array=1,5-6"
	out, notes, code := command(inDir(grid, "--merge", "8", "--csv")...)
	if code != failed || out != "" || !strings.Contains(notes, lack) {
		t.Errorf("exit code %d, printed %q, %s", code, out, notes)
	}
	out, notes, code = command(inDir(grid, "--merge", "8", "--csv", "--partial")...)
	if code != 0 || !strings.Contains(notes, lack) || out == "" || out == want {
		t.Errorf("with --partial: exit code %d, %s, %s", code, out, notes)
	}
	if out = answered(t, "sweep", "--status", "--dir", "parts"); !strings.Contains(out, "backward") || !strings.Contains(out, "5 of 8 parts, 5 of 8 jobs") || !strings.Contains(out, lack) {
		t.Errorf("status: %s", out)
	}
	for _, part := range []string{"1/8", "5/8", "6/8"} {
		answered(t, inDir(grid, "--part", part)...)
	}
	if got := answered(t, inDir(grid, "--merge", "8", "--csv")...); got != want {
		t.Errorf("computed again\n%s\nwant\n%s", got, want)
	}
}

// partFile is the file of a part, of which there must be one.
func partFile(t *testing.T, k, n int) string {
	t.Helper()
	files, err := filepath.Glob(fmt.Sprintf("parts/*-%d-of-%d", k, n))
	if err != nil || len(files) != 1 {
		t.Fatalf("part %d of %d is in %v, error %v", k, n, files, err)
	}
	return files[0]
}

// TestOtherSweeps: parts of one sweep do not serve another, and the message says why not.
func TestOtherSweeps(t *testing.T) {
	inFolder(t)
	answered(t, inDir(grid, "--part", "0/1")...)
	for more, part := range map[string]string{
		"--merge 2":                         "it has parts of it in 1: give --merge 1",
		"--merge 1 --seed 8":                "-0-of-1 is of a sweep with another seed; give --merge the flags",
		"--merge 1 --rel-err 5% --level .9": "another level, targets;",
		"--merge 1 --samples 61":            "another method;",
		"--merge 1 --rate 1":                "another grid;",
		"--merge 1 --policy EASY":           "another model;",
		"--merge 1 --dir elsewhere":         "there is no such directory",
		"--merge 1 --dir .":                 "it has no parts of any sweep",
	} {
		out, notes, code := command(append(inDir(grid), strings.Fields(more)...)...)
		if code != failed && code != badInput || out != "" || !strings.Contains(notes, part) {
			t.Errorf("%s: exit code %d, %q, %s does not say %q", more, code, out, notes, part)
		}
	}
	if out, notes, code := command("sweep", "--status", "--dir", "."); code != failed || out != "" || !strings.Contains(notes, "no part of a sweep") {
		t.Errorf("status of a directory without parts: exit code %d, %s%s", code, out, notes)
	}
}

// TestArrays: the number of a part may come from a job array; a mistake in it is told.
func TestArrays(t *testing.T) {
	inFolder(t)
	for _, c := range []struct{ part, variable, value, want string }{
		{"slurm/3", "SLURM_ARRAY_TASK_ID", "2", ""},
		{"k8s/3", "JOB_COMPLETION_INDEX", "1", ""},
		{"slurm/3", "SLURM_ARRAY_TASK_ID", "3", "numbered from 0 to 2; start the tasks by sbatch --array=0-2"},
		{"slurm/3", "SLURM_ARRAY_TASK_ID", "", `SLURM_ARRAY_TASK_ID is "" here; start the tasks by sbatch --array=0-2`},
		{"k8s/3", "JOB_COMPLETION_INDEX", "x", "an Indexed Job with completions: 3"},
		{"slurm", "SLURM_ARRAY_TASK_ID", "2", "as slurm/20"},
		{"3/3", "", "", "number the parts from 0"},
		{"pbs/3", "", "", "is not a part"},
	} {
		if c.variable != "" {
			t.Setenv(c.variable, c.value)
		}
		_, notes, code := command(inDir(grid, "--part", c.part)...)
		if (code == 0) != (c.want == "") || !strings.Contains(notes, c.want) {
			t.Errorf("%+v: exit code %d, %s", c, code, notes)
		}
	}
	partFile(t, 1, 3)
	partFile(t, 2, 3)
}

// lengthy is a part that takes a second or two.
const lengthy = "sweep queue.json --load 0.8 --method backward --samples 6000 --workers 1 --part 0/2 --dir parts"

// started starts a part in a process of its own, and returns when it computes.
func started(t *testing.T) (c *exec.Cmd, notes *bytes.Buffer) {
	t.Helper()
	c, notes = shell(t, "exec mjq "+lengthy), new(bytes.Buffer)
	c.Stderr = notes
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	for began := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		if _, err := os.Stat("parts"); err == nil {
			return c, notes
		}
		if time.Since(began) > time.Minute {
			t.Fatal("the part does not begin")
		}
	}
}

// TestStoppedParts: a part whose process is killed keeps nothing, one that is asked to stop
// exits with 75, and the same command computes it, also when two processes do at once.
func TestStoppedParts(t *testing.T) {
	inFolder(t)
	for signal, want := range map[syscall.Signal]int{syscall.SIGKILL: -1, syscall.SIGTERM: temporary, syscall.SIGINT: temporary} {
		if err := os.RemoveAll("parts"); err != nil {
			t.Fatal(err)
		}
		c, notes := started(t)
		if err := c.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		var exit *exec.ExitError
		if err := c.Wait(); !errors.As(err, &exit) || exit.ExitCode() != want {
			t.Errorf("%v: %v, %s", signal, err, notes)
		}
		if want == temporary && !strings.Contains(notes.String(), "run the same command again") {
			t.Errorf("%v: said %q", signal, notes)
		}
		if files, err := filepath.Glob("parts/[^.]*"); err != nil || len(files) > 0 {
			t.Errorf("after %v there is %v, error %v", signal, files, err)
		}
	}
	one, _ := started(t)
	two, _ := started(t)
	if err := errors.Join(one.Wait(), two.Wait()); err != nil {
		t.Fatal(err)
	}
	if files, err := os.ReadDir("parts"); err != nil || len(files) != 1 {
		t.Errorf("two writers leave %v, error %v", files, err)
	}
	whole, _, _ := strings.Cut(lengthy, "--part")
	answered(t, inDir(whole, "--part", "1/2")...)
	if got, want := answered(t, inDir(whole, "--merge", "2", "--csv")...), answered(t, append(strings.Fields(whole), "--csv")...); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestFullDirectory: a directory without room is told before anything is computed, and one
// that fills up meanwhile with the bytes that it takes.
func TestFullDirectory(t *testing.T) {
	inFolder(t)
	if err := os.Mkdir("parts", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := exec.Command("mount", "-t", "tmpfs", "-o", "size=16k", "none", "parts").Run(); err != nil {
		t.Skip("only root can make a full file system here:", err)
	}
	t.Cleanup(func() {
		if err := exec.Command("umount", "parts").Run(); err != nil {
			t.Error(err)
		}
	})
	_, notes, code := command(inDir(grid, "--part", "0/1")...)
	if code != failed || !strings.Contains(notes, "parts has no room for ") || strings.Contains(notes, "for 4096 bytes") || !strings.Contains(notes, "run the same command again") {
		t.Errorf("exit code %d, %s", code, notes)
	}
	if files, err := os.ReadDir("parts"); err != nil || len(files) > 0 {
		t.Errorf("there is %v, error %v", files, err)
	}
	if err := os.WriteFile("parts/full", make([]byte, 14<<10), 0o600); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	long := strings.Replace(grid, "--samples 60", "--samples 60000000", 1)
	if _, notes, code = command(inDir(long, "--part", "0/1")...); code != failed || !strings.Contains(notes, "no room for 4096 bytes") || time.Since(began) > time.Minute {
		t.Errorf("exit code %d, %s", code, notes)
	}
}

// TestWatch: it waits for the directory of a task that has not begun, and ends when all parts are
// there, or when it is interrupted.
func TestWatch(t *testing.T) {
	inFolder(t)
	early, leave := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer leave()
	var out, notes bytes.Buffer
	if code := run(early, []string{"sweep", "--watch", "--dir", "parts"}, streams{out: &out, notes: &notes}); code != interrupted || !strings.Contains(out.String(), "parts has no part yet") {
		t.Errorf("before there is a directory: exit code %d, %s%s", code, out.String(), notes.String())
	}
	answered(t, inDir(grid, "--part", "0/1")...)
	if out := answered(t, "sweep", "--watch", "--dir", "parts"); !strings.HasPrefix(out, "after 0s:\nsweep ") || !strings.Contains(out, "1 of 1 parts") {
		t.Errorf("all are there: %q", out)
	}
	if err := os.Rename(partFile(t, 0, 1), strings.TrimSuffix(partFile(t, 0, 1), "1")+"2"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	if code := run(ctx, []string{"sweep", "--watch", "--dir", "parts"}, streams{out: &out, notes: &notes}); code != interrupted || !strings.Contains(out.String(), "1 of 2 parts are not in parts") {
		t.Errorf("exit code %d, %s%s", code, out.String(), notes.String())
	}
}
