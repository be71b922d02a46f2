package spec

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/mjqueue/mjq/mjq/arrival"
)

// Normalized is the description with the class probabilities divided by their sum and
// the needs counted: of all types together, and of picks. Where the arrivals mark classes,
// a probability becomes the share of the class of all jobs; what was given is then for the
// jobs that the arrivals leave open (see OpenProb). Classes are copied.
func (s *Spec) Normalized() *Spec {
	c := *s.onNodes()
	c.Classes = slices.Clone(s.Classes)
	sum := 0.0
	for i := range c.Classes {
		class := &c.Classes[i]
		if class.Users > 0 {
			class.Prob = 0
		}
		sum += class.Prob
	}
	for i := range c.Classes {
		class := &c.Classes[i]
		if sum > 0 {
			class.Prob /= sum
		}
		switch {
		case class.Pick != nil:
			class.Need = class.Pick.Total()
		case class.Units != nil:
			class.Need = 0
			for _, n := range class.Units {
				class.Need += n
			}
		}
	}
	if len(c.Resources) > 0 {
		c.Servers = 0
		for _, r := range c.Resources {
			c.Servers += r.Units
		}
	}
	c.normal = true
	c.mark()
	return &c
}

// Checked is the description with its probabilities normalised, or an error that names every
// fault at once.
func (s *Spec) Checked() (*Spec, error) {
	if faults := s.Validate(); len(faults) > 0 {
		return nil, fmt.Errorf("the model has %s:\n%w", Count(len(faults), "fault"), errors.Join(faults...))
	}
	return s.Normalized(), nil
}

// roundedSum is how far from 1 the probabilities may sum through rounding alone, for
// each class.
const roundedSum = 1e-15

// IsNormalized reports whether Normalized would change no more than last digits, because
// the description is one that it gave.
func (s *Spec) IsNormalized() bool {
	sum := 0.0
	for _, c := range s.Classes {
		sum += c.Prob
	}
	return s.normal && (s.sentByUsers() || math.Abs(sum-1) <= roundedSum*float64(len(s.Classes)))
}

// rounded is the description normalised, with the probabilities as they were written if they
// sum to 1: normalising again would change the last bit.
func (s *Spec) rounded(in []classForm) *Spec {
	sum := 0.0
	for _, c := range in {
		sum += c.Prob
	}
	out := s.Normalized()
	if math.Abs(sum-1) <= roundedSum*float64(len(in)) {
		for i, c := range in {
			out.Classes[i].Prob = c.Prob
		}
		out.open = nil
		out.mark()
	}
	return out
}

// mark gives the classes their shares of all jobs where the arrivals mark some.
func (s *Spec) mark() {
	if s.Arrivals == nil || s.open != nil {
		return
	}
	rates := arrival.ClassRates(s.Arrivals)
	if rates == nil {
		return
	}
	total := s.Arrivals.Rate()
	left := rates[""] / total
	if left > 0 {
		for _, c := range s.Classes {
			s.open = append(s.open, c.Prob)
		}
	}
	for i := range s.Classes {
		c := &s.Classes[i]
		c.Prob = rates[c.Name]/total + left*c.Prob
	}
}
