package trace

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// accountedRun is a run of a job as accounting keeps it, with times in seconds; it starts at -1 if it left.
type accountedRun struct {
	cluster, id, raw, user, state     string
	submit, start, end, need, elapsed int
}

// forms are the columns of the IDs and of the cluster that an export may have.
var forms = []string{"JobIDRaw|JobID|Cluster", "JobID|Cluster", "JobIDRaw|Cluster", "JobID"}

// line is what sacct says of the run at a time, with the columns of a form; "" if it does not know it yet.
func (r accountedRun) line(now int, form string) string {
	stamp := func(at int) string {
		return time.Unix(1772409600+int64(at), 0).UTC().Format("2006-01-02T15:04:05")
	}
	state, start, end, elapsed, held := r.state, "Unknown", "Unknown", 0, ""
	switch {
	case now < r.submit:
		return ""
	case r.start < 0 && now >= r.end:
		start, end = "None", stamp(r.end)
	case r.start < 0 || now < r.start:
		state = "PENDING"
	case now < r.end:
		state, start, elapsed = "RUNNING", stamp(r.start), now-r.start
	default:
		start, end, elapsed = stamp(r.start), stamp(r.end), r.elapsed
	}
	if elapsed > 0 || state != "PENDING" && r.start >= 0 {
		held = fmt.Sprintf("cpu=%d,node=1", r.need)
	}
	raw := r.raw
	if array, _, ok := strings.Cut(r.id, "_"); ok && state == "PENDING" {
		raw = array // as of all tasks together
	}
	ids := strings.NewReplacer("JobIDRaw", raw, "JobID", r.id, "Cluster", r.cluster).Replace(form)
	return fmt.Sprintf("%s|%s|p|%s|%s|%s|%s|%s|%s|1-00:00:00|cpu=%d,node=1|%s\n", ids, r.user, state, stamp(r.submit), stamp(r.submit), start, end, clockOf(float64(elapsed)/86400), r.need, held)
}

const toldHead = "|User|Partition|State|Submit|Eligible|Start|End|Elapsed|Timelimit|ReqTRES|AllocTRES\n"

// madeRuns are runs of every kind: of jobs that are requeued or leave, of arrays and heterogeneous
// jobs, with the same IDs on two clusters and IDs used again later.
func madeRuns(r *rand.Rand) (list []accountedRun) {
	for epoch := range 2 {
		for _, cluster := range []string{"ada", "bob"} {
			for id := 1; id <= 12; id++ {
				user, submit := fmt.Sprint(cluster, "user", epoch, r.IntN(3)), epoch*40*86400+r.IntN(50000)
				run := func(name, state string, submit int) int {
					start := submit + r.IntN(3000)
					end := start + 1 + r.IntN(20000)
					list = append(list, accountedRun{cluster, name, name, user, state, submit, start, end, 1 + r.IntN(9), end - start})
					return end
				}
				switch name := fmt.Sprint(id); id % 6 {
				case 0:
					list = append(list, accountedRun{cluster, name, name, user, "CANCELLED by 7", submit, -1, submit + r.IntN(9000), 3, 0})
				case 1:
					end := run(name, "PREEMPTED", submit)
					run(name, "COMPLETED", run(name, "REQUEUED", end+r.IntN(500))+r.IntN(500))
				case 2:
					for task := range 1 + r.IntN(4) {
						run(fmt.Sprintf("%d_%d", id, task), "COMPLETED", submit)
						list[len(list)-1].raw = fmt.Sprint(100*id + task)
					}
					list = append(list, accountedRun{cluster, fmt.Sprintf("%d_9", id), fmt.Sprint(id), user, "CANCELLED by 7", submit, -1, submit + r.IntN(9000), 3, 0})
				case 3:
					start, length := submit+r.IntN(3000), 1+r.IntN(20000)
					for part := range 3 {
						list = append(list, accountedRun{cluster, fmt.Sprintf("%d+%d", id, part), fmt.Sprint(100*id + part), user, "COMPLETED", submit, start, start + length, 1 + part, length})
					}
				default:
					run(name, []string{"COMPLETED", "FAILED", "TIMEOUT"}[r.IntN(3)], submit)
				}
			}
		}
	}
	return list
}

// known is what matters of the jobs of a log, in an order of its own.
func known(t *Trace) (list []string) {
	for _, j := range t.Jobs {
		list = append(list, fmt.Sprint(t.Report.Origin.Unix()+int64(j.Arrival), j.Need, j.Service, j.Waited, j.User, j.Estimate))
	}
	for _, d := range t.Left {
		list = append(list, fmt.Sprint("left ", t.Report.Origin.Unix()+int64(d.Arrival), d.Need, d.Waited, d.User, d.Waiting))
	}
	slices.Sort(list)
	return list
}

// TestSacctOverlaps: exports that overlap in any way and order give what the last one gives of all,
// under every rule for runs, with either column of IDs or both.
func TestSacctOverlaps(t *testing.T) {
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 51))
		all := madeRuns(r)
		const end = 90 * 86400
		export := func(from, now int, form string) string {
			lines := []string{}
			for _, x := range all {
				if line := x.line(now, form); line != "" && (x.end >= from || now < x.end) {
					lines = append(lines, line)
				}
			}
			slices.SortFunc(lines, func(string, string) int { return cmp.Compare(r.IntN(3), 1) })
			return form + toldHead + strings.Join(lines, "")
		}
		parts, some := []string{}, forms[:2]
		if seed%2 == 1 { // a log with JobIDRaw alone cannot tell which components are of one job
			parts, some = append(parts, export(0, end, "JobID|Cluster")), forms
		}
		for from := 0; from < end; {
			now := from + 3600 + r.IntN(20000)
			if from > 80000 && from < 40*86400 || from > 43*86400 {
				now += 38 * 86400
			}
			parts = append(parts, export(from-r.IntN(40000), min(now, end), some[r.IntN(len(some))]))
			if r.IntN(4) == 0 {
				parts = append(parts, parts[r.IntN(len(parts))])
			}
			from = now
		}
		r.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
		for _, how := range []Sacct{{}, {Requeued: LastRun}, {Requeued: Joined}, {Running: true}, {Het: Separate}} {
			want, err := ReadSacct("whole", strings.NewReader(export(0, end, forms[0])), how)
			if err != nil {
				t.Fatal(err)
			}
			got, err := ReadSacct("parts", strings.NewReader(strings.Join(parts, "")), how)
			if err != nil {
				t.Fatal(err)
			}
			accountedAll(t, &got.Report)
			if a, b := known(got), known(want); !slices.Equal(a, b) {
				t.Fatalf("seed %d, %+v: %d of %d\n%s\nwant\n%s\n%v", seed, how, len(a), len(b), strings.Join(a, "\n"), strings.Join(b, "\n"), &got.Report)
			}
		}
	}
}
