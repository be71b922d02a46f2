package policy

import (
	"cmp"
	"math"

	"github.com/mjqueue/mjq/internal/fairshare"
	"github.com/mjqueue/mjq/internal/heap"
)

// ranking orders the jobs that wait by priority. Jobs of one owner and one kind are a group: the age
// alone tells their priorities apart, so that they stay in order of arrival. The usages of all owners
// decay alike, so that between passes only what owners hold changes them, and the tree is ranked anew
// only where its order has changed. Cost: O(groups that have jobs) to find the head of the queue.
type ranking struct {
	of      *Multifactor
	tree    *fairshare.Tree
	user    []int     // by owner, in the tree
	byClass bool      // each class is an owner
	fixed   []float64 // by kind, what does not change
	tier    []int     // by kind
	other   []float64 // by owner, added
	usage   fairshare.Usage
	stands  *fairshare.Standing // the usage, where single factors follow from it; else nil
	known   []int64             // by user, the ranking of which the factor is
	turn    int64               // the ranking
	began   []float64           // by job that runs
	used    []float64           // by user, in the last ranking
	factor  []float64           // by user, as of changed

	groups  []rankedGroup
	index   map[groupKey]int32
	full    []int32 // groups with jobs
	changed float64 // when priorities changed last
	ranked  bool    // the factors have been found
	heap    heap.Heap
}

// rankedGroup is the jobs of one owner and kind that wait.
type rankedGroup struct {
	line earliest
	groupKey
	place int // in full
}

type groupKey struct{ owner, kind int32 }

func newRanking(p *Multifactor, s System) *ranking {
	r := &ranking{of: p, byClass: s.Owners == nil, index: map[groupKey]int32{}}
	r.tree, r.user = p.tree(s)
	r.used, r.factor = make([]float64, len(r.tree.Users)), make([]float64, len(r.tree.Users))
	half := p.HalfLife
	if p.FairShare == 0 {
		half = math.Inf(1)
	}
	switch {
	case p.CalcPeriod > 0:
		r.usage = fairshare.Stepped(len(r.tree.Users), half, p.CalcPeriod)
	case p.FairShare > 0 && !p.Classic:
		r.stands, r.known = r.tree.Standing(half), make([]int64, len(r.tree.Users))
		r.usage = r.stands
	default:
		r.usage = fairshare.Continuous(len(r.tree.Users), half)
	}
	for _, o := range s.owners() {
		r.other = append(r.other, p.Other[o.Account])
	}
	r.fixed, r.tier = p.fixed(s)
	return r
}

// fixed is by kind the part of the priority that does not change, and the tier.
func (p *Multifactor) fixed(s System) (fixed []float64, tier []int) {
	fixed, tier = make([]float64, len(s.Kinds)), make([]int, len(s.Kinds))
	tiers := Priority{Levels: p.Levels}.LevelsOf(s.Classes)
	for i, c := range s.Classes {
		fixed[c.Kind], tier[c.Kind] = p.fixedOf(&c, s), tiers[i]
	}
	return fixed, tier
}

// fixedOf is that part for a class.
func (p *Multifactor) fixedOf(c *Class, s System) float64 {
	j := float64(c.Need) / float64(s.Servers)
	if s.Nodes && c.Nodes > 0 && s.NodeCount > 0 {
		j = (j + float64(c.Nodes)/float64(s.NodeCount)) / 2
	}
	if p.FavorSmall {
		j = 1 - j
	}
	return p.Size*j + p.Class*relative(p.Factors, c.Name) + p.Partition*relative(p.Partitions, c.Name) - p.Nice[c.Name]
}

// relative is a factor over the largest; 0 if all are.
func relative(factors map[string]float64, name string) float64 {
	most := 0.0
	for _, x := range factors {
		most = max(most, x)
	}
	if most == 0 {
		return 0
	}
	return factors[name] / most
}

func (r *ranking) owner(j *Job) int32 {
	if r.byClass {
		return j.Class
	}
	return j.Owner
}

// Arrived puts a job at the end of its group.
func (r *ranking) Arrived(_ *View, j *Job) {
	key := groupKey{r.owner(j), int32(j.Kind)}
	g, known := r.index[key]
	if !known {
		g = int32(len(r.groups))
		r.index[key] = g
		r.groups = append(r.groups, rankedGroup{groupKey: key})
	}
	x := &r.groups[g]
	if x.line.count == 0 {
		x.place = len(r.full)
		r.full = append(r.full, g)
	}
	x.line.push(j)
}

// Reneged takes a job out of its group.
func (r *ranking) Reneged(_ *View, j *Job) {
	g := r.index[groupKey{r.owner(j), int32(j.Kind)}]
	r.remove(g, r.groups[g].line.at(j.Number))
}

// remove takes the job at a place out of its group.
func (r *ranking) remove(g int32, at int) {
	x := &r.groups[g]
	x.line.remove(at)
	if x.line.count == 0 {
		last := r.full[len(r.full)-1]
		r.full[x.place], r.groups[last].place = last, x.place
		r.full = r.full[:len(r.full)-1]
	}
}

// take takes out a job that starts now, whose servers its owner has from now on.
func (r *ranking) take(v *View, g int32, at int) *Job {
	id := r.groups[g].line.jobs[at].id
	r.remove(g, at)
	j := v.engine.Job(id)
	if r.of.FairShare > 0 {
		for int(id) >= len(r.began) {
			r.began = append(r.began, 0)
		}
		r.began[id] = v.Now
		r.usage.Begin(r.user[r.owner(j)], float64(j.Need), v.Now)
	}
	return j
}

// Left gives the servers of a job back.
func (r *ranking) Left(v *View, j *Job) {
	if r.of.FairShare > 0 {
		r.usage.End(r.user[r.owner(j)], float64(j.Need), r.began[j.ID], v.Now)
	}
}

// Shift moves the origin of time.
func (r *ranking) Shift(by float64) {
	r.usage.Shift(by)
	for id := range r.began {
		r.began[id] -= by
	}
	r.changed -= by
}

// rank finds the factors that hold now.
func (r *ranking) rank(v *View) {
	before := r.changed
	r.changed = r.usage.Changed(v.Now)
	if r.of.FairShare == 0 || r.of.CalcPeriod > 0 && r.ranked && r.changed == before {
		return
	}
	r.ranked = true
	if r.turn++; r.stands != nil {
		return
	}
	r.rankAll(v)
}

// rankAll finds the factors of all users.
func (r *ranking) rankAll(v *View) {
	r.usage.At(v.Now, r.used)
	if r.of.Classic {
		r.tree.Classic(r.used, r.factor, cmp.Or(r.of.Damping, 1))
	} else {
		r.tree.Fair(r.used, r.factor)
	}
}

// share is the factor of a user.
func (r *ranking) share(v *View, user int) float64 {
	if r.stands == nil || r.known[user] == r.turn {
		return r.factor[user]
	}
	f, ok := r.stands.Factor(user, v.Now)
	if !ok {
		r.rankAll(v)
		for u := range r.known {
			r.known[u] = r.turn
		}
		return r.factor[user]
	}
	r.factor[user], r.known[user] = f, r.turn
	return f
}

// key orders the job at a place of a group among all that wait.
func (r *ranking) key(v *View, g int32, at int) heap.Item {
	x := &r.groups[g]
	j := &x.line.jobs[at]
	sum := r.fixed[x.kind] + r.other[x.owner]
	if p := r.of; p.Age > 0 {
		sum += p.Age * min(1, max(0, r.changed-v.engine.Job(j.id).Arrival)/p.MaxAge)
	}
	if p := r.of; p.FairShare > 0 {
		sum += p.FairShare * r.share(v, r.user[x.owner])
	}
	return heap.Item{Key: float64(r.tier[x.kind])*mostPriority - fairshare.Whole(sum), Tie: int32(j.number), ID: g}
}

func (r *ranking) accounts() {} // groups hold jobs in order of arrival, and take none back

// mostPriority is above all priorities.
const mostPriority = 1 << 36

// head is the group of the head of the queue, which must not be empty.
func (r *ranking) head(v *View) int32 {
	if len(r.full) == 1 {
		return r.full[0]
	}
	first := r.key(v, r.full[0], r.groups[r.full[0]].line.first)
	for _, g := range r.full[1:] {
		if k := r.key(v, g, r.groups[g].line.first); k.Before(&first) {
			first = k
		}
	}
	return first.ID
}

// Head is the kind of the head of the queue.
func (r *ranking) Head(v *View) (kind int) {
	r.rank(v)
	return int(r.groups[r.head(v)].kind)
}

// order begins a walk through all jobs that wait whose kind a function lets pass.
func (r *ranking) order(v *View, pass func(kind int) bool) {
	r.heap = r.heap[:0]
	for _, g := range r.full {
		if x := &r.groups[g]; pass(int(x.kind)) {
			r.heap.Push(r.key(v, g, x.line.first))
		}
	}
}
