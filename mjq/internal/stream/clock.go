package stream

import (
	"math"
	"sort"

	"github.com/mjqueue/mjq/mjq/arrival"
)

// clock turns gaps in expected arrivals into time, where the rate of arrivals is
// constant on equal parts of a period. A position in the period is a fraction of
// its expected arrivals, in units of 2^-64: sums of gaps are then whole numbers
// modulo 2^64, the same in whatever order they are added.
type clock struct {
	part  float64   // time in a part of the period
	rates []float64 // by part
	upTo  []float64 // expected arrivals up to the end of each part
	whole float64   // in the period
	last  int       // the last part with arrivals
}

func newClock(c *arrival.Clock) *clock {
	k := &clock{part: c.Period / float64(len(c.Rates)), rates: c.Rates}
	for j, rate := range c.Rates {
		if rate > 0 {
			k.last = j
		}
		k.whole += float64(rate * k.part)
		k.upTo = append(k.upTo, k.whole)
	}
	return k
}

// advance is by how much a gap moves the position.
func (k *clock) advance(gap float64) uint64 {
	x := gap / k.whole
	return uint64((x - math.Floor(x)) * 0x1p64)
}

// at is the part that a position lies in, and the expected arrivals before it
// since the period began.
func (k *clock) at(position uint64) (part int, arrivals float64) {
	arrivals = float64(position>>11) * 0x1p-53 * k.whole
	part = sort.Search(len(k.upTo), func(j int) bool { return k.upTo[j] > arrivals })
	return min(part, k.last), arrivals
}

// rest is what is left of a number after whole periods, but if so many have passed
// that rounding leaves more than one: then any of its digits is as good.
func rest(left, period float64) float64 {
	if math.Abs(left) < 2*period {
		return left
	}
	return math.Abs(math.Mod(left, period))
}

// time is how long after the beginning of the period a position is.
func (k *clock) time(position uint64) float64 {
	part, arrivals := k.at(position)
	return float64(part+1)*k.part - (k.upTo[part]-arrivals)/k.rates[part]
}

// within is the part that a time lies in, and the time less whole periods.
func (k *clock) within(time float64) (part int, left float64) {
	period := k.part * float64(len(k.rates))
	left = rest(time-math.Floor(time/period)*period, period)
	return min(int(left/k.part), len(k.rates)-1), left
}

// position is that of a time after the beginning of a period.
func (k *clock) position(time float64) uint64 {
	part, time := k.within(time)
	left := float64(part+1)*k.part - time
	return k.advance(k.upTo[part] - left*k.rates[part])
}

// idle is how long from a time after the beginning of a period on the rate is 0.
func (k *clock) idle(time float64) float64 {
	last, time := k.within(time)
	for k.rates[last%len(k.rates)] == 0 {
		last++
	}
	return max(0, float64(last)*k.part-time)
}

// pass is the time that a gap takes from a position on.
func (k *clock) pass(position uint64, gap float64) (time float64) {
	periods := math.Floor(gap / k.whole)
	gap = rest(gap-periods*k.whole, k.whole)
	time = periods * k.part * float64(len(k.rates))
	part, arrivals := k.at(position)
	for left := k.upTo[part] - arrivals; gap > left; left = k.rates[part] * k.part {
		if left > 0 {
			time += left / k.rates[part]
			gap -= left
		} else if k.rates[part] == 0 {
			time += k.part
		}
		part = (part + 1) % len(k.rates)
	}
	if gap > 0 {
		time += gap / k.rates[part]
	}
	return time
}
