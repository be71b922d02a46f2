package deferred

import (
	"context"
	"fmt"
)

// explorer finds the states that can be reached with at most a number of jobs, and
// their transitions. If it is endless, the last level stands for all from it on; else
// arrivals there are lost.
type explorer struct {
	*Queue
	endless bool
	limit   int     // most states of a level
	bytes   float64 // most memory
	all     []*level
	work    []spot
	found   int // states
	arrows  int
	fault   error
}

// A chain takes about bytesPerState for each state and bytesPerArrow for each transition while
// it is explored and solved. Under a policy that looks at all jobs states with many jobs have
// many transitions.
const bytesPerState, bytesPerArrow = 600, 40

// takes is about the memory of the chain so far.
func (x *explorer) takes() float64 {
	return bytesPerState*float64(x.found) + bytesPerArrow*float64(x.arrows)
}

// spot is a state, by its level and its place there.
type spot struct{ level, place int }

// grow goes on to a larger number of jobs. It fails with *TooLarge and with the error
// of ctx.
func (x *explorer) grow(ctx context.Context, most int) error {
	old := len(x.all) - 1
	for len(x.all) <= most {
		if len(x.all)%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		x.all = append(x.all, &level{place: map[string]int{}})
	}
	if old < 0 {
		x.visit(0, x.empty())
	} else {
		for n := max(0, old+1-x.input.largest()); n <= old; n++ {
			for place := range x.all[n].states {
				x.arrive(ctx, spot{n, place}, old-n)
			}
		}
	}
	for len(x.work) > 0 {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if bytes := x.takes(); bytes > x.bytes && x.fault == nil {
			x.fault = &TooLarge{States: float64(x.found), Bytes: bytes, Why: fmt.Sprintf("there are more with up to %d jobs, and %.2g MB are allowed", len(x.all)-1, x.bytes/1e6)}
		}
		if x.fault != nil {
			return x.fault
		}
		at := x.work[len(x.work)-1]
		x.work = x.work[:len(x.work)-1]
		x.serve(ctx, at)
		x.arrive(ctx, at, 0)
	}
	if x.fault == nil {
		x.fault = ctx.Err()
	}
	return x.fault
}

// visit is the place of a state, which is put on the list of work if it is new.
func (x *explorer) visit(n int, s *state) int {
	l := x.all[n]
	place, fresh := l.put(s)
	if fresh {
		x.found++
		x.work = append(x.work, spot{n, place})
	}
	if len(l.states) > x.limit {
		bytes := bytesPerState * float64(len(l.states))
		if x.endless {
			bytes = denseBytes(len(l.states))
		}
		x.fault = &TooLarge{States: float64(len(l.states)), Bytes: bytes,
			Why: fmt.Sprintf("the policy tells more than %d states with %d jobs apart", x.limit, n)}
	}
	return place
}

// serve finds the completions and changes of phase of a state.
func (x *explorer) serve(ctx context.Context, at spot) {
	l := x.all[at.level]
	down, local := x.services(ctx, l.states[at.place])
	for _, f := range local {
		l.local = x.join(l.local, arrow{at.place, x.visit(at.level, f.to), f.rate})
	}
	for _, f := range down {
		l.down = x.join(l.down, arrow{at.place, x.visit(at.level-1, f.to), f.rate})
		if x.endless && at.level == len(x.all)-1 {
			above := f.to.clone()
			above.line++
			l.same = x.join(l.same, arrow{at.place, x.visit(at.level, above), f.rate})
		}
	}
}

// arrive finds the arrivals of more jobs than a number. If there is no last level, the
// last one stands for those above it; else what would go beyond it is lost.
func (x *explorer) arrive(ctx context.Context, at spot, more int) {
	l, s, room := x.all[at.level], x.all[at.level].states[at.place], len(x.all)-1-at.level
	if x.endless {
		room = mostBatch
	}
	for _, f := range x.arrivals(ctx, s, more, room) {
		up := at.level + 1
		if x.endless && at.level == len(x.all)-1 {
			up = at.level
			f.to = f.to.clone()
			f.to.line--
		}
		l.up = x.join(l.up, arrow{at.place, x.visit(up, f.to), f.rate})
	}
}

// join appends an arrow, or adds its rate to that of the same two states among the
// last few.
func (x *explorer) join(list []arrow, a arrow) []arrow {
	for i := len(list) - 1; i >= max(0, len(list)-8) && list[i].from == a.from; i-- {
		if list[i].to == a.to {
			list[i].rate += a.rate
			return list
		}
	}
	x.arrows++
	return append(list, a)
}
