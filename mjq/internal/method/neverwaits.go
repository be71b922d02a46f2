package method

import "math"

// neverWaits reports whether no job can ever wait, so that waits that are all 0 are exact:
// gaps are so long, and services so short, that all jobs that can be present at once fit.
func (m *Problem) neverWaits() bool {
	gap, independent := m.Gap()
	if !independent || !m.Plain() || !m.FirstCome() {
		return false
	}
	longest, widest := 0.0, 0
	for _, c := range m.Classes {
		longest, widest = max(longest, c.Service.Quantile(1)), max(widest, c.Need)
	}
	return math.Ceil(longest/gap.Quantile(0))*float64(widest) <= float64(m.Servers)
}
