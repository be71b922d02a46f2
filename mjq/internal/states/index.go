package states

import (
	"math"

	"github.com/mjqueue/mjq/mjq/internal/chain"
)

// MaxStates is the largest chain that is built, counted in multisets of phases
// in service.
const MaxStates = 1_000_000

// maxTable bounds the table that numbers the states, servers times phases.
const maxTable = 1 << 25

// MaxBytes is the most memory that a chain may take.
const MaxBytes = 4e9

// tooLarge is the error for a chain of more than a limit of states, or one that needs more
// than MaxBytes.
func tooLarge(states, limit, bytes float64) error {
	return chain.Large(states, bytes, "the saturated chain has %.4g states, which need about %.2g MB; up to %.4g states and %.2g MB are taken on",
		states, bytes/1e6, limit, MaxBytes/1e6).Out("use mjq.Pile{}, which samples the limit of any model, or a sampler")
}

// perState is the bytes of a chain by state and, beside them, by state and phase.
const perState, perPhase = 400, 8

// Fits is nil for a chain of a given number of states and phases that may be built, and
// else *chain.TooLarge.
func Fits(n, phases, limit float64) error {
	limit = min(limit, MaxStates)
	if bytes := n * (perState + perPhase*phases); n > limit || bytes > MaxBytes {
		return tooLarge(n, limit, bytes)
	}
	return nil
}

// Index numbers multisets of phases without a hash: those that hold exactly u
// servers are ordered lexicographically, and a multiset's place is a sum of
// binomial-like counts.
type Index struct {
	*Plan
	// ways[j][u] is the number of multisets of phases j, j+1, ... that hold
	// exactly u servers.
	ways [][]float64
}

// NewIndex fails with *chain.TooLarge if the numbering itself would be too large.
func NewIndex(p *Plan) (*Index, error) {
	if n := float64(p.Servers+1) * float64(len(p.Phases)+1); n > maxTable {
		states := p.roughly()
		return nil, tooLarge(states, MaxStates, states*(perState+perPhase*float64(len(p.Phases)))+8*n)
	}
	x := &Index{p, make([][]float64, len(p.Phases)+1)}
	last := make([]float64, p.Servers+1)
	last[0] = 1
	x.ways[len(p.Phases)] = last
	for j := len(p.Phases) - 1; j >= 0; j-- {
		row, need := append([]float64(nil), x.ways[j+1]...), p.Needs[j]
		for u := need; u <= p.Servers; u++ {
			row[u] += row[u-need]
		}
		x.ways[j] = row
	}
	return x, nil
}

// roughly is the number of states for many servers: the volume of a simplex.
func (p *Plan) roughly() float64 {
	n := float64(p.Widest())
	for j, need := range p.Needs {
		n /= float64(need)
		if j > 0 {
			n *= float64(p.Servers) / float64(j)
		}
	}
	return math.Ceil(n)
}

// States is the number of multisets in which some class does not fit.
func (x *Index) States() (n float64) {
	for u := max(0, x.Servers-x.Widest()+1); u <= x.Servers; u++ {
		n += x.ways[0][u]
	}
	return n
}

// Pairs is the number of states that also name the class at the head.
func (x *Index) Pairs() (n float64) {
	for u, ways := range x.ways[0] {
		for _, k := range x.Kinds {
			if k.Need > x.Servers-u {
				n += ways
			}
		}
	}
	return n
}

// Count is the number of multisets that hold exactly used servers.
func (x *Index) Count(used int) int { return int(x.ways[0][used]) }

// Rank is the place of a multiset among those that hold as many servers.
func (x *Index) Rank(counts []int32, used int) (place float64) {
	for j, n := range counts {
		rest := used - int(n)*x.Needs[j]
		place += x.ways[j][used] - x.ways[j][rest]
		used = rest
	}
	return place
}

// Each visits the multisets that hold exactly used servers, in their order,
// until visit returns false.
func (x *Index) Each(used int, visit func(counts []int32) bool) {
	counts := make([]int32, len(x.Phases))
	var walk func(j, rest int) bool
	walk = func(j, rest int) bool {
		if j == len(counts) {
			return visit(counts)
		}
		for ; rest >= 0; rest -= x.Needs[j] {
			if x.ways[j+1][rest] > 0 && !walk(j+1, rest) {
				return false
			}
			counts[j]++
		}
		counts[j] = 0
		return true
	}
	if x.ways[0][used] > 0 {
		walk(0, used)
	}
}
