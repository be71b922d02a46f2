package mjq

import "github.com/mjqueue/mjq/mjq/special"

// OneAndN solves the queue of n servers whose jobs need all n with probability p and
// one otherwise, served at rates mun and mu1, in closed form. See
// [special.NewOneAndN].
func OneAndN(n int, p, mu1, mun float64) *special.OneAndN {
	return special.NewOneAndN(n, p, mu1, mun)
}

// BrillGreen solves the queue of two servers with arrivals of rate lambda1 of jobs for
// one server and lambda2 of jobs for both, and services of rate mu. See
// [special.NewBrillGreen].
func BrillGreen(lambda1, lambda2, mu float64) *special.BrillGreen {
	return special.NewBrillGreen(lambda1, lambda2, mu)
}

// MPareto1 solves the single-server queue fed by streams of jobs with Pareto services.
// See [special.NewMPareto1].
func MPareto1(streams ...special.ParetoStream) *special.MPareto1 {
	return special.NewMPareto1(streams...)
}

// Divisible begins a queue for a resource of the given total amount, of which jobs
// need amounts that are no whole numbers; classes follow by Class. See
// [special.Divisible].
func Divisible(total float64) special.Divisible { return special.NewDivisible(total) }
