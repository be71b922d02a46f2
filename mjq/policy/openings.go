package policy

import (
	"math"
	"slices"
	"sort"
)

// openings are the stretches of time in which a plan has at least so many servers free, none of
// which touches the next, in order. They stand in blocks that know their longest opening, so that
// a search for a long one passes over most of them.
type openings struct {
	need   int
	blocks []openBlock
}

// mostOpenings is how many openings a block has.
const mostOpenings = 64

// openBlock is some openings in order, at least one.
type openBlock struct {
	from    float64 // of the first
	longest float64
	list    []opening
}

// opening is a stretch of time; the last one has no end.
type opening struct{ from, to float64 }

func (w opening) length() float64 { return w.to - w.from }

// begin appends an opening that has no end yet.
func (w *openings) begin(at float64) {
	n := len(w.blocks)
	if n == 0 || len(w.blocks[n-1].list) == mostOpenings/2 {
		if n == cap(w.blocks) {
			w.blocks = append(w.blocks, openBlock{})
		}
		w.blocks = w.blocks[:n+1]
		w.blocks[n].list = w.blocks[n].list[:0] // with the memory of a block that was
		n++
	}
	b := &w.blocks[n-1]
	b.list = append(b.list, opening{at, math.Inf(1)})
}

// end is where the last opening ends.
func (w *openings) end(at float64) {
	list := w.blocks[len(w.blocks)-1].list
	list[len(list)-1].to = at
}

func (w *openings) summarize() {
	for k := range w.blocks {
		w.blocks[k].summarize()
	}
}

// summarize finds what a block knows of its openings.
func (b *openBlock) summarize() {
	b.from, b.longest = b.list[0].from, 0
	for _, x := range b.list {
		b.longest = max(b.longest, x.length())
	}
}

// block is that of the last opening which begins by a time, or the first.
func (w *openings) block(at float64) int {
	return max(0, sort.Search(len(w.blocks), func(i int) bool { return w.blocks[i].from > at })-1)
}

// each calls f with the openings that may be long enough and end after a time, in order, until it
// returns false. A sum of times is rounded, so that lengths are compared with some slack.
func (w *openings) each(after, length float64, f func(opening) bool) {
	for k := w.block(after); k < len(w.blocks); k++ {
		b := &w.blocks[k]
		if b.longest < length*(1-1e-9)-1e-9*math.Abs(b.from) {
			continue
		}
		for _, x := range b.list {
			if x.to > after && x.to >= max(x.from, after)+length && !f(x) {
				return
			}
		}
	}
}

// remove takes out a stretch of time, which lies in one opening.
func (w *openings) remove(from, to float64) {
	k := w.block(from)
	b := &w.blocks[k]
	i := sort.Search(len(b.list), func(i int) bool { return b.list[i].from > from }) - 1
	x := b.list[i]
	switch {
	case x.from == from && x.to == to:
		b.list = slices.Delete(b.list, i, i+1)
		if len(b.list) == 0 {
			w.blocks = slices.Delete(w.blocks, k, k+1)
			return
		}
	case x.from == from:
		b.list[i].from = to
	case x.to == to:
		b.list[i].to = from
	default:
		b.list[i].to = from
		b.list = slices.Insert(b.list, i+1, opening{to, x.to})
	}
	if b.from = b.list[0].from; x.length() >= b.longest {
		b.summarize()
	}
	if len(b.list) > mostOpenings {
		right := openBlock{list: slices.Clone(b.list[mostOpenings/2:])}
		b.list = b.list[:mostOpenings/2]
		b.summarize()
		right.summarize()
		w.blocks = slices.Insert(w.blocks, k+1, right)
	}
}

// forward drops what is past.
func (w *openings) forward(now float64) {
	past := 0
	for past+1 < len(w.blocks) && w.blocks[past+1].from <= now {
		past++
	}
	w.blocks = slices.Delete(w.blocks, 0, past)
	b := &w.blocks[0]
	i := 0
	for b.list[i].to <= now {
		if i++; i == len(b.list) { // those of the next block begin later
			w.blocks = slices.Delete(w.blocks, 0, 1)
			return
		}
	}
	if b.list = slices.Delete(b.list, 0, i); b.list[0].from < now {
		b.list[0].from = now
	}
	b.summarize()
}
