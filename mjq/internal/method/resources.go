package method

import (
	"math"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/events"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// countedFaults says that the event engine counts servers, or units of each type of
// resource, and serves first come first served in order.
func countedFaults(f *check.Faults, s *spec.Spec) {
	f.That(!s.Identities(), "the queue has named servers or random assignment, and this method does not tell servers apart; use mjq.Forward{}")
	f.That(!s.AsPrinted, "the recursion as printed lets later jobs overtake, which this method does not; use mjq.Forward{}")
}

// types are the types of resources as the event engine has them; nil without.
func (p *Problem) types() *events.Types {
	if len(p.Resources) == 0 {
		return nil
	}
	t := &events.Types{}
	for _, r := range p.Resources {
		t.Units = append(t.Units, r.Units)
	}
	for _, c := range p.Classes {
		t.Needs = append(t.Needs, c.Units)
	}
	return t
}

// needs are the servers that the classes need.
func (p *Problem) needs() (list []int) {
	for _, c := range p.Classes {
		list = append(list, c.Need)
	}
	return list
}

// simulator is an empty system under the policy.
func (p *Problem) simulator() *events.Simulator {
	if t := p.types(); t != nil {
		return events.NewTyped(t, p.discipline())
	}
	return events.NewScheduled(p.Servers, p.discipline(), p.needs())
}

// measuredResources is closeResources for what the event engine has measured over time.
func (p *Problem) measuredResources(r *result.Result, res *events.Result) {
	for j, idle := range res.IdleUnits {
		x := p.Resources[j]
		busy := plus(times(idle, -1/float64(x.Units)), 1)
		busy.HalfWidth = idle.HalfWidth / float64(x.Units)
		r.Resources = append(r.Resources, result.ResourceResult{Name: x.Name, Units: x.Units, WastedHOL: res.WastedUnits[j], Idle: idle, Utilization: busy})
	}
	mixedUnits(r)
}

// resourceLimits adds what the limit means by type. Units of different types do
// not add up, so that the total is then unknown.
func (m *Problem) resourceLimits(st *result.Stability) {
	for j, r := range m.Resources {
		work := m.TypeWork(j)
		st.Resources = append(st.Resources, result.ResourceLimit{Name: r.Name, Units: r.Units,
			IdealRate: float64(r.Units) / work, Wasted: float64(r.Units) - st.Rate*work})
	}
	if len(st.Resources) > 1 {
		st.Wasted, st.Work = math.NaN(), math.NaN()
	}
}

// closeResources adds the types of resources to a result, given the unit-time a
// job that each stood idle while a job waited.
func (m *Problem) closeResources(r *result.Result, perJob []result.Estimate) {
	for j, x := range perJob {
		units := m.Resources[j]
		busy := r.Rate * m.TypeWork(j)
		r.Resources = append(r.Resources, result.ResourceResult{Name: units.Name, Units: units.Units, WastedHOL: times(x, r.Rate),
			Idle:        result.Exact(float64(units.Units)-busy, "Little's law"),
			Utilization: result.Exact(busy/float64(units.Units), "Little's law")})
	}
	mixedUnits(r)
}

// saturatedResources is closeResources beyond the stability limit.
func (m *Problem) saturatedResources(r *result.Result) {
	for _, x := range r.Limit.Resources {
		work := (float64(x.Units) - x.Wasted) / r.Limit.Rate
		idle := result.Estimate{Value: x.Wasted, HalfWidth: r.Limit.HalfWidth * work, Level: r.Limit.Level, Method: r.Limit.Method}
		r.Resources = append(r.Resources, result.ResourceResult{Name: x.Name, Units: x.Units, WastedHOL: idle, Idle: idle,
			Utilization: result.Estimate{Value: 1 - x.Wasted/float64(x.Units), HalfWidth: idle.HalfWidth / float64(x.Units), Level: idle.Level, Method: idle.Method}})
	}
	mixedUnits(r)
}

// mixedUnits withdraws the totals over units of different types.
func mixedUnits(r *result.Result) {
	if len(r.Resources) > 1 {
		r.WastedHOL, r.Idle, r.Utilization = result.Unknown(), result.Unknown(), result.Unknown()
	}
}

// means are the means of several quantities.
func means(pairs []estimate.Pair, level float64, method string) (list []result.Estimate) {
	for i := range pairs {
		list = append(list, pairs[i].Mean(level, method))
	}
	return list
}
