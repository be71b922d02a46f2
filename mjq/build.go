package mjq

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/mjqueue/mjq/internal/panics"
)

// Builder collects the description of a model. It is a value: each call
// returns a longer description and leaves the shorter one as it was, so that a
// common part can be kept and built on. Nothing is checked before Build.
type Builder struct {
	servers  int
	arrivals Law
	poisson  *float64 // the rate, if given as such
	classes  []Class
}

// Servers begins a model with s identical servers.
func Servers(s int) Builder { return Builder{servers: s} }

// Poisson lets jobs arrive in a Poisson process of the given rate, in jobs per
// unit of time.
func (b Builder) Poisson(rate float64) Builder {
	b.arrivals, b.poisson = ExpRate(rate), &rate
	return b
}

// Arrivals lets jobs arrive in a renewal process with the given law of the
// time between arrivals.
func (b Builder) Arrivals(gap Law) Builder {
	b.arrivals, b.poisson = gap, nil
	return b
}

// Class adds a class of jobs: its name, the number of servers that a job needs
// at once, the probability that an arriving job is of this class, and the law
// of its service time. Two classes may need the same number of servers.
func (b Builder) Class(name string, need int, prob float64, service Law) Builder {
	b.classes = append(slices.Clip(b.classes), Class{Name: name, Need: need, Prob: prob, Service: service})
	return b
}

// Classes adds several classes.
func (b Builder) Classes(classes ...Class) Builder {
	b.classes = append(slices.Clip(b.classes), classes...)
	return b
}

// probSlack is how far from 1 the sum of the class probabilities may be:
// printed tables round them to a few digits. They are normalised.
const probSlack = 1e-6

// What a description may not exceed. Servers are counted in 32 bits. A
// probability below half the rounding of 1 vanishes when the classes are summed.
// Times are bounded so that the fourth powers in the variance of a variance
// neither overflow nor underflow.
const (
	mostServers  = math.MaxInt32
	leastProb    = 0x1p-53
	shortestMean = 1e-60
	longestMean  = 1e60
)

// Build checks the description and returns the model. The error names every
// fault at once, each with the field, the value and the remedy; use errors.As
// or range over its Unwrap to take it apart. A model without arrivals is
// allowed: it has a stability limit, and AtRate gives it arrivals.
func (b Builder) Build() (*Model, error) {
	faults := b.faults()
	if len(faults) > 0 {
		return nil, described(faults)
	}
	sum := 0.0
	for _, c := range b.classes {
		sum += c.Prob
	}
	classes := slices.Clone(b.classes)
	for i := range classes {
		classes[i].Prob /= sum
	}
	return &Model{servers: b.servers, arrivals: b.arrivals, classes: classes, limit: new(limit), fewer: new(sync.Map)}, nil
}

// described is the error of a description with these faults.
func described(faults []error) error {
	return fmt.Errorf("mjq: the model has %s:\n%w", count(len(faults), "fault"), errors.Join(faults...))
}

func (b Builder) faults() (faults []error) {
	fault := func(format string, args ...any) { faults = append(faults, fmt.Errorf(format, args...)) }
	if b.servers < 1 {
		fault("Servers(%d): the number of servers must be at least 1", b.servers)
	} else if b.servers > mostServers {
		fault("Servers(%d): more than %d servers cannot be counted; count in larger units, such as nodes for cores", b.servers, mostServers)
	}
	if rate := b.poisson; rate != nil {
		if !(*rate > 0) || math.IsInf(*rate, 1) {
			fault("Poisson(%v): the arrival rate must be positive and finite", *rate)
		} else if !(*rate >= shortestMean && *rate <= longestMean) {
			fault("Poisson(%v): powers of the times between arrivals would overflow; choose a unit of time in which the rate lies between %g and %g", *rate, shortestMean, longestMean)
		}
	} else if b.arrivals != nil {
		faults = append(faults, lawFaults("arrivals", b.arrivals)...)
	}
	if len(b.classes) == 0 {
		fault("no class of jobs: add one with .Class(name, servers needed, probability, service law)")
	}
	names := map[string]bool{}
	sum := 0.0
	for i, c := range b.classes {
		at := fmt.Sprintf("class %d %q", i+1, c.Name)
		if c.Name == "" {
			fault("class %d has no name: give one, results are asked for by it", i+1)
		} else if names[c.Name] {
			fault("%s: the name is taken by an earlier class; give each its own", at)
		}
		names[c.Name] = true
		if c.Need < 1 {
			fault("%s: need %d is below 1; a job needs at least one server", at, c.Need)
		} else if c.Need > b.servers && b.servers >= 1 {
			fault("%s: need %d exceeds the %d servers; such a job could never start", at, c.Need, b.servers)
		}
		if !(c.Prob > 0 && c.Prob <= 1+probSlack) {
			fault("%s: probability %v is not in (0, 1]; drop a class that never arrives", at, c.Prob)
		} else if c.Prob < leastProb {
			fault("%s: probability %v is below %g and lost in the rounding of the others; drop the class", at, c.Prob, leastProb)
		}
		sum += c.Prob
		faults = append(faults, lawFaults(at+": service", c.Service)...)
	}
	if len(b.classes) > 0 && !(math.Abs(sum-1) <= probSlack) {
		fault("the class probabilities sum to %.10g, not 1; scale them, or add the class that is missing", sum)
	}
	return faults
}

// lawFaults says what is wrong with a law at the named place, a panic of one of
// its methods included.
func lawFaults(at string, l Law) (faults []error) {
	if err := panics.Call(func() { faults = unusable(at, l) }); err != nil {
		return []error{fmt.Errorf("%s: the law %T: %w", at, l, err)}
	}
	return faults
}

func unusable(at string, l Law) []error {
	if l == nil {
		return []error{fmt.Errorf("%s: no law given; use for example mjq.ExpMean(1)", at)}
	}
	if err := l.Validate(); err != nil {
		return []error{fmt.Errorf("%s: %w", at, err)}
	}
	m := l.Mean()
	if math.IsInf(m, 1) {
		return []error{fmt.Errorf("%s: %v has an infinite mean, so no arrival rate is stable; choose a law with a finite one", at, l)}
	} else if m == 0 {
		return []error{fmt.Errorf("%s: %v has mean 0; choose a law with a positive one", at, l)}
	} else if !(m >= shortestMean && m <= longestMean) {
		return []error{fmt.Errorf("%s: %v has mean %.3g; powers of such times overflow, so choose a unit of time in which the mean lies between %g and %g", at, l, m, shortestMean, longestMean)}
	}
	return nil
}

// count is "1 fault" or "3 faults", "3 classes".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if strings.HasSuffix(noun, "s") {
		noun += "e"
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Must is v, or a panic with the error: for notebooks and examples, where a
// fault of the model should stop the cell.
func Must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
