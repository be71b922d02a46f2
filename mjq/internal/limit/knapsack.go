package limit

// knapsack finds the schedule that is worth most, by dynamic programming over the
// resources left. Cells number the combinations of units left, the last type fastest.
type knapsack struct {
	cells  int
	step   []int   // by kind: from a cell to the one with its need less
	left   [][]int // by cell and type of resource; nil of a single type, where it is the cell
	kinds  []Kind
	worth  []float64 // of each cell
	choice []int32   // kind to take from it, or none
}

// none is the choice where nothing more fits that is worth anything.
const none = -1

func newKnapsack(units []int, kinds []Kind) *knapsack {
	s := &knapsack{cells: 1, kinds: kinds, step: make([]int, len(kinds))}
	for j := len(units) - 1; j >= 0; j-- {
		for k, kind := range kinds {
			s.step[k] += kind.Need[j] * s.cells
		}
		s.cells *= units[j] + 1
	}
	if len(units) > 1 {
		s.left = combinations(units, s.cells)
	}
	s.worth, s.choice = make([]float64, s.cells), make([]int32, s.cells)
	return s
}

// combinations lists the units left by cell.
func combinations(units []int, cells int) [][]int {
	flat, list := make([]int, cells*len(units)), make([][]int, cells)
	now := make([]int, len(units))
	for c := range list {
		list[c] = flat[c*len(units) : (c+1)*len(units)]
		copy(list[c], now)
		for j := len(units) - 1; j >= 0; j-- {
			if now[j]++; now[j] <= units[j] {
				break
			}
			now[j] = 0
		}
	}
	return list
}

// best is the schedule of the largest sum of prices, and that sum.
func (s *knapsack) best(price []float64) (jobs []int, worth float64) {
	for c := range s.cells {
		s.worth[c], s.choice[c] = 0, none
		for k, step := range s.step {
			if price[k] <= 0 || !s.fits(c, k) {
				continue
			}
			if w := s.worth[c-step] + price[k]; w > s.worth[c] {
				s.worth[c], s.choice[c] = w, int32(k)
			}
		}
	}
	jobs = make([]int, len(s.kinds))
	c := s.cells - 1
	for s.choice[c] != none {
		k := s.choice[c]
		jobs[k]++
		c -= s.step[k]
	}
	return jobs, s.worth[s.cells-1]
}

func (s *knapsack) fits(cell, kind int) bool {
	if s.left == nil {
		return s.step[kind] <= cell
	}
	for j, need := range s.kinds[kind].Need {
		if need > s.left[cell][j] {
			return false
		}
	}
	return true
}
