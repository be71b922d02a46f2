package result

import "fmt"

// ExactSize says how large a solution is, before it is begun.
type ExactSize struct {
	Phases int     // of a homogeneous level, or of the age process
	Levels int     // below the homogeneous ones; 0 of the age process
	Cut    int     // most jobs of a chain that is cut, of which Phases counts all states; else 0
	Bytes  float64 // of memory, about
	Flops  float64 // operations, about
	Sparse bool    // solved by sweeps over the levels instead of matrices
}

// String says it in words.
func (z ExactSize) String() string {
	what := fmt.Sprintf("%d phases", z.Phases)
	switch {
	case z.Cut > 0:
		what = fmt.Sprintf("%d states with up to %d jobs", z.Phases, z.Cut)
	case z.Levels > 0:
		what += fmt.Sprintf(", %d boundary levels", z.Levels)
		if z.Sparse {
			what += ", by sweeps"
		}
	}
	return fmt.Sprintf("%s, about %.2g MB and %.2g·10⁹ operations", what, z.Bytes/1e6, z.Flops/1e9)
}
