package result

import (
	"fmt"
	"math"
	"slices"
)

// Unit is the unit of time of numbers: "s", "min", "h", "d", a word of one's own, or "" if it is
// not known. It changes labels and what people read, never a number: data stay in it. Times in
// one of the four known units are shown in the one of them that reads best.
type Unit string

// Seconds is the unit of time in logs of clusters.
const Seconds Unit = "s"

// knownUnits are the units that are shown in each other, in seconds.
var knownUnits = []struct {
	name    Unit
	seconds float64
	from    float64 // shown for times from so many seconds on
}{{"s", 1, 0}, {"min", 60, 120}, {"h", 3600, 7200}, {"d", 86400, 5 * 86400}}

// Scale is a unit in which times are shown.
type Scale struct {
	Unit   Unit    // "" if it is not known
	Factor float64 // what a shown 1 is in the data
}

// seconds is how long a known unit lasts; NaN for others.
func (u Unit) seconds() float64 {
	for _, k := range knownUnits {
		if k.name == u {
			return k.seconds
		}
	}
	return math.NaN()
}

// Best returns the unit in which times read best that are given in u: by their median, zeros and
// unknown ones left out.
func (u Unit) Best(times ...float64) Scale {
	own, typical := u.seconds(), median(times)
	best := Scale{u, 1}
	if math.IsNaN(own) || math.IsNaN(typical) {
		return best
	}
	for _, k := range knownUnits {
		if typical*own >= k.from*(1-1e-9) {
			best = Scale{k.name, k.seconds / own}
		}
	}
	return best
}

// BestRate returns the unit in which rates read best that are given in jobs per u: the shortest in
// which a typical one is at least 1.
func (u Unit) BestRate(rates ...float64) Scale {
	own, typical := u.seconds(), median(rates)
	if math.IsNaN(own) || math.IsNaN(typical) {
		return Scale{u, 1}
	}
	best := Scale{}
	for _, k := range knownUnits {
		if best = (Scale{k.name, k.seconds / own}); typical*best.Factor >= 1 {
			break
		}
	}
	return best
}

// median of the sizes of numbers, zeros, infinite and unknown ones left out; NaN without any.
func median(values []float64) float64 {
	var sizes []float64
	for _, v := range values {
		if v = math.Abs(v); v > 0 && !math.IsInf(v, 1) {
			sizes = append(sizes, v)
		}
	}
	if len(sizes) == 0 {
		return math.NaN()
	}
	slices.Sort(sizes)
	return sizes[len(sizes)/2]
}

// Show returns a number of the data in the shown unit: a time for power 1, a square of times for 2, a
// rate for -1.
func (s Scale) Show(x float64, power int) float64 {
	if s.Factor == 1 || power == 0 {
		return x
	}
	return x / math.Pow(s.Factor, float64(power))
}

// Label is a name with the unit behind it: "mean wait (h)".
func (s Scale) Label(name string, power int) string {
	switch {
	case s.Unit == "" || power == 0:
		return name
	case power == 1:
		return fmt.Sprintf("%s (%s)", name, s.Unit)
	case power == 2:
		return fmt.Sprintf("%s (%s²)", name, s.Unit)
	}
	return fmt.Sprintf("%s (1/%s)", name, s.Unit)
}

// Text is a time in words, in the unit that reads best: "2.0 h". Without a unit it is the number.
func (u Unit) Text(time float64) string {
	if u == "" || math.IsNaN(time) || math.IsInf(time, 0) {
		return Exact(time, "").String()
	}
	s := u.Best(time)
	x := s.Show(time, 1)
	switch {
	case math.IsNaN(u.seconds()):
		return fmt.Sprintf("%.6g %s", time, u)
	case s.Unit == "h" || s.Unit == "d":
		return fmt.Sprintf("%.1f %s", x, s.Unit)
	case math.Abs(x) < 10 && x != math.Trunc(x):
		return fmt.Sprintf("%.2g %s", x, s.Unit)
	}
	return fmt.Sprintf("%.0f %s", x, s.Unit)
}

// RateText is a rate of jobs in words: "14.2 per h". Without a unit it is the number.
func (u Unit) RateText(rate float64, digits int) string {
	if u == "" {
		return fmt.Sprintf("%.*g", digits, rate)
	}
	s := u.BestRate(rate)
	return fmt.Sprintf("%.*g per %s", min(digits, 4), s.Show(rate, -1), s.Unit)
}

// In is an estimate in the shown unit.
func (s Scale) In(e Estimate, power int) Estimate {
	if e.Known() {
		e.Value, e.HalfWidth = s.Show(e.Value, power), s.Show(e.HalfWidth, power)
	}
	return e
}

// Time marks the last column as times of the table's unit, for power 1, their squares, for 2, or
// rates, for -1: the table shows them in the unit that reads best and names it.
func (t *Table) Time(power int) *Table {
	t.Columns[len(t.Columns)-1].Power = power
	return t
}

// In sets the unit of the times of the table.
func (t *Table) In(u Unit) *Table {
	t.Unit = u
	return t
}

// readable is the table as it is shown: times in one unit, which columns name.
func (t *Table) readable() *Table {
	if t.Unit == "" {
		return t
	}
	var times, rates []float64
	for _, c := range t.Columns {
		for _, e := range c.Values {
			switch c.Power {
			case 1:
				times = append(times, e.Value)
			case -1:
				rates = append(rates, e.Value)
			}
		}
	}
	ofTimes, ofRates := t.Unit.Best(times...), t.Unit.BestRate(rates...)
	out := *t
	out.Columns = slices.Clone(t.Columns)
	for i := range out.Columns {
		c, s := &out.Columns[i], ofTimes
		if c.Power == 0 {
			continue
		}
		if c.Power < 0 {
			s = ofRates
		}
		c.Name, c.Values = s.Label(c.Name, c.Power), slices.Clone(c.Values)
		for k, e := range c.Values {
			c.Values[k] = s.In(e, c.Power)
		}
	}
	return &out
}

// EstimateText is an estimate of a time in words, with its interval.
func (u Unit) EstimateText(e Estimate) string {
	if u == "" || !e.Known() {
		return e.String()
	}
	s := u.Best(e.Value)
	return fmt.Sprintf("%v %s", s.In(e, 1), s.Unit)
}
