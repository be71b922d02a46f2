package plots

import (
	"math"

	"github.com/mjqueue/mjq/mjq/figure"
	"github.com/mjqueue/mjq/mjq/result"
)

// axis shows data of a power of a unit of time in the unit that reads best: 1 for times, 2 for their
// squares, -1 for rates, 0 for other numbers. Without a unit numbers stay bare.
func axis(u result.Unit, power int) figure.Conversion {
	if u == "" || power == 0 {
		return nil
	}
	return func(label string, data []float64) (string, float64) {
		var scale result.Scale
		switch power {
		case -1:
			scale = u.BestRate(data...)
		case 2:
			roots := make([]float64, len(data))
			for i, x := range data {
				roots[i] = math.Sqrt(x)
			}
			scale = u.Best(roots...)
		default:
			scale = u.Best(data...)
		}
		return scale.Label(label, power), 1 / scale.Show(1, power)
	}
}
