package prose

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// A term is a word of the glossary that a page defines or links where it first uses it.
type term struct {
	name string
	use  *regexp.Regexp
	// introduced finds the term in emphasis or as the text of a link.
	introduced *regexp.Regexp
}

var glossaryRow = regexp.MustCompile(`(?m)^\| <a id="[^"]+"></a>\*\*([^*]+)\*\*`)

// terms are those that the glossary has in bold.
func terms(t *testing.T) []term {
	t.Helper()
	text, err := os.ReadFile("site/docs/glossary.md")
	if err != nil {
		t.Fatal(err)
	}
	var all []term
	for _, row := range glossaryRow.FindAllStringSubmatch(string(text), -1) {
		name := regexp.QuoteMeta(strings.TrimSuffix(row[1], "s")) + "s?(es)?"
		all = append(all, term{row[1],
			regexp.MustCompile(`(?i)\b` + name + `\b`),
			regexp.MustCompile(`(?i)\*[^*]*\b` + name + `\b[^*]*\*|\[[^\]]*\b` + name + `\b[^\]]*\]`)})
	}
	if len(all) < 10 {
		t.Fatalf("the glossary has only %d terms in bold", len(all))
	}
	return all
}

// undefined returns the first uses on a page of terms that it neither defines nor links
// there. A heading may name a term before.
func undefined(page []passage, all []term) (found []finding) {
	for _, term := range all {
		for _, p := range page {
			if p.heading || !term.use.MatchString(p.text) {
				continue
			}
			if !term.introduced.MatchString(p.raw) {
				found = append(found, finding{p, "define or link " + term.name, p.text})
			}
			break
		}
	}
	return found
}

// TestTermsAreIntroduced: a page defines a term, in emphasis, or links it where it first
// uses it.
func TestTermsAreIntroduced(t *testing.T) {
	all, exceptions := terms(t), allowed(t)
	for _, file := range pages(t) {
		if file == "site/docs/glossary.md" {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range undefined(markdown(file, string(text)), all) {
			if !excused(exceptions, f) {
				t.Error(f)
			}
		}
	}
}

// TestUndefinedTermIsFound: the check sees a term without a definition, and no other.
func TestUndefinedTermIsFound(t *testing.T) {
	all := terms(t)
	for text, want := range map[string]int{
		"The saturated system grows.":                             1,
		"A *saturated system* never runs out of jobs.":            0,
		"The [saturated system](glossary.md#saturated-system).":   0,
		"A queue is stable.\n\nTwo shadow times.":                 1,
		"A *shadow time* is a time.\n\nThe shadow time is fixed.": 0,
	} {
		if got := undefined(markdown("page", text), all); len(got) != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// TestBreachesAreFound: each rule on sentences sees a breach, and leaves good text alone.
func TestBreachesAreFound(t *testing.T) {
	long := strings.Repeat("word ", longest) + "end."
	for text, want := range map[string]int{
		long:                                 1,
		strings.Repeat("word ", 39) + "end.": 0,
		"Of 512 samples it is 0.9.":          1,
		"What it costs is time.":             1,
		"What does it cost?":                 0,
		"Officers wait. Nor do they run.":    1,
		"Jobs hardly wait.":                  1,
		"Read Hall et al. Of course not.":    0,
		"```\nWhoever hardly\n```\nGood.":    0,
		"| a | Whoever it is |\n|---|---|\n": 2,
		"The `hardly` setting.":              0,
	} {
		n := 0
		for _, p := range markdown("page", text) {
			n += len(breaches(p))
		}
		if n != want {
			t.Errorf("%q: %d breaches, want %d", text, n, want)
		}
	}
}
