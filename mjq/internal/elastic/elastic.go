// Package elastic solves first come first served queues in which some jobs run on more or fewer
// servers than they need: elastic jobs, whose size changes at every event, and partial jobs,
// which take what is free when they start and keep it.
//
// Jobs start as if every elastic job held its least number of servers. After that, servers that
// are free go to running elastic jobs. All services are exponential and one class at most is
// elastic, so that a state is how many jobs run of each class and size, the class of the head,
// and how many jobs are behind it: their classes are drawn when they reach the head.
package elastic

import (
	"cmp"
	"errors"
	"slices"
)

// Class is jobs that are alike. Rigid jobs have Least = Need = Most.
type Class struct {
	Least, Need, Most int
	Partial           bool              // the size is chosen at the start, at most Need, and kept
	Sizes             []int             // the sizes that an elastic job may have, ascending; nil: all
	Speed             func(int) float64 // on so many servers, by any unit
	Prob              float64
	Rate              float64 // of the end of a service on Need servers
}

// elastic reports whether the size of running jobs changes.
func (c *Class) elastic() bool { return !c.Partial && c.Least < c.Most }

// rate is that of the end of a service on so many servers.
func (c *Class) rate(size int) float64 { return c.Rate * c.Speed(size) / c.Speed(c.Need) }

// next is the size after a size; 0 if there is none.
func (c *Class) next(size int) int {
	if c.Sizes == nil && size < c.Most {
		return size + 1
	}
	if i, _ := slices.BinarySearch(c.Sizes, size+1); i < len(c.Sizes) && c.Sizes[i] <= c.Most {
		return c.Sizes[i]
	}
	return 0
}

// Queue is a queue with Poisson arrivals.
type Queue struct {
	Servers int
	Rate    float64
	Classes []Class
	Oldest  bool // free servers go to jobs in order of start, else to the smallest
}

// ErrClasses is the error for two elastic classes: which of two jobs of the same size gets a
// server then depends on the order of their starts.
var ErrClasses = errors.New("two classes are elastic; exact solutions take one")

// Share is the sizes of n elastic jobs of a class in order of start, when so many servers are
// free beyond their least sizes. Even gives them one step at a time to the smallest job that can
// grow, of equal ones to the oldest; oldest to each job in order of start.
func Share(c *Class, n, free int, oldest bool) []int {
	sizes := make([]int, n)
	for i := range sizes {
		sizes[i] = c.Least
	}
	Grow(sizes, func(int) *Class { return c }, free, oldest)
	return sizes
}

// Grow lets running elastic jobs, in order of start, take servers that are free; class is that of
// a job by its place.
func Grow(sizes []int, class func(job int) *Class, free int, oldest bool) (left int) {
	if oldest {
		for i := range sizes {
			for to := class(i).next(sizes[i]); to > 0 && to-sizes[i] <= free; to = class(i).next(sizes[i]) {
				free -= to - sizes[i]
				sizes[i] = to
			}
		}
		return free
	}
	for {
		grows := -1
		for i, size := range sizes {
			if to := class(i).next(size); to > 0 && to-size <= free && (grows < 0 || cmp.Less(size, sizes[grows])) {
				grows = i
			}
		}
		if grows < 0 {
			return free
		}
		to := class(grows).next(sizes[grows])
		free -= to - sizes[grows]
		sizes[grows] = to
	}
}
