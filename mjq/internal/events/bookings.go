package events

import (
	"cmp"
	"math"
	"slices"

	"github.com/mjqueue/mjq/mjq/internal/compiled"
	"github.com/mjqueue/mjq/mjq/policy"
)

// bookings are the windows in which servers are reserved. They count servers and do not say which.
type bookings struct {
	list []window
	held int  // servers that are reserved now
	idle int  // windows that have begun or ended in a row while jobs wait, none runs and none will come
	any  bool // there is one
}

// window is a reservation with its window that goes on or comes next.
type window struct {
	*compiled.Booking
	n        int64 // of the window
	from, to float64
	on       bool
}

// mostIdle is after how many windows without any other event a queue is taken to wait for ever.
const mostIdle = 10_000

// mostAhead is how many windows of a reservation a plan has.
const mostAhead = 100_000

// reset goes to the first window that is not over at the origin of time.
func (b *bookings) reset(list []compiled.Booking, origin float64) {
	b.list, b.held, b.idle, b.any = b.list[:0], 0, 0, len(list) > 0
	for i := range list {
		x := window{Booking: &list[i]}
		if behind := origin - x.Start - x.Length; x.Every > 0 && behind > 0 {
			x.n = int64(behind / x.Every)
		}
		x.at(origin)
		b.list = append(b.list, x)
	}
}

// at sets the times of the window.
func (x *window) at(origin float64) {
	x.from = x.Start + float64(x.n)*x.Every - origin
	x.to = x.from + x.Length
}

// next is when a window begins or ends next; +Inf if none does.
func (b *bookings) next() float64 {
	at := forEver
	for i := range b.list {
		at = min(at, b.list[i].next())
	}
	if b.idle > mostIdle {
		return forEver
	}
	return at
}

func (x *window) next() float64 {
	if x.on {
		return x.to
	}
	return x.from
}

// turn has windows begin and end that do so now, each once, and reports whether jobs must leave for one.
func (b *bookings) turn(now, origin float64) (hard bool) {
	for i := range b.list {
		switch x := &b.list[i]; {
		case x.next() > now:
		case !x.on:
			x.on = true
			b.held += x.Servers
			hard = hard || x.Hard
		default:
			x.on = false
			b.held -= x.Servers
			if x.n++; x.Every == 0 {
				x.from = forEver
			} else {
				x.at(origin)
			}
		}
	}
	return hard
}

// shift moves the origin of time.
func (b *bookings) shift(by float64) {
	for i := range b.list {
		b.list[i].from -= by
		b.list[i].to -= by
	}
}

// takes is how many servers it takes at a time from now on, as jobs know it that start: a hard one
// that has not begun takes them from the jobs.
func (x *window) takes(at float64) int {
	slack := slack * x.Length
	after := at - x.from
	if x.Hard && !x.on || after < -slack {
		return 0
	}
	if x.Every > 0 && !x.Hard {
		after = math.Mod(after+slack, x.Every) - slack
	}
	if after < x.Length-slack {
		return x.Servers
	}
	return 0
}

// Left returns how many servers that are up, beside those reserved now, no job holds, and how many more
// jobs may hold.
func (e *engine) Left() (open, more int) {
	f := e.failing
	return f.open - f.booked.held, f.Usable - f.held
}

// Ahead appends what jobs give back and windows take from now on up to a time, by the estimates. A job
// that is overdue is expected to end now.
func (e *engine) Ahead(until float64, dst []policy.Change) []policy.Change {
	s := (*Simulator)(e)
	f := s.failing
	now := s.view.Now
	for _, d := range s.ends.heap {
		j := &s.system.all[d.id]
		dst = append(dst, policy.Change{At: max(now, j.from+j.Estimate), Back: j.Need})
	}
	for _, d := range f.detects.heap {
		j, r := &s.system.all[d.id], &f.runs[d.id]
		dst = append(dst, policy.Change{At: d.at + f.length(j, r.estimate, r.hits), Back: j.Need})
	}
	for i := range f.booked.list {
		x := f.booked.list[i]
		if x.on {
			dst = append(dst, policy.Change{At: x.to, Reserved: -x.Servers})
			x.n++
			if x.at(s.origin); x.Every == 0 {
				continue
			}
		}
		for n := 0; n < mostAhead && !x.Hard && x.from < until; n++ {
			dst = append(dst, policy.Change{At: x.from, Reserved: x.Servers}, policy.Change{At: x.to, Reserved: -x.Servers})
			if x.Every == 0 {
				break
			}
			x.n++
			x.at(s.origin)
		}
	}
	slices.SortFunc(dst, func(a, b policy.Change) int { return cmp.Compare(a.At, b.At) })
	return dst
}

// Spared reports whether a job that starts now leaves free, by the estimates, what is reserved as long
// as it runs.
func (e *engine) Spared(id int32) bool {
	s := (*Simulator)(e)
	f, j, now := s.failing, &s.system.all[id], s.view.Now
	end := now + j.Estimate - slack*j.Estimate
	for i := range f.booked.list {
		x := f.booked.list[i]
		if x.Hard {
			continue
		}
		if x.on {
			x.n++
			if x.at(s.origin); x.Every == 0 {
				continue
			}
		}
		for x.from < end {
			free, last := f.then(s, x.from)
			if free < j.Need {
				return false
			}
			if x.n++; x.Every == 0 || last && len(f.booked.list) == 1 {
				break
			}
			x.at(s.origin)
		}
	}
	return true
}

// SparesReserved is Spared of the earliest job of a kind.
func (e *engine) SparesReserved(kind int) bool { return e.Spared(e.waiting[kind].head) }

// then is how many servers are free at a later time, by the estimates and with all that is reserved
// then, and whether no job runs then.
func (f *failing) then(s *Simulator, at float64) (free int, last bool) {
	ends, last := 0, true
	by := at + slack*math.Abs(at)
	for _, d := range s.ends.heap {
		if j := &s.system.all[d.id]; j.from+j.Estimate <= by {
			ends += j.Need
		} else {
			last = false
		}
	}
	for _, d := range f.detects.heap {
		j, r := &s.system.all[d.id], &f.runs[d.id]
		if d.at+f.length(j, r.estimate, r.hits) <= by {
			ends += j.Need
		} else {
			last = false
		}
	}
	reserved := 0
	for i := range f.booked.list {
		reserved += f.booked.list[i].takes(at)
	}
	return min(f.open+ends-reserved, f.Usable-f.held+ends), last
}

// turns has windows begin and end. Jobs that are in the way of a hard one are hit, the last to come
// first, and give their servers back.
func (f *failing) turns(s *Simulator) {
	if f.booked.idle++; s.view.Jobs == 0 || s.inService() > 0 || s.arrival < forEver {
		f.booked.idle = 0
	}
	hard := f.booked.turn(s.view.Now, s.origin)
	if hard && f.migrates {
		f.fits(s)
	}
	for missing := f.booked.held - f.open; hard && !f.migrates && missing > 0; {
		last := s.lastToCome()
		if last == nobody {
			break
		}
		missing -= s.system.all[last].Need
		f.runs[last].evicted = true
		f.hit(s, last, 0)
	}
	f.level(s)
	s.passDue = true
}
