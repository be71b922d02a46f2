package foreign

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/mjqueue/mjq/internal/check"
)

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
