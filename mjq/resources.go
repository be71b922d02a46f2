package mjq

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/result"
)

// Resource is a type of resource: interchangeable units under one name.
type Resource struct {
	Name  string
	Units int
}

// Needs is how many units of each type a job holds together; types left out
// are not needed.
type Needs map[string]int

// ResourceBuilder collects the description of a queue with several types of
// resources. It is a value, as Builder is.
type ResourceBuilder struct {
	pairs []any
	plain Builder
	needs []Needs
}

// Resources begins a queue whose jobs hold units of several types at once
// (Baccelli, Olliaro, Ajmone Marsan, Marin: Section 9.2). The arguments
// alternate between the name of a type and its number of units, as in
// Resources("cpu", 2048, "gpu", 64). Jobs are served first come first served
// with head-of-line blocking: a job that waits for one type blocks those behind
// it, whatever they need; see Cluster.AsPrinted.
func Resources(namesAndUnits ...any) ResourceBuilder {
	return ResourceBuilder{pairs: namesAndUnits}
}

// Poisson lets jobs arrive in a Poisson process of the given rate.
func (b ResourceBuilder) Poisson(rate float64) ResourceBuilder {
	b.plain = b.plain.Poisson(rate)
	return b
}

// Arrivals lets jobs arrive in a renewal process with the given law of the
// time between arrivals.
func (b ResourceBuilder) Arrivals(gap Law) ResourceBuilder {
	b.plain = b.plain.Arrivals(gap)
	return b
}

// Class adds a class of jobs: its name, what a job needs of each type, the
// probability that an arriving job is of this class, and the law of its service
// time.
func (b ResourceBuilder) Class(name string, needs Needs, prob float64, service Law) ResourceBuilder {
	b.plain = b.plain.Class(name, 1, prob, service)
	b.needs = append(slices.Clip(b.needs), maps.Clone(needs))
	return b
}

// Build checks the description and returns the queue. The error names every
// fault at once; see Builder.Build.
func (b ResourceBuilder) Build() (*Cluster, error) {
	resources, faults := b.resources()
	plain := b.plain
	plain.servers = 1
	faults = append(faults, plain.faults()...)
	v := &variant{resources: resources}
	classes := slices.Clone(plain.classes)
	for i, needs := range b.needs {
		units, total, wrong := unitsOf(fmt.Sprintf("class %d %q", i+1, classes[i].Name), needs, resources)
		faults = append(faults, wrong...)
		v.needs = append(v.needs, units)
		classes[i].Need = total
	}
	plain.classes = classes
	plain.servers = 0
	for _, r := range resources {
		plain.servers += r.Units
	}
	return plain.cluster(v, faults)
}

// cluster is the built queue, or all faults. The classes now carry all units.
func (b Builder) cluster(v *variant, wrong []error) (*Cluster, error) {
	if len(wrong) > 0 {
		return nil, described(wrong)
	}
	m, err := b.Build()
	if err != nil {
		return nil, err
	}
	m.variant, v.servers = v, m.servers
	v.ideal = v.idealRate(m)
	return &Cluster{m}, nil
}

// resources reads the arguments of Resources.
func (b ResourceBuilder) resources() (list []Resource, faults []error) {
	fault := func(format string, args ...any) { faults = append(faults, fmt.Errorf(format, args...)) }
	if len(b.pairs) == 0 {
		fault(`Resources(): name at least one type and its units, as in Resources("cpu", 64)`)
	}
	if len(b.pairs)%2 == 1 {
		fault("Resources: %d arguments; they must alternate between a name and a number of units", len(b.pairs))
	}
	for i := 0; i+1 < len(b.pairs); i += 2 {
		name, isName := b.pairs[i].(string)
		units, isUnits := b.pairs[i+1].(int)
		switch {
		case !isName || name == "":
			fault("Resources: argument %d is %#v; give the name of a type of resource", i+1, b.pairs[i])
		case slices.ContainsFunc(list, func(r Resource) bool { return r.Name == name }):
			fault("Resources: the type %q is given twice; add its units up", name)
		case !isUnits || units < 1 || units > math.MaxInt32:
			fault("Resources: %q has %#v units; give a whole number from 1 on", name, b.pairs[i+1])
			units, isUnits = 1, true
			fallthrough
		default:
			list = append(list, Resource{name, units})
		}
	}
	return list, faults
}

// unitsOf is what a class needs by type, and in all.
func unitsOf(at string, needs Needs, resources []Resource) (units []int32, total int, faults []error) {
	fault := func(format string, args ...any) { faults = append(faults, fmt.Errorf(at+": "+format, args...)) }
	var names []string
	for _, r := range resources {
		names = append(names, r.Name)
		n := needs[r.Name]
		if n < 0 {
			fault("needs %d %s; a need cannot be negative", n, r.Name)
		} else if n > r.Units {
			fault("needs %d %s of %d; such a job could never start", n, r.Name, r.Units)
		}
		units = append(units, int32(n))
		total += n
	}
	for _, name := range slices.Sorted(maps.Keys(needs)) {
		if !slices.Contains(names, name) {
			fault("needs %q, which is not among the resources %s", name, strings.Join(names, ", "))
		}
	}
	if len(faults) == 0 && total == 0 {
		fault("needs nothing; give at least one unit of one type")
	}
	return units, total, faults
}

// typeWork is E[α_j σ] of type j, the mean unit-time that a job brings.
func (m *Model) typeWork(j int) (sum float64) {
	for i, c := range m.classes {
		sum += c.Prob * float64(m.variant.needs[i][j]) * c.Service.Mean()
	}
	return sum
}

// resourceLimits adds what the limit means by type. Units of different types do
// not add up, so that the total is then unknown.
func (m *Model) resourceLimits(st *Stability) {
	if m.variant == nil {
		return
	}
	for j, r := range m.variant.resources {
		work := m.typeWork(j)
		st.Resources = append(st.Resources, ResourceLimit{Name: r.Name, Units: r.Units,
			IdealRate: float64(r.Units) / work, Wasted: float64(r.Units) - st.Rate*work})
	}
	if len(st.Resources) > 1 {
		st.Wasted, st.Work = math.NaN(), math.NaN()
	}
}

// closeResources adds the types of resources to a result, given the unit-time a
// job that each stood idle while a job waited.
func (m *Model) closeResources(r *Result, perJob []Estimate) {
	for j, x := range perJob {
		units := m.variant.resources[j]
		busy := r.Rate * m.typeWork(j)
		r.Resources = append(r.Resources, ResourceResult{Name: units.Name, Units: units.Units, WastedHOL: times(x, r.Rate),
			Idle:        result.Exact(float64(units.Units)-busy, "Little's law"),
			Utilization: result.Exact(busy/float64(units.Units), "Little's law")})
	}
	mixedUnits(r)
}

// saturatedResources is closeResources beyond the stability limit.
func (m *Model) saturatedResources(r *Result) {
	for _, x := range r.Limit.Resources {
		work := (float64(x.Units) - x.Wasted) / r.Limit.Rate
		idle := Estimate{Value: x.Wasted, HalfWidth: r.Limit.HalfWidth * work, Level: r.Limit.Level, Method: r.Limit.Method}
		r.Resources = append(r.Resources, ResourceResult{Name: x.Name, Units: x.Units, WastedHOL: idle, Idle: idle,
			Utilization: Estimate{Value: 1 - x.Wasted/float64(x.Units), HalfWidth: idle.HalfWidth / float64(x.Units), Level: idle.Level, Method: idle.Method}})
	}
	mixedUnits(r)
}

// mixedUnits withdraws the totals over units of different types.
func mixedUnits(r *Result) {
	if len(r.Resources) > 1 {
		r.WastedHOL, r.Idle, r.Utilization = result.Unknown(), result.Unknown(), result.Unknown()
	}
}

// means are the means of several quantities.
func means(pairs []estimate.Pair, level float64, method string) (list []Estimate) {
	for i := range pairs {
		list = append(list, pairs[i].Mean(level, method))
	}
	return list
}
