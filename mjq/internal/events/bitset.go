package events

import "math/bits"

// bitset is a set of whole numbers below a bound, whose least member is found in as many steps
// as the bound has digits to the base 64: every bit of a level says whether a word of the level
// below has any.
type bitset struct{ levels [][]uint64 }

func newBitset(bound int) *bitset {
	s := new(bitset)
	for {
		bound = (bound + 63) / 64
		s.levels = append(s.levels, make([]uint64, max(1, bound)))
		if bound <= 1 {
			return s
		}
	}
}

func (s *bitset) clear() {
	for _, level := range s.levels {
		clear(level)
	}
}

func (s *bitset) add(i int) {
	for _, level := range s.levels {
		word := &level[i>>6]
		was := *word
		if *word |= 1 << (i & 63); was != 0 {
			return
		}
		i >>= 6
	}
}

func (s *bitset) remove(i int) {
	for _, level := range s.levels {
		word := &level[i>>6]
		if *word &^= 1 << (i & 63); *word != 0 {
			return
		}
		i >>= 6
	}
}

// least is the least member; -1 without one.
func (s *bitset) least() int {
	if s.levels[len(s.levels)-1][0] == 0 {
		return -1
	}
	return s.down(len(s.levels)-1, 0)
}

// down is the least member below a word that has some.
func (s *bitset) down(level, at int) int {
	for ; level >= 0; level-- {
		at = at<<6 | bits.TrailingZeros64(s.levels[level][at])
	}
	return at
}

// from is the least member that is at least i; -1 without one.
func (s *bitset) from(i int) int {
	for level := range s.levels {
		at := i >> 6
		if at >= len(s.levels[level]) {
			return -1
		}
		if rest := s.levels[level][at] >> (i & 63) << (i & 63); rest != 0 {
			return s.down(level-1, at<<6|bits.TrailingZeros64(rest))
		}
		i = at + 1
	}
	return -1
}
