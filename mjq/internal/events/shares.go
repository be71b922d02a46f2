package events

import "github.com/mjqueue/mjq/mjq/internal/compiled"

// shares finds the sizes of elastic jobs.
type shares struct {
	sizes []int  // in the order of starts
	stuck []bool // the same: a job that cannot grow
	count []int  // by form, jobs
}

// find is the sizes of the elastic jobs that run, in the order of their starts, where so many servers are
// free beyond their least. They are good until the next call.
func (h *shares) find(x *stretching, free int) []int {
	h.sizes = h.sizes[:0]
	for _, id := range x.order {
		h.sizes = append(h.sizes, x.form(id).Least)
	}
	switch {
	case x.Oldest:
		for i, id := range x.order {
			free -= h.grow(i, x.form(id), free)
		}
	case h.level(x, free):
	default:
		h.even(x, free)
	}
	return h.sizes
}

// form is that of an elastic job.
func (x *stretching) form(id int32) *compiled.Form { return &x.Forms[x.runs[id].form-1] }

// grow has a job take as many servers as it may hold, and returns how many.
func (h *shares) grow(i int, f *compiled.Form, free int) (taken int) {
	size := h.sizes[i]
	if f.Sizes == nil {
		h.sizes[i] = min(f.Most, size+free)
		return h.sizes[i] - size
	}
	for to := f.Next(size); to > 0 && to-size <= free; to = f.Next(to) {
		h.sizes[i] = to
	}
	return h.sizes[i] - size
}

// level shares evenly where jobs may have any size: all rise to one level, as far as they can, and the
// oldest of those that are there take what is left. It reports false where there are sizes.
func (h *shares) level(x *stretching, free int) bool {
	h.count = append(h.count[:0], make([]int, len(x.Forms))...)
	low, high := 0, 1
	for _, id := range x.order {
		f := x.form(id)
		if f.Sizes != nil {
			return false
		}
		h.count[x.runs[id].form-1]++
		high = max(high, f.Most+1)
	}
	takes := func(level int) (servers int) {
		for i, n := range h.count {
			if f := &x.Forms[i]; n > 0 {
				servers += n * (min(max(level, f.Least), f.Most) - f.Least)
			}
		}
		return servers
	}
	for high-low > 1 { // takes(low) <= free
		if middle := (low + high) / 2; takes(middle) <= free {
			low = middle
		} else {
			high = middle
		}
	}
	free -= takes(low)
	for i, id := range x.order {
		f := x.form(id)
		h.sizes[i] = min(max(low, f.Least), f.Most)
		if free > 0 && h.sizes[i] == low && low < f.Most {
			h.sizes[i]++
			free--
		}
	}
	return true
}

// even gives servers to the smallest job that can grow, of equal ones to the oldest. One that cannot, for
// want of servers, never can: these only get fewer.
func (h *shares) even(x *stretching, free int) {
	h.stuck = append(h.stuck[:0], make([]bool, len(h.sizes))...)
	for {
		smallest := 0
		for i, size := range h.sizes {
			if !h.stuck[i] && (smallest == 0 || size < smallest) {
				smallest = size
			}
		}
		if smallest == 0 {
			return
		}
		for i, id := range x.order {
			if h.stuck[i] || h.sizes[i] != smallest {
				continue
			}
			to := x.form(id).Next(smallest)
			if h.stuck[i] = to == 0 || to-smallest > free; !h.stuck[i] {
				free -= to - smallest
				h.sizes[i] = to
			}
		}
	}
}
