package mjq

import (
	"fmt"
	"html"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/mjqueue/mjq/mjq/law"
)

// Class is a class of jobs.
type Class struct {
	Name    string
	Need    int     // servers seized at once
	Prob    float64 // that an arriving job is of this class
	Service Law     // time for which they are held
}

// Model is a multiserver-job queue: identical servers, one first-come
// first-served line with head-of-line blocking. It is immutable and may be
// shared by goroutines; AtRate and AtLoad return changed copies.
type Model struct {
	servers  int
	arrivals Law      // nil: none given
	load     *float64 // fraction of the limit; then arrivals, Poisson if nil, have its shape but not yet its rate
	classes  []Class
	limit    *limit    // shared by copies that differ in the arrivals only
	variant  *variant  // nil: the plain queue; see Cluster
	notes    []string  // for every result
	fewer    *sync.Map // limits with fewer servers, shared like limit; see without
}

// Servers is the number of servers s.
func (m *Model) Servers() int { return m.servers }

// Classes is a copy of the classes, their probabilities summing to 1.
func (m *Model) Classes() []Class { return slices.Clone(m.classes) }

// Arrivals is the law of the time between arrivals; nil if none was given, and
// for a model at a load, whose rate is not known before Resolve.
func (m *Model) Arrivals() Law {
	if m.load != nil {
		return nil
	}
	return m.arrivals
}

// Rate is the arrival rate λ in jobs per unit of time; NaN without arrivals, and
// for a model at a load, whose rate is not known before Resolve.
func (m *Model) Rate() float64 {
	if m.arrivals == nil || m.load != nil {
		return math.NaN()
	}
	return 1 / m.arrivals.Mean()
}

// Load is the fraction of the stability limit that AtLoad asked for; NaN for a
// model whose arrivals were given otherwise or not at all.
func (m *Model) Load() float64 {
	if m.load == nil {
		return math.NaN()
	}
	return *m.load
}

// AtRate is the model with the arrival rate changed to rate: the interarrival
// law keeps its shape and is scaled in time. Without arrivals they become
// Poisson. The same seed then gives the same randomness at every rate, which
// makes comparisons sharp. A rate that is not positive and finite gives a
// model whose verbs return an error that says so.
func (m *Model) AtRate(rate float64) *Model {
	c := *m
	c.load = nil
	if m.arrivals == nil || !(rate > 0) || math.IsInf(rate, 1) {
		c.arrivals = ExpRate(rate)
	} else {
		c.arrivals = m.arrivals.Scaled(1 / (rate * m.arrivals.Mean()))
	}
	return &c
}

// AtLoad is the model at the given fraction of its stability limit: AtLoad(0.9)
// has an arrival rate of 0.9 λ_c. The interarrival law keeps its shape, and
// without arrivals they become Poisson. AtLoad computes nothing: the model keeps
// the load, and a verb finds the limit when it runs, as long as its context lasts
// (see Limit). Rate, Arrivals and OfferedLoad are not known until then; Resolve
// gives a model in which they are. A copy with another limit, as WithLimit,
// RandomAssignment or Cluster.AsPrinted make, is at that load of its own. A load
// that is not positive and finite gives a model whose verbs return an error that
// says so; one of 1 or more is unstable.
func (m *Model) AtLoad(load float64) *Model {
	c := *m
	c.load = &load
	return &c
}

// work is E[α σ], the mean server-time a job brings.
func (m *Model) work() float64 {
	sum := 0.0
	for _, c := range m.classes {
		sum += c.Prob * float64(c.Need) * c.Service.Mean()
	}
	return sum
}

// meanService is E[σ].
func (m *Model) meanService() float64 {
	sum := 0.0
	for _, c := range m.classes {
		sum += c.Prob * c.Service.Mean()
	}
	return sum
}

// IdealRate is s / E[α σ]: the arrival rate that would keep every server busy
// if none were ever blocked. The stability limit is at most this.
func (m *Model) IdealRate() float64 {
	if m.variant != nil {
		return m.variant.ideal
	}
	return float64(m.servers) / m.work()
}

// OfferedLoad is λ E[α σ] / s, the fraction of the servers that is busy if the
// system is stable. A value below 1 is not enough for stability. Like Rate it is
// NaN for a model at a load before Resolve.
func (m *Model) OfferedLoad() float64 { return m.Rate() / m.IdealRate() }

// String describes the model in a few lines of text.
func (m *Model) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", m.headline())
	fmt.Fprintf(&b, "%s", m.classTable().String())
	return b.String()
}

// HTML is the model as a notebook shows it.
func (m *Model) HTML() string {
	return "<p><b>" + html.EscapeString(m.headline()) + "</b></p>" + m.classTable().HTML()
}

func (m *Model) headline() string {
	queue := "FCFS multiserver-job queue: " + count(m.servers, "server")
	if m.variant != nil {
		queue = m.variant.title()
	}
	return fmt.Sprintf("%s, %s, %s", queue, count(len(m.classes), "job class"), m.arrivalText())
}

// arrivalText says how jobs arrive.
func (m *Model) arrivalText() string {
	poisson := m.poisson()
	switch {
	case poisson && m.load != nil:
		return fmt.Sprintf("Poisson arrivals at %.6g of the stability limit", *m.load)
	case poisson:
		return fmt.Sprintf("Poisson arrivals of rate %.6g (offered load %.3f)", m.Rate(), m.OfferedLoad())
	case m.load != nil:
		return fmt.Sprintf("arrivals %v, scaled to %.6g of the stability limit", m.arrivals, *m.load)
	case m.arrivals != nil:
		return fmt.Sprintf("arrivals %v (rate %.6g, offered load %.3f)", m.arrivals, m.Rate(), m.OfferedLoad())
	}
	return "no arrivals given"
}

// poisson reports whether jobs arrive in a Poisson process.
func (m *Model) poisson() bool {
	if m.arrivals == nil {
		return m.load != nil
	}
	_, ok := law.MemorylessRate(m.arrivals)
	return ok
}

func (m *Model) classTable() *Table {
	t := NewTable("")
	var names, laws []string
	var needs, probs, means, scvs []float64
	for _, c := range m.classes {
		names, laws = append(names, c.Name), append(laws, c.Service.String())
		needs, probs = append(needs, float64(c.Need)), append(probs, c.Prob)
		means, scvs = append(means, c.Service.Mean()), append(scvs, scv(c.Service))
	}
	return t.Text("class", names...).Numbers("servers", needs...).Numbers("probability", probs...).
		Numbers("mean service", means...).Numbers("SCV", scvs...).Text("service law", laws...)
}
