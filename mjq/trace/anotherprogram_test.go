package trace_test

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/trace"
)

// plainJob is a job of a program that shares no code with the reader and the engine: it cuts lines at
// blanks, and looks at all jobs at every instant at which one comes or goes.
type plainJob struct{ submit, wait, run, need, limit, start int }

// plainLog reads SWF, in whole seconds.
func plainLog(t *testing.T, file string) (jobs []plainJob) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, ";") || strings.TrimSpace(line) == "" {
			continue
		}
		var x [18]int
		cells := strings.Fields(line)
		for _, k := range []int{1, 2, 3, 4, 7, 8} {
			if x[k], err = strconv.Atoi(cells[k]); err != nil {
				t.Fatal(err)
			}
		}
		if need := max(x[4], 0); x[3] > 0 && (need > 0 || x[7] > 0) {
			if need == 0 {
				need = x[7]
			}
			jobs = append(jobs, plainJob{submit: x[1], wait: x[2], run: x[3], need: need, limit: x[8], start: -1})
		}
	}
	return jobs
}

// serve starts the jobs first come, first served, or by EASY backfilling: a job behind the first may start
// if the first then starts no later than the limits of the running jobs promise.
func serve(jobs []plainJob, servers int, easy bool) {
	var queue, running []int
	for next := 0; next < len(jobs) || len(running) > 0; {
		now := 1 << 62
		for _, k := range running {
			now = min(now, jobs[k].start+jobs[k].run)
		}
		if next < len(jobs) {
			now = min(now, jobs[next].submit)
		}
		running = slices.DeleteFunc(running, func(k int) bool { return jobs[k].start+jobs[k].run <= now })
		for next < len(jobs) && jobs[next].submit <= now {
			queue = append(queue, next)
			next++
		}
		free := servers
		for _, k := range running {
			free -= jobs[k].need
		}
		begin := func(k int) {
			jobs[k].start, free, running = now, free-jobs[k].need, append(running, k)
		}
		for len(queue) > 0 && jobs[queue[0]].need <= free {
			begin(queue[0])
			queue = queue[1:]
		}
		if !easy || len(queue) == 0 {
			continue
		}
		ends := slices.Clone(running)
		promised := func(k int) int { return max(now, jobs[k].start+jobs[k].limit) }
		slices.SortStableFunc(ends, func(a, b int) int { return promised(a) - promised(b) })
		at, then := 0, free
		for _, k := range ends {
			if then >= jobs[queue[0]].need && promised(k) > at {
				break
			}
			at, then = promised(k), then+jobs[k].need
		}
		spare, left := then-jobs[queue[0]].need, queue[:1:1]
		for _, k := range queue[1:] {
			j := &jobs[k]
			if inTime := now+j.limit <= at; j.need > free || !inTime && j.need > spare {
				left = append(left, k)
			} else {
				if !inTime {
					spare -= j.need
				}
				begin(k)
			}
		}
		queue = left
	}
}

// TestReplaysOfAnotherProgram: a real log has the jobs, the core hours and, under first come, first served
// and EASY backfilling by the users' limits, the starts that the other program finds. Both are of the log
// of HPC2N, of which testdata/README.md tells: 3,145 jobs, 139,904 core hours, mean waits of 5,628 and 3,550 s.
func TestReplaysOfAnotherProgram(t *testing.T) {
	log := hpc2n(t)
	for _, x := range []struct {
		policy mjq.Policy
		easy   bool
		mean   float64
	}{{policy.FCFS{}, false, 5627.88299}, {policy.EASY().Estimates(policy.Given()), true, 3550.41908}} {
		jobs := plainLog(t, "testdata/hpc2n-excerpt.swf")
		slices.SortStableFunc(jobs, func(a, b plainJob) int { return a.submit - b.submit })
		serve(jobs, 240, x.easy)
		path := mjq.Must(log.Path(background, trace.Replay{Servers: 240, Policy: x.policy}, 0, 0, mjq.NoCache()))
		if len(jobs) != 3145 || len(path.Jobs) != len(jobs) {
			t.Fatalf("%d jobs, and the other program has %d", len(path.Jobs), len(jobs))
		}
		hours, work, waits, wrong := 0, 0., 0, 0
		for i, j := range jobs {
			hours += j.need * j.run
			work += float64(log.Jobs[i].Need) * log.Jobs[i].Service
			waits += j.start - j.submit
			if path.Jobs[i].Start != float64(j.start) {
				wrong++
			}
		}
		if wrong > 0 || work != float64(hours) || hours/3600 != 139_904 {
			t.Errorf("%v: %d of %d starts differ, and the work is %v, not %v", x.policy, wrong, len(jobs), work, hours)
		}
		mean := float64(waits) / float64(len(jobs))
		if math.Abs(mean-x.mean) > 1e-5 {
			t.Errorf("%v: the other program has a mean wait of %v, and had %v", x.policy, mean, x.mean)
		}
		if r := mjq.Must(log.Replay(background, trace.Replay{Servers: 240, Policy: x.policy}, mjq.NoCache())); math.Abs(r.All.Waiting.Mean.Value/mean-1) > 1e-12 {
			t.Errorf("%v: the mean wait is %v, and the other program has %v", x.policy, r.All.Waiting.Mean.Value, mean)
		}
	}
}

// TestGivenLogsOfAnotherProgram: so do the logs in SWF that MJQ_LOGS names, separated as in PATH, on the processors
// that their headers say, such as those of the Parallel Workloads Archive. It tells their account.
func TestGivenLogsOfAnotherProgram(t *testing.T) {
	for _, file := range filepath.SplitList(os.Getenv("MJQ_LOGS")) {
		text := mjq.Must(os.Open(file))
		log := mjq.Must(trace.ReadSWF(file, text, trace.SWF{}))
		_ = text.Close()
		const month = 30 * 86400 // limit of jobs without one
		for _, easy := range []bool{false, true} {
			how := trace.Replay{Servers: log.Report.Servers, NoEstimate: month, FromEmpty: true, Since: mjq.None}
			if easy {
				how.Policy = policy.EASY().Estimates(policy.Given())
			}
			jobs := plainLog(t, file)
			for i := range jobs {
				if jobs[i].limit <= 0 {
					jobs[i].limit = month
				}
			}
			slices.SortStableFunc(jobs, func(a, b plainJob) int { return a.submit - b.submit })
			serve(jobs, how.Servers, easy)
			path := mjq.Must(log.Path(background, how, 0, 0, mjq.NoCache()))
			if len(path.Jobs) != len(jobs) {
				t.Fatalf("%s: %d jobs, and the other program has %d", file, len(path.Jobs), len(jobs))
			}
			work, waits, wrong := 0, 0, 0
			for i, j := range jobs {
				work, waits = work+j.need*j.run, waits+j.start-j.submit
				if path.Jobs[i].Start != float64(j.start) || log.Jobs[i].Need != j.need {
					wrong++
				}
			}
			t.Logf("%s, EASY %v: %d jobs, %d core hours, a mean wait of %.5f s", file, easy, len(jobs), work/3600, float64(waits)/float64(len(jobs)))
			if wrong > 0 {
				t.Errorf("%s, EASY %v: %d of %d starts or needs differ", file, easy, wrong, len(jobs))
			}
		}
	}
}
