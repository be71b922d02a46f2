package planning

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// CheapestMix finds the numbers of units of every type of resource, at these prices a
// unit, that meet all targets at the least price. More units of any type let no job wait
// longer, so the mixes that meet the targets lie above a staircase. It is walked: along
// the last two types each look either takes a unit away or adds one of the other, and
// mixes that cost more than the cheapest one found are left out.
func CheapestMix(ctx context.Context, q Query, prices map[string]float64) (*result.Sizing, error) {
	var f check.Faults
	s := q.Problem.Spec
	w := walk{price: make([]float64, len(s.Resources))}
	f.That(len(s.Resources) >= 2, "it needs several types of resources; ask FewestServers")
	var names []string
	for k, r := range s.Resources {
		price, given := prices[r.Name]
		w.price[k] = price
		names = append(names, r.Name)
		f.Asked(given, "type %q has no price; give a positive finite one", r.Name)
		f.That(!given || price > 0 && !math.IsInf(price, 1), "type %q has the price %v; give a positive finite one", r.Name, price)
	}
	for _, name := range slices.Sorted(maps.Keys(prices)) {
		f.That(len(names) == 0 || slices.Contains(names, name), "there is no type %q%s", name, check.OneOf(name, names))
	}
	var err error
	if w.looker, err = q.begin(ctx, "price of "+strings.Join(names, ", "), &f); err != nil {
		return nil, err
	}
	w.least = leastUnits(w.q.Problem.Spec)
	w.best = math.Inf(1)
	err = w.start(ctx)
	if err == nil {
		err = w.types(ctx, slices.Clone(w.least), 0)
	}
	w.answer()
	return w.found, w.interrupted(ctx, err)
}

// walk is a search among mixes.
type walk struct {
	*looker
	price []float64
	least []int   // units below which the queue is unstable
	best  float64 // price of the cheapest mix so far
	mix   []int
}

// leastUnits are the widest request for each type and the work that must be done by it.
func leastUnits(s *spec.Spec) []int {
	least := make([]int, len(s.Resources))
	for k := range least {
		for _, c := range s.Classes {
			least[k] = max(least[k], c.Units[k])
		}
		least[k] = max(least[k], 1, whole(s.Stays(func(c *spec.Class) int { return c.Units[k] }))+1)
	}
	return least
}

// start finds some mix that meets the targets, by growing all types alike.
func (w *walk) start(ctx context.Context) error {
	for grow := 1.05; ; grow *= 1.3 {
		units := slices.Clone(w.least)
		for k := range units {
			units[k] = int(check.Whole(math.Ceil(float64(units[k])*grow), 1, mostServers))
		}
		ok, err := w.probe(ctx, units)
		if err != nil || ok {
			return err
		}
		if grow > 1e6 {
			return fmt.Errorf("a mix a million times the smallest still misses the goals; choose goals that are easier to meet")
		}
	}
}

// types goes through the numbers of units of type k and the later ones.
func (w *walk) types(ctx context.Context, units []int, k int) error {
	if k == len(units)-2 {
		return w.stairs(ctx, units)
	}
	for units[k] = w.least[k]; w.cost(units[:k+1])+w.rest(k+1) < w.best; units[k]++ {
		if err := w.types(ctx, slices.Clone(units), k+1); err != nil {
			return err
		}
	}
	return nil
}

// rest is the least price of the types from k on.
func (w *walk) rest(k int) float64 {
	sum := 0.0
	for ; k < len(w.least); k++ {
		sum += w.price[k] * float64(w.least[k])
	}
	return sum
}

func (w *walk) cost(units []int) float64 {
	sum := 0.0
	for k, n := range units {
		sum += w.price[k] * float64(n)
	}
	return sum
}

// stairs walks along the last two types: from as many of the last as the best price
// allows, down while the targets are met, and one more of the last but one where they
// are not.
func (w *walk) stairs(ctx context.Context, units []int) error {
	a, b := len(units)-2, len(units)-1
	units[a] = w.least[a]
	units[b] = w.least[b] + int((w.best-w.cost(units[:b])-w.rest(b))/w.price[b])
	for units[b] >= w.least[b] {
		if over := w.cost(units) - w.best; over >= 0 {
			units[b] -= max(1, int(over/w.price[b]))
			continue
		}
		ok, err := w.probe(ctx, slices.Clone(units))
		if err != nil {
			return err
		}
		if ok {
			units[b]--
		} else {
			units[a]++
		}
	}
	return nil
}

// probe looks at a mix, unless a smaller one met the targets or a larger one did not.
func (w *walk) probe(ctx context.Context, units []int) (ok bool, err error) {
	for _, p := range w.found.Points {
		switch above, below := compare(p.Mix, units); {
		case p.Verdict.OK() && below:
			return true, nil
		case !p.Verdict.OK() && above:
			return false, nil
		}
	}
	p, err := w.at(ctx, w.cost(units), w.q.Problem.WithUnits(units), nil)
	if err != nil {
		return false, err
	}
	for i := range w.found.Points { // the one without a mix is this one
		if w.found.Points[i].Mix == nil {
			w.found.Points[i].Mix = w.named(units)
		}
	}
	if p.Verdict.OK() && p.Value < w.best {
		w.best, w.mix = p.Value, units
	}
	return p.Verdict.OK(), nil
}

// compare reports whether a mix has at least as many units of all types, or at most.
func compare(mix []result.Units, units []int) (above, below bool) {
	above, below = true, true
	for k, u := range mix {
		above, below = above && u.Units >= units[k], below && u.Units <= units[k]
	}
	return above, below
}

func (w *walk) named(units []int) (mix []result.Units) {
	for k, r := range w.q.Problem.Resources {
		mix = append(mix, result.Units{Name: r.Name, Units: units[k]})
	}
	return mix
}

// answer sets the best mix. It is sure if it meets the targets and no cheaper look was
// undecided.
func (w *walk) answer() {
	s := w.found
	if w.mix == nil {
		return
	}
	s.Best, s.Mix, s.Confirmed = w.best, w.named(w.mix), true
	for _, p := range s.Points {
		if slices.Equal(p.Mix, s.Mix) {
			s.Confirmed = s.Confirmed && p.Verdict == result.Meets
		} else if p.Value < s.Best {
			s.Confirmed = s.Confirmed && p.Verdict == result.Misses
		}
	}
	w.undecided()
}
