package problem

import (
	"math"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/compiled"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/spec"
)

// Failing are servers that fail, or are reserved or spare, as the event engine has them; nil without.
func (p *Problem) Failing() *compiled.Failing {
	if !p.Away() {
		return nil
	}
	f := &compiled.Failing{Servers: p.Spec.Failing(), Usable: p.Usable(), Crews: p.RepairCrews()}
	for i := range p.Failures {
		x := &p.Failures[i]
		k := compiled.FailureKind{Up: law.Prepare(x.Up), Repair: law.Prepare(x.Repair), WhileBusy: x.WhileBusy, Notice: x.Notice,
			Lemons: int(check.Whole(math.Round(x.Lemons*float64(f.Servers)), 0, int64(f.Servers))), Factor: x.Factor}
		k.Rate, _ = law.MemorylessRate(x.Up)
		f.Kinds = append(f.Kinds, k)
	}
	for i, c := range p.Classes {
		f.After, f.Work = append(f.After, p.AfterFailure(i)), append(f.Work, law.Prepare(c.Service))
	}
	f.Bookings = Bookings(p.Reservations)
	return f
}

// Bookings are reservations as the event engine has them.
func Bookings(list []spec.Reservation) (booked []compiled.Booking) {
	for _, r := range list {
		booked = append(booked, compiled.Booking{Start: r.Start, Length: r.Length, Every: r.Every, Servers: r.Servers, Hard: r.Hard})
	}
	return booked
}
