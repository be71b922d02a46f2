package special

import (
	"fmt"
	"math"
	"slices"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/internal/escape"
	"github.com/mjqueue/mjq/mjq/internal/cache"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// Divisible is a queue for a divisible resource: of a total amount B each job holds
// the amount that its class needs, any positive real up to B, for its service time.
// Jobs start in order of arrival, with head-of-line blocking. The multiserver-job
// queue is the case in which all amounts are whole numbers.
//
// It is built by Amount and Class, and is a value: each call returns a longer description and leaves the shorter one as it was. The class probabilities must sum
// to 1 to within 1e-6, for printed tables round them; they are divided by their sum.
// Amounts are compared with a relative slack of 1e-9 of the total, so that three jobs
// that need 1./3 run together on a total of 1. Service laws that are not exponential
// are allowed, but then only Model is of use.
//
// Source: Brandwajn and Begin, "A Note on the Determination of the Processing
// Capacity in a Multiserver Job System as a Model of Cloud Datacenters",
// CloudCom 2022, Section II, called the note below; numbers of equations are its.
type Divisible struct {
	total   float64
	classes []DivisibleClass
}

// DivisibleClass is a class of jobs that share a divisible resource.
type DivisibleClass struct {
	Name    string
	Need    float64 // amount of the resource held in service
	Prob    float64 // that an arriving job is of this class
	Service law.Law // time for which it is held
}

// Amount begins a queue for a divisible resource of the given total amount, B:
//
//	c, err := special.Amount(6.5).Class("a", 2, 0.5, law.ExpMean(0.4)).Class("b", 3.2, 0.5, law.ExpMean(1.6)).Capacity(ctx)
func Amount(total float64) Divisible { return Divisible{total: total} }

// Class adds a class of jobs: its name, the amount of the resource that a job
// needs, the probability that an arriving job is of this class, and the law of
// its service time.
func (d Divisible) Class(name string, need, prob float64, service law.Law) Divisible {
	d.classes = append(slices.Clip(d.classes), DivisibleClass{Name: name, Need: need, Prob: prob, Service: service})
	return d
}

// key tells a question about the resource at some rates from others, for answers that are
// kept.
func (d Divisible) key(kind string, rates ...float64) func() *cache.Question {
	return func() *cache.Question {
		q := cache.Ask(kind).Reals(d.total).Reals(rates...).Code(d)
		for _, c := range d.classes {
			q.Text(c.Name).Reals(c.Need, c.Prob).Written(law.Marshal(c.Service))
		}
		return q
	}
}

// Err is nil, or says everything that is wrong with the description, each fault with
// the field, the value and the remedy.
func (d Divisible) Err() error {
	var f check.Faults
	d.check(&f)
	return f.Err("Divisible")
}

func (d Divisible) check(f *check.Faults) {
	positive := func(x float64) bool { return x > 0 && !math.IsInf(x, 1) }
	f.That(positive(d.total), "the total amount is %v; give a positive finite one", d.total)
	f.That(len(d.classes) > 0, "no class of jobs: add one with .Class(name, amount needed, probability, service law)")
	names := map[string]bool{}
	sum := 0.0
	for i, c := range d.classes {
		at := fmt.Sprintf("class %d %q", i+1, c.Name)
		f.That(c.Name != "", "class %d has no name: give one, results are asked for by it", i+1)
		f.That(c.Name == "" || !names[c.Name], "%s: the name is taken by an earlier class; give each its own", at)
		names[c.Name] = true
		f.That(positive(c.Need), "%s: need %v is not positive and finite; a job needs some of the resource", at, c.Need)
		f.That(!positive(d.total) || !positive(c.Need) || c.Need <= d.total*(1+slack),
			"%s: need %v exceeds the total of %v; such a job could never start", at, c.Need, d.total)
		f.That(!(c.Need < d.total/maxFraction), "%s: need %v is below a %gth of the total; join such jobs into larger ones", at, c.Need, float64(maxFraction))
		f.That(c.Prob > 0 && c.Prob <= 1+spec.ProbSlack, "%s: probability %v is not in (0, 1]; drop a class that never arrives", at, c.Prob)
		sum += c.Prob
		f.Join(spec.LawFaults(at+": service", c.Service)...)
	}
	f.That(len(d.classes) == 0 || math.Abs(sum-1) <= spec.ProbSlack,
		"the class probabilities sum to %.10g, not 1; scale them, or add the class that is missing", sum)
}

// maxFraction bounds how many jobs can be in service at once: with more, the
// slack of 1e-9 could let in one too many.
const maxFraction = 10_000_000

// Total is the amount of the resource, B.
func (d Divisible) Total() float64 { return d.total }

// Classes is a copy of the classes, their probabilities divided by their sum.
func (d Divisible) Classes() []DivisibleClass {
	sum := 0.0
	for _, c := range d.classes {
		sum += c.Prob
	}
	classes := slices.Clone(d.classes)
	for i := range classes {
		classes[i].Prob /= sum
	}
	return classes
}

// IdealRate is the rate at which jobs would be completed if the whole
// resource were always in use: B over the mean amount times time of a job. NaN
// where Err is not nil.
func (d Divisible) IdealRate() float64 {
	if d.Err() != nil {
		return math.NaN()
	}
	work := 0.0
	for _, c := range d.Classes() {
		work += c.Prob * c.Need * c.Service.Mean()
	}
	return d.total / work
}

// String describes the queue in a line and a table, or gives the error.
func (d Divisible) String() string {
	if err := d.Err(); err != nil {
		return err.Error()
	}
	return d.headline() + "\n" + d.table().String()
}

// HTML returns the description as HTML, for a notebook.
func (d Divisible) HTML() string {
	if err := d.Err(); err != nil {
		return "<p>" + escape.HTMLLines(err.Error()) + "</p>"
	}
	return "<p>" + escape.HTML(d.headline()) + "</p>" + d.table().HTML()
}

func (d Divisible) headline() string {
	return fmt.Sprintf("FCFS queue for a divisible resource of %v, %s", d.total, spec.Count(len(d.classes), "job class"))
}

func (d Divisible) table() *result.Table {
	t := result.NewTable("").Text("class").Numbers("need").Numbers("share of total").Numbers("probability").Numbers("mean service").Text("service law")
	for _, c := range d.Classes() {
		t.Row(c.Name, c.Need, c.Need/d.total, c.Prob, c.Service.Mean(), fmt.Sprint(c.Service))
	}
	return t
}

// resource is the queue for the solvers, which know exponential services only.
func (d Divisible) resource(f *check.Faults) *resource {
	r := &resource{total: d.total}
	for i, c := range d.Classes() {
		rate, ok := law.MemorylessRate(c.Service)
		f.That(ok || c.Service == nil, "class %d %q: the service law %v is not exponential; use ExpMean, or simulate the queue with servers that .Model() gives", i+1, c.Name, c.Service)
		r.classes = append(r.classes, user{need: c.Need, prob: c.Prob, rate: rate})
	}
	return r
}
