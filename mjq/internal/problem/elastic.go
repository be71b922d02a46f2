package problem

import (
	"github.com/mjqueue/mjq/mjq/internal/compiled"
	"github.com/mjqueue/mjq/mjq/spec"
)

// elastic is how jobs change their size, as the event engine has it; nil if none does. The needs by class
// become those that must be free for a start.
func (p *Problem) elastic(needs []int) *compiled.Elastic {
	x := &compiled.Elastic{Oldest: p.Oldest}
	for i := range p.Classes {
		c := &p.Classes[i]
		e := c.Elastic
		if e == nil || e.Least == e.Largest(c.Need) {
			x.Of = append(x.Of, 0)
			continue
		}
		needs[i] = e.Least
		x.Forms = append(x.Forms, Form(e, c.Need))
		x.Of = append(x.Of, int32(len(x.Forms)))
	}
	if len(x.Forms) == 0 {
		return nil
	}
	return x
}

// Form is how jobs of a need change their size, as the event engine has it.
func Form(e *spec.Elastic, need int) compiled.Form {
	f := compiled.Form{Partial: e.Partial, Least: e.Least, Need: need, Most: e.Largest(need), Sizes: e.Speed.Only, Cost: e.Speed.Cost}
	f.Speed = make([]float64, f.Most+1)
	for k := f.Least; k <= f.Most; k++ {
		f.Speed[k] = e.Speed.On(k) / e.Speed.On(need)
	}
	return f
}
