package compiled

// Elastic says on how many servers jobs run that may hold others than they need.
type Elastic struct {
	Forms  []Form
	Of     []int32 // by class, 1 more than its form; 0: its jobs hold what they need
	Oldest bool    // free servers go to running jobs in the order of their starts, else to the smallest
}

// Form is how jobs that are alike change their size.
type Form struct {
	Partial           bool // the size is chosen at the start, at most Need, and kept
	Least, Need, Most int
	Sizes             []int     // that there are, ascending; nil: all from Least to Most
	Speed             []float64 // by size, against that on Need
	Cost              float64   // time for which a job stands still when its size changes
}

// Next is the size after a size; 0 if there is none.
func (f *Form) Next(size int) int {
	if f.Sizes == nil && size < f.Most {
		return size + 1
	}
	for _, x := range f.Sizes {
		if x > size && x <= f.Most {
			return x
		}
	}
	return 0
}
