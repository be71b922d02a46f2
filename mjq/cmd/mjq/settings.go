package main

import "github.com/spf13/pflag"

// settings are the flags that set a query of type Q. A flag that is not given leaves the
// query as it is, with the default of its method.
type settings[Q any] struct {
	flags *pflag.FlagSet
	steps []func(Q) Q
}

// step applies a setting if its flag was given.
func (s *settings[Q]) step(name string, apply func(Q) Q) {
	s.steps = append(s.steps, func(q Q) Q {
		if s.flags.Changed(name) {
			return apply(q)
		}
		return q
	})
}

func (s *settings[Q]) integer(name, usage string, set func(Q, int) Q) {
	v := wholeFlag(s.flags, name, 0, usage)
	s.step(name, func(q Q) Q { return set(q, *v) })
}

func (s *settings[Q]) number(name, usage string, set func(Q, float64) Q) {
	v := numberFlag(s.flags, name, 0, usage)
	s.step(name, func(q Q) Q { return set(q, *v) })
}

// share is a number that may also be given in percent.
func (s *settings[Q]) share(name, usage string, set func(Q, float64) Q) {
	v := shareFlag(s.flags, name, 0, usage)
	s.step(name, func(q Q) Q { return set(q, *v) })
}

func (s *settings[Q]) yes(name, usage string, set func(Q) Q) {
	v := s.flags.Bool(name, false, usage)
	s.step(name, func(q Q) Q {
		if *v {
			return set(q)
		}
		return q
	})
}

func (s *settings[Q]) seed(set func(Q, uint64) Q) {
	v := seedFlag(s.flags, 0, "choose the randomness; every method has a seed of its own")
	s.step("seed", func(q Q) Q { return set(q, *v) })
}

func (s *settings[Q]) level(set func(Q, float64) Q) {
	s.share("level", "confidence level of the intervals (0.95)", set)
}

func (s *settings[Q]) workers(set func(Q, int) Q) {
	s.integer("workers", "goroutines, which change the speed and no digit (one a core)", set)
}

// apply is the query with all settings that were given.
func (s *settings[Q]) apply(q Q) Q {
	for _, step := range s.steps {
		q = step(q)
	}
	return q
}
