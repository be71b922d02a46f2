package loss

import "github.com/mjqueue/mjq/mjq/internal/compiled"

// Of is a queue without room.
func Of(q *compiled.System) *System {
	x := &System{Units: []int{q.Servers}}
	if q.Types != nil {
		x.Units = q.Types.Units
	}
	for i, c := range q.Known {
		k := Class{Needs: []int{q.Needs[i]}, Load: q.Rate * q.Probs[i] * c.Service.Mean()}
		if q.Types != nil {
			k.Needs = q.Types.Needs[i]
		}
		x.Classes = append(x.Classes, k)
	}
	for _, u := range q.Users {
		x.Classes[u.Class].Users, x.Classes[u.Class].Load = u.Number, u.Service.Mean()/u.Think.Mean()
	}
	return x
}
