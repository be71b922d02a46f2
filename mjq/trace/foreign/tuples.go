package foreign

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/spec"
)

// Family is what the numbers of a tuple mean; the file does not say it.
type Family int

// The families of MJSRE, each with the numbers after need and probability, and
// those that the simulator of the TPDS paper makes of a mean alone.
const (
	Exponential       Family = iota // mean
	Erlang                          // mean of the whole, number of phases
	HyperExp                        // mean of phase 1, mean of phase 2, probability of phase 1
	BoundedPareto                   // lowest, highest, shape
	Deterministic                   // mean
	Uniform                         // mean, from half of which to one and a half it goes
	BoundedParetoMean               // mean; shape 2, bounds fixed multiples of the mean
)

// families say what each is called, and how many numbers follow need and probability.
var families = [...]struct {
	name   string
	length int
}{
	{"exponential", 1}, {"Erlang", 2}, {"hyperexponential", 3}, {"bounded Pareto", 3}, {"deterministic", 1},
	{"uniform by its mean", 1}, {"bounded Pareto by its mean", 1},
}

// known reports whether there is such a family.
func (f Family) known() bool { return f >= 0 && int(f) < len(families) }

// The simulator of the TPDS paper bounds its Pareto law of shape 2 at these
// multiples of the mean; 2LH/(L+H) is then the mean.
const (
	tpdsLow  = 120000.0 / 239999
	tpdsHigh = 120000.0
)

// String is the name of the family.
func (f Family) String() string {
	if !f.known() {
		return fmt.Sprintf("Family(%d)", int(f))
	}
	return families[f].name
}

// law makes the law of a tuple.
func (f Family) law(v []float64) (law.Law, error) {
	switch f {
	case Exponential:
		return law.ExpMean(v[0]), nil
	case Erlang:
		if v[1] != math.Trunc(v[1]) || v[1] < 1 || v[1] > 1e6 {
			return nil, fmt.Errorf("the number of phases is %v; give a whole number from 1", v[1])
		}
		return law.ErlangMeanPhases(v[0], int(v[1])), nil
	case HyperExp:
		return law.HyperExpMeans(v[0], v[1], v[2]), nil
	case BoundedPareto:
		return law.BoundedPareto{Lo: v[0], Hi: v[1], Shape: v[2]}, nil
	case Deterministic:
		return law.Deterministic{X: v[0]}, nil
	case Uniform:
		return law.Uniform{Lo: 0.5 * v[0], Hi: 1.5 * v[0]}, nil
	case BoundedParetoMean:
		return law.BoundedPareto{Lo: tpdsLow * v[0], Hi: tpdsHigh * v[0], Shape: 2}, nil
	}
	return nil, fmt.Errorf("%v is no family of tuples", f)
}

// ReadTuples reads a class a line, (need, probability, parameters...), as
// MJSRE's inputs and those of the TPDS paper are written. Blank lines are left out. All malformed lines are
// named, up to ten.
func ReadTuples(file string, r io.Reader, f Family) ([]spec.Class, error) {
	if !f.known() {
		return nil, fmt.Errorf("%s: %v is no family of tuples", file, f)
	}
	var classes []spec.Class
	bad := check.Faults{Most: mostProblems}
	in := bufio.NewScanner(r)
	in.Buffer(nil, longest)
	no := 0
	for in.Scan() {
		no++
		text := strings.TrimSpace(in.Text())
		if text == "" {
			continue
		}
		c, err := tuple(text, f)
		if err != nil {
			bad.Join(lineError(file, no, err.Error()))
			continue
		}
		classes = append(classes, c)
	}
	if err := in.Err(); err != nil {
		bad.Join(lineError(file, no+1, err.Error()))
	}
	if len(classes) == 0 && bad.None() {
		return nil, fmt.Errorf("%s: no class; a line such as (1, 0.5, 2.0) makes one", file)
	}
	return named(classes), bad.Err("")
}

// tuple reads one line.
func tuple(text string, f Family) (spec.Class, error) {
	body, open := strings.CutPrefix(text, "(")
	body, closed := strings.CutSuffix(body, ")")
	if !open || !closed {
		return spec.Class{}, fmt.Errorf("%.40q is not a tuple in parentheses", text)
	}
	cells := strings.Split(body, ",")
	if n := families[f].length; len(cells) != 2+n {
		return spec.Class{}, fmt.Errorf("%d numbers; the %v law takes %d: need, probability and %d more", len(cells), f, 2+n, n)
	}
	v := make([]float64, len(cells))
	for i, cell := range cells {
		x, err := strconv.ParseFloat(strings.TrimSpace(cell), 64)
		if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			return spec.Class{}, fmt.Errorf("number %d is %.40q, which is not a finite number", i+1, strings.TrimSpace(cell))
		}
		v[i] = x
	}
	if v[0] != math.Trunc(v[0]) || v[0] < 1 || v[0] > math.MaxInt32 {
		return spec.Class{}, fmt.Errorf("the need is %v; give a whole number of servers from 1", v[0])
	}
	if !(v[1] > 0 && v[1] <= 1) {
		return spec.Class{}, fmt.Errorf("the probability is %v; give one in (0, 1]", v[1])
	}
	service, err := f.law(v[2:])
	if err != nil {
		return spec.Class{}, err
	}
	if err := service.Validate(); err != nil {
		return spec.Class{}, err
	}
	return spec.Class{Need: int(v[0]), Prob: v[1], Service: service}, nil
}

// named names classes that have no name T and the servers they need, with a
// letter where two need the same and a number after z: T4, T4b.
func named(classes []spec.Class) []spec.Class {
	taken, nth := map[string]bool{}, map[int]int{}
	for _, c := range classes {
		taken[c.Name] = true
	}
	for i := range classes {
		c := &classes[i]
		for c.Name == "" {
			name := fmt.Sprintf("T%d", c.Need)
			nth[c.Need]++
			switch n := nth[c.Need]; {
			case n > 26:
				name += fmt.Sprintf("-%d", n)
			case n > 1:
				name += string(rune('a' + n - 1))
			}
			if !taken[name] {
				c.Name, taken[name] = name, true
			}
		}
	}
	return classes
}

// mostRates is how many bytes a list of rates may have; a list of the most runs
// that an experiment may have takes a fourth of it.
const mostRates = 1 << 20

// ReadRates reads a list of positive numbers in brackets with commas between,
// over any number of lines, as the arrRate files of the simulator of the TPDS
// paper have them. All faults are named with their lines, up to ten.
func ReadRates(file string, r io.Reader) ([]float64, error) {
	raw, err := io.ReadAll(io.LimitReader(r, mostRates+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if len(raw) > mostRates {
		return nil, fmt.Errorf("%s: there are more than %d bytes, which is no list of rates", file, mostRates)
	}
	text := string(raw)
	lineAt := func(i int) int { return 1 + strings.Count(text[:i], "\n") }
	open, end := strings.IndexByte(text, '['), strings.IndexByte(text, ']')
	if open < 0 || end < open {
		return nil, lineError(file, 1, "there is no list in brackets; give one, as [0.5, 1.0, 1.5]")
	}
	bad := check.Faults{Most: mostProblems}
	for _, i := range []int{firstBlack(text[:open], 0), firstBlack(text, end+1)} {
		if i >= 0 {
			bad.Join(lineError(file, lineAt(i), fmt.Sprintf("%.40q stands outside the brackets; a file holds one list", text[i:])))
		}
	}
	var rates []float64
	for at, body := open+1, text[open+1:end]; strings.TrimSpace(body) != ""; { // a last comma may stand alone
		cell, rest, _ := strings.Cut(body, ",")
		where := at
		if i := firstBlack(cell, 0); i >= 0 {
			where += i
		}
		x, err := strconv.ParseFloat(strings.TrimSpace(cell), 64)
		if err != nil || !(x > 0) || math.IsInf(x, 1) {
			bad.Join(lineError(file, lineAt(where), fmt.Sprintf("rate %d is %.40q; give a positive finite number", len(rates)+1, strings.TrimSpace(cell))))
		}
		rates = append(rates, x)
		at, body = at+len(cell)+1, rest
	}
	if len(rates) == 0 {
		bad.Join(lineError(file, lineAt(open), "the list is empty; give a rate at least"))
	}
	if err := bad.Err(""); err != nil {
		return nil, err
	}
	return rates, nil
}

// firstBlack is where, from i on, the first byte stands that is not blank; -1 if
// there is none.
func firstBlack(text string, i int) int {
	rest := strings.TrimLeft(text[i:], " \t\r\n")
	if rest == "" {
		return -1
	}
	return len(text) - len(rest)
}
