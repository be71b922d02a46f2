package events

import (
	"cmp"
	"slices"

	"github.com/mjqueue/mjq/mjq/internal/compiled"

	"github.com/mjqueue/mjq/mjq/placement"
	"github.com/mjqueue/mjq/mjq/policy"
)

// layout is what does not change of nodes. What is free on a node is its content, a number: of
// nodes of kind i the units that are free, in digits to the same bases for all, from box·i on.
// Jobs of a kind take step from the content of a node.
type layout struct {
	*compiled.Nodes
	kinds    []jobKind
	of       []int32 // kind by class
	box      int     // contents of a kind of nodes
	contents int
	units    []int32   // by content, units of all types that are free
	whole    []bool    // by content: nothing runs there
	unfit    []float64 // by content, free units times the probability that a job does not fit there
	fit      []int8    // by content and kind of job
	node     []int32   // content of an empty node, by node
	numbered bool      // the lowest number is taken
}

// jobKind is jobs of one need on equally many nodes.
type jobKind struct {
	compiled.Span
	level int
	step  int32   // what one takes from the content of a node
	rank  []int32 // by content, its place in the order of preference; -1 where none fits
	order []int32 // contents by rank
	group []int32 // by rank, the end of those that are preferred equally
}

func newLayout(n *compiled.Nodes, sees policy.System) *layout {
	l := &layout{Nodes: n, contents: int(compiled.Contents(n.Kinds))}
	l.box = l.contents / len(n.Kinds)
	if p, ok := n.Placement.(placement.Numbered); ok {
		l.numbered = p.ByNumber()
	}
	l.number(sees)
	l.units, l.whole, l.unfit = make([]int32, l.contents), make([]bool, l.contents), make([]float64, l.contents)
	l.fit = make([]int8, l.contents*len(l.kinds))
	for k := range l.kinds {
		l.prefer(k)
	}
	for c := range l.contents {
		free, units := l.free(c), n.Kinds[c/l.box].Units
		for j, x := range free {
			l.units[c] += int32(x)
			if x > units[j] {
				free = nil // no node is like this
				break
			}
		}
		if free == nil {
			continue
		}
		l.whole[c] = slices.Equal(free, units)
		for class, k := range l.of {
			if l.fit[c*len(l.kinds)+int(k)] == 0 {
				l.unfit[c] += n.Probs[class] * float64(l.units[c])
			}
		}
	}
	for i, k := range n.Kinds {
		for range k.Count {
			l.node = append(l.node, int32(i*l.box+l.code(k.Units)))
		}
	}
	return l
}

// number takes over the kinds of jobs, which differ by level, by need and by the number of nodes.
func (l *layout) number(sees policy.System) {
	l.kinds = make([]jobKind, len(sees.Kinds))
	for class := len(sees.Classes) - 1; class >= 0; class-- {
		kind, span := sees.Classes[class].Kind, l.Spans[class]
		l.kinds[kind] = jobKind{Span: span, level: sees.Kinds[kind].Level, step: int32(l.code(span.Each))}
		if span.Nodes == 0 {
			l.kinds[kind].step = 1
		}
		l.of = append(l.of, int32(kind))
	}
	slices.Reverse(l.of)
}

// code is the number of so many units by type.
func (l *layout) code(units []int) (code int) {
	for j, n := range units {
		code = code*(compiled.Most(l.Kinds, j)+1) + n
	}
	return code
}

// free is what is free at a content, by type.
func (l *layout) free(content int) []int {
	free, rest := make([]int, len(l.Kinds[0].Units)), content%l.box
	for j := len(free) - 1; j >= 0; j-- {
		base := compiled.Most(l.Kinds, j) + 1
		free[j], rest = rest%base, rest/base
	}
	return free
}

// prefer puts the contents at which a kind of jobs fits in the order of preference.
func (l *layout) prefer(kind int) {
	k := &l.kinds[kind]
	each := k.Each
	if k.Nodes == 0 {
		each = []int{1}
	}
	k.rank = make([]int32, l.contents)
	scores := make([]float64, l.contents)
	for c := range l.contents {
		k.rank[c] = -1
		free, units := l.free(c), l.Kinds[c/l.box].Units
		fits := true
		for j, n := range free {
			fits = fits && n >= each[j] && n <= units[j]
		}
		if !fits {
			continue
		}
		scores[c] = l.Placement.Score(free, units, each)
		l.fit[c*len(l.kinds)+kind] = 1
		k.order = append(k.order, int32(c))
	}
	compare := func(a, b int32) int {
		return cmp.Or(cmp.Compare(int(a)/l.box, int(b)/l.box), cmp.Compare(scores[a], scores[b]))
	}
	slices.SortStableFunc(k.order, compare)
	k.group = make([]int32, len(k.order))
	for r := len(k.order) - 1; r >= 0; r-- {
		c := k.order[r]
		k.rank[c], k.group[r] = int32(r), int32(r+1)
		if r+1 < len(k.order) && compare(c, k.order[r+1]) == 0 {
			k.group[r] = k.group[r+1]
		}
	}
}
