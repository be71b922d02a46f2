package figure

import (
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"github.com/mjqueue/mjq/internal/check"
)

// linear places labelled ticks at 1, 2 or 5 times a power of ten: so many at
// the least, by default four, and 2.5 times as many at the most.
type linear struct{ least float64 }

// Ticks returns the ticks in [lo, hi].
func (l linear) Ticks(lo, hi float64) (ticks []plot.Tick) {
	if !(hi > lo) {
		return []plot.Tick{{Value: lo, Label: number(lo)}}
	}
	if l.least == 0 {
		l.least = 4
	}
	step := niceStep((hi - lo) / l.least)
	finest := decade(step)
	for k := math.Ceil(lo/step - 1e-9); k*step <= hi+1e-9*step; k++ {
		v := k * step
		if k == 0 {
			v = 0
		}
		label := numberTo(finest, v)
		if finest < 0 && finest > -6 {
			label = minus(strconv.FormatFloat(v, 'f', -finest, 64))
		}
		ticks = append(ticks, plot.Tick{Value: v, Label: label})
		if half := v + step/2; half < hi {
			ticks = append(ticks, plot.Tick{Value: half})
		}
	}
	return ticks
}

// niceStep is the 1, 2 or 5 times a power of ten nearest below x.
func niceStep(x float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(x)+1e-9))
	for _, m := range []float64{5, 2} {
		if m*power <= x*(1+1e-9) {
			return m * power
		}
	}
	return power
}

// logarithmic labels decades when there are enough of them, and otherwise 1, 2
// and 5 in each, or more digits: two labels at the least.
type logarithmic struct{}

// Ticks returns the ticks in [lo, hi], 0 < lo.
func (logarithmic) Ticks(lo, hi float64) []plot.Tick {
	if !(lo > 0) || !(hi > lo) {
		return []plot.Tick{{Value: lo, Label: number(lo)}}
	}
	first, last := decade(lo), int(check.Whole(math.Ceil(math.Log10(hi)-1e-9), -324, 309))
	every := 1 + (last-first)/7
	for _, digits := range []string{"1", "125", "12357", "123456789"} {
		ticks, labels := logTicks(lo, hi, first, last, every, digits)
		if labels >= 3 || digits == "123456789" && labels >= 2 {
			return ticks
		}
	}
	return linear{}.Ticks(lo, hi)
}

// logTicks labels the given digits of every n-th decade.
func logTicks(lo, hi float64, first, last, every int, digits string) (ticks []plot.Tick, labels int) {
	for e := first; e <= last; e++ {
		for d := 1; d <= 9; d++ {
			v := float64(d) * math.Pow(10, float64(e))
			if v < lo*(1-1e-9) || v > hi*(1+1e-9) {
				continue
			}
			t := plot.Tick{Value: v}
			for _, c := range digits {
				if int(c-'0') == d && (e-first)%every == 0 {
					t.Label = number(v)
					labels++
				}
			}
			if every == 1 || d == 1 {
				ticks = append(ticks, t)
			}
		}
	}
	return ticks, labels
}

// decade is the exponent of the power of ten below a number, or at it.
func decade(v float64) int {
	return int(check.Whole(math.Floor(math.Log10(v)+1e-9), -324, 309))
}

// number is a short label: plain digits in the middle of the scale, powers of
// ten outside.
func number(v float64) string { return numberTo(math.MaxInt, v) }

// numberTo is number with the digits that tell multiples of 10^finest apart.
func numberTo(finest int, v float64) string {
	if v == 0 {
		return "0"
	}
	e := decade(math.Abs(v))
	digits := 1
	if finest < e {
		digits = min(e-finest+1, 15)
	}
	if e >= -3 && e < 5 {
		return minus(strconv.FormatFloat(v, 'g', max(6, digits), 64))
	}
	power := "10^{" + minus(strconv.Itoa(e)) + "}"
	m := v / math.Pow(10, float64(e))
	if math.Abs(m-1) < 1e-13 {
		return power
	}
	return minus(strconv.FormatFloat(m, 'g', max(3, digits), 64)) + "·" + power
}

// minus writes a true minus sign.
func minus(s string) string {
	if s != "" && s[0] == '-' {
		return "−" + s[1:]
	}
	return s
}

// spaced leaves out the labels of a ticker for which an axis has no room.
type spaced struct {
	of    plot.Ticker
	scale plot.Normalizer
	room  vg.Length                    // along the axis
	takes func(label string) vg.Length // of it
}

// Ticks returns the ticks in [lo, hi]. If ticks would overlap, powers of ten and round numbers
// stay.
func (s spaced) Ticks(lo, hi float64) []plot.Tick {
	ticks := s.of.Ticks(lo, hi)
	if _, ok := s.of.(linear); ok {
		for parts := 3.0; parts >= 1 && !s.fit(ticks, lo, hi); parts-- {
			ticks = linear{parts}.Ticks(lo, hi)
		}
	}
	return s.thinned(ticks, lo, hi)
}

// place is where a tick's label begins and ends on the axis.
func (s spaced) place(t plot.Tick, lo, hi float64) (from, to vg.Length) {
	middle, half := s.room*vg.Length(s.scale.Normalize(lo, hi, t.Value)), s.takes(t.Label)/2
	return middle - half, middle + half
}

// fit reports whether no label overlaps the next.
func (s spaced) fit(ticks []plot.Tick, lo, hi float64) bool {
	end := vg.Length(math.Inf(-1))
	for _, t := range ticks {
		if t.Label == "" {
			continue
		}
		from, to := s.place(t, lo, hi)
		if from < end {
			return false
		}
		end = to
	}
	return true
}

// thinned takes the labels of powers of ten, then the others, where there is
// room left.
func (s spaced) thinned(ticks []plot.Tick, lo, hi float64) []plot.Tick {
	if s.fit(ticks, lo, hi) {
		return ticks
	}
	out := slices.Clone(ticks)
	for i := range out {
		out[i].Label = ""
	}
	for _, powers := range []bool{true, false} {
		for i, t := range ticks {
			e := math.Log10(math.Abs(t.Value))
			if t.Label == "" || powers != (math.Abs(e-math.Round(e)) < 1e-9) {
				continue
			}
			if out[i].Label = t.Label; !s.fit(out, lo, hi) {
				out[i].Label = ""
			}
		}
	}
	return out
}
