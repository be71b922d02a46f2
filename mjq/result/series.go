package result

import (
	"fmt"
	"math"
	"slices"
)

// Series is one quantity at several places along an axis: the mean wait at several loads, say.
// Curves of package plots draws it, Table.Series tabulates it.
type Series struct {
	Name   string
	X      []float64
	Values []Estimate // len(Values) == len(X)

	Approximate bool // by a formula without a bound on its error, as Approximation makes
}

// MarshalJSON writes all fields under their names, as WriteJSON does.
func (s Series) MarshalJSON() ([]byte, error) { return WriteJSON(s) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (s *Series) UnmarshalJSON(text []byte) error { return ReadJSON(text, s) }

// Measure is what a series takes from a result, such as its waste:
//
//	func(r *result.Result) result.Estimate { return r.WastedHOL }
type Measure func(*Result) Estimate

// MeanWait is the mean waiting time of a class, of all jobs if class is "". It panics for a
// class that the result does not have, as Result.Class does.
func MeanWait(class string) Measure {
	return func(r *Result) Estimate { return r.Class(class).Waiting.Mean }
}

// WaitQuantile is the p-quantile of the waiting time of a class, of all jobs if class is "".
func WaitQuantile(p float64, class string) Measure {
	return func(r *Result) Estimate { return r.Class(class).Waiting.Quantile(p) }
}

// Each is a measure of every result, in their order.
func Each(results []*Result, of Measure) []Estimate {
	values := make([]Estimate, len(results))
	for i, r := range results {
		values[i] = of(r)
	}
	return values
}

// ByRate is a measure of results at several arrival rates, in their order.
func ByRate(name string, results []*Result, of Measure) Series {
	s := Series{Name: name, Values: Each(results, of)}
	for _, r := range results {
		s.X = append(s.X, r.Rate)
	}
	return s
}

// Series is a measure of every finished point along the axis of the sweep; see Axis.
func (s *Sweep) Series(name string, of Measure) Series {
	_, at := s.Axis()
	series := Series{Name: name}
	for i, x := range at {
		if r := s.At(i); r != nil {
			series.X, series.Values = append(series.X, x), append(series.Values, of(r))
		}
	}
	return series
}

// Axis names what the sweep varies, and gives its value at every point: the number of servers if
// there are several, else the fraction of the stability limit if the sweep was given loads,
// else the arrival rate.
func (s *Sweep) Axis() (label string, at []float64) {
	label = "arrival rate λ"
	for _, p := range s.Points {
		if p.Servers != s.Points[0].Servers {
			label = "servers"
			break
		}
		if !math.IsNaN(p.Load) {
			label = "load λ/λ_{c}"
		}
	}
	for _, p := range s.Points {
		switch label {
		case "servers":
			at = append(at, float64(p.Servers))
		case "arrival rate λ":
			at = append(at, p.Rate)
		default:
			at = append(at, p.Load)
		}
	}
	return label, at
}

// Over is the series divided by another one, which must have a value at each of its places. The
// interval of a quotient is known unless both values have one.
func (s Series) Over(base Series) (Series, error) {
	out := Series{Name: s.Name, X: s.X, Values: make([]Estimate, len(s.Values)), Approximate: s.Approximate || base.Approximate}
	for i, x := range s.X {
		k := slices.Index(base.X, x)
		if k < 0 || k >= len(base.Values) || i >= len(s.Values) {
			return Series{}, fmt.Errorf("series %q over %q: one of them has no value at %g; give both at the same places", s.Name, base.Name, x)
		}
		out.Values[i] = s.Values[i].over(base.Values[k])
	}
	return out, nil
}

// over is the quotient of two estimates, with an interval if at most one of them has one.
func (e Estimate) over(base Estimate) Estimate {
	if !e.Known() || !base.Known() {
		return Unknown()
	}
	half, level := math.NaN(), min(e.Level, base.Level)
	switch {
	case base.HalfWidth == 0:
		half = math.Abs(e.HalfWidth / base.Value)
	case e.HalfWidth == 0: // the ends of the quotient lie unevenly; the wider side counts
		half = math.Abs(e.Value/(math.Abs(base.Value)-base.HalfWidth)) - math.Abs(e.Value/base.Value)
		if base.HalfWidth >= math.Abs(base.Value) {
			half = math.NaN()
		}
	}
	return Estimate{Value: e.Value / base.Value, HalfWidth: half, Level: level, N: max(e.N, base.N), Method: e.Method}
}

// Series adds a column of places, if the table has none yet, and a column of estimates for each series.
func (t *Table) Series(axis string, series ...Series) *Table {
	for i, s := range series {
		if i == 0 && len(t.Columns) == 0 {
			t.Numbers(axis, s.X...)
		}
		t.Estimates(s.Name, s.Values...)
	}
	return t
}
