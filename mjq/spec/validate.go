package spec

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/internal/panics"
	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/policy"
)

// ProbSlack is how far from 1 the sum of the class probabilities may be: printed
// tables round them to a few digits. Normalized divides by it.
const ProbSlack = 1e-6

// Limits of a description. Servers are counted in 32 bits. A probability below half the
// rounding of 1 vanishes when the classes are summed. Times are bounded so that the fourth
// powers in the variance of a variance neither overflow nor underflow. Servers that are told
// apart take memory each, in every chain.
const (
	MostServers    = math.MaxInt32
	MostIdentities = 10_000_000
	IdentityBytes  = 42 // of memory a server and goroutine
	ShortestMean   = 1e-60
	LongestMean    = 1e60

	leastProb = 0x1p-53
	mostUnit  = 24 // letters of a unit of time
)

// Validate collects everything that is wrong with the description, each fault with
// the field, the value and the remedy. A description without arrivals is right: it
// has a stability limit.
func (s *Spec) Validate() []error {
	var f check.Faults
	f.That(!s.OnNodes() || s.Servers == 0 || s.Servers == s.onNodes().Servers, "Servers(%d) along with Nodes: units are counted by node; leave one of them out", s.Servers)
	f.That(len(s.Unit) <= mostUnit && strings.TrimSpace(string(s.Unit)) == string(s.Unit), "Unit(%q): give s, min, h, d or a short word of your own", s.Unit)
	s = s.onNodes()
	s.serverFaults(&f)
	s.nodeFaults(&f)
	if s.Arrivals != nil {
		f.Join(arrivalFaults(s)...)
	}
	f.That(len(s.Classes) > 0, "no class of jobs: add one with .Class(name, servers needed, probability, service law)")
	names := map[string]bool{}
	marks, drawn := marked(s), s.draws()
	sum := 0.0
	for i := range s.Classes {
		c := &s.Classes[i]
		at := fmt.Sprintf("class %d %q", i+1, c.Name)
		f.That(c.Name != "", "class %d has no name: give one, results are asked for by it", i+1)
		f.That(c.Name == "" || !names[c.Name], "%s: the name is taken by an earlier class; give each its own", at)
		names[c.Name] = true
		s.needFaults(&f, at, c)
		s.spanFaults(&f, at, i)
		elsewhere := c.Users != 0 || marks[c.Name] > 0
		f.That(c.Prob >= 0 && c.Prob <= 1+ProbSlack && (c.Prob > 0 || elsewhere), "%s: probability %v is not in (0, 1]; drop a class that never arrives", at, c.Prob)
		f.That(!(c.Prob > 0 && c.Prob < leastProb), "%s: probability %v is below %g and lost in the rounding of the others; drop the class", at, c.Prob, leastProb)
		sum += c.Prob
		f.Join(LawFaults(at+": service", c.Service)...)
		s.turnedFaults(&f, at, c)
	}
	s.roomFaults(&f)
	s.SleepFaults(&f)
	s.failureFaults(&f)
	s.elasticFaults(&f)
	f.That(len(s.Classes) == 0 || !drawn || math.Abs(sum-1) <= ProbSlack,
		"the class probabilities sum to %.10g, not 1; scale them, or add the class that is missing", sum)
	s.PolicyFaults(&f)
	return f.List()
}

// serverFaults says what is wrong with servers and resources.
func (s *Spec) serverFaults(f *check.Faults) {
	if len(s.Resources) > 0 {
		s.resourceFaults(f)
		return
	}
	f.That(s.Servers >= 1 || len(s.Nodes) > 0, "Servers(%d): the number of servers must be at least 1", s.Servers)
	f.That(s.Servers <= MostServers, "Servers(%d): more than %d servers cannot be counted; count in larger units, such as nodes for cores", s.Servers, MostServers)
	f.That(!s.Identities() || s.Servers <= MostIdentities || s.Servers > MostServers,
		"Servers(%d): servers that are told apart need %.3g GB of memory a goroutine; give at most %d, or a plain queue, which does not tell them apart",
		s.Servers, IdentityBytes*float64(s.Servers)/1e9, MostIdentities)
}

// resourceFaults says what is wrong with the types of resources.
func (s *Spec) resourceFaults(f *check.Faults) {
	for i, r := range s.Resources {
		f.That(r.Name != "", "type %d of the resources has no name: give one, needs are given by it", i+1)
		f.That(r.Name == "" || !slices.ContainsFunc(s.Resources[:i], func(t Type) bool { return t.Name == r.Name }),
			"Resources: the type %q is given twice; add its units up", r.Name)
		f.That(r.Units >= 1 && r.Units <= MostServers, "Resources: %q has %d units; give a whole number from 1 to %d", r.Name, r.Units, MostServers)
	}
	f.That(!s.Identities(), "Resources along with requests for specific servers or random assignment: units of a type are not told apart; leave one out")
}

// needFaults says what is wrong with what a class needs.
func (s *Spec) needFaults(f *check.Faults, at string, c *Class) {
	switch {
	case len(s.Resources) > 0:
		s.unitFaults(f, at, c)
	case c.Pick != nil:
		s.pickFaults(f, at, c.Pick)
	case c.Units != nil:
		f.Add("%s: needs by type of resource, and there are no types; begin with Resources(name, units), or give a number of servers", at)
	case c.Need < 1:
		f.Add("%s: need %d is below 1; a job needs at least one server", at, c.Need)
	case c.Need > s.Servers && s.Servers >= 1:
		f.Add("%s: need %d exceeds the %d servers; such a job could never start", at, c.Need, s.Servers)
	}
}

// unitFaults says what is wrong with needs by type of resource.
func (s *Spec) unitFaults(f *check.Faults, at string, c *Class) {
	if len(c.Units) != len(s.Resources) {
		f.Add("%s: needs are given by name of the %s; use .Needing(name, mjq.Needs{...}, probability, service law)", at, Count(len(s.Resources), "type"))
		return
	}
	total, wrong := 0, false
	for j, r := range s.Resources {
		n := c.Units[j]
		f.That(n >= 0, "%s: needs %d %s; a need cannot be negative", at, n, r.Name)
		f.That(n <= r.Units, "%s: needs %d %s of %d; such a job could never start", at, n, r.Name, r.Units)
		wrong = wrong || n < 0 || n > r.Units
		total += n
	}
	f.That(wrong || total > 0, "%s: needs nothing; give at least one unit of one type", at)
}

// pickFaults says what is wrong with a request for specific servers.
func (s *Spec) pickFaults(f *check.Faults, at string, p *Pick) {
	if p.Any < 0 || p.Random < 0 {
		f.Add("%s: Pick asks for %d any and %d random servers; a number cannot be negative", at, p.Any, p.Random)
		return
	}
	f.That(p.Random == 0 || len(p.Named) == 0, "%s: Pick asks for random servers and for named ones; a class can have one of them", at)
	if p.Any > MostServers || p.Random > MostServers {
		f.Add("%s: Pick asks for %d any and %d random servers; more than %d cannot be counted", at, p.Any, p.Random, MostServers)
		return
	}
	for i, server := range p.Named {
		if server < 1 || server > s.Servers {
			f.Add("%s: Pick names server %d; they are numbered from 1 to %d", at, server, s.Servers)
		} else if slices.Contains(p.Named[:i], server) {
			f.Add("%s: Pick names server %d twice; name it once", at, server)
		}
	}
	f.That(p.Total() <= s.Servers || s.Servers < 1, "%s: Pick asks for %d of %d servers; such a job could never start", at, p.Total(), s.Servers)
	f.That(p.Total() > 0, "%s: Pick asks for no server; ask for at least one", at)
}

// ArrivalFaults says what keeps the queue from being run as an open system.
func (s *Spec) ArrivalFaults(f *check.Faults) {
	switch {
	case s.Load != nil:
		f.That(*s.Load > 0 && !math.IsInf(*s.Load, 1), "AtLoad(%v): the load is a fraction of the stability limit; give a positive finite one", *s.Load)
		if s.Arrivals == nil {
			return // Poisson
		}
	case s.Arrivals == nil && s.sentByUsers():
		return
	case s.Arrivals == nil:
		f.Add("the model has no arrivals: add .Poisson(rate) or .Arrivals(law), or use m.AtRate(rate)")
		return
	default:
		if rate := s.Rate(); !(rate > 0) || math.IsInf(rate, 1) {
			f.Add("the arrival rate is %v; give a positive finite one", rate)
			return
		}
	}
	f.Join(arrivalFaults(s)...)
}

// arrivalFaults says what is wrong with the arrivals, a panic of theirs included.
func arrivalFaults(s *Spec) (faults []error) {
	if gap, ok := s.Gap(); ok {
		return LawFaults("arrivals", gap)
	}
	err := panics.Call(func() {
		if err := s.Arrivals.Validate(); err != nil {
			faults = []error{fmt.Errorf("arrivals: %w", err)}
			return
		}
		for name := range arrival.ClassRates(s.Arrivals) {
			if name != "" && !slices.ContainsFunc(s.Classes, func(c Class) bool { return c.Name == name }) {
				faults = append(faults, fmt.Errorf("arrivals: they mark jobs of class %q, which the model does not have; add it with .Class", name))
			}
		}
	})
	if err != nil {
		return []error{fmt.Errorf("arrivals %T: %w", s.Arrivals, err)}
	}
	return faults
}

// PolicyFaults says what keeps the policy from serving the classes.
func (s *Spec) PolicyFaults(f *check.Faults) {
	if s.Policy == nil || s.Servers < 1 && len(s.Resources) == 0 {
		return
	}
	if s.OnNodes() || !s.recurrent() {
		s.otherPolicyFaults(f)
	}
	f.That(!s.Policy.Properties().Given, "policy %v: estimates come with the jobs of a log, and those of a model have none; choose Estimates(policy.Exact()), policy.Factor(f) or policy.UniformFactor(f)", s.Policy)
}

// otherPolicyFaults is PolicyFaults of a policy other than first come first served.
func (s *Spec) otherPolicyFaults(f *check.Faults) {
	switch {
	case s.Identities():
		f.Add("policy %v: it counts servers, and with named servers or random assignment it matters which are free; leave the policy out", s.Policy)
	case s.AsPrinted:
		f.Add("policy %v: AsPrinted is a recursion of first come first served; leave one of them out", s.Policy)
	default:
		if err := policy.Validate(s.Policy, s.PolicySystem()); err != nil {
			f.Join(err)
			return
		}
		if f.None() { // what a scheduler shows, which is made for a description that is right in all else
			s.renegingFaults(f)
			s.returningFaults(f)
			s.resizingFaults(f)
		}
	}
}

// LawFaults says what is wrong with a law at the named place, a panic of one of its
// methods included.
func LawFaults(at string, l law.Law) (faults []error) {
	if err := panics.Call(func() { faults = unusable(at, l) }); err != nil {
		return []error{fmt.Errorf("%s: the law %T: %w", at, l, err)}
	}
	return faults
}

func unusable(at string, l law.Law) []error {
	if l == nil {
		return []error{fmt.Errorf("%s: no law given; use for example mjq.ExpMean(1)", at)}
	}
	if err := l.Validate(); err != nil {
		return []error{fmt.Errorf("%s: %w", at, err)}
	}
	m := l.Mean()
	switch {
	case math.IsInf(m, 1):
		return []error{fmt.Errorf("%s: %v has an infinite mean, so no arrival rate is stable; choose a law with a finite one", at, l)}
	case m == 0:
		return []error{fmt.Errorf("%s: %v has mean 0; choose a law with a positive one", at, l)}
	case !(m >= ShortestMean && m <= LongestMean):
		return []error{fmt.Errorf("%s: %v has mean %.3g; powers of such times overflow, so choose a unit of time in which the mean lies between %g and %g", at, l, m, ShortestMean, LongestMean)}
	}
	return nil
}

// Count is "1 fault" or "3 faults", "3 classes".
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if strings.HasSuffix(noun, "s") {
		noun += "e"
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
