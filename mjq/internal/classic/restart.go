package classic

import (
	"math"

	"github.com/mjqueue/mjq/mjq/policy"
)

// Completion is of the time from the first start of a job of the second of two levels to its
// end, where one server begins its service again after every job of the first that comes.
// Source: Gaver, J. R. Statist. Soc. B 24 (1962).
type Completion struct {
	Mean, Square float64 // E[C], E[C²]; +Inf where they do not exist
	Kept         float64 // probability never to be preempted
	Preemptions  float64 // E
	Lost         float64 // E of the time for which it runs in vain
}

// Restarted is the completion of a service that begins again with the same length;
// resampled, with a new one. Above are the classes of the first level.
//
// A service of length σ is preempted e^{λσ} - 1 times on average, λ being the rate of the
// first level. So the mean is infinite if E[e^{λσ}] is, at any load, and the second moment
// if E[e^{2λσ}] is.
func Restarted(above []PriorityClass, c PriorityClass, resampled bool) Completion {
	up := levels(above)[0]
	if up.load >= 1 {
		inf := math.Inf(1)
		return Completion{inf, inf, c.Service.Laplace(up.rate), inf, inf}
	}
	if up.rate == 0 {
		return Completion{c.Service.Mean(), secondMoment(c.Service), 1, 0, 0}
	}
	busy, square := up.load/up.rate/(1-up.load), up.square/up.rate/math.Pow(1-up.load, 3) // of a busy period of the first level
	if resampled {
		return redrawn(c, up.rate, busy, square)
	}
	grown, twice := c.Service.Laplace(-up.rate), c.Service.Laplace(-2*up.rate)
	each := 1/up.rate + busy
	out := Completion{Kept: c.Service.Laplace(up.rate), Preemptions: grown - 1, Mean: (grown - 1) * each}
	out.Lost = (grown-1)/up.rate - c.Service.Mean()
	if out.Square = math.Inf(1); !math.IsInf(twice, 1) {
		weighed := -derivative(c.Service.Laplace, -up.rate) // E[σ e^{λσ}]
		out.Square = 2*each*each*(twice-2*grown+1) - 2*each*weighed + (grown-1)*(2*each/up.rate+square)
	}
	return out
}

// redrawn is Restarted with new services: each try ends by itself with probability
// E[e^{-λσ}].
func redrawn(c PriorityClass, rate, busy, square float64) Completion {
	kept := c.Service.Laplace(rate)
	first, second := -derivative(c.Service.Laplace, rate), secondDerivative(c.Service.Laplace, rate) // E[σ e^{-λσ}], E[σ² e^{-λσ}]
	out := Completion{Kept: kept, Preemptions: (1 - kept) / kept, Mean: (1 - kept) / kept * (1/rate + busy)}
	out.Lost = (1-kept)/(rate*kept) - first/kept
	ran := (1-kept)/rate - first // E of a try that is cut short
	ran2 := 2*(1-kept)/(rate*rate) - second - 2*first/rate
	away := ran + (1-kept)*busy
	away2 := ran2 + 2*ran*busy + (1-kept)*square
	out.Square = (second + away2 + 2*away*out.Mean) / kept
	return out
}

// Kept is the mean service of a job that is resampled until it is not preempted.
func (c PriorityClass) Kept(rate float64) float64 {
	return -derivative(c.Service.Laplace, rate) / c.Service.Laplace(rate)
}

// Served is the mean service of the jobs of a class that are served.
func (s Priorities) Served(class int) float64 {
	c := s.Classes[class]
	if rate := s.above(c.Level); rate > 0 && s.Policy.Preempts == policy.Resampled {
		return c.Kept(rate)
	}
	return c.Service.Mean()
}

// above is the rate of the jobs of the levels above one.
func (s Priorities) above(level int) (rate float64) {
	for _, c := range s.Classes {
		if c.Level < level {
			rate += c.Rate
		}
	}
	return rate
}

// Restart are the means of M/G/1 of two levels with preemption, services beginning again.
// The second level is a queue with completions for services, and of an arrival that meets
// none of its level the wait is that of the first level.
func Restart(classes []PriorityClass, resampled bool) []PriorityMeans {
	var above []PriorityClass
	for _, c := range classes {
		if c.Level == 0 {
			above = append(above, c)
		}
	}
	out := Resume(classes)
	if len(above) == 0 {
		return out
	}
	rate, square := 0.0, 0.0
	each := make([]Completion, len(classes))
	for i, c := range classes {
		if c.Level > 0 {
			each[i] = Restarted(above, c, resampled)
			rate += c.Rate * each[i].Mean
			square += c.Rate * each[i].Square
		}
	}
	up := levels(above)[0]
	for i, c := range classes {
		if c.Level == 0 {
			continue
		}
		m := PriorityMeans{Wait: math.Inf(1), Start: math.Inf(1), Preemptions: each[i].Preemptions, Lost: each[i].Lost}
		if rate < 1 && up.load < 1 {
			service := c.Service.Mean()
			if resampled {
				service = c.Kept(up.rate)
			}
			m.Start = up.square/(2*(1-up.load)*(1-up.load)) + square/(2*(1-rate))
			m.Wait = m.Start + each[i].Mean - service
			m.AtOnce = (1 - rate) * (1 - up.load)
		}
		out[i] = m
	}
	return out
}

// derivative is a derivative, by differences of which the errors are taken out.
func derivative(f func(float64) float64, at float64) float64 {
	return richardson(func(h float64) float64 { return (f(at+h) - f(at-h)) / (2 * h) }, math.Abs(at)/8)
}

// secondDerivative is a second derivative.
func secondDerivative(f func(float64) float64, at float64) float64 {
	return richardson(func(h float64) float64 { return (f(at+h) - 2*f(at) + f(at-h)) / (h * h) }, math.Abs(at)/4)
}

// richardson is the limit of what has an error of even powers of h.
func richardson(of func(h float64) float64, h float64) float64 {
	const rows = 6
	var last [rows]float64
	best, least := math.NaN(), math.Inf(1)
	for i := range rows {
		row := [rows]float64{of(h)}
		for k, four := 1, 4.0; k <= i; k, four = k+1, 4*four {
			row[k] = row[k-1] + (row[k-1]-last[k-1])/(four-1)
			if d := math.Abs(row[k] - row[k-1]); d <= least {
				best, least = row[k], d
			}
		}
		last = row
		h /= 2
	}
	return best
}
