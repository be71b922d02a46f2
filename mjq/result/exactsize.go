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
	if z.Cut > 0 {
		return fmt.Sprintf("%d states with up to %d jobs, about %.2g MB and %.2g·10⁹ operations", z.Phases, z.Cut, z.Bytes/1e6, z.Flops/1e9)
	}
	if z.Levels == 0 {
		return fmt.Sprintf("%d phases, about %.2g MB and %.2g·10⁹ operations", z.Phases, z.Bytes/1e6, z.Flops/1e9)
	}
	if z.Sparse {
		return fmt.Sprintf("%d phases, %d boundary levels, by sweeps, about %.2g MB and %.2g·10⁹ operations", z.Phases, z.Levels, z.Bytes/1e6, z.Flops/1e9)
	}
	return fmt.Sprintf("%d phases, %d boundary levels, about %.2g MB and %.2g·10⁹ operations", z.Phases, z.Levels, z.Bytes/1e6, z.Flops/1e9)
}
