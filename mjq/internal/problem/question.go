package problem

import (
	"errors"
	"fmt"

	"github.com/mjqueue/mjq/mjq/internal/cache"
	"github.com/mjqueue/mjq/mjq/result"
)

// Question is what a method is asked, for the answers that are remembered: the queue, a
// limit if one is given, and all that changes the answer: the options and the settings of the
// method, a struct of values or nil. A law or a policy without a written form cannot be told from
// others.
func (p *Problem) Question(kind string, o *Options, settings any) *cache.Question {
	text, err := p.Spec.MarshalJSON()
	q := cache.Ask(kind).Written(text, err).Code(p.Spec)
	if o.Seen != nil { // it is there for what it tells on the way
		q.Written(nil, errors.New("not all that decides is among the settings"))
	}
	if p.known.given {
		q.Written(p.known.st.MarshalJSON())
	}
	return q.Numbers(o.Seed).Reals(o.Level).Text(fmt.Sprint(o.RelErr, o.HalfWidth, o.MaxJobs)).Text(fmt.Sprintf("%+v", settings))
}

// Sound reports whether a result is worth keeping: complete, and with a target as narrow
// as asked.
func (o *Options) Sound(r *result.Result) bool {
	return r.Run.Complete && (!o.Targeted() || r.Run.Met)
}
