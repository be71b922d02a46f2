package chain

// Ways is how many multisets of kinds of jobs hold 0, 1, ... of so many servers, with the need of each kind:
// by these, the size of a chain is told before it is explored.
func Ways(servers int, needs ...int) []float64 {
	ways := make([]float64, servers+1)
	ways[0] = 1
	for _, need := range needs {
		for held := need; held <= servers; held++ {
			ways[held] += ways[held-need]
		}
	}
	return ways
}
