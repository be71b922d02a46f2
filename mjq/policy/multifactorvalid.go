package policy

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/internal/fairshare"
)

// largestWeight is that of Slurm, whose weights have 32 bits.
const largestWeight = 1<<32 - 1

// Validate asks for weights and times that make sense, for classes that there are, and for a share of
// every user.
func (p Multifactor) Validate(s System) error {
	return judge(p, func(f *check.Faults) { p.faults(f, s) })
}

func (p Multifactor) faults(f *check.Faults, s System) {
	for _, n := range p.numbers() {
		if slices.Contains([]string{"Age", "FairShare", "Size", "Class", "Partition"}, n.name) {
			f.That(*n.value >= 0 && *n.value <= largestWeight, "%s %v: a weight is a number from 0 to %d", n.name, *n.value, int64(largestWeight))
		}
	}
	f.That(p.Age == 0 || p.MaxAge > 0 && !math.IsInf(p.MaxAge, 1), "MaxAge %v along with Age: give the age, above 0, at which a job has the whole weight", p.MaxAge)
	f.That(p.FairShare == 0 || p.HalfLife > 0, "HalfLife %v along with FairShare: give a time above 0, or math.Inf(1) for usage that always counts in full", p.HalfLife)
	f.That(p.CalcPeriod >= 0 && !math.IsInf(p.CalcPeriod, 1), "CalcPeriod %v: give a finite time, not negative; 0 computes at every pass", p.CalcPeriod)
	f.That(p.CalcPeriod == 0 || p.FairShare == 0 || p.HalfLife > 1, "HalfLife %v along with CalcPeriod: steps are those of slurmctld, in seconds, and need a half-life above 1", p.HalfLife)
	f.That(p.Damping >= 0 && !math.IsInf(p.Damping, 1), "Damping %v: give a finite number, not negative; 0 is 1", p.Damping)
	f.That(p.Damping == 0 || p.Classic, "Damping %v is of classic fair share; set Classic, or leave it out", p.Damping)
	f.That(p.Class == 0 || len(p.Factors) > 0, "Class %v without Factors: give the factor of each class, as urgent=1", p.Class)
	f.That(p.Partition == 0 || len(p.Partitions) > 0, "Partition %v without Partitions: give the factor of each partition", p.Partition)
	p.named(f, s)
	p.owners(f, s)
	if p.Inner != nil {
		_, first := p.Inner.(FirstFit)
		b, fills := p.Inner.(Backfill)
		f.That(first || fills && (b.Depth == 1 || b.Depth == All), "Within(%v): choose FCFS, FirstFit, EASY or Conservative", p.Inner)
		f.Join(p.Inner.Validate(s))
	}
}

// named looks at numbers by name, and at the tiers.
func (p *Multifactor) named(f *check.Faults, s System) {
	for _, m := range p.tables() {
		signed := m.name == "Nice" || m.name == "Other"
		for _, name := range slices.Sorted(maps.Keys(*m.value)) {
			x := (*m.value)[name]
			f.That(math.Abs(x) <= largestWeight && (signed || x >= 0), "%s: %v of %q; give a finite number%s", m.name, x, name, map[bool]string{false: ", not negative"}[signed])
			if m.name != "Other" && !s.has(name) {
				f.Add("%s: class %q is not in the model%s", m.name, name, check.OneOf(name, classNames(s)))
			}
		}
	}
	if err := (Priority{Levels: p.Levels}).Validate(s); err != nil {
		f.Add("Tier: %w", err)
	}
}

// has reports whether there is a class of a name.
func (s System) has(class string) bool {
	return slices.ContainsFunc(s.Classes, func(c Class) bool { return c.Name == class })
}

func classNames(s System) (names []string) {
	for _, c := range s.Classes {
		if !slices.Contains(names, c.Name) {
			names = append(names, c.Name)
		}
	}
	return names
}

// owners looks at the shares, and for the share of every user.
func (p *Multifactor) owners(f *check.Faults, s System) {
	list, err := fairshare.Parse(p.Shares)
	var t *fairshare.Tree
	if err == nil {
		t, err = fairshare.NewTree(list)
	}
	if err != nil {
		f.Add("Shares: %w", err)
		return
	}
	if p.Shares == "" {
		return
	}
	missing := check.Faults{Most: 5}
	used := map[int]bool{}
	for _, o := range s.owners() {
		u, err := t.Find(fairshare.User{Account: o.Account, Name: o.User})
		if used[u] = true; err != nil {
			missing.Add("Shares: %w; give %s a share, or leave Shares out", err, o.User)
		}
	}
	f.Join(missing.Err(""))
	for u, user := range t.Users {
		f.That(s.Owners != nil || used[u], "Shares: user %q is no class of the model%s", user.Name, check.OneOf(user.Name, classNames(s)))
	}
}

// owners are the users of the system: its classes, if it names none.
func (s System) owners() []Owner {
	if s.Owners != nil {
		return s.Owners
	}
	var list []Owner
	for _, c := range s.Classes {
		list = append(list, Owner{User: c.Name})
	}
	return list
}

// Owed is the part of all shares of each user, by account and name; nil if no shares are given.
func (p Multifactor) Owed() map[[2]string]float64 {
	list, err := fairshare.Parse(p.Shares)
	if err != nil || len(list) == 0 {
		return nil
	}
	t, err := fairshare.NewTree(list)
	if err != nil {
		return nil
	}
	out := map[[2]string]float64{}
	for u, part := range t.Owed() {
		out[[2]string{t.Users[u].Account, t.Users[u].Name}] = part
	}
	return out
}

// tree is the tree of the shares, and by owner the user in it. Without shares every owner has one.
func (p *Multifactor) tree(s System) (t *fairshare.Tree, user []int) {
	list, err := fairshare.Parse(p.Shares)
	if p.Shares == "" {
		for i := range s.owners() {
			list, user = append(list, fairshare.Node{Name: fmt.Sprint(i), Shares: 1}), append(user, i)
		}
	}
	if err == nil {
		t, err = fairshare.NewTree(list)
	}
	if err != nil {
		panic(err) // Validate has seen the shares
	}
	if p.Shares == "" {
		return t, user
	}
	for _, o := range s.owners() {
		u, err := t.Find(fairshare.User{Account: o.Account, Name: o.User})
		if err != nil {
			panic(err)
		}
		user = append(user, u)
	}
	return t, user
}
