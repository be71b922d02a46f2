// Package elastic solves first come first served queues in which some jobs run on more or fewer
// servers than they need: elastic jobs, whose size changes at every event, and partial jobs,
// which take what is free when they start and keep it.
//
// Jobs start as if every elastic job held its least number of servers. After that, servers that
// are free go to running elastic jobs. All services are exponential and one class at most is
// elastic, so that what serves is how many jobs run of each class and size.
package elastic

import (
	"errors"
	"fmt"

	"github.com/mjqueue/mjq/mjq/internal/compiled"
	"github.com/mjqueue/mjq/mjq/law"
)

// Class is jobs that are alike. Rigid jobs have a form whose only size is their need.
type Class struct {
	compiled.Form
	Prob float64
	Rate float64 // of the end of a service on Need servers
}

// elastic reports whether the size of running jobs changes.
func (c *Class) elastic() bool { return !c.Partial && c.Least < c.Most }

// rate is that of the end of a service on so many servers.
func (c *Class) rate(size int) float64 { return c.Rate * c.Speed[size] }

// Queue is a queue with Poisson arrivals.
type Queue struct {
	Servers int
	Rate    float64
	Classes []Class
	Oldest  bool // free servers go to jobs in order of start, else to the smallest
}

// errClasses is the error for two elastic classes: which of two jobs of the same size gets a
// server then depends on the order of their starts.
var errClasses = errors.New("two classes are elastic; exact solutions take one")

// Of is a queue on servers that are alike, with a rate of 1. The error says why it is no chain.
func Of(q *compiled.System) (*Queue, error) {
	x := &Queue{Servers: q.Servers, Rate: 1, Oldest: q.Elastic != nil && q.Elastic.Oldest}
	varies := 0
	for i, c := range q.Known {
		rate, ok := law.ExponentialRate(c.Service)
		if !ok {
			return nil, fmt.Errorf("class %q: service %v; queues with elastic jobs are solved with exponential services", c.Name, c.Service)
		}
		class := Class{Rigid(q.Needs[i]), q.Probs[i], rate}
		if q.Elastic != nil && q.Elastic.Of[i] > 0 {
			class.Form = q.Elastic.Forms[q.Elastic.Of[i]-1]
		}
		if class.Cost > 0 {
			return nil, fmt.Errorf("class %q: a time of %v to resize: the chain has no time in which jobs stand still", c.Name, class.Cost)
		}
		if class.elastic() {
			varies++
		}
		x.Classes = append(x.Classes, class)
	}
	if varies > 1 {
		return nil, errClasses
	}
	return x, nil
}

// Rigid is the form of jobs that hold what they need.
func Rigid(need int) compiled.Form {
	f := compiled.Form{Least: need, Need: need, Most: need, Speed: make([]float64, need+1)}
	f.Speed[need] = 1
	return f
}

// Share is the sizes of n elastic jobs of a class in order of start, when so many servers are
// free beyond their least sizes. Even gives them one step at a time to the smallest job that can
// grow, of equal ones to the oldest; oldest to each job in order of start.
func Share(f *compiled.Form, n, free int, oldest bool) []int {
	sizes := make([]int, n)
	for i := range sizes {
		sizes[i] = f.Least
	}
	for {
		grows := -1
		for i, size := range sizes {
			if to := f.Next(size); to > 0 && to-size <= free && (grows < 0 || size < sizes[grows] && !oldest) {
				grows = i
			}
		}
		if grows < 0 {
			return sizes
		}
		to := f.Next(sizes[grows])
		free -= to - sizes[grows]
		sizes[grows] = to
	}
}
