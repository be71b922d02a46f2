package playground

import (
	"errors"
	"fmt"
	"slices"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/spec"
)

// Failing says how servers fail; all fields are 0 or "" where none does.
type Failing struct {
	Up       float64 `json:"up,omitempty"`       // mean time until a server fails, exponential; 0: none fails
	Repair   float64 `json:"repair,omitempty"`   // mean time of a repair, exponential; 0: the job alone is hit
	After    string  `json:"after,omitempty"`    // how a job goes on, one of Aftermaths; restart without
	Every    float64 `json:"every,omitempty"`    // work between two checkpoints
	Cost     float64 `json:"cost,omitempty"`     // time to write a checkpoint
	Recovery float64 `json:"recovery,omitempty"` // time at the beginning of every run but the first
	Spares   int     `json:"spares,omitempty"`   // servers that jobs together leave free, or nodes where servers lie on nodes
}

// Sleeping says how servers sleep; all fields are 0 where none does.
type Sleeping struct {
	Setup float64 `json:"setup,omitempty"`      // mean time of a setup, exponential; 0: no server sleeps
	Idle  float64 `json:"sleepAfter,omitempty"` // time for which a server idles before it goes off
	Awake int     `json:"awake,omitempty"`      // servers that never go off
}

// Stretching says on how many servers jobs of a class run; all fields are 0 or "" where that is their need.
type Stretching struct {
	Least  int     `json:"least,omitempty"`
	Most   int     `json:"most,omitempty"`
	Speed  string  `json:"speed,omitempty"`  // one of Speeds
	Spread float64 `json:"spread,omitempty"` // parameter of the speed
}

// Looping says which users send the jobs of a class and wait for them; 0 where jobs arrive.
type Looping struct {
	Users int     `json:"users,omitempty"`
	Think float64 `json:"think,omitempty"` // mean time between a job and the next, exponential
}

// Aftermaths say how a job goes on after a failure of one of its servers.
// With shrink one that stretches goes on with the servers it has left, and others begin again.
var Aftermaths = []string{"restart", "resume", "checkpoint", "shrink"}

// Speeds are how fast jobs run on several servers. Each but the first has a parameter.
var Speeds = []Choice{
	{Name: "linear", code: "mjq.Linear()", speed: func(float64) spec.Speed { return mjq.Linear() }},
	{Name: "Amdahl", Shape: "parallel share", Usual: 0.95, code: "mjq.Amdahl(%s)", speed: mjq.Amdahl},
	{Name: "power", Shape: "exponent", Usual: 0.8, code: "mjq.Power(%s)", speed: mjq.Power},
}

// failureName is the kind of failure of a page, which has one.
const failureName = "failure"

// beyond reports whether the setting has servers that fail or sleep, jobs that stretch or users.
func (s *Setting) beyond() bool {
	for i := range s.Classes {
		if c := &s.Classes[i]; c.Users > 0 || c.stretches() {
			return true
		}
	}
	return s.Up > 0 || s.Spares > 0 || s.Setup > 0
}

// sent reports whether users send all jobs, so that none arrive.
func (s *Setting) sent() bool {
	for i := range s.Classes {
		if s.Classes[i].Users == 0 {
			return false
		}
	}
	return true
}

// open is the sum of the shares of the classes whose jobs arrive.
func (s *Setting) open() (total float64) {
	for i := range s.Classes {
		if c := &s.Classes[i]; c.Users == 0 {
			total += c.Share
		}
	}
	return total
}

// prob is the share of a class among the jobs that arrive.
func (c *Class) prob(total float64) float64 {
	if c.Users > 0 {
		return 0
	}
	return c.Share / total
}

func (s *Stretching) stretches() bool { return s.Least > 0 || s.Most > 0 }

// after is how a job goes on.
func (f *Failing) after() (mjq.Checkpoint, error) {
	switch f.After {
	case "", "restart":
		return mjq.Checkpoint{How: mjq.Restart, Recovery: f.Recovery}, nil
	case "resume":
		return mjq.Checkpoint{How: mjq.Resume, Recovery: f.Recovery}, nil
	case "checkpoint":
		return mjq.Checkpoint{Every: f.Every, Cost: f.Cost, Recovery: f.Recovery}, nil
	case "shrink":
		return mjq.Checkpoint{How: mjq.Restart, Recovery: f.Recovery, Shrink: true}, nil
	}
	return mjq.Checkpoint{}, fmt.Errorf("there is no %q here; choose restart, resume, checkpoint or shrink", f.After)
}

// repair is the law of a repair.
func (f *Failing) repair() mjq.Law {
	if f.Repair == 0 {
		return mjq.Deterministic(0)
	}
	return mjq.ExpMean(f.Repair)
}

// calls are the failures and the spare servers.
func (f *Failing) calls() (list calls, err error) {
	if f.Up > 0 {
		how, err := f.after()
		if err != nil {
			return nil, err
		}
		up, repair := mjq.ExpMean(f.Up), f.repair()
		list.add(line("Failures(%s, %s, %s)", failureName, up, repair), func(m mjq.Model) mjq.Model { return m.Failures(failureName, up, repair) })
		if how != (mjq.Checkpoint{How: mjq.Restart}) { // which is what happens without After
			list.add(f.afterCode(&how), func(m mjq.Model) mjq.Model { return m.After(how) })
		}
	}
	if f.Spares > 0 {
		list.add(line("Spares(%s)", f.Spares), func(m mjq.Model) mjq.Model { return m.Spares(f.Spares) })
	}
	return list, nil
}

// afterCode is how a Go program says how a job goes on.
func (f *Failing) afterCode(how *mjq.Checkpoint) code {
	switch {
	case f.After == "checkpoint":
		return line("After(mjq.Checkpoint{Every: %s, Cost: %s, Recovery: %s})", how.Every, how.Cost, how.Recovery)
	case f.After == "resume":
		return line("After(mjq.Checkpoint{How: mjq.Resume, Recovery: %s})", how.Recovery)
	case how.Shrink:
		return line("After(mjq.Checkpoint{How: mjq.Restart, Recovery: %s}).\n\t\tShrink()", how.Recovery)
	}
	return line("After(mjq.Checkpoint{How: mjq.Restart, Recovery: %s})", how.Recovery)
}

// calls are the sleep.
func (s *Sleeping) calls() (list calls) {
	if s.Setup > 0 {
		after, setup := mjq.Deterministic(s.Idle), mjq.ExpMean(s.Setup)
		list.add(line("Sleep(%s, %s)", after, setup), func(m mjq.Model) mjq.Model { return m.Sleep(after, setup) })
	}
	if s.Awake > 0 {
		list.add(line("Awake(%s)", s.Awake), func(m mjq.Model) mjq.Model { return m.Awake(s.Awake) })
	}
	return list
}

// elastic are the sizes of the jobs of a class.
func (s *Stretching) elastic(class string) (list calls, err error) {
	if !s.stretches() {
		return nil, nil
	}
	l, err := chosen(Speeds, s.Speed)
	if err != nil {
		return nil, err
	}
	x, text := s.Spread, l.code
	if x == 0 {
		x = l.Usual
	}
	if l.Shape != "" {
		text = line(string(l.code), x)
	}
	list.add(line("Elastic(%s, %s, %s, %s)", class, s.Least, s.Most, text), func(m mjq.Model) mjq.Model { return m.Elastic(class, s.Least, s.Most, l.speed(x)) })
	return list, nil
}

// properties are what the setting has beyond needs and shares.
func (s *Setting) properties() (calls, error) {
	var faults []error
	list := s.unserved()
	for i := range s.Classes {
		c := &s.Classes[i]
		sizes, err := c.elastic(c.Name)
		if err != nil {
			faults = append(faults, fmt.Errorf("class %s: speed: %w", c.Name, err))
		}
		if list = append(list, sizes...); c.Users > 0 {
			think := mjq.ExpMean(c.Think)
			list.add(line("Users(%s, %s, %s)", c.Name, c.Users, think), func(m mjq.Model) mjq.Model { return m.Users(c.Name, c.Users, think) })
		}
	}
	failing, err := s.Failing.calls()
	if err != nil {
		faults = append(faults, fmt.Errorf("after a failure: %w", err))
	}
	return slices.Concat(list, failing, s.Sleeping.calls()), errors.Join(faults...)
}
