package problem

import (
	"errors"

	"github.com/mjqueue/mjq/mjq/internal/remember"
	"github.com/mjqueue/mjq/mjq/result"
)

// Question is what a method is asked, for the answers that are remembered: the queue, a
// limit if one is given, and all settings that change the answer. A law or a policy
// without a written form cannot be told from others.
func (p *Problem) Question(kind string, o *Options) *remember.Question {
	text, err := p.Spec.MarshalJSON()
	q := remember.Ask(kind).Written(text, err).Code(p.Spec)
	if !o.Memorable() {
		q.Written(nil, errors.New("not all that decides is among the settings"))
	}
	if p.known.given {
		q.Written(p.known.st.MarshalJSON())
	}
	q.Numbers(o.Seed, uint64(o.given), uint64(o.Device)).Reals(o.Level)
	for i := range settings.index() {
		q.Numbers(uint64(o.whole[i])).Reals(o.real[i])
	}
	return q
}

// Memorable reports whether the settings say all: on Auto the machine has a say, and a
// simulation may be there for what it tells on the way.
func (o *Options) Memorable() bool { return o.Device != Auto && o.Seen == nil }

// Sound reports whether a result is worth keeping: complete, and with a target as narrow
// as asked.
func (o *Options) Sound(r *result.Result) bool {
	return r.Run.Complete && (!o.Targeted() || r.Run.Met)
}
