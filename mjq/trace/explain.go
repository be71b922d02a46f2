package trace

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/result"
)

// Explained is how near the replay of a log under a policy comes to the waits in the log.
type Explained struct {
	Name             string
	Logged, Replayed float64 // mean waits of the jobs whose wait the log knows
	// Apart is by how much the waits of single jobs differ, in shares of all waiting time: 0 says
	// that every job waits as in the log.
	Apart           float64
	ByClass, ByHour []Validated
}

// Explanation says which policy explains the waits of a log.
type Explanation struct {
	Candidates []Explained // those that were replayed, the nearest first
	Verdict    Verdict
	Also       []string // that the log cannot tell from the nearest
	Text       string
}

// Verdict says how well the nearest policy explains a log.
type Verdict string

// A policy explains a log if jobs wait in its replay as they did, and comes near if their mean wait
// does. The last two are of logs in which almost nobody waits, and of those without waits.
const (
	Explains  Verdict = "explains"
	ComesNear Verdict = "comes near"
	NoPolicy  Verdict = "none"
	NoWaiting Verdict = "nobody waits"
	NoWaits   Verdict = "no waits"
)

const (
	exactly     = 0.05 // Apart of a policy that explains a log
	roughly     = 0.6  // and of one that comes near
	hardlyWaits = 60.  // seconds of mean wait
	mostLabels  = 8    // that may be levels of a priority
)

// rule is a policy that may have written the log.
type rule struct {
	name    string
	policy  mjq.Policy
	setting string
}

// How Slurm is told to schedule.
const (
	builtin   = "SchedulerType=sched/builtin"
	backfills = "SchedulerType=sched/backfill"
)

// candidates are the policies that a site may run, as far as a log can be replayed under them.
func (t *Trace) candidates() []rule {
	limits := slices.ContainsFunc(t.Jobs, func(j Job) bool { return j.Estimate > 0 })
	easy, all, by := policy.EASY(), policy.Conservative(), "run times"
	if limits {
		easy, all, by = easy.Estimates(policy.Given()), all.Estimates(policy.Given()), "time limits"
	}
	list := []rule{
		{"first come, first served", policy.FCFS{}, builtin},
		{"EASY backfilling by " + by, easy, backfills + "; only the first waiting job gets a reservation"},
		{"backfilling with a reservation for every job", all, backfills + "; SchedulerParameters=bf_max_job_test= the usual length of the queue"},
		{"first fit without reservations", policy.FirstFit{}, backfills + "; SchedulerParameters=bf_min_prio_reserve= above all priorities"},
		{"smallest jobs first", policy.LeastServersFirst{}, "PriorityType=priority/multifactor; PriorityWeightJobSize= above all other weights; PriorityFavorSmall=YES"},
	}
	if levels := t.levels(); len(levels) > 1 {
		var names []string
		for _, l := range levels {
			names = append(names, l[0])
		}
		order, weights := strings.Join(names, " before "), "PriorityWeightQOS= above all other weights; "
		list = append(list, rule{"priority of " + order + ", no backfilling", policy.Priority{Levels: levels}, weights + builtin},
			rule{"priority of " + order + ", EASY backfilling by " + by, policy.Priority{Levels: levels}.Within(easy), weights + backfills})
	}
	return list
}

// levels are the labels of a log as levels of a priority, those of the shortest waits first; nil where
// there are too few or too many to be levels.
func (t *Trace) levels() (levels [][]string) {
	sums := map[string]daySum{}
	for i := range t.Jobs {
		if j := &t.Jobs[i]; j.WaitKnown {
			sums[j.Class] = sums[j.Class].plus(daySum{1, j.Waited})
		}
		if len(sums) > mostLabels {
			return nil
		}
	}
	for label := range sums {
		levels = append(levels, []string{label})
	}
	slices.SortFunc(levels, func(a, b []string) int {
		x, y := sums[a[0]], sums[b[0]]
		return cmp.Or(cmp.Compare(x.sum/x.jobs, y.sum/y.jobs), cmp.Compare(a[0], b[0]))
	})
	return levels
}

// replays are those of all candidates, the ones that fail left out and noted.
func (q *whatIf) replays(ctx context.Context, how Replay, list []rule) (all []*served, notes []string) {
	found, wrong := make([]*served, len(list)), make([]error, len(list))
	q.each(len(list), func(i int) {
		with := how
		with.Policy = list[i].policy
		found[i], wrong[i] = q.run(Scenario{Name: list[i].name, Replay: with, Setting: list[i].setting})
	})
	for i, x := range found {
		switch {
		case wrong[i] != nil && ctx.Err() == nil:
			notes = append(notes, fmt.Sprintf("Not replayed: %s (%v).", list[i].name, check.First(wrong[i])))
		case x != nil && wrong[i] == nil:
			all = append(all, x)
		}
	}
	return all, notes
}

// explain says which of the replays comes nearest to the log, and returns it; nil if the log has no
// waits.
func (q *whatIf) explain(replays []*served) (e Explanation, nearest *served) {
	var all []*served
	for _, x := range replays {
		if c := q.compared(x); c.Logged == c.Logged {
			e.Candidates, all = append(e.Candidates, c), append(all, x)
		}
	}
	if len(all) == 0 {
		e.Verdict, e.Text = NoWaits, "The log has no waits, so nothing says which policy the site runs."
		return e, nil
	}
	order := upTo(len(all))
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(e.Candidates[a].Apart, e.Candidates[b].Apart) })
	sorted := make([]Explained, len(all))
	for i, k := range order {
		sorted[i] = e.Candidates[k]
	}
	e.Candidates, nearest = sorted, all[order[0]]
	for i, k := range order[1:] {
		if !q.nearer(nearest, all[k], sorted[0].Apart, sorted[i+1].Apart) {
			e.Also = append(e.Also, sorted[i+1].Name)
		}
	}
	e.judge()
	return e, nearest
}

// judge puts the verdict on the nearest into words.
func (e *Explanation) judge() {
	near := &e.Candidates[0]
	text := result.Seconds.Text
	unit := result.Seconds.Best(near.Logged)
	means := fmt.Sprintf("The mean wait is %.3g %s in the replay and %.3g %s in the log.", unit.Show(near.Replayed, 1), unit.Unit, unit.Show(near.Logged, 1), unit.Unit)
	switch ratio := near.Replayed / near.Logged; {
	case near.Logged < hardlyWaits:
		e.Verdict, e.Text = NoWaiting, fmt.Sprintf("Almost nobody waits (%s on average), so every policy explains the log.", text(near.Logged))
		return
	case near.Apart < exactly:
		e.Verdict, e.Text = Explains, fmt.Sprintf("%s explains the log: jobs wait as they did, except for %.2g %% of the waiting time. %s", title(near.Name), 100*near.Apart, means)
	case near.Apart < roughly && ratio > 0.75 && ratio < 1.33:
		e.Verdict, e.Text = ComesNear, fmt.Sprintf("%s comes nearest. %s Single jobs differ by %.0f %% of the waiting time, so other rules are at work too.", title(near.Name), means, 100*near.Apart)
	default:
		e.Verdict, e.Text = NoPolicy, fmt.Sprintf("None of the policies explains the log. The nearest is %s: %s Check the number of servers first.", near.Name, lower(means))
	}
	if len(e.Also) > 0 {
		e.Text += fmt.Sprintf(" This log cannot tell it from: %s.", strings.Join(e.Also, "; "))
	}
}

// title has a capital letter at the beginning, lower a small one.
func title(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
func lower(s string) string { return strings.ToLower(s[:1]) + s[1:] }

// nearer reports whether the waits of one replay are surely nearer to the log than those of another:
// as no replay is almost exact by chance, or by the parts of the log.
func (q *whatIf) nearer(x, y *served, apart, other float64) bool {
	if apart < 0.01 && other > 2*apart+0.01 {
		return true
	}
	var parts [dayBlocks]float64
	for i := range q.t.Jobs {
		j := &q.t.Jobs[i]
		if a, b := x.waits[i], y.waits[i]; j.WaitKnown && a == a && b == b {
			parts[q.day(j)*dayBlocks/q.days] += math.Abs(b-j.Waited) - math.Abs(a-j.Waited)
		}
	}
	mean, squares, shown := 0., 0., 0
	for _, d := range parts {
		mean += d / dayBlocks
		if d > 0 {
			shown++
		}
	}
	if shown >= dayBlocks-1 && other > 2*apart { // by chance in 9 of 256 logs
		return true
	}
	for _, d := range parts {
		squares += (d - mean) * (d - mean)
	}
	return mean > result.StudentT(0.95, dayBlocks-1)*math.Sqrt(squares/(dayBlocks-1)/dayBlocks)
}

// compared are the waits of a replay beside those of the log, by class and by hour.
func (q *whatIf) compared(x *served) Explained {
	logged, replayed := q.known(x)
	v, apart := q.beside("all", q.dailyOf(x, logged, nil), q.dailyOf(x, replayed, nil)), 0.
	for i := range logged {
		if d := math.Abs(replayed[i] - logged[i]); d > 0 {
			apart += d
		}
	}
	classes := x.how.Classes
	return Explained{Name: x.name, Logged: v.Logged, Replayed: v.Replayed, Apart: apart / max(v.Logged*float64(v.Jobs), 1),
		ByClass: besideBy(q, x, logged, replayed, classes.of, group.before, classes.name), ByHour: q.byHour(x, logged, replayed)}
}
