package estimate

import (
	"math"

	"github.com/mjqueue/mjq/mjq/result"
)

// edges are what groups of so much weight, and squared weight, had at or below ascending
// edges. What few of the thousands tell is computed: an interrupted run of many classes is to end soon.
type edges struct {
	groups      int
	n, nn       float64
	at          []below
	first, last int // those at which some, but not all of the weight is below, last excluded
}

// levels are the log-odds of a result.Precision, and fractions a little below them.
var levels = func() (list [1 + int(2*result.MostOdds/result.StepOdds)]struct{ odds, below float64 }) {
	for k := range list {
		at := result.StepOdds*float64(k) - result.MostOdds
		nearly := math.Exp(at) * (1 - 1e-9)
		list[k].odds, list[k].below = at, nearly/(1+nearly)
	}
	return list
}()

// precision is what the groups tell; nothing of fewer than two. Between two edges that tell
// something it is linear in the logarithms, and constant beyond the first and the last.
func precision(groups int, n, nn float64, at []below) (p result.Precision) {
	if groups < 2 {
		return p
	}
	l := edges{groups: groups, n: n, nn: nn, at: at}
	for l.first < len(at) && !(l.share(l.first) > 0) {
		l.first++
	}
	for l.last = len(at); l.last > l.first && l.share(l.last-1) >= 1; {
		l.last--
	}
	from, before := l.first, point{}
	p.Effective = make([]float64, 0, len(levels))
	last, worth := math.NaN(), 0.0 // beyond the edges one is like the other
	for _, level := range levels {
		i, after := l.reach(from, level.odds, level.below*n)
		for j := i - 1; j >= from; j-- {
			if x := l.point(j); x.tells {
				before = x
				break
			}
		}
		if from = i; !before.tells && !after.tells {
			return result.Precision{}
		}
		if log := interpolate(before, after, level.odds); log != last {
			last, worth = log, math.Exp(log)
		}
		p.Effective = append(p.Effective, worth)
	}
	p.Groups = groups
	return p
}

// share is the fraction of all at or below an edge.
func (l *edges) share(i int) float64 { return l.at[i].c / l.n }

// point is an edge: the logarithms of the odds of being at or below it, and of how many
// independent observations they are worth. The zero value tells nothing.
type point struct {
	odds, worth float64
	tells       bool
}

// point is what the groups tell at an edge between the first and the last.
func (l *edges) point(i int) point {
	b, g := l.at[i], float64(l.groups)
	f := b.c / l.n
	v := (b.cc - 2*f*b.cn + f*f*l.nn) * g / (g - 1) / (l.n * l.n)
	if f > 0 && f < 1 && v > 1e-14*f*f*l.nn/(l.n*l.n) {
		return point{math.Log(f / (1 - f)), math.Log(f * (1 - f) / v), true}
	}
	return point{}
}

// reach is the first edge, of those from an index on, that tells something and whose log-odds
// are at least so high. None with less weight below than given is looked at: one after the other, for
// neighbours lie together in memory.
func (l *edges) reach(from int, odds, weight float64) (int, point) {
	i := from
	for i < l.last && l.at[i].c < weight {
		i++
	}
	for ; i < l.last; i++ {
		if p := l.point(i); p.tells && p.odds >= odds {
			return i, p
		}
	}
	return i, point{}
}

// interpolate is linear in the logarithms between two points, or that of the one that tells
// something.
func interpolate(before, after point, odds float64) float64 {
	if !before.tells {
		return after.worth
	}
	if !after.tells {
		return before.worth
	}
	return before.worth + (after.worth-before.worth)*(odds-before.odds)/(after.odds-before.odds)
}
