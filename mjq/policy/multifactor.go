package policy

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/mjqueue/mjq/internal/fairshare"
)

// Multifactor orders the queue by the priorities of Slurm's plugin priority/multifactor. The priority
// of a waiting job is the whole part, at least 1, of
//
//	Age min(1, age/MaxAge) + FairShare F + Size J + Class Q + Partition P + Other - Nice
//
// The highest comes first, then the earlier arrival. Every pass computes the priorities again, or every
// CalcPeriod. As it stands the policy is nonpreemptive and blocking: a pass starts the head of the
// queue while that fits. See Within for the other ways.
//
// F is the fair-share factor of the user, by the decayed usage of all users: servers times time, that
// of running jobs included. By default it is that of Fair Tree: the part of all users that do not come
// before the user in a walk of the tree. J is the need over all servers. On nodes it is the mean of this
// part and the part of the nodes. Q and P are the factors of the class over the largest.
//
// In a model each class is a user. In a log the jobs name user and account.
//
// Source: SchedMD, Slurm, src/plugins/priority/multifactor, whose decisions on ties are kept. A billionth
// is added before the whole part is taken, so that rounding decides nothing.
type Multifactor struct {
	Age    float64 // weight of the age, the time since arrival
	MaxAge float64 // age at which the weight is reached
	// FairShare is the weight of the fair-share factor.
	FairShare float64
	HalfLife  float64 // after which usage counts half; +Inf: always in full
	// CalcPeriod is the period of slurmctld's steps, at which alone usage and priorities change, with
	// times in seconds; 0 computes them at every pass. A job that arrives has a priority at once. A step
	// starts no job: passes are at arrivals and departures, and have the priorities of the last step.
	CalcPeriod float64
	Size       float64 // weight of the need
	FavorSmall bool    // small needs come first: 1 - J for J
	// Class is the weight of the factors of the classes, which may be classes of quality (QOS).
	Class      float64
	Factors    map[string]float64 // by class; 0 for one left out
	Partition  float64            // weight of the factors of the partitions
	Partitions map[string]float64 // by class, which names its partition; 0 for one left out
	Nice       map[string]float64 // by class, taken off
	Other      map[string]float64 // by account, added: a weight times an association's or site's factor
	// Shares is a tree in one line: physics=3(ann=1,bob=1) biology=1(cy=2,dee=1). A name without a number
	// has one share. "" gives every user one share. Users without jobs count too.
	Shares  string
	Classic bool       // classic fair share, 2^(-(usage/share)/Damping), for Fair Tree
	Damping float64    // of classic fair share; 0 is 1
	Levels  [][]string // see Tier
	Inner   Policy     // see Within; nil: FCFS
}

func init() {
	register(Multifactor{}, Multifactor{Age: 1000, MaxAge: 10, FairShare: 10000, HalfLife: 50}, Multifactor{Age: 1000, MaxAge: 10, FairShare: 2000, HalfLife: 50}.Within(EASY()),
		Multifactor{FairShare: 10000, HalfLife: 50, Classic: true, Size: 500}.Within(Conservative()), Multifactor{Size: 3000, FavorSmall: true, FairShare: 5000, HalfLife: 9}.Within(FirstFit{}))
}

// Tier puts classes of the first level before those of the next, whatever their priorities are, as
// PriorityTier does. Classes that no level names form the last one.
func (p Multifactor) Tier(levels ...[]string) Multifactor {
	p.Levels = levels
	return p
}

// Within has another policy choose inside the order of the priorities. FirstFit starts every job that
// fits. EASY reserves for the head of the queue, which is the job of the highest priority at each pass.
// Conservative reserves for every job in the order of the priorities. Every pass makes all reservations again.
func (p Multifactor) Within(inner Policy) Multifactor {
	if inner == (FCFS{}) {
		inner = nil
	}
	p.Inner = inner
	return p
}

// String is how the policy is written on the command line, without what has its default:
// Multifactor(Age=1000,MaxAge=168,Class=2000,Factors=(normal=0.1,urgent=1)).Within(EASY).
func (p Multifactor) String() string {
	var parts []string
	for _, n := range p.numbers() {
		if *n.value != 0 {
			parts = append(parts, n.name+"="+strconv.FormatFloat(*n.value, 'g', -1, 64))
		}
	}
	for _, m := range p.tables() {
		if len(*m.value) > 0 {
			parts = append(parts, m.name+"=("+inParentheses(*m.value)+")")
		}
	}
	for _, b := range p.switches() {
		if *b.value {
			parts = append(parts, b.name)
		}
	}
	if p.Shares != "" {
		parts = append(parts, "Shares="+p.shares())
	}
	text := "Multifactor(" + strings.Join(parts, ",") + ")"
	if len(p.Levels) > 0 {
		text += ".Tier(" + inLevels(p.Levels) + ")"
	}
	if p.Inner != nil {
		text += fmt.Sprintf(".Within(%v)", p.Inner)
	}
	return text
}

// setting is a field by its name.
type setting[T any] struct {
	name  string
	value *T
}

func (p *Multifactor) numbers() []setting[float64] {
	return []setting[float64]{{"Age", &p.Age}, {"MaxAge", &p.MaxAge}, {"FairShare", &p.FairShare}, {"HalfLife", &p.HalfLife}, {"CalcPeriod", &p.CalcPeriod},
		{"Size", &p.Size}, {"Class", &p.Class}, {"Partition", &p.Partition}, {"Damping", &p.Damping}}
}

func (p *Multifactor) tables() []setting[map[string]float64] {
	return []setting[map[string]float64]{{"Factors", &p.Factors}, {"Partitions", &p.Partitions}, {"Nice", &p.Nice}, {"Other", &p.Other}}
}

func (p *Multifactor) switches() []setting[bool] {
	return []setting[bool]{{"FavorSmall", &p.FavorSmall}, {"Classic", &p.Classic}}
}

// inParentheses writes numbers by name, as a list of shares is written.
func inParentheses(m map[string]float64) string {
	var list []fairshare.Node
	for _, name := range slices.Sorted(maps.Keys(m)) {
		list = append(list, fairshare.Node{Name: name, Shares: m[name]})
	}
	return strings.ReplaceAll(fairshare.Format(list), " ", ",")
}

// shares are the shares as they are written; as they were given if they cannot be read.
func (p *Multifactor) shares() string {
	list, err := fairshare.Parse(p.Shares)
	if err != nil {
		return p.Shares
	}
	return fairshare.Format(list)
}

// Properties returns the properties of the policy.
func (p Multifactor) Properties() Properties {
	k := Properties{Packs: true, InOrder: p.FairShare == 0, Types: Served, Nodes: Served, Remembers: p.FairShare > 0 || p.CalcPeriod > 0, Owned: p.FairShare > 0 || len(p.Other) > 0 || p.Shares != ""}
	if p.Inner != nil {
		inner := p.Inner.Properties()
		k.Estimates, k.Given, k.InOrder, k.Reservations = inner.Estimates, inner.Given, k.InOrder && inner.InOrder, inner.Reservations
	}
	return k
}

// Limits is those of the policy within the priorities.
func (p Multifactor) Limits() (rule Estimates, kill bool) { return limitsOf(p.Inner) }

// LevelsOf tells all classes apart, by tier and then in order.
func (p Multifactor) LevelsOf(classes []Class) []int {
	tiers, levels := Priority{Levels: p.Levels}.LevelsOf(classes), make([]int, len(classes))
	next := 0
	for tier := range len(p.Levels) + 1 {
		for i := range classes {
			if tiers[i] == tier {
				levels[i] = next
				next++
			}
		}
	}
	return levels
}
