package result

import "fmt"

// Fragmentation is what it costs that units lie on nodes, averaged over time.
type Fragmentation struct {
	Held       Estimate // share of the time in which the head of the queue waits although as many units are free as it needs
	Stranded   Estimate // mean number of units that are free in that time, which counts as 0 at other times
	Unusable   Estimate // mean over jobs of the mean number of units that are free on nodes where the job would not fit
	EmptyNodes Estimate // mean number of nodes on which nothing runs
}

// note is the fragmentation in words; "" without nodes.
func (f *Fragmentation) note() string {
	if !f.Held.Known() {
		return ""
	}
	text := fmt.Sprintf(" The head of the queue is held by nodes alone for %v of the time", f.Held)
	if f.Stranded.Known() {
		text += fmt.Sprintf(", %v units are stranded then and %v unusable", f.Stranded, f.Unusable)
	}
	return text + fmt.Sprintf("; %v nodes are empty.", f.EmptyNodes)
}

// scatteredColumn is that of results of nodes.
func scatteredColumn(t *Table, rows []ClassResult) {
	if !rows[len(rows)-1].Scattered.Known() {
		return
	}
	var list []Estimate
	for i := range rows {
		list = append(list, rows[i].Scattered)
	}
	t.Estimates("scattered", list...)
}
