package result

import (
	"fmt"
	"strings"
	"time"

	"github.com/mjqueue/mjq/internal/escape"
)

// Capacity is the largest arrival rate that any scheduling policy can carry, preemptive
// or not, and a mixture of schedules that carries it.
type Capacity struct {
	Unit       Unit    // of time; "" if it is not known
	Rate       float64 // jobs per unit of time
	HalfWidth  float64 // of Rate: the gap between what the schedules carry and what the prices allow; rounding
	IdealRate  float64 // the same if jobs could be cut to fill every server
	Idle       float64 // mean number of servers that no job can use at Rate; NaN with several types of resources
	Needs      []CapacityNeed
	Schedules  []CapacitySchedule // largest share first
	Source     string
	Remembered time.Time // when it was found, if it was not now; see mjq.Cache
}

// CapacityNeed is the jobs that need the same, which no policy tells apart.
type CapacityNeed struct {
	Need    int      // servers; of several types of resources, all units
	Units   []int    // by type of resource; nil without types
	Classes []string // names of the classes
	Busy    float64  // mean number in service at Rate
	// Price is the part of the system that a running job takes: no set of jobs that
	// fits has prices that add up to more than 1, and those of each schedule of the
	// mixture add up to 1. A need whose price is more than its part of the servers is
	// hard to pack.
	Price float64
}

// CapacitySchedule is a set of jobs that run together.
type CapacitySchedule struct {
	Share float64 // of the time
	Jobs  []int   // by need
}

// Estimate is the rate with its interval.
func (c *Capacity) Estimate() Estimate {
	return Estimate{Value: c.Rate, HalfWidth: c.HalfWidth, Level: 1, Method: "linear program"}
}

// Load is an arrival rate as a part of the capacity. From 1 on no policy is stable.
func (c *Capacity) Load(rate float64) float64 { return rate / c.Rate }

// Table is the mixture of schedules, a row each: the share of the time, and how many jobs
// of each need run.
func (c *Capacity) Table() *Table {
	var shares []float64
	for _, s := range c.Schedules {
		shares = append(shares, s.Share)
	}
	t := NewTable("Schedules that attain the capacity").Numbers("share of time", shares...)
	for k, n := range c.Needs {
		var jobs []float64
		for _, s := range c.Schedules {
			jobs = append(jobs, float64(s.Jobs[k]))
		}
		t.Numbers("need "+n.name(), jobs...)
	}
	t.Note = c.String()
	return t
}

// name is the need in words.
func (n CapacityNeed) name() string {
	if n.Units == nil {
		return fmt.Sprint(n.Need)
	}
	return strings.Trim(fmt.Sprint(n.Units), "[]")
}

// String says the capacity in a line.
func (c *Capacity) String() string {
	idle := ""
	if c.Idle == c.Idle {
		idle = fmt.Sprintf("; %.4g servers idle for want of jobs that fit", c.Idle)
	}
	if c.Unit != "" {
		return fmt.Sprintf("no policy is stable from λ = %s on; %s if jobs could be cut%s", c.Unit.RateText(c.Rate, 4), c.Unit.RateText(c.IdealRate, 4), idle)
	}
	return fmt.Sprintf("no policy is stable from λ = %.10g jobs per unit of time on; %.6g if jobs could be cut%s", c.Rate, c.IdealRate, idle)
}

// HTML returns what String does as HTML, for a notebook.
func (c *Capacity) HTML() string { return "<p>" + escape.HTML(c.String()) + "</p>" }
