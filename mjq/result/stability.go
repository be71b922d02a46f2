package result

import (
	"cmp"
	"fmt"
	"math"
	"time"

	"github.com/mjqueue/mjq/internal/escape"
)

// Stability is the stability limit of a model: the queue is stable for every
// arrival rate below Rate and for none above. It does not depend on the
// arrivals, only on the servers and the classes.
type Stability struct {
	Rate      float64  // λ_c, jobs per unit of time
	HalfWidth float64  // of the interval around Rate; 0 if exact
	Level     float64  // of that interval
	Unit      Unit     // of time; "" if it is not known
	Method    string   // "closed form", "linear program", "product-form", "saturated-chain", "drifts", "favoured first", "pile", "simulation" or "upper bound"
	Source    string   // where the method comes from
	IdealRate float64  // the limit if no server were ever blocked
	Work      float64  // E[α σ], the mean server-time a job brings: Wasted = s - Rate · Work
	Wasted    float64  // mean number of servers idle through blocking in saturation; NaN if it is not known
	Pool      Estimate // of jobs on nodes, the limit of the same units as one pool; unknown if it was not looked for
	Jobs      int64    // simulated, for the pile and the search
	Seed      uint64   // of these
	Met       bool     // the asked relative error was reached
	On        string   // where the pile grew: "CPU", or the GPU's name
	Note      string   // why that was not the GPU, after On(Auto)
	Notes     []string // jobs that the saturated simulation has almost never met, and the meaning of the interval then

	Remembered time.Time // when it was found, if it was not now; see mjq.Cache

	Resources []ResourceLimit // of a queue with types of resources; see Cluster
	Levels    []LevelLimit    // of a priority whose arrivals are given, the first level first
}

// LevelLimit is the stability of a level of a priority while the other levels keep their
// rates.
type LevelLimit struct {
	Name   string   // its classes, by commas
	Rate   Estimate // of its jobs, per unit of time
	Limit  Estimate // the largest rate at which they are stable; unknown if no method has it
	Stable bool     // they are, at their rate; false also where it is not known
}

// levelTable has a row for every level.
func (s *Stability) levelTable() *Table {
	t := NewTable("Levels, each with the rates of the others kept").In(s.Unit)
	var classes, stable []string
	var rates, limits []Estimate
	for _, l := range s.Levels {
		classes, rates, limits = append(classes, l.Name), append(rates, l.Rate), append(limits, l.Limit)
		stable = append(stable, map[bool]string{true: "stable", false: "not stable, or not known to be"}[l.Stable])
	}
	return t.Text("level", classes...).Estimates("rate", rates...).Time(-1).Estimates("limit", limits...).Time(-1).Text("at that rate", stable...)
}

// Estimate is the limit with its interval.
func (s *Stability) Estimate() Estimate {
	return Estimate{Value: s.Rate, HalfWidth: s.HalfWidth, Level: s.Level, Method: s.Method}
}

// WastedInterval is Wasted with its interval.
func (s *Stability) WastedInterval() Estimate {
	return Estimate{Value: s.Wasted, HalfWidth: s.HalfWidth * s.Work, Level: s.Level, Method: s.Method}
}

// String says the limit in a line, and each of its notes in another.
func (s *Stability) String() string {
	text := escape.Line(s.line())
	for _, note := range s.Notes {
		text += "\n" + escape.Line(note)
	}
	if len(s.Levels) > 0 {
		text += "\n" + s.levelTable().String()
	}
	return text
}

func (s *Stability) line() string {
	scale := s.Unit.BestRate(s.IdealRate)
	per := cmp.Or(string(scale.Unit), "unit of time")
	if math.IsInf(s.Rate, 1) {
		return fmt.Sprintf("no limit: %s; %.6g jobs per %s would keep all servers busy", s.Source, scale.Show(s.IdealRate, -1), per)
	}
	pool := ""
	if s.Pool.Known() {
		pool = fmt.Sprintf("; %v if the nodes were one pool", scale.In(s.Pool, -1))
	}
	return fmt.Sprintf("stable below λ = %v jobs per %s (%s); %.6g without blocking%s; %s wasted in saturation",
		scale.In(s.Estimate(), -1), per, s.Method, scale.Show(s.IdealRate, -1), pool, s.wasted())
}

// HTML returns what String does as HTML, for a notebook.
func (s *Stability) HTML() string {
	text := "<p>" + escape.HTML(s.line()) + "</p>"
	for _, note := range s.Notes {
		text += "<p><small>" + escape.HTML(note) + "</small></p>"
	}
	if len(s.Levels) > 0 {
		text += s.levelTable().HTML()
	}
	return text
}
