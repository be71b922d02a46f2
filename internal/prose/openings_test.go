package prose

import (
	"html"
	"math"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var (
	// number is one as the pages write it: 4,515 or 20_000, 0.19, 1e-6; not one inside a word.
	number = regexp.MustCompile(`(?:^|[^\w.])(\d+(?:[,_]\d{3})*(?:\.\d+)?(?:e[-+]?\d+)?)( %)?`)
	// unsaid are the parts of an opening whose numbers are no results: code, formulas, addresses, headings.
	unsaid = regexp.MustCompile("(?m)`[^`]*`|\\$[^$]*\\$|\\]\\([^)]*\\)|^#.*$|(?:Section|Table|Figure|Theorem) [\\d.]+")
	markup = regexp.MustCompile(`<[^>]+>`)
	// changes are the heads of columns with differences that have intervals.
	changes  = regexp.MustCompile(`more than the first|^change|difference`)
	columns  = regexp.MustCompile(` {2,}`)
	interval = regexp.MustCompile(`^(-?[\d.]+(?:e-?\d+)?) +± +([\d.]+(?:e-?\d+)?)$`)
	sure     = regexp.MustCompile(`(?i)\b(yes|agrees?|right)\b`)
)

// opened is a notebook with what its opening says and what its other cells show.
type opened struct {
	opening string
	code    string   // of all cells
	shown   []string // every output as text
}

// openedBook reads a notebook.
func openedBook(t *testing.T, file string) opened {
	t.Helper()
	all := cells(t, file)
	b := opened{opening: source(t, all[0].Source)}
	for _, c := range all[1:] {
		if c.Type != "code" {
			continue
		}
		b.code += source(t, c.Source) + "\n"
		for _, o := range c.Outputs {
			for kind, data := range o.Data {
				switch kind {
				case "text/plain":
					b.shown = append(b.shown, source(t, data))
				case "text/html", "image/svg+xml":
					b.shown = append(b.shown, html.UnescapeString(markup.ReplaceAllString(source(t, data), " ")))
				}
			}
		}
	}
	return b
}

// numbers are those of a text, each with the unit of its last digit; percentages also as fractions.
func numbers(text string) (all [][2]float64, words []string) {
	for _, m := range number.FindAllStringSubmatch(text, -1) {
		plain := strings.NewReplacer(",", "", "_", "").Replace(m[1])
		x, err := strconv.ParseFloat(plain, 64)
		if err != nil {
			continue
		}
		unit := 1.0
		if _, digits, found := strings.Cut(plain, "."); found && !strings.Contains(plain, "e") {
			unit = math.Pow10(-len(digits))
		}
		all, words = append(all, [2]float64{x, unit}), append(words, m[1]+m[2])
	}
	return all, words
}

// unshown are the numbers of an opening that no output and no check of the notebook has, rounded
// as the opening has them.
func unshown(b opened) (missing []string) {
	have, _ := numbers(b.code + strings.Join(b.shown, "\n"))
	said, words := numbers(unsaid.ReplaceAllString(b.opening, " "))
	for i, s := range said {
		found := false
		for _, h := range have {
			found = found || math.Abs(h[0]-s[0]) <= s[1]*.501 || strings.HasSuffix(words[i], "%") && math.Abs(100*h[0]-s[0]) <= s[1]*.501
		}
		if !found {
			missing = append(missing, words[i])
		}
	}
	return missing
}

// undecided reports whether the outputs have differences of which every interval includes none.
func undecided(b opened) bool {
	differences := 0
	for _, text := range b.shown {
		var at = -1
		for _, line := range strings.Split(text, "\n") {
			cells := columns.Split(line, -1)
			for i, head := range cells {
				if changes.MatchString(head) {
					at = i
				}
			}
			if at < 0 || at >= len(cells) {
				continue
			}
			if m := interval.FindStringSubmatch(strings.TrimSpace(cells[at])); m != nil {
				x, _ := strconv.ParseFloat(m[1], 64)
				if half, _ := strconv.ParseFloat(m[2], 64); math.Abs(x) > half {
					return false
				}
				differences++
			}
		}
	}
	return differences > 0
}

// TestOpeningsAreShown: every number in the opening of a notebook is in one of its outputs, or in a
// check that fails the run if it is wrong; and no opening is sure of what no interval decides.
func TestOpeningsAreShown(t *testing.T) {
	books, err := filepath.Glob("notebooks/*.ipynb")
	if err != nil || len(books) < 20 {
		t.Fatalf("%d notebooks, %v", len(books), err)
	}
	read := 0
	for _, file := range books {
		b := openedBook(t, file)
		for _, n := range unshown(b) {
			t.Errorf("%s opens with %s, which no cell shows", file, n)
		}
		said, _ := numbers(unsaid.ReplaceAllString(b.opening, " "))
		read += len(said)
		word := sure.FindString(b.opening)
		if word != "" && undecided(b) {
			t.Errorf("%s opens with %q above differences whose intervals all include none", file, word)
		}
		if word != "" && !strings.Contains(b.code, ".Inside(") && !strings.Contains(b.code, ".Near(") {
			t.Errorf("%s opens with %q, and no check compares with another value", file, word)
		}
	}
	if read < 100 {
		t.Errorf("only %d numbers were read", read)
	}
}

// TestOpeningsThatClaimTooMuch: numbers that no cell shows and words that no interval carries are found.
func TestOpeningsThatClaimTooMuch(t *testing.T) {
	table := "policy  mean wait  more than the first\nFCFS    5.0 ± 1.0  –\nEASY    3.1 ± 1.0  -1.9 ± 2.0\n"
	b := opened{opening: "# 7 ways\n\n**Yes**: 38 % and 3.1 h, not 4,515 or 2.", code: "x.Near(0.38)", shown: []string{table}}
	if got := unshown(b); len(got) != 1 || got[0] != "4,515" {
		t.Errorf("%q is not shown", got)
	}
	if !undecided(b) {
		t.Error("an interval that includes no change decides")
	}
	b.shown = append(b.shown, strings.ReplaceAll(table, "± 2.0", "± 0.2"))
	if undecided(b) {
		t.Error("an interval without 0 decides nothing")
	}
}
