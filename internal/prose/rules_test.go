package prose

import (
	"fmt"
	"regexp"
	"strings"
)

const longest = 40 // words in a sentence

var (
	sentenceEnd = regexp.MustCompile(`([.!?])["”)\]]*\s+`)
	begin       = regexp.MustCompile(`^(Of|What|Whoever|Nor)\b`)
	wordIn      = regexp.MustCompile(`[\p{L}\p{N}%]`)
)

// abbreviations end in a full stop that does not end a sentence.
var abbreviations = []string{"e.g.", "i.e.", "et al.", "Fig.", "Sec.", "Eq.", "Thm.", "vs.", "cf.", "approx.", "St.", "Appl.", "J.", "Math.", "Trans.", "Oper.", "Res.", "Ann.", "Soc.", "Probab.", "no.", "pp.", "vol."}

// banned are words and phrases of CONTRIBUTING's list, each with the one to write.
var banned = []struct{ bad, better string }{
	{"hardly", "rarely, almost no"},
	{"seldom", "rarely"},
	{"anew", "again"},
	{"dear|dearer|dearest", "expensive"},
	{"mend|mends|mended|mending", "fix"},
	{"the like", "name it"},
	{"whoever", "name who"},
	{"beside", "next to"},
	{"but for", "except"},
	{"in the mean[.,;:]", "on average"},
	{"as many as there are", "a number"},
	{"hold the truth|holds the truth|held the truth", "cover"},
	{"what is known of", "name it"},
	{"known to \\d", "a half-width or relative precision"},
	{"close controls", "extended control variates"},
	{"followed samples?", "sample path started from a certified sample"},
	{"foreseen|foresees", "predicted"},
	{"event list|list of future events", "discrete-event simulation"},
	{"come back to|comes back to", "cyclic phase-type"},
	{"passed over", "skipped"},
	{"made log", "synthetic log"},
	{"in line", "in the queue"},
	{"slip of the pen", "typing error"},
	{"settles?|settled|unsettled", "converge, coalesce"},
	{"same digits|same bits|to the last bit", "bit-identical"},
	{"comes to rest", "converges"},
	{"a look|looks at piles", "observation, interim check, candidate"},
	{"not sure", "not confirmed"},
}

var bannedWords = compiled()

func compiled() []*regexp.Regexp {
	all := make([]*regexp.Regexp, len(banned))
	for i, b := range banned {
		all[i] = regexp.MustCompile(`(?i)(^|[^\p{L}-])(` + b.bad + `)($|[^\p{L}-])`)
	}
	return all
}

// sentences splits a passage.
func sentences(text string) []string {
	var all []string
	from := 0
	for _, at := range sentenceEnd.FindAllStringIndex(text, -1) {
		if s := text[from:at[1]]; !abbreviated(strings.TrimSpace(s)) {
			all = append(all, strings.TrimSpace(s))
			from = at[1]
		}
	}
	if rest := strings.TrimSpace(text[from:]); rest != "" {
		all = append(all, rest)
	}
	return all
}

var initial = regexp.MustCompile(`(^|[\s-])\p{Lu}\.$`)

func abbreviated(s string) bool {
	if initial.MatchString(s) {
		return true
	}
	for _, a := range abbreviations {
		if strings.HasSuffix(s, " "+a) || s == a {
			return true
		}
	}
	return false
}

// words counts what has a letter or a digit.
func words(sentence string) int {
	n := 0
	for _, w := range strings.Fields(sentence) {
		if wordIn.MatchString(w) {
			n++
		}
	}
	return n
}

// A finding is one breach of a rule.
type finding struct {
	passage
	rule, sentence string
}

func (f finding) String() string {
	return fmt.Sprintf("%s:%d: %s: %s", f.file, f.line, f.rule, f.sentence)
}

// breaches returns what the rules on sentences and words find in a passage.
func breaches(p passage) []finding {
	var all []finding
	for _, s := range sentences(p.text) {
		if n := words(s); n > longest {
			all = append(all, finding{p, fmt.Sprintf("%d words, at most %d", n, longest), s})
		}
		if b := begin.FindString(s); b != "" && !strings.HasSuffix(s, "?") && !strings.HasPrefix(s, "Of returns") {
			all = append(all, finding{p, fmt.Sprintf("begins with %q", b), s})
		}
		for i, r := range bannedWords {
			if found := r.FindStringSubmatch(s); found != nil {
				all = append(all, finding{p, fmt.Sprintf("%q, write %s", found[2], banned[i].better), s})
			}
		}
	}
	return all
}
