package estimate

// sections are sums over successive observations, equally many in each, from which
// the shape of any combination of the observed numbers can be told in the end. They
// take constant memory: when there are too many, neighbours are joined. What the
// correction for skewness needs does not change by that: the squared skewness
// and the number of sections are both divided by two.
type sections struct {
	columns, observed int
	width             int // observations in each
	sums              []float64
}

// mostSections are kept by a Pair, and by all folds of a Crossfit together.
const mostSections = 512

func (s *sections) add(row ...float64) {
	if s.width == 0 {
		s.width, s.columns = 1, len(row)
	}
	if s.observed%s.width == 0 {
		s.sums = append(s.sums, row...)
	} else {
		last := s.sums[len(s.sums)-s.columns:]
		for i, x := range row {
			last[i] += x
		}
	}
	s.observed++
}

// full says that there are so many, all complete.
func (s *sections) full(limit int) bool { return s.observed > 0 && s.observed == limit*s.width }

// join makes one section of every two, of which there must be an even number.
func (s *sections) join() {
	n := s.observed / s.width / 2
	for i := range n {
		one, two := s.sums[2*i*s.columns:][:s.columns], s.sums[(2*i+1)*s.columns:][:s.columns]
		for j, x := range two {
			s.sums[i*s.columns+j] = one[j] + x
		}
	}
	s.sums, s.width = s.sums[:n*s.columns], 2*s.width
}

// complete is how many are.
func (s *sections) complete() int {
	if s.width == 0 {
		return 0
	}
	return s.observed / s.width
}

// each calls f with the sums of every complete section.
func (s *sections) each(f func(row []float64)) {
	for i := range s.complete() {
		f(s.sums[i*s.columns:][:s.columns])
	}
}
