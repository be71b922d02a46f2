package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSite: a log is replayed under the priorities of a site, and what is not modelled is told.
func TestSite(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	log := write("jobs.csv", "arrival,servers,service,user,account\n0,2,10,ann,physics\n1,2,10,ann,physics\n2,2,10,cy,biology\n")
	conf := write("config.txt", "PriorityWeightFairShare = 10000\nPriorityUsageResetPeriod = MONTHLY\nPriorityCalcPeriod = 00:00:01\nSchedulerType=sched/builtin\n")
	shares := write("shares.txt", "Account|User|RawShares\nroot||\n physics||1\n  physics|ann|1\n biology||1\n  biology|cy|1\n")
	out, notes, code := command("replay", log, "--servers", "2", "--slurm-conf", conf, "--shares", shares, "--by", "account", "--csv")
	if code != 0 || !strings.Contains(notes, "Line 2, PriorityUsageResetPeriod = MONTHLY, is not modelled: it sets all usage to 0") || !strings.Contains(out, "account biology") {
		t.Errorf("%d: %s\n%s", code, out, notes)
	}
	for _, row := range strings.Split(out, "\n") { // cy comes before the second job of ann
		if strings.Contains(row, "account biology") && !strings.Contains(row, ",8,") {
			t.Error(row)
		}
	}
	if _, notes, code := command("replay", log, "--servers", "2", "--shares", shares); code == 0 || !strings.Contains(notes, "go with --slurm-conf") {
		t.Errorf("%d: %s", code, notes)
	}
	if _, notes, code := command("replay", log, "--servers", "2", "--slurm-conf", conf, "--policy", "EASY"); code == 0 || !strings.Contains(notes, "give one of them") {
		t.Errorf("%d: %s", code, notes)
	}
}
