package playground

import (
	"errors"
	"fmt"
	"math"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/result"
)

// turns reports whether some jobs may not be served: those that find no room, or give up.
func (s *Setting) turns() bool { return s.Room != nil || s.Patience > 0 }

// unserved are the room and the patience of the setting.
func (s *Setting) unserved() (list calls) {
	switch {
	case s.Room != nil && *s.Room == 0:
		list.add("Loss()", func(m mjq.Model) mjq.Model { return m.Loss() })
	case s.Room != nil:
		list.add(line("Room(%s)", *s.Room), func(m mjq.Model) mjq.Model { return m.Room(*s.Room) })
	}
	if s.Patience > 0 {
		patience := mjq.ExpMean(s.Patience)
		list.add(line("Patience(%s)", patience), func(m mjq.Model) mjq.Model { return m.Patience(patience) })
	}
	return list
}

// takeTurned takes over who is not served in a model.
func (s *Setting) takeTurned(m mjq.Model) error {
	given := m.Spec()
	if given.AlsoPreempted {
		return errors.New("playground: a page has no AlsoPreempted")
	}
	s.Room = given.Room
	for i, c := range given.Classes {
		mean := 0.0
		if c.Patience != nil {
			mean = c.Patience.Mean()
			if c.Patience.String() != mjq.ExpMean(mean).String() {
				return fmt.Errorf("playground: class %s: a page has exponential patience alone, and not %v", c.Name, c.Patience)
			}
		}
		switch {
		case c.Keep > 0:
			return fmt.Errorf("playground: class %s: a page has no Keep", c.Name)
		case i > 0 && mean != s.Patience:
			return errors.New("playground: a page has one patience for all classes")
		}
		s.Patience = mean
	}
	return nil
}

// limitless is the answer for a queue without a limit.
func (s *Setting) limitless(m mjq.Model) Answer {
	a := Answer{Rate: Number(m.Rate()), Ideal: Number(m.IdealRate()), Limit: Number(math.NaN()), Stable: true}
	why := "jobs give up"
	if s.Room != nil {
		why = "jobs are turned away"
	}
	a.Verdict = fmt.Sprintf("Stable at any rate, because %s. %.4g jobs %s arrive, which would keep %.3g %% of the servers busy.", why, m.Rate(), s.per(), 100*m.OfferedLoad())
	return a
}

// unserved are the shares of the jobs of a class that are turned away and that give up.
func (w *Waits) unserved(c *result.ClassResult) {
	if e := c.Blocked; e.Known() {
		w.Blocked = &Share{Number(e.Value), Number(e.HalfWidth)}
	}
	if e := c.Left; e.Known() && !(c.Interruptions.Known() && e.Value == 0) { // failures drop no job here
		w.Left = &Share{Number(e.Value), Number(e.HalfWidth)}
	}
}
