package policy

// present are the kinds of which jobs wait, in no order, so that a pass costs nothing for kinds of
// which there is no job. Logs with several types of resources have thousands of kinds.
type present struct {
	kinds  []int
	listed []bool // by kind
}

func newPresent(kinds int) *present { return &present{listed: make([]bool, kinds)} }

// Arrived takes in the kind of a job.
func (p *present) Arrived(_ *View, j *Job) {
	if !p.listed[j.Kind] {
		p.listed[j.Kind] = true
		p.kinds = append(p.kinds, j.Kind)
	}
}

// Reneged does nothing: the next look finds who has left.
func (p *present) Reneged(*View, *Job) {}

// in are the kinds that are present in a view.
func (p *present) in(v *View) []int {
	still := p.kinds[:0]
	for _, k := range p.kinds {
		if p.listed[k] = v.Waiting[k] > 0; p.listed[k] {
			still = append(still, k)
		}
	}
	p.kinds = still
	return still
}
