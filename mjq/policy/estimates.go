package policy

import (
	"fmt"
	"math"

	"github.com/mjqueue/mjq/internal/check"
)

// Estimates says how long a job is thought to run when it arrives. The zero value
// knows the service exactly.
type Estimates struct {
	Rule   Rule    `json:"rule,omitempty"`
	Factor float64 `json:"factor,omitempty"` // of TimesFactor and TimesUniform, at least 1
	// Base, if not 0, rounds estimates up to a power of it, as users ask for round
	// times; more than 1.
	Base float64 `json:"base,omitempty"`
}

// Rule is where an estimate comes from.
type Rule string

// The rules.
const (
	ExactService Rule = ""        // the service itself
	TimesFactor  Rule = "factor"  // the service times the factor
	TimesUniform Rule = "uniform" // the service times a number uniform between 1 and the factor, drawn for every job
	FromJob      Rule = "given"   // what came with the job: field 9 of a log in the standard workload format
)

// Exact estimates are the services themselves.
func Exact() Estimates { return Estimates{} }

// Factor has every service overestimated by the factor.
func Factor(f float64) Estimates { return Estimates{Rule: TimesFactor, Factor: f} }

// UniformFactor has services overestimated by factors uniform between 1 and f.
func UniformFactor(f float64) Estimates { return Estimates{Rule: TimesUniform, Factor: f} }

// Given takes the estimates that come with the jobs of a log.
func Given() Estimates { return Estimates{Rule: FromJob} }

// Rounded rounds the estimates up to powers of base.
func (e Estimates) Rounded(base float64) Estimates {
	e.Base = base
	return e
}

// String is how the estimates are written, "Factor(2).Rounded(10)".
func (e Estimates) String() string {
	name := map[Rule]string{ExactService: "Exact()", FromJob: "Given()",
		TimesFactor: fmt.Sprintf("Factor(%g)", e.Factor), TimesUniform: fmt.Sprintf("UniformFactor(%g)", e.Factor)}[e.Rule]
	if name == "" {
		name = fmt.Sprintf("Estimates{%q}", string(e.Rule))
	}
	if e.Base != 0 {
		name += fmt.Sprintf(".Rounded(%g)", e.Base)
	}
	return name
}

// validate says what is wrong with the estimates.
func (e Estimates) validate() error {
	var f check.Faults
	switch e.Rule {
	case ExactService, FromJob:
		f.That(e.Factor == 0, "estimates %s take no factor, and %g is given; choose the rule %q or %q", e, e.Factor, TimesFactor, TimesUniform)
	case TimesFactor, TimesUniform:
		f.That(e.Factor >= 1 && !math.IsInf(e.Factor, 1), "estimates %s: the factor must be finite and at least 1", e)
	default:
		f.Add("estimates of rule %q are not known; choose %q, %q, %q, or none for exact ones", string(e.Rule), TimesFactor, TimesUniform, FromJob)
	}
	f.That(e.Base == 0 || e.Base > 1 && !math.IsInf(e.Base, 1), "estimates %s: the base of rounding must be finite and more than 1", e)
	return f.Err("")
}

// Of returns the estimate of a job with such a service, that came with a given estimate, and
// for which a number u in [0, 1] was drawn.
func (e Estimates) Of(service, given, u float64) float64 {
	x := service
	switch e.Rule {
	case TimesFactor:
		x *= e.Factor
	case TimesUniform:
		x *= 1 + (e.Factor-1)*u
	case FromJob:
		x = given
	}
	if e.Base != 0 && x > 0 && !math.IsInf(x, 1) {
		return roundUp(x, e.Base)
	}
	return x
}

// roundUp is the least power of base that is at least x. The logarithm may be off by
// one where x is a power.
func roundUp(x, base float64) float64 {
	k := math.Ceil(math.Log(x) / math.Log(base))
	for math.Pow(base, k-1) >= x {
		k--
	}
	for math.Pow(base, k) < x {
		k++
	}
	return math.Pow(base, k)
}
