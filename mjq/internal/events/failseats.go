package events

import (
	"math/bits"
	"slices"
)

// seats are servers with numbers, as bits. A job takes those of the lowest numbers that are up and that
// no job holds.
type seats struct {
	up, free []uint64
	some     []uint64 // words of free that are not 0, as bits
	low      int      // no word of some below has one
}

// seat is servers of a job that lie in one word.
type seat struct {
	word int32
	mask uint64
}

func (f *seats) make(servers int) {
	words := (servers + 63) / 64
	f.up, f.free, f.some = make([]uint64, words), make([]uint64, words), make([]uint64, (words+63)/64)
}

// reset has all servers up and free.
func (f *seats) reset(servers int) {
	for w := range f.up {
		f.up[w] = ^uint64(0)
	}
	if rest := servers & 63; rest != 0 {
		f.up[len(f.up)-1] = 1<<rest - 1
	}
	for w, free := range f.up {
		f.changes(w, free)
	}
	f.low = 0
}

// take takes so many servers, of which there must be enough.
func (f *seats) take(dst []seat, need int) []seat {
	for need > 0 {
		for f.some[f.low] == 0 {
			f.low++
		}
		w := f.low<<6 + bits.TrailingZeros64(f.some[f.low])
		mask := f.free[w]
		n := bits.OnesCount64(mask)
		if n > need {
			mask, n = lowest(mask, need), need
		}
		need -= n
		f.changes(w, f.free[w]&^mask)
		dst = append(dst, seat{int32(w), mask})
	}
	return dst
}

// changes sets which servers of a word are free.
func (f *seats) changes(w int, free uint64) {
	f.free[w] = free
	bit := uint64(1) << (w & 63)
	f.some[w>>6] = f.some[w>>6]&^bit | bit&-((free|-free)>>63)
}

// lowest is the lowest n bits of those that are set, which are more. It does not branch, since n differs
// from job to job. Source: Vigna, Broadword implementation of rank/select queries, WEA 2008.
func lowest(set uint64, n int) uint64 {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	sums := set - set>>1&0x5555555555555555
	sums = sums&0x3333333333333333 + sums>>2&0x3333333333333333
	sums = (sums + sums>>4) & 0x0f0f0f0f0f0f0f0f * ones // by byte, bits up to it
	at := 8 * bits.OnesCount64(((uint64(n)*ones|tops)-sums)&tops)
	before := int(sums << 8 >> at & 0xff)
	at += int(inByte[(n-before)&7][set>>at&0xff])
	return set & (1<<at - 1)
}

// inByte is the place of the bit with a rank, from 0, in a byte.
var inByte = func() (list [8][256]uint8) {
	for b := range 256 {
		rank := 0
		for at := range 8 {
			if b>>at&1 != 0 {
				list[rank][b] = uint8(at)
				rank++
			}
		}
	}
	return list
}()

// holds reports whether a server is among those of a list.
func holds(list []seat, server int32) bool {
	for _, p := range list {
		if p.word == server>>6 && p.mask>>(server&63)&1 != 0 {
			return true
		}
	}
	return false
}

// stand reports whether servers are up.
func (f *seats) stand(list []seat) bool {
	for _, p := range list {
		if p.mask&^f.up[p.word] != 0 {
			return false
		}
	}
	return true
}

// give gives servers back and returns how many of them are up.
func (f *seats) give(list []seat) (up int) {
	for _, p := range list {
		mask := p.mask & f.up[p.word]
		f.changes(int(p.word), f.free[p.word]|mask)
		up += bits.OnesCount64(mask)
		f.low = min(f.low, int(p.word)>>6)
	}
	return up
}

// goes has a server be down, and reports whether no job held it.
func (f *seats) goes(server int32) (free bool) {
	w, bit := int(server>>6), uint64(1)<<(server&63)
	free = f.free[w]&bit != 0
	f.up[w] &^= bit
	f.changes(w, f.free[w]&^bit)
	return free
}

// comes has a server be up again, which a job may hold, and reports whether none does.
func (f *seats) comes(server int32, held bool) (free bool) {
	w, bit := int(server>>6), uint64(1)<<(server&63)
	f.up[w] |= bit
	if !held {
		f.changes(w, f.free[w]|bit)
		f.low = min(f.low, w>>6)
	}
	return !held
}

// eachSeat calls g for the servers of a list.
func eachSeat(list []seat, g func(server int32)) {
	for _, p := range list {
		for m := p.mask; m != 0; m &= m - 1 {
			g(p.word<<6 + int32(bits.TrailingZeros64(m)))
		}
	}
}

// shed takes so many servers from a job, those of the highest numbers.
func (r *stint) shed(servers int) (list []seat) {
	for range servers {
		at, last := 0, int32(nobody)
		for i, p := range r.seats {
			if high := p.word<<6 + int32(bits.Len64(p.mask)) - 1; p.mask != 0 && high > last {
				at, last = i, high
			}
		}
		p := seat{last >> 6, 1 << (last & 63)}
		r.seats[at].mask &^= p.mask
		list = append(list, p)
	}
	r.seats = slices.DeleteFunc(r.seats, func(p seat) bool { return p.mask == 0 })
	return list
}

// without takes servers from a job that it holds.
func (r *stint) without(servers []int32) (list []seat) {
	for _, x := range servers {
		p := seat{x >> 6, 1 << (x & 63)}
		for i := range r.seats {
			if r.seats[i].word == p.word {
				r.seats[i].mask &^= p.mask
			}
		}
		list = append(list, p)
	}
	r.seats = slices.DeleteFunc(r.seats, func(p seat) bool { return p.mask == 0 })
	return list
}
