package stream

import (
	"math"
	"math/bits"
)

// alias is Walker's alias table in Vose's construction: one word gives a class
// with probability exact to 2^-64, in constant time for any number of classes.
type alias struct {
	cells []cell
}

// cell covers an equal part of the unit interval: its own class below keep,
// the other class from there on.
type cell struct {
	keep       uint64
	own, other int32
}

// newAlias builds the table for probabilities that sum to 1 but for rounding.
// Cost O(n).
func newAlias(probs []float64) alias {
	n := len(probs)
	sum := 0.0
	for _, p := range probs {
		sum += p
	}
	a := alias{cells: make([]cell, n)}
	scaled := make([]float64, n)
	var small, large []int32
	for i, p := range probs {
		scaled[i] = p / sum * float64(n)
		a.cells[i] = cell{math.MaxUint64, int32(i), int32(i)}
		if scaled[i] < 1 {
			small = append(small, int32(i))
		} else {
			large = append(large, int32(i))
		}
	}
	for len(small) > 0 && len(large) > 0 {
		s, l := small[len(small)-1], large[len(large)-1]
		small = small[:len(small)-1]
		a.cells[s] = cell{uint64(scaled[s] * 0x1p64), s, l}
		scaled[l] -= 1 - scaled[s]
		if scaled[l] < 1 {
			large = large[:len(large)-1]
			small = append(small, l)
		}
	}
	return a
}

// choose is own when frac is below keep, else other, without a branch: it
// would be mispredicted often, and wait for the generator to find out.
func (c *cell) choose(frac uint64) int32 {
	_, below := bits.Sub64(frac, c.keep, 0)
	return c.other ^ (c.own^c.other)&-int32(below)
}

// pick is the class of a word: the high part of word·n is the cell and the low
// part, again uniform, decides within it.
func (a *alias) pick(word uint64) int32 {
	i, frac := bits.Mul64(word, uint64(len(a.cells)))
	return a.cells[i].choose(frac)
}

// few is how many leading bits of the class word come free with a job: the low
// 11 of each of its two words, which the 53 bits of a uniform leave over.
const few = 22

// pickFew is the class of a word of which only the first few bits are known,
// the rest being 0, and whether the others can no longer change it. They can in
// about n of 2^22 cases.
func (a *alias) pickFew(word uint64) (class int32, sure bool) {
	n := uint64(len(a.cells))
	i, frac := bits.Mul64(word, n)
	c := &a.cells[i]
	top, over := bits.Add64(frac, n<<(64-few), 0)
	// Unsure when keep lies in [frac+1, top), or the word can reach the next cell.
	return c.choose(frac), over == 0 && c.keep-frac-1 >= top-frac-1
}

// quickBits is how many leading bits of the class word decide nearly always.
const quickBits = 11

// quick is the class of every word by its leading bits, or -1 where the other
// bits matter: at most two parts in 2^11 a class.
func (a *alias) quick() *[1 << quickBits]int32 {
	t := new([1 << quickBits]int32)
	for i := range t {
		t[i] = a.ifSure(uint64(i)<<(64-quickBits), 1<<(64-quickBits))
	}
	return t
}

// ifSure is the class of all words from word to word+width-1, or -1.
func (a *alias) ifSure(word, width uint64) int32 {
	n := uint64(len(a.cells))
	first, frac := bits.Mul64(word, n)
	last, end := bits.Mul64(word+(width-1), n)
	if class := a.cells[first].choose(frac); first == last && class == a.cells[last].choose(end) {
		return class
	}
	return -1
}
