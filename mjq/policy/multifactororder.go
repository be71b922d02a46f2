package policy

import (
	"cmp"
	"math"

	"github.com/mjqueue/mjq/internal/fairshare"
	"github.com/mjqueue/mjq/internal/heap"
)

// ranking orders the jobs that wait by priority. Jobs of one owner and one kind are a group: the age
// alone tells their priorities apart, so that they stay in order of arrival. A group is seated by a bound
// on its priority that only a new head or another factor of its owner can raise, see seats. The ladder
// tells whose factors have changed.
type ranking struct {
	*present
	of      *Multifactor
	tree    *fairshare.Tree
	user    []int     // by owner, in the tree
	byClass bool      // each class is an owner
	fixed   []float64 // by kind, what does not change
	tier    []int     // by kind
	other   []float64 // by owner, added
	usage   fairshare.Usage
	ladder  *fairshare.Ladder // nil: factors are found all at once
	steps   bool              // the usage changes in steps, and is put on the ladder then
	began   []float64         // by job that runs
	used    []float64         // by user, in the last ranking
	factor  []float64         // by user, as of changed
	fresh   []float64         // of the next ranking

	groups  []rankedGroup
	index   map[groupKey]int32
	owned   [][]int32 // by user, groups
	full    []int32   // groups with jobs
	seats   []seats   // by kind
	changed float64   // when priorities changed last
	ranked  bool      // the factors have been found
	heap    heap.Heap
}

// rankedGroup is the jobs of one owner and kind that wait.
type rankedGroup struct {
	line earliest
	groupKey
	place int // in full
	seat  int
}

type groupKey struct{ owner, kind int32 }

func newRanking(p *Multifactor, s System) *ranking {
	r := &ranking{present: newPresent(len(s.Kinds)), of: p, byClass: s.Owners == nil, index: map[groupKey]int32{}, seats: make([]seats, len(s.Kinds))}
	r.tree, r.user = p.tree(s)
	n := len(r.tree.Users)
	r.used, r.factor, r.fresh, r.owned = make([]float64, n), make([]float64, n), make([]float64, n), make([][]int32, n)
	half := p.HalfLife
	if p.FairShare == 0 {
		half = math.Inf(1)
	}
	if p.FairShare > 0 && !p.Classic {
		r.ladder = r.tree.Ladder(half)
	}
	switch r.steps = p.CalcPeriod > 0; {
	case r.steps:
		r.usage = fairshare.Stepped(n, half, p.CalcPeriod)
	case r.ladder != nil:
		r.usage = r.ladder
	default:
		r.usage = fairshare.Continuous(n, half)
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
func (r *ranking) Arrived(v *View, j *Job) {
	r.present.Arrived(v, j)
	key := groupKey{r.owner(j), int32(j.Kind)}
	g, known := r.index[key]
	if !known {
		g = int32(len(r.groups))
		r.index[key] = g
		r.groups = append(r.groups, rankedGroup{groupKey: key, seat: r.seats[key.kind].add(g)})
		user := r.user[key.owner]
		r.owned[user] = append(r.owned[user], g)
	}
	r.fill(g)
	r.groups[g].line.push(j)
	r.sit(v, g)
}

// fill has a group be among those with jobs.
func (r *ranking) fill(g int32) {
	if x := &r.groups[g]; x.line.count == 0 {
		x.place = len(r.full)
		r.full = append(r.full, g)
	}
}

// Returned gives the servers of a job back, and puts it into its group by arrival.
func (r *ranking) Returned(v *View, j *Job, runs bool) {
	if runs {
		return
	}
	r.Left(v, j)
	r.present.Arrived(v, j)
	g := r.index[groupKey{r.owner(j), int32(j.Kind)}]
	r.fill(g)
	r.groups[g].line.insert(j)
	r.sit(v, g)
}

// Reneged takes a job out of its group.
func (r *ranking) Reneged(v *View, j *Job) {
	g := r.index[groupKey{r.owner(j), int32(j.Kind)}]
	r.remove(v, g, r.groups[g].line.at(j.Number))
}

// remove takes the job at a place out of its group.
func (r *ranking) remove(v *View, g int32, at int) {
	x := &r.groups[g]
	x.line.remove(at)
	if x.line.count == 0 {
		last := r.full[len(r.full)-1]
		r.full[x.place], r.groups[last].place = last, x.place
		r.full = r.full[:len(r.full)-1]
	}
	r.sit(v, g)
}

// take takes out a job that starts now, whose servers its owner has from now on.
func (r *ranking) take(v *View, g int32, at int) *Job {
	id := r.groups[g].line.jobs[at].id
	r.remove(v, g, at)
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
	for k := range r.seats {
		r.seats[k].shift(r.aging() * by)
	}
}

// rank finds the factors that hold now.
func (r *ranking) rank(v *View) {
	before := r.changed
	r.changed = r.usage.Changed(v.Now)
	if r.of.FairShare == 0 || r.steps && r.ranked && r.changed == before {
		return
	}
	r.ranked = true
	if r.ladder == nil {
		r.usage.At(v.Now, r.used)
		r.tree.Classic(r.used, r.fresh, cmp.Or(r.of.Damping, 1))
		for u, f := range r.fresh {
			r.share(v, u, f)
		}
		return
	}
	if r.steps {
		r.usage.At(v.Now, r.used)
		r.ladder.Put(r.used)
	}
	for _, u := range r.ladder.Rank(v.Now) {
		r.share(v, u, r.ladder.Factor(u))
	}
}

// share gives a user a factor.
func (r *ranking) share(v *View, user int, factor float64) {
	if r.factor[user] == factor {
		return
	}
	r.factor[user] = factor
	for _, g := range r.owned[user] {
		if r.groups[g].line.count > 0 {
			r.reseat(v, g)
		}
	}
}

// aging is by how much the priority of a job rises with its age.
func (r *ranking) aging() float64 {
	if r.of.Age == 0 {
		return 0
	}
	return r.of.Age / r.of.MaxAge
}

// sum is the priority of the job at a place of a group before it is a whole number.
func (r *ranking) sum(v *View, g int32, at int) float64 {
	x := &r.groups[g]
	sum := r.fixed[x.kind] + r.other[x.owner]
	if p := r.of; p.Age > 0 {
		sum += p.Age * min(1, max(0, r.changed-v.engine.Job(x.line.jobs[at].id).Arrival)/p.MaxAge)
	}
	if p := r.of; p.FairShare > 0 {
		sum += p.FairShare * r.factor[r.user[x.owner]]
	}
	return sum
}

// key orders the job at a place of a group among all that wait.
func (r *ranking) key(v *View, g int32, at int) heap.Item {
	x := &r.groups[g]
	return heap.Item{Key: r.among(int(x.kind), r.sum(v, g, at)), Tie: int32(x.line.jobs[at].number), ID: g}
}

// among is the key of a sum of weighted factors among those of all kinds.
func (r *ranking) among(kind int, sum float64) float64 {
	return float64(r.tier[kind])*mostPriority - fairshare.Whole(sum)
}

// mostPriority is above all priorities.
const mostPriority = 1 << 36

// head is the group of the head of the queue, which must not be empty.
func (r *ranking) head(v *View) int32 {
	if len(r.full) == 1 {
		return r.full[0]
	}
	best := noneUp
	for _, k := range r.in(v) {
		r.search(v, k, math.Inf(1), &best)
	}
	return best.group
}

// Head is the kind of the head of the queue.
func (r *ranking) Head(v *View) (kind int) {
	r.rank(v)
	return int(r.groups[r.head(v)].kind)
}

// next is the first job by priority of those that fit and end by the limit of their kind if they start now.
func (r *ranking) next(v *View, limit func(kind int) float64) nextUp {
	best := noneUp
	for _, k := range r.in(v) {
		if v.Fits(k) {
			r.search(v, k, limit(k), &best)
		}
	}
	return best
}
