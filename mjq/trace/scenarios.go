package trace

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/placement"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/spec"
)

// usual are the scenarios that a site may ask about, each of which changes one thing of the base.
func (t *Trace) usual(base Replay) (list []Scenario) {
	add := func(s Scenario) { list = append(list, s) }
	for _, percent := range []int{5, 10, -5, -10} {
		s, ok := t.resized(base, percent)
		if ok && !slices.ContainsFunc(list, func(o Scenario) bool { return o.Name == s.Name }) { // of a small cluster
			add(s)
		}
	}
	if longest := t.longest(); longest > 1.01*Day {
		add(Scenario{Name: "jobs of at most 24 h, longer ones in chains", Log: t.CapService(Day, Chain), Replay: base,
			Setting: "PartitionName=... MaxTime=1-00:00:00", Costs: "long jobs must save their state and start again"})
	}
	for _, known := range []policy.Backfill{policy.EASY(), policy.Conservative()} {
		if exact := base; known.Estimates(policy.Given()).String() == base.Policy.String() {
			exact.Policy = known
			add(Scenario{Name: "users ask for the time that they need", Replay: exact, Costs: "users must estimate better: no setting does it"})
		}
	}
	if split, ok := t.split(base); ok {
		add(split)
	}
	list = append(list, t.favoured(base)...)
	if len(base.Nodes) > 0 {
		spread := base
		spread.Placement = placement.WorstFit{}
		add(Scenario{Name: "jobs spread over the nodes", Replay: spread, Setting: "SelectTypeParameters=...,CR_LLN"})
	}
	add(Scenario{Name: "a tenth more jobs", Log: t.Scale(1.1, 1), Replay: base})
	return list
}

// longest is the longest service time.
func (t *Trace) longest() (most float64) {
	for i := range t.Jobs {
		most = max(most, t.Jobs[i].Service)
	}
	return most
}

// resized is the base with so many per cent more or fewer servers, whole nodes where there are nodes.
func (t *Trace) resized(base Replay, percent int) (Scenario, bool) {
	step := func(n int) int { return max(1, n*max(percent, -percent)/100) }
	how, sign, what := base, cmp.Compare(percent, 0), "server"
	n := 0
	switch {
	case len(base.Units) > 0 || len(base.Partitions) > 0:
		return Scenario{}, false
	case len(base.Nodes) > 0:
		how.Nodes, what = slices.Clone(base.Nodes), "node"
		n = step(how.Nodes[0].Count)
		how.Nodes[0].Count += sign * n
		if how.Nodes[0].Count < 1 {
			return Scenario{}, false
		}
	default:
		n = step(base.Servers)
		how.Servers += sign * n
	}
	count := spec.Count(n, what)
	s := Scenario{Name: count + " more", Replay: how, Costs: count + " to buy and run"}
	if sign < 0 {
		s.Name, s.Costs = count+" fewer", ""
	}
	return s, how.fits(t) == nil && how.servers(t) >= t.MaxNeed()
}

// narrow is the need below which jobs bring about half of the work; 0 where no need parts the jobs.
func (t *Trace) narrow() (most int, share float64) {
	work, all := map[int]float64{}, 0.
	for i := range t.Jobs {
		j := &t.Jobs[i]
		work[j.Need] += float64(j.Need) * j.Service
		all += float64(j.Need) * j.Service
	}
	var needs []int
	for n := range work {
		needs = append(needs, n)
	}
	slices.Sort(needs)
	sum := 0.
	for _, n := range needs[:max(0, len(needs)-1)] {
		if sum += work[n]; sum >= all/2 || n == needs[len(needs)-2] {
			return n, sum / all
		}
	}
	return 0, 0
}

// labelled is the log with a label for each job.
func (t *Trace) labelled(of func(j *Job) string) *Trace {
	out := *t
	out.Jobs, out.Begin = slices.Clone(t.Jobs), slices.Clone(t.Begin)
	for _, list := range [][]Job{out.Jobs, out.Begin} {
		for i := range list {
			list[i].Class = of(&list[i])
		}
	}
	return &out
}

// split gives narrow and wide jobs servers of their own, in proportion to their work.
func (t *Trace) split(base Replay) (Scenario, bool) {
	most, share := t.narrow()
	if most == 0 || len(base.Nodes)+len(base.Units)+len(base.Partitions)+len(base.Limits) > 0 {
		return Scenario{}, false
	}
	if _, ranks := base.Policy.(policy.Leveled); ranks {
		return Scenario{}, false
	}
	servers := int(share*float64(base.Servers) + 0.5)
	servers = max(most, min(servers, base.Servers-t.MaxNeed()))
	if servers < most || base.Servers-servers < t.MaxNeed() {
		return Scenario{}, false
	}
	how := base
	how.Servers, how.Partitions = 0, []Partition{{"narrow", servers}, {"wide", base.Servers - servers}}
	log := t.labelled(func(j *Job) string {
		if j.Need <= most {
			return "narrow"
		}
		return "wide"
	})
	return Scenario{Name: fmt.Sprintf("%d servers for jobs of up to %d, %d for wider ones", servers, most, base.Servers-servers), Log: log, Replay: how,
		Setting: "a PartitionName= line for each of the two"}, true
}

// favoured put some jobs before others, within the policy of the base.
func (t *Trace) favoured(base Replay) (list []Scenario) {
	if _, ranks := base.Policy.(policy.Leveled); ranks || len(base.Units) > 0 || len(base.Partitions) > 0 {
		return nil
	}
	first := func(name, setting, costs string, keep func(j *Job) bool) {
		n := 0
		for i := range t.Jobs {
			if keep(&t.Jobs[i]) {
				n++
			}
		}
		if n < len(t.Jobs)/20 || n > len(t.Jobs)*19/20 {
			return
		}
		how := base
		p := policy.Priority{Levels: [][]string{{"first"}}}
		if !base.Policy.Properties().Recurrence {
			p = p.Within(base.Policy)
		}
		how.Policy = p
		log := t.labelled(func(j *Job) string {
			if keep(j) {
				return "first"
			}
			return "rest"
		})
		list = append(list, Scenario{Name: name, Log: log, Replay: how, Setting: setting, Costs: costs})
	}
	if most, _ := t.narrow(); most > 0 {
		first(fmt.Sprintf("jobs of up to %d servers first", most), "PriorityType=priority/multifactor; PriorityWeightJobSize= above all other weights; PriorityFavorSmall=YES", "wider jobs wait longer",
			func(j *Job) bool { return j.Need <= most })
	}
	first("jobs with limits of up to 1 h first", "a QOS with MaxWall=01:00:00 and a higher Priority=; PriorityWeightQOS= above all other weights", "longer jobs wait longer",
		func(j *Job) bool { return j.Estimate > 0 && j.Estimate <= 3600 })
	return list
}

// own is the policy that a site is taken to run where nothing says which: EASY, by limits if the log
// has them.
func (t *Trace) own() mjq.Policy {
	if slices.ContainsFunc(t.Jobs, func(j Job) bool { return j.Estimate > 0 }) {
		return policy.EASY().Estimates(policy.Given())
	}
	return policy.EASY()
}
