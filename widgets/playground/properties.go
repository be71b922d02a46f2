package playground

import (
	"errors"
	"fmt"

	"github.com/mjqueue/mjq/mjq"
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
	{Name: "linear", code: "mjq.Linear()"},
	{Name: "Amdahl", Shape: "parallel share", Usual: 0.95, code: "mjq.Amdahl(%s)"},
	{Name: "power", Shape: "exponent", Usual: 0.8, code: "mjq.Power(%s)"},
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

// model adds the failures.
func (f *Failing) model(m mjq.Model) (mjq.Model, error) {
	if f.Up > 0 {
		how, err := f.after()
		if err != nil {
			return m, err
		}
		m = m.Failures(failureName, mjq.ExpMean(f.Up), f.repair())
		if how != (mjq.Checkpoint{How: mjq.Restart}) { // which is what happens without After
			m = m.After(how)
		}
	}
	if f.Spares > 0 {
		m = m.Spares(f.Spares)
	}
	return m, nil
}

// code is how a Go program says it.
func (f *Failing) code() (calls code) {
	if f.Up > 0 {
		repair := code("mjq.Deterministic(0)")
		if f.Repair > 0 {
			repair = line("mjq.ExpMean(%s)", f.Repair)
		}
		calls = line(".\n\t\tFailures(%s, mjq.ExpMean(%s), %s)", failureName, f.Up, repair)
		switch how, err := f.after(); {
		case err != nil || how == mjq.Checkpoint{How: mjq.Restart}:
		case f.After == "checkpoint":
			calls += line(".\n\t\tAfter(mjq.Checkpoint{Every: %s, Cost: %s, Recovery: %s})", how.Every, how.Cost, how.Recovery)
		case f.After == "resume":
			calls += line(".\n\t\tAfter(mjq.Checkpoint{How: mjq.Resume, Recovery: %s})", how.Recovery)
		default:
			calls += line(".\n\t\tAfter(mjq.Checkpoint{How: mjq.Restart, Recovery: %s})", how.Recovery)
			if how.Shrink {
				calls += ".\n\t\tShrink()"
			}
		}
	}
	if f.Spares > 0 {
		calls += line(".\n\t\tSpares(%s)", f.Spares)
	}
	return calls
}

// model adds the sleep.
func (s *Sleeping) model(m mjq.Model) mjq.Model {
	if s.Setup > 0 {
		m = m.Sleep(mjq.Deterministic(s.Idle), mjq.ExpMean(s.Setup))
	}
	if s.Awake > 0 {
		m = m.Awake(s.Awake)
	}
	return m
}

// code is how a Go program says it.
func (s *Sleeping) code() (calls code) {
	if s.Setup > 0 {
		calls = line(".\n\t\tSleep(mjq.Deterministic(%s), mjq.ExpMean(%s))", s.Idle, s.Setup)
	}
	if s.Awake > 0 {
		calls += line(".\n\t\tAwake(%s)", s.Awake)
	}
	return calls
}

// elastic adds the sizes of the jobs of a class.
func (s *Stretching) elastic(m mjq.Model, class string) (mjq.Model, error) {
	if !s.stretches() {
		return m, nil
	}
	l, err := chosen(Speeds, s.Speed)
	if err != nil {
		return m, err
	}
	speed := mjq.Linear()
	switch x := s.parameter(l); l.Name {
	case "Amdahl":
		speed = mjq.Amdahl(x)
	case "power":
		speed = mjq.Power(x)
	}
	return m.Elastic(class, s.Least, s.Most, speed), nil
}

// parameter is that of the speed.
func (s *Stretching) parameter(l *Choice) float64 {
	if s.Spread == 0 {
		return l.Usual
	}
	return s.Spread
}

// properties is the model with what the setting has beyond needs and shares.
func (s *Setting) properties(m mjq.Model) (mjq.Model, error) {
	var faults []error
	for i := range s.Classes {
		c := &s.Classes[i]
		stretched, err := c.elastic(m, c.Name)
		if err != nil {
			faults = append(faults, fmt.Errorf("class %s: speed: %w", c.Name, err))
		}
		m = stretched
		if c.Users > 0 {
			m = m.Users(c.Name, c.Users, mjq.ExpMean(c.Think))
		}
	}
	m, err := s.Failing.model(m)
	if err != nil {
		faults = append(faults, fmt.Errorf("after a failure: %w", err))
	}
	return s.Sleeping.model(m), errors.Join(faults...)
}

// propertiesCode is how a Go program says it.
func (s *Setting) propertiesCode() (calls code) {
	for i := range s.Classes {
		c := &s.Classes[i]
		if l, err := chosen(Speeds, c.Speed); err == nil && c.stretches() {
			speed := l.code
			if l.Shape != "" {
				speed = line(string(l.code), c.parameter(l))
			}
			calls += line(".\n\t\tElastic(%s, %s, %s, %s)", c.Name, c.Least, c.Most, speed)
		}
		if c.Users > 0 {
			calls += line(".\n\t\tUsers(%s, %s, mjq.ExpMean(%s))", c.Name, c.Users, c.Think)
		}
	}
	return calls + s.Failing.code() + s.Sleeping.code()
}
