package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOutages: a log is replayed with the failures of its nodes, by events or by NODE_FAIL, advise says what they cost,
// and what is missing is told with the flag that gives it.
func TestOutages(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	row := func(id, state, date, start, end, elapsed string) string {
		at := "2026-01-" + date + "T"
		return strings.Join([]string{id, id, "a", "x", "p", "q", state, at + "01:00:00", at + "01:00:00", at + start, at + end, elapsed, "12:00:00", "cpu=1,node=1", "cpu=1,node=1", "1", ""}, "|") + "\n"
	}
	const header = "JobIDRaw|JobID|User|Account|Partition|QOS|State|Submit|Eligible|Start|End|Elapsed|Timelimit|ReqTRES|AllocTRES|NNodes|Reservation\n"
	jobs := header
	for _, date := range []string{"05", "07"} {
		jobs += row("1"+date, "COMPLETED", date, "01:00:00", "03:00:00", "02:00:00") + row("2"+date, "COMPLETED", date, "01:00:00", "03:00:00", "02:00:00")
	}
	calm, log := write("calm.txt", jobs), write("jobs.txt", jobs+row("3", "NODE_FAIL", "07", "01:00:00", "02:00:00", "01:00:00"))
	events := write("events.txt", "NodeName|TimeStart|TimeEnd|State|Reason\nn7|2026-01-05T00:00:00|2026-01-05T02:30:00|DOWN|Not responding [slurm@2026-01-05T00:00:00]\n")
	wrong := write("wrong.txt", "NodeName|TimeStart|TimeEnd|State|Reason\nn7|x|y|DOWN|\n")
	need := []string{"--need", "node", "--servers", "2"}
	if out, notes, code := command(append([]string{"replay", calm, "--failures", events}, need...)...); code != 0 || !strings.Contains(out, "Up 1.9") {
		t.Errorf("replay: %d %s\n%s", code, notes, out)
	}
	if out, notes, code := command(append([]string{"replay", log, "--node-fail", "3600", "--after", "restart", "--crews", "1", "--spares", "1"}, need...)...); code != 0 || !strings.Contains(out, "interruptions a job") {
		t.Errorf("NODE_FAIL: %d %s\n%s", code, notes, out)
	}
	out, notes, code := command("advise", log, "--nodes", "2", "--gpus", "1", "--need", "gres/gpu", "--failures", events, "--json")
	if code != 2 || !strings.Contains(notes, "holds none of gres/gpu") {
		t.Errorf("no GPUs: %d %s\n%s", code, notes, out)
	}
	out, notes, code = command("advise", log, "--nodes", "2", "--failures", events, "--json")
	for _, name := range []string{`"failures":`, `"causes":`, `"name":"Not responding"`, `"name":"NODE_FAIL"`, `"times":1`, `"hours":1.5`, `"runs":true`, `"policy":"`, `"waiting":`, `"spare":{`} {
		if code != 0 || !strings.Contains(strings.ReplaceAll(out, `": `, `":`), name) {
			t.Errorf("advise: %d %s: no %s", code, notes, name)
		}
	}
	for want, args := range map[string][]string{
		"no server fails; give --failures":  append([]string{log, "--crews", "1"}, need...),
		"give one of them":                  append([]string{log, "--failures", events, "--node-fail", "0"}, need...),
		"no run of " + calm:                 append([]string{calm, "--node-fail", "0"}, need...),
		"which servers are a node":          {log, "--servers", "2", "--need", "cpu", "--failures", events},
		`wrong.txt:2: "x" is no time`:       append([]string{log, "--failures", wrong}, need...),
		"no such file":                      append([]string{log, "--failures", filepath.Join(dir, "none")}, need...),
		"choose resume, restart, resampled": append([]string{log, "--failures", events, "--after", "restrat"}, need...),
		"no header of sacctmgr show event":  append([]string{log, "--failures", log}, need...),
	} {
		if out, notes, code := command(append([]string{"replay"}, args...)...); code != 2 || !strings.Contains(notes, want) {
			t.Errorf("%v: %d %s\ndoes not say %q\n%s", args, code, notes, want, out)
		}
	}
}
