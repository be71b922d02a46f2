package deferred

import "fmt"

// TooLarge is the error for a chain that would take too much memory.
type TooLarge struct {
	States, Bytes float64
	Why           string
}

// Error names the size and the way out.
func (e *TooLarge) Error() string {
	return fmt.Sprintf("a chain of %.3g states and %.3g bytes: %s; simulate this queue, or take fewer classes, phases or servers", e.States, e.Bytes, e.Why)
}

func denseBytes(n int) float64 { return 80 * float64(n) * float64(n) }
