package policy

// present are the kinds of which jobs wait, in no order, so that a pass costs nothing for kinds of
// which there is no job. Logs with several types of resources have thousands of kinds. A few kinds
// are always all listed, since looking at them costs less than keeping the list.
type present struct {
	kinds  []int
	listed []bool // by kind; nil if all are
}

// fewKinds are so many that looking at all of them costs next to nothing.
const fewKinds = 8

func newPresent(kinds int) *present {
	if kinds > fewKinds {
		return &present{listed: make([]bool, kinds)}
	}
	p := &present{}
	for k := range kinds {
		p.kinds = append(p.kinds, k)
	}
	return p
}

// Arrived takes in the kind of a job.
func (p *present) Arrived(_ *View, j *Job) {
	if p.listed != nil && !p.listed[j.Kind] {
		p.listed[j.Kind] = true
		p.kinds = append(p.kinds, j.Kind)
	}
}

// Reneged does nothing: the next look finds who has left.
func (p *present) Reneged(*View, *Job) {}

// in are the kinds that are present in a view, or all if they are few.
func (p *present) in(v *View) []int {
	if p.listed != nil {
		p.prune(v)
	}
	return p.kinds
}

// prune takes out kinds of which no job waits.
func (p *present) prune(v *View) {
	still := p.kinds[:0]
	for _, k := range p.kinds {
		if p.listed[k] = v.Waiting[k] > 0; p.listed[k] {
			still = append(still, k)
		}
	}
	p.kinds = still
}
