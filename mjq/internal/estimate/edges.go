package estimate

import (
	"math"
	"sort"

	"github.com/mjqueue/mjq/mjq/result"
)

// edges are what groups of so much weight, and squared weight, had at or below ascending
// edges. Few of the thousands are looked at: an interrupted run of many classes is to end soon.
type edges struct {
	groups      int
	n, nn       float64
	at          func(i int) below
	first, last int // those at which some, but not all of the weight is below, last excluded
}

// precision is what the groups tell; nothing of fewer than two. Between two edges that tell
// something it is linear in the logarithms, and constant beyond the first and the last.
func precision(groups int, n, nn float64, number int, at func(i int) below) (p result.Precision) {
	if groups < 2 {
		return p
	}
	l := edges{groups: groups, n: n, nn: nn, at: at}
	l.first = sort.Search(number, func(i int) bool { return l.share(i) > 0 })
	l.last = sort.Search(number, func(i int) bool { return l.share(i) >= 1 })
	from, before := l.first, point{}
	const steps int = 1 + 2*result.MostOdds/result.StepOdds
	p.Effective = make([]float64, 0, steps)
	for k := range steps {
		at := result.StepOdds*float64(k) - result.MostOdds
		i, after := l.reach(from, at)
		for j := i - 1; j >= from; j-- {
			if x := l.point(j); x.tells() {
				before = x
				break
			}
		}
		if from = i; !before.tells() && !after.tells() {
			return result.Precision{}
		}
		p.Effective = append(p.Effective, math.Exp(interpolate(before, after, at)))
	}
	p.Groups = groups
	return p
}

// share is the fraction of all at or below an edge.
func (l *edges) share(i int) float64 { return l.at(i).c / l.n }

// point is an edge: the odds of being at or below it, and how many independent observations
// they are worth. The zero value tells nothing.
type point struct{ odds, worth float64 }

func (p point) tells() bool { return p.odds > 0 }

func (p point) logOdds() float64 { return math.Log(p.odds) }

// point is what the groups tell at an edge between the first and the last.
func (l *edges) point(i int) point {
	b, g := l.at(i), float64(l.groups)
	f := b.c / l.n
	v := (b.cc - 2*f*b.cn + f*f*l.nn) * g / (g - 1) / (l.n * l.n)
	if f > 0 && f < 1 && v > 1e-14*f*f*l.nn/(l.n*l.n) {
		return point{odds: f / (1 - f), worth: f * (1 - f) / v}
	}
	return point{}
}

// reach is the first edge, of those from an index on, that tells something and whose log-odds
// are at least so high. Only where the odds are nearly those is a logarithm taken.
func (l *edges) reach(from int, at float64) (int, point) {
	nearly := math.Exp(at) * (1 - 1e-9)
	i := from + sort.Search(max(0, l.last-from), func(k int) bool {
		f := l.share(from + k)
		return f/(1-f) >= nearly
	})
	for ; i < l.last; i++ {
		if p := l.point(i); p.tells() && p.logOdds() >= at {
			return i, p
		}
	}
	return i, point{}
}

// interpolate is linear in the logarithms between two points, or that of the one that tells
// something.
func interpolate(before, after point, at float64) float64 {
	if !before.tells() {
		return math.Log(after.worth)
	}
	if !after.tells() {
		return math.Log(before.worth)
	}
	x, y := before.logOdds(), math.Log(before.worth)
	return y + (math.Log(after.worth)-y)*(at-x)/(after.logOdds()-x)
}
