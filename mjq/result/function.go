package result

import "math"

// Function is an exact series: f at every x.
func Function(name string, x []float64, f func(float64) float64) Series {
	return Estimated(name, x, func(v float64) Estimate { return Exact(f(v), "") })
}

// Tabulated is an exact series of known values, such as a column of a paper's table.
func Tabulated(name string, x, values []float64) Series {
	s := Series{Name: name, X: x}
	for _, v := range values {
		s.Values = append(s.Values, Exact(v, ""))
	}
	return s
}

// Estimated is a series of estimates: f at every x.
func Estimated(name string, x []float64, f func(float64) Estimate) Series {
	s := Series{Name: name, X: x}
	for _, v := range x {
		s.Values = append(s.Values, f(v))
	}
	return s
}

// Approximation is a series of values of a formula that only approximates. Curves of package plots
// draws it as a dashed line.
func Approximation(name string, x []float64, f func(float64) float64) Series {
	s := Function(name, x, f)
	s.Approximate = true
	return s
}

// Numbers returns the values of the series without their intervals.
func (s Series) Numbers() []float64 {
	out := make([]float64, len(s.Values))
	for i, e := range s.Values {
		out[i] = e.plain().Value
	}
	return out
}

// Spaced returns n numbers from lo to hi at equal distances.
func Spaced(lo, hi float64, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = lo + (hi-lo)*float64(i)/float64(max(n-1, 1))
	}
	return out
}

// LogSpaced returns n numbers from lo to hi at equal ratios. Both must be positive.
func LogSpaced(lo, hi float64, n int) []float64 {
	out := Spaced(math.Log(lo), math.Log(hi), n)
	for i, v := range out {
		out[i] = math.Exp(v)
	}
	return out
}

// fewestBeyond is how many observations above x a tail needs to be shown.
const fewestBeyond = 10

// Tail returns P(X > x) at every x, with intervals. It is unknown where fewer than ten independent
// observations lie above x.
func (m *Metric) Tail(name string, x []float64) Series {
	return Estimated(name, x, func(v float64) Estimate {
		e := m.Survival(v)
		if e.Level < 1 && e.Value*m.Effective < fewestBeyond {
			return Unknown()
		}
		return e
	})
}
