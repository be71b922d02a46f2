package mjq

import (
	"slices"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/spec"
)

// Checkpoint says what becomes of a job whose server fails; see After.
type Checkpoint = policy.Checkpoint

// Failures adds a kind of failure of servers, or of nodes where the model has nodes. Each server fails
// after a random time up, counted while the server is up, and is then down for a random repair.
// Deterministic(0) is an interruption: the server stays up. The job that holds the server is hit, all
// others run on; After says how it continues. Kinds of failure add up.
func (m Model) Failures(name string, up, repair Law) Model {
	return m.structured(func(d *description) {
		d.said.Failures = append(slices.Clip(d.said.Failures), spec.Failure{Name: name, Up: up, Repair: repair})
	})
}

// WhileBusy counts the time up of the kind of failure named before only while a job holds the server:
// idle servers do not fail, and the time begins again when a job takes the server.
func (m Model) WhileBusy() Model {
	return m.failure("WhileBusy", func(x *spec.Failure) { x.WhileBusy = true })
}

// Notice warns a job that long before a failure of the kind named before, as spot markets do. If
// writing a checkpoint takes no longer, the job loses no work up to the beginning of that write.
func (m Model) Notice(time float64) Model {
	return m.failure("Notice", func(x *spec.Failure) { x.Notice = time })
}

// Lemons has a share of the servers, drawn once for each run, fail that many times as often by the
// kind of failure named before.
func (m Model) Lemons(share, factor float64) Model {
	return m.failure("Lemons", func(x *spec.Failure) { x.Lemons, x.Factor = share, factor })
}

// Crews is how many servers are repaired at once, in the order of their failures. Without it all are.
func (m Model) Crews(n int) Model {
	return m.structured(func(d *description) { d.said.Crews = &n })
}

// After says how a job continues after a failure of one of its servers: a Checkpoint, Resume, Restart
// (the default), Resampled, Drop or Migrate, for the classes named or for all. The last setting of a
// class counts. A job that was hit keeps its place in the queue by arrival.
//
// Checkpoint{Every, Cost, Recovery, Detection} writes a checkpoint after each Every of work, which
// takes Cost. After a failure the job holds its servers for Detection, in which further failures do
// not hit it; then it begins again on them if all are up, and else waits. Each run but the first
// begins with Recovery, during which it can be hit. Its field How combines Recovery and Detection with
// Resume, Restart or Resampled.
func (m Model) After(how policy.Aftermath, classes ...string) Model {
	return m.setting("After", classes, func(c *Class) {
		after := how.After()
		c.After = &after
	})
}

// Shrink has the elastic jobs of the classes of the After named before survive a failure: once it is
// detected, such a job goes on with the servers that it has left, if they are at least its least. It
// loses no work, and grows again as soon as servers are free. With fewer servers it does what After
// says. A job that has lost a server stands still for its time to resize.
func (m Model) Shrink() Model {
	var after []string
	said := false
	for _, x := range m.described().later {
		if x.call == "After" {
			after, said = x.classes, true
		}
	}
	if !said {
		return m.structured(func(d *description) {
			d.early = append(slices.Clip(d.early), "Shrink: no After is named before it; begin with After(how, classes)")
		})
	}
	return m.setting("Shrink", after, func(c *Class) {
		if c.After != nil {
			how := *c.After
			how.Shrink = true
			c.After = &how
		}
	})
}

// Spares keeps that many servers, or nodes where the model has nodes, from being held by jobs at any
// time, so that a large job that fails finds others. They fail and are repaired like the others.
func (m Model) Spares(n int) Model {
	return m.structured(func(d *description) { d.said.Spares = n })
}

// Reserve takes servers away from the jobs for a time: a job starts only if, by its estimate, it and
// those that run leave them free in that window. Every repeats it, and Hard stops the jobs instead. A
// job that runs longer than expected keeps its servers, and the reservation gets the rest.
//
// First come, first served, all wait behind a head that must wait for the window. FirstFit passes it,
// and Backfill plans with the window as with a job that starts on time. Simulation answers. On nodes
// the reservation counts units, wherever they lie.
func (m Model) Reserve(start, length float64, servers int) Model {
	return m.structured(func(d *description) {
		d.said.Reservations = append(slices.Clip(d.said.Reservations), spec.Reservation{Start: start, Length: length, Servers: servers})
	})
}

// Every repeats the reservation named before, one start each period.
func (m Model) Every(period float64) Model {
	return m.reservation("Every", func(r *spec.Reservation) { r.Every = period })
}

// Hard hits the jobs that are in the way of the reservation named before at its start, as a failure
// does, the last to arrive first. They give their servers back.
func (m Model) Hard() Model {
	return m.reservation("Hard", func(r *spec.Reservation) { r.Hard = true })
}

// failure changes the last kind of failure.
func (m Model) failure(call string, set func(x *spec.Failure)) Model {
	return last(m, call, "kind of failure is named before it; begin with Failures(name, up, repair)", func(s *spec.Spec) *[]spec.Failure { return &s.Failures }, set)
}

// reservation changes the last reservation.
func (m Model) reservation(call string, set func(r *spec.Reservation)) Model {
	return last(m, call, "reservation is named before it; begin with Reserve(start, length, servers)", func(s *spec.Spec) *[]spec.Reservation { return &s.Reservations }, set)
}

// last changes the last element of a list of the description, of which there must be one.
func last[T any](m Model, call, missing string, of func(s *spec.Spec) *[]T, set func(x *T)) Model {
	return m.structured(func(d *description) {
		list := of(&d.said)
		if len(*list) == 0 {
			d.early = append(slices.Clip(d.early), call+": no "+missing)
			return
		}
		*list = slices.Clone(*list)
		set(&(*list)[len(*list)-1])
	})
}

// earlyFaults are the calls that came before what they change.
func (d *description) earlyFaults(f *check.Faults) {
	for _, text := range d.early {
		f.Add("%s", text)
	}
}
