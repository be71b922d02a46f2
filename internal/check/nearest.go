package check

import "strings"

// DidYouMean is "; did you mean NAME?" for the name that a misspelt word is nearest to,
// and "" where none is near.
func DidYouMean(word string, names []string) string {
	if name := Nearest(word, names); name != "" {
		return "; did you mean " + name + "?"
	}
	return ""
}

// OneOf is what a misspelt word may have meant and, after that, all names in the order
// given, to stand behind what is wrong with the word.
func OneOf(word string, names []string) string {
	all := strings.Join(names, ", ")
	if hint := DidYouMean(word, names); hint != "" {
		return hint + " There are " + all
	}
	return "; there are " + all
}

// Nearest is the name that a word becomes by the fewest slips of a finger: a letter too
// many, one too few, a wrong one, or two that are swapped. A third of its letters may be
// wrong, and those of an abbreviation may be missing. It is "" where no name is so near;
// of several names it is the first. Capitals do not count.
func Nearest(word string, names []string) (nearest string) {
	least := max(1, len(word)/3) + 1
	for _, name := range names {
		a, b := strings.ToLower(word), strings.ToLower(name)
		n := Slips(a, b)
		if len(a) >= 3 && strings.HasPrefix(b, a) {
			n = min(n, 1)
		}
		if n < min(least, len(word)) {
			least, nearest = n, name
		}
	}
	return nearest
}

// Slips is the number of slips between two words, no letter being touched twice (optimal
// string alignment).
func Slips(a, b string) int {
	before, last, now := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range now {
		now[j] = j
	}
	for i := range len(a) {
		before, last, now = last, now, before
		now[0] = i + 1
		for j := range len(b) {
			wrong := 1
			if a[i] == b[j] {
				wrong = 0
			}
			now[j+1] = min(last[j+1]+1, now[j]+1, last[j]+wrong)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				now[j+1] = min(now[j+1], before[j-1]+1)
			}
		}
	}
	return now[len(b)]
}
