package limit

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Kind is jobs that need the same.
type Kind struct {
	Need  []int   // units of each type of resource; identical servers are a single type
	Work  float64 // w_k, mean service times probability, positive
	Nodes int     // whole nodes that a job takes, in place of units of one; 0 of jobs that share a node
}

// Mixture is the largest arrival rate that any scheduling policy can carry, and the schedules
// that carry it.
//
// A policy runs at each moment some set of jobs that fits, a schedule. In the long run
// schedule x, with x_k jobs of kind k, runs for a part α_x of the time, and jobs of kind k
// bring no more work than is done on them: λ w_k <= Σ α_x x_k, with w_k the service that
// an arriving job brings on average to kind k. The largest λ for which there are such
// parts bounds every policy, preemptive or not, and is attained by some (Tassiulas and
// Ephremides, IEEE Transactions on Automatic Control 37, 1992).
//
// With β = α/λ it is the linear program of cutting stock: the least Σ β_x for which
// Σ β_x x = w, over all schedules, which are far too many to be listed. Columns are
// generated (Gilmore and Gomory, Operations Research 9, 1961): prices y of the kinds say
// of which schedule to try next, that of the largest Σ y_k x_k, a knapsack.
type Mixture struct {
	Rate  float64 // λ that the schedules below carry
	Bound float64 // λ that, by the prices, no schedules carry; the two agree but for rounding
	// Price is the part of the system that a running job of each kind takes: no
	// schedule has a sum above 1, and those of the mixture have 1.
	Price     []float64
	Schedules []Schedule // the mixture, largest share first
}

// Schedule is a set of jobs that run together.
type Schedule struct {
	Share float64 // of the time
	Jobs  []int   // by kind
}

// mostCells is the largest product of the units plus one over the types of resources
// for which the knapsack is solved.
const mostCells = 10_000_000

// mixtureOfUnits finds the capacity. Every kind must fit. A round takes K³ operations for K
// kinds and K times the product of the units plus one; some multiples of K rounds are
// usual. It fails if that product is more than mostCells, and with the error of ctx.
func mixtureOfUnits(ctx context.Context, units []int, kinds []Kind) (*Mixture, error) {
	units, kinds = coarse(units, kinds)
	cells := 1.0
	for _, u := range units {
		cells *= float64(u + 1)
	}
	if cells > mostCells {
		return nil, fmt.Errorf("%v units of resources: their combinations, %.3g, are more than the %.3g that the knapsack of the linear program is solved for; count resources in larger units", units, cells, float64(mostCells))
	}
	k := newKnapsack(units, kinds)
	return (&program{kinds: kinds, best: k.best, basis: alone(kinds, func(k Kind) int { return fitting(units, k) })}).solve(ctx)
}

// solve generates columns until none is worth more than its time.
func (p *program) solve(ctx context.Context) (*Mixture, error) {
	p.bound = math.Inf(1)
	for round := 0; ; round++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := p.prices(); err != nil {
			return nil, err
		}
		next, worth := p.best(p.price)
		bound := worth / p.sum(func(k int) float64 { return max(0, p.price[k]) * p.kinds[k].Work })
		p.bound = min(p.bound, bound)
		if worth <= 1+done || round == mostRounds {
			return p.solution(), nil
		}
		if !p.exchange(next) {
			return p.solution(), nil
		}
	}
}

// coarse counts each resource in the largest unit that divides all needs of it.
func coarse(units []int, kinds []Kind) ([]int, []Kind) {
	units, kinds = slices.Clone(units), slices.Clone(kinds)
	for k := range kinds {
		kinds[k].Need = slices.Clone(kinds[k].Need)
	}
	for j := range units {
		unit := 0
		for _, k := range kinds {
			for a, b := unit, k.Need[j]; ; a, b = b, a%b {
				if b == 0 {
					unit = a
					break
				}
			}
		}
		if unit == 0 {
			units[j] = 0
			continue
		}
		units[j] /= unit
		for k := range kinds {
			kinds[k].Need[j] /= unit
		}
	}
	return units, kinds
}

const (
	done       = 1e-13   // what a schedule may be worth above 1 at the end
	mostRounds = 100_000 // far more than were ever seen
)

// program is the linear program with as many schedules as there are kinds, a basis.
type program struct {
	kinds []Kind
	best  func(price []float64) (jobs []int, worth float64) // the schedule that is worth most
	basis [][]int                                           // schedules
	lu    mat.LU                                            // of the matrix whose columns they are
	beta  []float64                                         // of each, time a job
	price []float64                                         // of each kind
	bound float64
}

// alone is the basis in which every kind runs alone, as many jobs of it as fit.
func alone(kinds []Kind, fit func(Kind) int) (basis [][]int) {
	for k, kind := range kinds {
		jobs := make([]int, len(kinds))
		jobs[k] = fit(kind)
		basis = append(basis, jobs)
	}
	return basis
}

// fitting is how many jobs of a kind fit into units.
func fitting(units []int, k Kind) int {
	most := math.MaxInt
	for j, need := range k.Need {
		if need > 0 {
			most = min(most, units[j]/need)
		}
	}
	return most
}

// prices solves for the times of the schedules in the basis and for the prices at which
// each is worth 1.
func (p *program) prices() error {
	n := len(p.kinds)
	b, ones, work := mat.NewDense(n, n, nil), mat.NewVecDense(n, nil), mat.NewVecDense(n, nil)
	for i, jobs := range p.basis {
		ones.SetVec(i, 1)
		work.SetVec(i, p.kinds[i].Work)
		for k, x := range jobs {
			b.Set(k, i, float64(x))
		}
	}
	p.lu.Factorize(b)
	var beta, price mat.VecDense
	if p.lu.SolveVecTo(&beta, false, work) != nil && beta.Len() == 0 || p.lu.SolveVecTo(&price, true, ones) != nil && price.Len() == 0 {
		return fmt.Errorf("the linear program of %d needs is singular to 64 bits", n)
	}
	p.beta, p.price = beta.RawVector().Data, price.RawVector().Data
	for i, x := range p.beta {
		p.beta[i] = max(0, x) // what rounding leaves below
	}
	return nil
}

// exchange takes a schedule into the basis for the one whose time it uses up first; of
// several the one that it resembles most. It says false if rounding leaves none.
func (p *program) exchange(next []int) bool {
	n := len(next)
	column := mat.NewVecDense(n, nil)
	for k, x := range next {
		column.SetVec(k, float64(x))
	}
	var d mat.VecDense
	if p.lu.SolveVecTo(&d, false, column) != nil && d.Len() == 0 {
		return false
	}
	leaves, least := -1, math.Inf(1)
	for i := range n {
		if d.AtVec(i) < 1e-9 {
			continue
		}
		ratio := p.beta[i] / d.AtVec(i)
		tie := leaves >= 0 && math.Abs(ratio-least) <= 1e-12*least
		if leaves < 0 || !tie && ratio < least || tie && d.AtVec(i) > d.AtVec(leaves) {
			leaves, least = i, ratio
		}
	}
	if leaves < 0 {
		return false
	}
	p.basis[leaves] = next
	return true
}

// sum is over the kinds.
func (p *program) sum(of func(k int) float64) (sum float64) {
	for k := range p.kinds {
		sum += of(k)
	}
	return sum
}

func (p *program) solution() *Mixture {
	rate := 1 / p.sum(func(k int) float64 { return p.beta[k] })
	s := &Mixture{Rate: rate, Bound: max(rate, p.bound), Price: p.price}
	for i, jobs := range p.basis {
		if share := p.beta[i] * rate; share > 1e-14 {
			s.Schedules = append(s.Schedules, Schedule{share, jobs})
		}
	}
	slices.SortFunc(s.Schedules, func(a, b Schedule) int {
		return cmp.Or(cmp.Compare(b.Share, a.Share), slices.Compare(a.Jobs, b.Jobs))
	})
	return s
}
