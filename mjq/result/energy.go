package result

import "fmt"

// Energy is what servers use that sleep, or whose power is known: averages over time.
type Energy struct {
	On     Estimate // mean number of servers that are on: busy, or idle and on; unknown unless servers sleep
	Setup  Estimate // mean number of servers in setup; unknown unless servers sleep
	Power  Estimate // energy per unit of time; unknown without Watts
	PerJob Estimate // energy per job that is served; unknown without Watts
}

// MarshalJSON writes all fields under their names; see WriteJSON.
func (e Energy) MarshalJSON() ([]byte, error) { return WriteJSON(e) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (e *Energy) UnmarshalJSON(text []byte) error { return ReadJSON(text, e) }

// note is the energy in words; "" where nothing is known of it.
func (e *Energy) note() (text string) {
	if e.On.Known() {
		text = fmt.Sprintf(" %v servers are on and %v in setup.", e.On, e.Setup)
	}
	if e.Power.Known() {
		text += fmt.Sprintf(" The power is %v, and a job takes an energy of %v.", e.Power, e.PerJob)
	}
	return text
}

// Spend fills in the power of so many servers, of which some are busy, by their power while busy, idle but
// on, in setup, and off. Half-widths add up.
func (e *Energy) Spend(servers float64, busy, rate Estimate, watts [4]float64) {
	on, setup := e.On, e.Setup
	if !on.Known() {
		on, setup = Exact(servers, busy.Method), Exact(0, busy.Method)
	}
	p := busy
	p.Value, p.HalfWidth = watts[3]*servers, 0
	for _, x := range []struct {
		of   Estimate
		each float64
	}{{busy, watts[0] - watts[1]}, {on, watts[1] - watts[3]}, {setup, watts[2] - watts[3]}} {
		p.Value += x.each * x.of.Value
		p.HalfWidth += max(x.each, -x.each) * x.of.HalfWidth
	}
	e.Power = p
	if p.Known() && rate.Known() && rate.Value > 0 {
		e.PerJob = p
		e.PerJob.Value /= rate.Value
		e.PerJob.HalfWidth = (p.HalfWidth + e.PerJob.Value*rate.HalfWidth) / rate.Value
	}
}
