package mjq

import (
	"errors"
	"fmt"
	"html"
	"math"
	"slices"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/divisible"
	"github.com/mjqueue/mjq/mjq/internal/method"
	"github.com/mjqueue/mjq/mjq/law"
)

// DivisibleClass is a class of jobs that share a divisible resource.
type DivisibleClass struct {
	Name    string
	Need    float64 // amount of the resource held in service
	Prob    float64 // that an arriving job is of this class
	Service Law     // time for which it is held
}

// DivisibleBuilder collects the description of a divisible resource and its
// users. Like Builder it is a value, and nothing is checked before Build.
type DivisibleBuilder struct {
	total   float64
	classes []DivisibleClass
}

// DivisibleModel is a queue for a divisible resource: of a total amount B each
// job holds the amount that its class needs, any positive real up to B, for its
// service time. Jobs start in order of arrival, with head-of-line blocking. The
// multiserver-job queue is the case in which all amounts are whole numbers. It
// is immutable and may be shared by goroutines.
//
// Source: Brandwajn and Begin, "A Note on the Determination of the Processing
// Capacity in a Multiserver Job System as a Model of Cloud Datacenters",
// CloudCom 2022, Section II.
type DivisibleModel struct {
	total    float64
	classes  []DivisibleClass
	progress func(done, total float64)
}

// Divisible begins a queue for a resource of the given total amount, B.
func Divisible(total float64) DivisibleBuilder { return DivisibleBuilder{total: total} }

// Class adds a class of jobs: its name, the amount of the resource that a job
// needs, the probability that an arriving job is of this class, and the law of
// its service time.
func (b DivisibleBuilder) Class(name string, need, prob float64, service Law) DivisibleBuilder {
	b.classes = append(slices.Clip(b.classes), DivisibleClass{Name: name, Need: need, Prob: prob, Service: service})
	return b
}

// Build checks the description and returns the model. The error names every
// fault at once, each with the field, the value and the remedy. Amounts are
// compared with a relative slack of 1e-9 of the total, so that three jobs that
// need 1./3 run together on a total of 1. Service laws that are not
// exponential are allowed, but then only Model is of use.
func (b DivisibleBuilder) Build() (*DivisibleModel, error) {
	faults := b.faults()
	if len(faults) > 0 {
		return nil, fmt.Errorf("mjq: the divisible model has %s:\n%w", count(len(faults), "fault"), errors.Join(faults...))
	}
	sum := 0.0
	for _, c := range b.classes {
		sum += c.Prob
	}
	classes := slices.Clone(b.classes)
	for i := range classes {
		classes[i].Prob /= sum
	}
	return &DivisibleModel{total: b.total, classes: classes}, nil
}

func (b DivisibleBuilder) faults() []error {
	var f check.Faults
	positive := func(x float64) bool { return x > 0 && !math.IsInf(x, 1) }
	f.That(positive(b.total), "Divisible(%v): the total amount must be positive and finite", b.total)
	f.That(len(b.classes) > 0, "no class of jobs: add one with .Class(name, amount needed, probability, service law)")
	names := map[string]bool{}
	sum := 0.0
	for i, c := range b.classes {
		at := fmt.Sprintf("class %d %q", i+1, c.Name)
		f.That(c.Name != "", "class %d has no name: give one, results are asked for by it", i+1)
		f.That(c.Name == "" || !names[c.Name], "%s: the name is taken by an earlier class; give each its own", at)
		names[c.Name] = true
		f.That(positive(c.Need), "%s: need %v is not positive and finite; a job needs some of the resource", at, c.Need)
		f.That(!positive(b.total) || !positive(c.Need) || c.Need <= b.total*(1+divisible.Slack),
			"%s: need %v exceeds the total of %v; such a job could never start", at, c.Need, b.total)
		f.That(!(c.Need < b.total/maxFraction), "%s: need %v is below a %gth of the total; join such jobs into larger ones", at, c.Need, float64(maxFraction))
		f.That(c.Prob > 0 && c.Prob <= 1+probSlack, "%s: probability %v is not in (0, 1]; drop a class that never arrives", at, c.Prob)
		sum += c.Prob
		f.Join(lawFaults(at+": service", c.Service)...)
	}
	f.That(len(b.classes) == 0 || math.Abs(sum-1) <= probSlack,
		"the class probabilities sum to %.10g, not 1; scale them, or add the class that is missing", sum)
	return f.List()
}

// maxFraction bounds how many jobs can be in service at once: with more, the
// slack of 1e-9 could let in one too many.
const maxFraction = 10_000_000

// Total is the amount of the resource, B.
func (d *DivisibleModel) Total() float64 { return d.total }

// Classes is a copy of the classes, their probabilities summing to 1.
func (d *DivisibleModel) Classes() []DivisibleClass { return slices.Clone(d.classes) }

// IdealRate is the rate at which jobs would be completed if the whole
// resource were always in use: B over the mean amount times time of a job.
func (d *DivisibleModel) IdealRate() float64 {
	work := 0.0
	for _, c := range d.classes {
		work += c.Prob * c.Need * c.Service.Mean()
	}
	return d.total / work
}

// Progress is the model with f called a few times a second, during Capacity
// and Sojourn, with how much of how much is done. Calls come one at a time.
func (d *DivisibleModel) Progress(f func(done, total float64)) *DivisibleModel {
	c := *d
	c.progress = method.Throttled(f)
	return &c
}

// String describes the model in a line and a table.
func (d *DivisibleModel) String() string { return d.headline() + "\n" + d.table().String() }

// HTML is the description for a notebook.
func (d *DivisibleModel) HTML() string {
	return "<p>" + html.EscapeString(d.headline()) + "</p>" + d.table().HTML()
}

func (d *DivisibleModel) headline() string {
	return fmt.Sprintf("FCFS queue for a divisible resource of %v, %s", d.total, count(len(d.classes), "job class"))
}

func (d *DivisibleModel) table() *Table {
	var names, laws []string
	var needs, shares, probs, means []float64
	for _, c := range d.classes {
		names, laws = append(names, c.Name), append(laws, fmt.Sprint(c.Service))
		needs, shares = append(needs, c.Need), append(shares, c.Need/d.total)
		probs, means = append(probs, c.Prob), append(means, c.Service.Mean())
	}
	return NewTable("").Text("class", names...).Numbers("need", needs...).Numbers("share of total", shares...).
		Numbers("probability", probs...).Numbers("mean service", means...).Text("service law", laws...)
}

// maxUnits is the most servers that Model looks for.
const maxUnits = 100_000

// Model is the same queue with servers: the smallest number s of at most
// 100 000 of them for which every need is a whole number of s-ths of the total,
// to within rounding (5e-15 of the total). It has no arrivals; give it some
// with AtRate. It is an error when there is no such number, as for a need of
// √2/2 of the total. Cost: of order s times the number of classes.
func (d *DivisibleModel) Model() (*Model, error) {
	for s := 1; s <= maxUnits; s++ {
		if classes, ok := d.whole(s); ok {
			return Servers(s).Classes(classes...).Build()
		}
	}
	var needs []float64
	for _, c := range d.classes {
		needs = append(needs, c.Need)
	}
	return nil, fmt.Errorf("mjq: the needs %v and the total %v are no whole multiples of a common unit (down to the total over %d); use fractions such as 1./3 at full precision, or the methods of the divisible model itself",
		needs, d.total, maxUnits)
}

// whole is the classes in units of 1/s of the total, if they are whole.
func (d *DivisibleModel) whole(s int) ([]Class, bool) {
	var classes []Class
	for _, c := range d.classes {
		x := c.Need / d.total
		k := math.Round(x * float64(s))
		if k < 1 || math.Abs(x-k/float64(s)) > 5e-15 {
			return nil, false
		}
		classes = append(classes, Class{Name: c.Name, Need: int(k), Prob: c.Prob, Service: c.Service})
	}
	return classes, true
}

// resource is the model for the solvers, which know exponential services only.
func (d *DivisibleModel) resource(what string) (*divisible.Resource, error) {
	var f check.Faults
	r := &divisible.Resource{Total: d.total}
	for i, c := range d.classes {
		rate, ok := law.MemorylessRate(c.Service)
		f.That(ok, "class %d %q: the service law %v is not exponential; use ExpMean, or simulate what .Model() returns", i+1, c.Name, c.Service)
		r.Classes = append(r.Classes, divisible.Class{Need: c.Need, Prob: c.Prob, Rate: rate})
	}
	return r, faultsOf(&f, what)
}
