package events

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/mjqueue/mjq/internal/fairshare"
	"github.com/mjqueue/mjq/mjq/internal/compiled"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/placement"
	"github.com/mjqueue/mjq/mjq/policy"
)

// fairUsers are owners in a tree that gives them a share; nil: the classes are, one share each.
var fairUsers = []policy.Owner{{Account: "a", User: "ann"}, {Account: "a", User: "bob"}, {Account: "b", User: "ann"}, {Account: "c", User: "dee"}}

const fairTree = "a=2(ann=1,bob=2) b=1(ann=1,idle=1) c=3(dee=1)"

// multifactors are priorities with each of the ways to start jobs, for classes that are called 0, 1, ...
func multifactors(classes int) (list []policy.Multifactor) {
	factors := map[string]float64{}
	for c := range classes {
		factors[fmt.Sprint(c)] = float64(c%3) / 2
	}
	given := policy.Given()
	for _, p := range []policy.Multifactor{
		{Age: 1000, MaxAge: 7},
		{FairShare: 1000, HalfLife: 9, Shares: fairTree},
		{Age: 300, MaxAge: 20, FairShare: 700, HalfLife: math.Inf(1), Classic: true, Damping: 2, Shares: fairTree},
		{Age: 500, MaxAge: 10, FairShare: 900, HalfLife: 30, Size: 400, Class: 300, Factors: factors, Nice: map[string]float64{"0": 50}, Other: map[string]float64{"b": 120}},
		{Age: 5, MaxAge: 10, Size: 3, FavorSmall: true, Partition: 2, Partitions: factors},
	} {
		for i, inner := range []policy.Policy{nil, policy.FirstFit{}, policy.EASY().Estimates(given), policy.Conservative().Estimates(given)} {
			q := p.Within(inner)
			if i == 2 && p.Size > 0 {
				q = q.Tier([]string{"0"})
			}
			list = append(list, q)
		}
	}
	return list
}

// priorityTwin computes priorities from the histories of all jobs, as the formulas stand.
type priorityTwin struct {
	policy.Multifactor
	classes []policy.Class
	servers float64
	nodes   float64 // 0: none
	owners  []policy.Owner
	tree    *fairshare.Tree
}

func newPriorityTwin(p policy.Multifactor, x policy.System) *priorityTwin {
	t := &priorityTwin{Multifactor: p, classes: x.Classes, servers: float64(x.Servers), nodes: float64(x.NodeCount), owners: x.Owners}
	list, err := fairshare.Parse(p.Shares)
	if p.Shares == "" {
		for i := range t.owners {
			list = append(list, fairshare.Node{Name: fmt.Sprint(i), Shares: 1})
		}
	}
	if err == nil {
		t.tree, err = fairshare.NewTree(list)
	}
	if err != nil {
		panic(err)
	}
	return t
}

func (t *priorityTwin) user(owner int32) int {
	if t.Shares == "" {
		return int(owner)
	}
	return slices.Index(t.tree.Users, fairshare.User{Account: t.owners[owner].Account, Name: t.owners[owner].User})
}

// sort puts a queue in order of the priorities.
func (t *priorityTwin) sort(queue []int, jobs []twinJob, need func(i int) int, now float64) {
	usage, factor := make([]float64, len(t.tree.Users)), make([]float64, len(t.tree.Users))
	for i, j := range jobs {
		if math.IsNaN(j.start) || j.start >= now {
			continue
		}
		to := min(now, j.end)
		held := to - j.start
		if !math.IsInf(t.HalfLife, 1) {
			held = t.HalfLife / math.Ln2 * (math.Exp2((to-now)/t.HalfLife) - math.Exp2((j.start-now)/t.HalfLife))
		}
		usage[t.user(j.Owner)] += float64(need(i)) * held
	}
	if t.FairShare > 0 && t.Classic {
		t.tree.Classic(usage, factor, max(1, t.Damping))
	} else if t.FairShare > 0 {
		t.tree.Fair(usage, factor)
	}
	best := func(m map[string]float64) float64 {
		return max(1e-300, slices.Max(append(slices.Collect(maps.Values(m)), 0)))
	}
	priority := func(i int) float64 {
		j, c := jobs[i], t.classes[jobs[i].Class]
		size := float64(need(i)) / t.servers
		if t.nodes > 0 && c.Nodes > 0 {
			size = (float64(c.Nodes)/t.nodes + size) / 2
		}
		if t.FavorSmall {
			size = 1 - size
		}
		sum := t.Size*size + t.Class*t.Factors[c.Name]/best(t.Factors) + t.Partition*t.Partitions[c.Name]/best(t.Partitions) - t.Nice[c.Name]
		if t.Age > 0 {
			sum += t.Age * min(1, (now-j.Arrival)/t.MaxAge)
		}
		sum += t.FairShare*factor[t.user(j.Owner)] + t.Other[t.owners[j.Owner].Account]
		p := max(1, math.Floor(1e-9+sum))
		if len(t.Levels) > 0 && slices.Contains(t.Levels[0], c.Name) {
			p += 1e9
		}
		return p
	}
	slices.SortFunc(queue, func(a, b int) int { return cmp.Or(cmp.Compare(priority(b), priority(a)), cmp.Compare(a, b)) })
}

// starts is what a way to start jobs does with the queue in its order.
func starts[T any](p policy.Multifactor, blocking, first, easy, conservative func(t T)) func(t T) {
	switch x := p.Inner.(type) {
	case nil:
		return blocking
	case policy.FirstFit:
		return first
	case policy.Backfill:
		if x.Depth == 1 {
			return easy
		}
	}
	return conservative
}

// owned gives the jobs of a log owners.
func owned(rng *rand.Rand, log []Logged) []Logged {
	for i := range log {
		log[i].Owner = int32(rng.IntN(len(fairUsers)))
	}
	return log
}

// classNeeds are the needs of a log by class.
func classNeeds(log []Logged) (needs []int) {
	for _, j := range log {
		for len(needs) <= j.Class {
			needs = append(needs, 1)
		}
		needs[j.Class] = j.Need
	}
	return needs
}

// TestMultifactorTwins holds priorities against their definition, on servers, types and nodes, bit for bit.
func TestMultifactorTwins(t *testing.T) {
	for seed := range uint64(oracle.Sized(6, 60)) {
		rng := rand.New(rand.NewPCG(seed, 17))
		servers := []int{3, 5, 8}[seed%3]
		log := owned(rng, randomLog(rng, servers, 120, false))
		types := randomTypes(rng)
		typed := owned(rng, typedLog(rng, types, 100))
		for _, p := range multifactors(5) {
			q := compiled.System{Servers: servers, Policy: p, Needs: classNeeds(log), Owners: fairUsers}
			of := newPriorityTwin(p, q.Seen(p))
			if err := policy.Validate(p, policy.System{Servers: 50, Owners: fairUsers, Classes: []policy.Class{{Name: "0", Need: 1}, {Name: "1", Need: 1}, {Name: "2", Need: 1}, {Name: "3", Need: 1}, {Name: "4", Need: 1}}}); err != nil {
				t.Fatal(err)
			}
			pass := starts(p, twinWindow(1), twinFirstFit, twinEASY, twinBackfill(math.MaxInt))
			twin := newTwin(servers, log, func(t *twin) { of.sort(t.queue, t.jobs, t.need, t.now); pass(t) })
			twin.run()
			same(t, fmt.Sprintf("seed %d, %v", seed, p), typedRun(New(q), log), func(i int) float64 { return twin.jobs[i].start })

			q = compiled.System{Types: types, Policy: p, Owners: fairUsers}
			of = newPriorityTwin(p, q.Seen(p))
			typedPass := starts(p, typedTwinWindow(1), typedTwinFirstFit, typedTwinBackfill(1), typedTwinBackfill(math.MaxInt))
			second := newTypedTwin(types, typed, func(t *typedTwin) {
				of.sort(t.queue, t.jobs, func(i int) int { return totalOf(t.needs[i]) }, t.now)
				typedPass(t)
			})
			second.run()
			same(t, fmt.Sprintf("seed %d, types, %v", seed, p), typedRun(New(q), typed), func(i int) float64 { return second.jobs[i].start })
		}
	}
}

func same(t *testing.T, name string, got []Record, start func(i int) float64) {
	t.Helper()
	for i, r := range got {
		if r.Start != start(i) {
			t.Fatalf("%s: job %d starts at %v, by definition at %v", name, i, r.Start, start(i))
		}
	}
}

// typedTwinFirstFit starts every job that fits.
func typedTwinFirstFit(t *typedTwin) {
	for _, i := range slices.Clone(t.queue) {
		if t.fits(i) {
			t.start(i)
		}
	}
}

// TestMultifactorPlacedTwins holds priorities on nodes against their definition.
func TestMultifactorPlacedTwins(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 39))
	for at, n := range placedSystems() {
		n.Placement, n.Probs = placement.All()[at%len(placement.All())], make([]float64, len(n.Spans))
		log := owned(rng, placedLog(rng, n, 80, false))
		anywhere := slices.ContainsFunc(n.Spans, func(s compiled.Span) bool { return s.Nodes == 0 })
		for _, p := range multifactors(len(n.Spans)) {
			if at%2 == 1 && p.Inner != nil && p.Inner.Properties().Reservations != 1 {
				continue // its plan is slow
			}
			easy := (*placedTwin).easy
			if anywhere {
				easy = twinPlacedBackfill(1)
			}
			pass := starts(p, placedTwins[0].pass, placedTwins[1].pass, easy, twinPlacedBackfill(math.MaxInt))
			p.Levels = nil
			q := compiled.System{Nodes: n, Policy: p, Owners: fairUsers}
			of := newPriorityTwin(p, q.Seen(p))
			twinned(t, fmt.Sprintf("system %d, %v", at, p), n, p, fairUsers, func(t *placedTwin) {
				jobs := make([]twinJob, len(t.jobs))
				for i := range jobs {
					jobs[i] = t.jobs[i].twinJob
				}
				of.sort(t.queue, jobs, func(i int) int { return of.classes[jobs[i].Class].Need }, t.now)
				pass(t)
			}, log, rng.Uint64())
		}
	}
}

// TestFairRuns has priorities give schedules that two programs written apart agree on, job by job.
func TestFairRuns(t *testing.T) {
	data, err := os.ReadFile("../../testdata/fair_values.json")
	if err != nil {
		t.Fatal(err)
	}
	var values []struct {
		ID    string
		Model struct {
			Servers int
			Jobs    []struct {
				Arrival, Service float64
				Need             int
				User, Class      string
			}
			Weights struct {
				Age, Fair, Size, Class float64
				MaxAge                 float64 `json:"max_age"`
				FavorSmall             bool    `json:"favor_small"`
				Levels                 map[string]float64
			}
			Tree      any
			FairShare string  `json:"fair_share"`
			HalfLife  float64 `json:"half_life"`
			Starts    string
			// of a single priority
			Need, Age, Nice float64
			Level           string
			Factor          float64 `json:"fair_share_factor"`
		}
		Starts []float64
		Value  float64
	}
	if err := json.Unmarshal(data, &values); err != nil {
		t.Fatal(err)
	}
	runs, alone := 0, 0
	for _, v := range values {
		m, w := &v.Model, &v.Model.Weights
		if m.Level != "" {
			alone++
			x := w.Age*min(1, m.Age/w.MaxAge) + w.Fair*m.Factor + w.Size*m.Need/float64(m.Servers) + w.Class*w.Levels[m.Level] - m.Nice
			if got := fairshare.Whole(x); got != v.Value {
				t.Errorf("%s: %v, want %v", v.ID, got, v.Value)
			}
		}
		if v.Starts == nil {
			continue
		}
		runs++
		p := policy.Multifactor{Age: w.Age, MaxAge: w.MaxAge, FairShare: w.Fair, HalfLife: m.HalfLife, Size: w.Size, FavorSmall: w.FavorSmall, Class: w.Class, Factors: w.Levels,
			Classic: m.FairShare == "classic", Shares: sharesOf(m.Tree)}
		var log []Logged
		q := compiled.System{Servers: m.Servers}
		users := []string{}
		for _, j := range m.Jobs {
			u := slices.Index(users, j.User)
			if u < 0 {
				u = len(users)
				users, q.Owners = append(users, j.User), append(q.Owners, policy.Owner{User: j.User})
			}
			c := slices.IndexFunc(q.Known, func(c policy.Class) bool { return c.Name == j.Class && c.Need == j.Need })
			if c < 0 {
				c = len(q.Known)
				q.Known = append(q.Known, policy.Class{Name: j.Class, Need: j.Need})
			}
			log = append(log, Logged{Arrival: j.Arrival, Service: j.Service, Estimate: j.Service, Need: j.Need, Class: c, Owner: int32(u)})
		}
		q.Policy = p
		if err := policy.Validate(p, q.Seen(p)); err != nil {
			t.Fatal(err)
		}
		same(t, v.ID, typedRun(New(q), log), func(i int) float64 { return v.Starts[i] })
	}
	if runs < 4 || alone < 2 {
		t.Errorf("%d runs and %d priorities", runs, alone)
	}
}

// sharesOf writes ["root", 1, [...]] as shares.
func sharesOf(tree any) string {
	var list func(x any) []fairshare.Node
	list = func(x any) (out []fairshare.Node) {
		for _, c := range x.([]any)[2].([]any) {
			n := fairshare.Node{Name: c.([]any)[0].(string), Shares: c.([]any)[1].(float64)}
			if len(c.([]any)) == 3 {
				n.Account, n.Children = true, list(c)
			}
			out = append(out, n)
		}
		return out
	}
	if tree == nil {
		return ""
	}
	return fairshare.Format(list(tree))
}
