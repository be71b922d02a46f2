package result

import (
	"fmt"
	"strings"
)

// ResourceLimit is one type of resource at the stability limit.
type ResourceLimit struct {
	Name      string
	Units     int
	IdealRate float64 // s_j / E[α_j σ]: the limit if this type alone mattered and none were ever blocked
	Wasted    float64 // mean number of units idle through blocking in saturation
}

// ResourceResult holds the results of one type of resource.
type ResourceResult struct {
	Name        string
	Units       int
	WastedHOL   Estimate // mean number of units idle while a job waits
	Idle        Estimate // mean number of units idle for any reason
	Utilization Estimate // mean fraction of units busy
}

// Resource is the result of the type of resource of that name. A name that
// does not exist is a mistake of the program and panics with the names that do.
func (r *Result) Resource(name string) *ResourceResult {
	return called("resource", "result", r.Resources, name, func(x *ResourceResult) string { return x.Name })
}

// ResourceTable is the result by type of resource; empty for identical servers.
func (r *Result) ResourceTable() *Table {
	var names []string
	var units []float64
	var hol, idle, busy []Estimate
	for _, x := range r.Resources {
		names, units = append(names, x.Name), append(units, float64(x.Units))
		hol, idle, busy = append(hol, x.WastedHOL), append(idle, x.Idle), append(busy, x.Utilization)
	}
	return NewTable(fmt.Sprintf("Resources%s (%s)", r.AtRate(6), r.Solver)).Text("resource", names...).
		Numbers("units", units...).Estimates("idle while a job waits", hol...).Estimates("idle", idle...).
		Estimates("utilisation", busy...)
}

func (r *Result) resourceNote() (note string) {
	for _, x := range r.Resources {
		note += fmt.Sprintf(" %[3]v of %[1]d %[2]s idle while a job waits, %[4]v in all.", x.Units, x.Name, x.WastedHOL, x.Idle)
	}
	return note
}

// wasted is what is idle through blocking in saturation, in words.
func (s *Stability) wasted() string {
	if len(s.Resources) == 0 {
		return fmt.Sprintf("%v servers", s.WastedInterval())
	}
	var parts []string
	for _, r := range s.Resources {
		parts = append(parts, fmt.Sprintf("%.4g of %d %s", r.Wasted, r.Units, r.Name))
	}
	return strings.Join(parts, ", ")
}
