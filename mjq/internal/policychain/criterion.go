package policychain

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/mjqueue/mjq/mjq/internal/chain"
	"github.com/mjqueue/mjq/mjq/mam"
)

// Undetermined is the error for a limit about which the drifts say nothing.
type Undetermined struct{ Why string }

// Error says why.
func (u *Undetermined) Error() string { return u.Why }

// drifts are what decides the stability of a walk.
type drifts struct {
	*walk
	inside  *phases
	classes [][]int // closed classes of the phases inside
	sides   [2]*axis
}

// newDrifts explores the walk.
func newDrifts(ctx context.Context, w *walk) (d *drifts, err error) {
	d = &drifts{walk: w}
	if d.inside, err = w.all(ctx); err != nil {
		return nil, err
	}
	d.inside.jumps = w.interior(d.inside)
	d.classes = closed(len(d.inside.states), d.inside.jumps)
	for i := range d.sides {
		if d.sides[i], err = w.axis(ctx, d.inside, i); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// closed are the closed classes of a chain.
func closed(n int, jumps []jump) [][]int {
	c := chain.Chain{Moves: make([][]chain.Move, n)}
	for _, j := range jumps {
		c.Moves[j.from] = append(c.Moves[j.from], chain.Move{To: int32(j.to), Rate: 1})
	}
	return c.Closed()
}

// vector is the drift of the two counts in a closed class of the interior.
func (d *drifts) vector(ctx context.Context, class []int, rate float64) (v [2]float64, err error) {
	at := map[int]int{}
	for i, p := range class {
		at[p] = i
	}
	m := mat.NewDense(len(class), len(class), nil)
	gain := make([][2]float64, len(class))
	for _, j := range d.inside.jumps {
		from, in := at[j.from]
		if !in {
			continue
		}
		x := j.base + rate*j.more
		add(m, from, at[j.to], x)
		for k := range gain[from] {
			gain[from][k] += x * float64(j.add[k])
		}
	}
	pi, err := mam.GTHContext(ctx, chain.Balance(m))
	if err != nil {
		return v, err
	}
	settled := 0.0
	for i, p := range class {
		if !d.inside.passing[p] {
			settled += pi[i]
		}
	}
	for k := range v {
		for i := range class {
			v[k] += pi[i] * gain[i][k] / settled
		}
	}
	return v, nil
}

// at decides for a rate of arrivals: the walk is stable if what it returns is negative,
// and not if it is positive; NaN leaves it open. Far from the axes the counts move, seen
// from afar, in straight lines along the drifts of the closed classes of phases. Along an
// axis from which no class leads away they move at the drift of the walk there (Fayolle,
// Malyshev, Menshikov, Topics in the Constructive Theory of Countable Markov Chains,
// 1995). Where the queue turns from one class into another at the axes, as a server that
// goes from one line to another, a weighted sum of the counts that falls in all of them
// proves it stable, and one that falls in none that it is not.
func (d *drifts) at(ctx context.Context, rate float64) (margin float64, err error) {
	vectors := make([][2]float64, len(d.classes))
	for i, class := range d.classes {
		v, err := d.vector(ctx, class, rate)
		if err != nil {
			return 0, err
		}
		if v[0] >= 0 && v[1] >= 0 {
			return max(min(v[0], v[1])/rate, tiny), nil
		}
		vectors[i] = v
	}
	worst := math.Inf(-1) // drift along an axis, in jobs for each that arrives
	for _, a := range d.sides {
		for i, class := range d.classes {
			if vectors[i][a.finite] >= 0 {
				continue
			}
			above, zero := a.reaches(class)
			if stays, err := d.stays(a, i, above, vectors); err != nil {
				return 0, err
			} else if !stays {
				continue
			}
			along, err := a.drift(ctx, rate, above, zero)
			var away *mam.Unstable
			if errors.As(err, &away) { // on the edge, by rounding
				continue
			} else if err != nil {
				return 0, err
			}
			worst = max(worst, along/rate)
		}
	}
	if worst >= 0 {
		return max(worst, tiny), nil
	}
	return weigh(vectors, worst), nil
}

// tiny is positive.
const tiny = 1e-300

// stays reports whether the walk that has come to an axis in a class may stay there in
// it: it reaches no class that leads away, and none that does not lead back.
func (d *drifts) stays(a *axis, from int, above []bool, vectors [][2]float64) (bool, error) {
	for i, class := range d.classes {
		if i == from || !above[class[0]] {
			continue
		}
		if vectors[i][a.finite] >= 0 {
			return false, nil
		}
		if back, _ := a.reaches(class); back[d.classes[from][0]] {
			return false, &Undetermined{fmt.Sprintf("of %d ways in which the servers can be filled for long two alternate along one line of waiting jobs", len(d.classes))}
		}
		return false, nil
	}
	return true, nil
}

// weigh looks for weights of the counts with which all vectors fall, or none. The ratio
// of the second weight to the first must lie above the bounds of vectors that fall in
// the second count, and below those of vectors that fall in the first; margin is how far
// the bounds have passed each other. It is at least along, the drift along the axes.
func weigh(vectors [][2]float64, along float64) (margin float64) {
	least, most := 0.0, math.Pi/2 // as angles, for all to fall
	lowest, highest := math.Pi/2, 0.0
	falls := !math.IsInf(along, -1)
	for _, v := range vectors {
		switch {
		case v[0] < 0 && v[1] < 0:
			falls = true
		case v[1] < 0:
			least, lowest = max(least, math.Atan2(v[0], -v[1])), min(lowest, math.Atan2(v[0], -v[1]))
		default:
			most, highest = min(most, math.Atan2(-v[0], v[1])), max(highest, math.Atan2(-v[0], v[1]))
		}
	}
	switch {
	case least < most:
		return max(least-most, along)
	case !falls && highest <= lowest:
		return max(least-most, tiny)
	}
	return math.NaN()
}
