package main

import (
	"bytes"
	"context"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/trace"
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

// TestSiteAdvice: a log that the priorities of the site wrote is explained by them, and other weights are tried.
func TestSiteAdvice(t *testing.T) {
	ctx, dir, rng := context.Background(), t.TempDir(), rand.New(rand.NewPCG(2, 9))
	var jobs []trace.Job
	for now := 0.0; now < 6*trace.Day; now += 640 * rng.ExpFloat64() {
		u := rng.IntN(5)
		jobs = append(jobs, trace.Job{Arrival: now, Need: 1 + rng.IntN(3), Service: 1800 * rng.ExpFloat64(), User: "u" + string(rune('0'+u)), Account: []string{"physics", "biology"}[u%2]})
	}
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const conf = "PriorityWeightAge = 1000\nPriorityMaxAge = 1-00:00:00\nPriorityWeightFairShare = 10000\nPriorityDecayHalfLife = 2-00:00:00\nPriorityCalcPeriod = 00:05:00\n"
	const shares = "Account|User|RawShares\nroot||\n physics||3\n  physics|u0|1\n  physics|u2|1\n  physics|u4|2\n biology||1\n  biology|u1|1\n  biology|u3|5\n"
	site := mjq.Must(trace.ReadSlurmConf("c", strings.NewReader(conf))).With(mjq.Must(trace.ReadShares("s", strings.NewReader(shares))))
	log := trace.New("made", jobs)
	how, _ := site.Replay(log, trace.Replay{Servers: 6})
	path := mjq.Must(log.Path(ctx, how, 0, 7*trace.Day))
	for i := range path.Jobs {
		jobs[i].Waited, jobs[i].WaitKnown = path.Jobs[i].Start-path.Jobs[i].Arrival, true
	}
	var text bytes.Buffer
	if err := trace.WriteCSV(&text, jobs); err != nil {
		t.Fatal(err)
	}
	out, notes, code := command("advise", file("log.csv", text.String()), "--servers", "6", "--slurm-conf", file("conf", conf), "--shares", file("shares", shares), "--json")
	var advice trace.Advice
	if err := json.Unmarshal([]byte(out), &advice); err != nil || code != 0 {
		t.Fatalf("%d: %v\n%s", code, err, notes)
	}
	if e := advice.Explained; e.Verdict != trace.Explains || e.Candidates[0].Name != "the priorities of the site" || e.Candidates[0].Apart > 1e-6 || e.Candidates[1].Apart < 0.1 {
		t.Errorf("%s: %+v", e.Verdict, e.Text)
	}
	var tried []string
	for _, s := range advice.Scenarios {
		if s.Setting != "" && strings.HasPrefix(s.Name, "priorities with") {
			tried = append(tried, s.Setting)
		}
	}
	slices.Sort(tried)
	if want := []string{"PriorityDecayHalfLife=14-0", "PriorityDecayHalfLife=30-0", "PriorityWeightAge=0", "PriorityWeightAge=5000", "PriorityWeightFairShare=0", "PriorityWeightFairShare=50000"}; !slices.Equal(tried, want) {
		t.Errorf("tried %v, want %v", tried, want)
	}
	if text := strings.Join(advice.Unknown, " "); strings.Contains(text, "Fair share") || !strings.Contains(text, "Usage from before the log") {
		t.Error(text)
	}
	given := []string{"compare", filepath.Join(dir, "log.csv"), "--servers", "6", "--policy", "EASY;Multifactor(Age=1000,MaxAge=86400,FairShare=1,HalfLife=172800).Within(EASY)", "--csv"}
	out, notes, code = command(append(given, "--weight", "FairShare=0,100,10000")...)
	for _, says := range []string{"EASY", "FairShare=100,", "FairShare=10000,", `Multifactor(Age=1000,MaxAge=86400,HalfLife=172800)`} {
		if code != 0 || !strings.Contains(out, says) {
			t.Errorf("%d: %q is not in %s%s", code, says, out, notes)
		}
	}
	for weight, says := range map[string]string{"FairShare": "give one as 0.5", "Fairshare=1": "did you mean FairShare", "Age=1,x": `"x" is not a number`} {
		if _, notes, code := command(append(given, "--weight", weight)...); code == 0 || !strings.Contains(notes, says) {
			t.Errorf("%s: %d: %s", weight, code, notes)
		}
	}
	if _, notes, code := command("compare", filepath.Join(dir, "log.csv"), "--servers", "6", "--policy", "EASY", "--weight", "Age=1"); code == 0 || !strings.Contains(notes, "no policy is a Multifactor") {
		t.Errorf("%d: %s", code, notes)
	}
}
