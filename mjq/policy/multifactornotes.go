package policy

import (
	"fmt"
	"maps"
	"slices"
)

// Noted is a Policy with notes on what its settings do in a system, for the results.
type Noted interface {
	Policy
	Notes(s System) []string
}

// fewServices is the half-life in mean service times below which usages stay apart from the shares.
const fewServices = 20

// Notes tell of settings that do not do what their numbers seem to say.
func (p Multifactor) Notes(s System) (notes []string) {
	most := max(p.Age, p.FairShare, p.Size, p.Class, p.Partition)
	switch {
	case most == 0 && len(p.Other)+len(p.Nice) == 0:
		notes = append(notes, "All weights of the priorities are 0: jobs of a tier are served in order of arrival. Give one a weight.")
	case most > 0 && most < 1000:
		notes = append(notes, fmt.Sprintf("Priorities are whole numbers, and the largest weight is %g: many jobs tie, and are then served in order of arrival. Use weights of 1000 and more.", most))
	}
	mean, n := 0.0, 0.0
	for _, c := range s.Classes {
		if c.Mean > 0 {
			mean, n = mean+c.Mean, n+1
		}
	}
	if mean /= max(1, n); p.FairShare > 0 && p.HalfLife < fewServices*mean {
		notes = append(notes, fmt.Sprintf("The half-life is %.2g mean service times: usages stay far from the shares, because what a job used is forgotten soon after it ends. From %d on they come near.", p.HalfLife/mean, fewServices))
	}
	return notes
}

// HeadStarts are by class the times by which its jobs go before those of a class with the factors 0: as
// if they had come so much earlier, as long as the ages are below MaxAge. Without a weight of the age
// there are none.
func (p Multifactor) HeadStarts() map[string]float64 {
	if p.Age == 0 {
		return nil
	}
	out := map[string]float64{}
	for _, m := range []map[string]float64{p.Factors, p.Partitions, p.Nice} {
		for _, name := range slices.Sorted(maps.Keys(m)) {
			out[name] = (p.Class*relative(p.Factors, name) + p.Partition*relative(p.Partitions, name) - p.Nice[name]) * p.MaxAge / p.Age
		}
	}
	return out
}
