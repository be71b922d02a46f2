package policychain

// possible are the ways to serve that MaxWeight may choose for numbers of jobs by kind of
// which some may be larger than given, and none that it cannot but for a few that are close:
// one is left out if another, or one of two others, is worth more whatever those numbers
// are, because a mixture of the two is worth more at the numbers given and serves no fewer of
// those that may be more.
func (m maxWeight) possible(jobs []int, more []bool) (list [][]int) {
	all := m.ways(jobs)
	for _, x := range all {
		if !m.beaten(x, all, jobs, more) {
			list = append(list, x)
		}
	}
	return list
}

// ways are all ways to serve some of these jobs.
func (m maxWeight) ways(jobs []int) (list [][]int) {
	x := make([]int, len(jobs))
	var fill func(k, free int)
	fill = func(k, free int) {
		if k < 0 {
			list = append(list, append([]int(nil), x...))
			return
		}
		for n := min(jobs[k], free/m.kinds[k].need); n >= 0; n-- {
			x[k] = n
			fill(k-1, free-n*m.kinds[k].need)
		}
	}
	fill(len(jobs)-1, m.servers)
	return list
}

// mixtures is the number of parts in which two ways are mixed.
const mixtures = 12

// beaten reports whether one way, or one of two of which a mixture is looked at, is worth
// more than x for all numbers of jobs. All is in whole numbers.
func (m maxWeight) beaten(x []int, all [][]int, jobs []int, more []bool) bool {
	for i, y := range all {
		for _, z := range all[:i+1] {
			for part := range mixtures + 1 {
				gain := 0
				for k, n := range jobs {
					d := part*y[k] + (mixtures-part)*z[k] - mixtures*x[k]
					if gain += n * d; more[k] && d < 0 {
						gain = -1 << 60
					}
				}
				if gain > 0 {
					return true
				}
			}
		}
	}
	return false
}
