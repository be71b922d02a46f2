package playground

import (
	"errors"
	"fmt"

	"github.com/mjqueue/mjq/mjq"
)

// sentBy reports whether users send the jobs of all classes.
func sentBy(classes []mjq.Class) bool {
	for i := range classes {
		if classes[i].Users == 0 {
			return false
		}
	}
	return true
}

// exponential is the mean of a law that is exponential; 0 of others.
func exponential(l mjq.Law) (mean float64, ok bool) {
	if mean = l.Mean(); mean > 0 && l.String() == mjq.ExpMean(mean).String() {
		return mean, true
	}
	return 0, false
}

// constant is the value of a law that has one.
func constant(l mjq.Law) (value float64, ok bool) {
	value = l.Mean()
	return value, l.String() == mjq.Deterministic(value).String()
}

// takeProperties takes over servers that fail and sleep.
func (s *Setting) takeProperties(m mjq.Model) error {
	given := m.Spec()
	switch {
	case len(given.Reservations) > 0 || given.Crews != nil || given.Watts != nil || given.Oldest:
		return errors.New("playground: a page has neither Reserve, Crews, Watts nor Oldest")
	case given.Load != nil && (given.Away() || given.Sleep != nil || given.HasUsers() || given.Resizes()):
		return errors.New("playground: with servers that fail or sleep, jobs that stretch or users a page takes offered loads, the model one of its limit; show what Resolve gives")
	}
	s.Spares, s.Awake = given.Spares, given.Awake
	if len(given.Failures) > 0 {
		x, ok := given.Failures[0], len(given.Failures) == 1
		s.Up, _ = exponential(x.Up)
		if s.Repair, _ = exponential(x.Repair); s.Up == 0 || !ok || x.Notice > 0 || x.Lemons > 0 || x.WhileBusy {
			ok = false
		}
		if _, interrupts := constant(x.Repair); !ok || s.Repair == 0 && !interrupts {
			return errors.New("playground: a page has one kind of failure, with an exponential time up and an exponential repair, and neither WhileBusy, Notice nor Lemons")
		}
		return s.takeAfter(m)
	}
	if given.Sleep != nil {
		after, constantly := constant(given.Sleep.After)
		setup, exponentially := exponential(given.Sleep.Setup)
		if !constantly || !exponentially {
			return errors.New("playground: a page has servers that go off after a constant time, with an exponential setup")
		}
		s.Idle, s.Setup = after, setup
	}
	return nil
}

// takeAfter takes over how jobs go on after a failure.
func (s *Setting) takeAfter(m mjq.Model) error {
	given := m.Spec()
	first := given.AfterFailure(0)
	for i := range given.Classes {
		if given.AfterFailure(i) != first {
			return errors.New("playground: on a page the jobs of all classes go on alike after a failure")
		}
	}
	s.Every, s.Cost, s.Recovery = first.Every, first.Cost, first.Recovery
	switch {
	case first.Detection > 0:
		return errors.New("playground: a page has no Detection")
	case first.Shrink && first.How != mjq.Restart:
		return errors.New("playground: on a page jobs that do not shrink begin again")
	case first.Shrink:
		s.After = "shrink"
	case first.How == "":
		s.After = "checkpoint"
	case first.How == mjq.Resume:
		s.After = "resume"
	case first.How != mjq.Restart:
		return fmt.Errorf("playground: on a page jobs restart, resume or go on from a checkpoint, and do not %s", first.How)
	}
	return nil
}

// take takes over the sizes of the jobs of a class and its users.
func (c *Class) take(given mjq.Class) error {
	if given.Users > 0 {
		think, ok := exponential(given.Think)
		if !ok {
			return fmt.Errorf("on a page users think for exponential times, and not %v", given.Think)
		}
		c.Users, c.Think, c.Share = given.Users, think, 1
	}
	e := given.Elastic
	if e == nil {
		return nil
	}
	c.Least, c.Most, c.Spread = e.Least, e.Most, e.Speed.X
	for _, l := range Speeds {
		c.Speed = l.Name
		usual := l.Shape != "" && e.Speed.X == 0 // for which 0 stands
		if !e.Partial && !usual && e.Speed.String() == l.speed(e.Speed.X).String() {
			return nil
		}
	}
	return fmt.Errorf("a page has Elastic jobs of any size with the speed Linear, Amdahl or Power, and not %v", e.Speed)
}
