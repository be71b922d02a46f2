package cells

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// tooFew is what Go says of a call that lacks arguments: the function, the types that it has and
// those that it wants.
var tooFew = regexp.MustCompile(`(?s)^not enough arguments in call to (\S+)\n\s*have \((.*)\)\n\s*want \((.*)\)$`)

// missing names the arguments that a call lacks, by their names if the rules know the function.
func (r *Rules) missing(text string) (words, remedy string, ok bool) {
	m := tooFew.FindStringSubmatch(text)
	if m == nil {
		return "", "", false
	}
	have, want := listed(m[2]), listed(m[3])
	if n := len(want); n > 0 && strings.HasPrefix(want[n-1], "...") {
		want = want[:n-1]
	}
	if len(have) > 0 && have[len(have)-1] == "error" { // of f(g()), of which another message tells
		return "", "", false
	}
	var names []string
	if r.Parameters != nil {
		names = r.Parameters(m[1][strings.LastIndex(m[1], ".")+1:], want)
	}
	lacking := lacked(have, want)
	var lacks, all []string
	for i, kind := range want {
		name, described := plainName(kind), kind
		if i < len(names) && len(names[i]) > 1 {
			name = names[i]
		}
		switch {
		case kind == "context.Context":
			name, described = "ctx", "ctx"
		case name != "…" && name != kind:
			described = name + " (" + kind + ")"
		}
		all = append(all, name)
		if lacking[i] {
			lacks = append(lacks, described)
		}
	}
	if len(lacks) == 0 {
		return "", "", false
	}
	first := ""
	if lacks[0] == "ctx" && len(lacks) == 1 {
		first = " first"
	}
	more := ""
	if strings.Contains(m[3], "...") {
		more = ", …"
	}
	return fmt.Sprintf("%s wants %s%s", m[1], strings.Join(lacks, " and "), first), fmt.Sprintf("Write %s(%s%s).", m[1], strings.Join(all, ", "), more), true
}

// lacked are the indices of the types wanted for which there is no argument: those that are given
// stand for the first that they fit, or for the first of all if that leaves one over.
func lacked(have, want []string) map[int]bool {
	out := map[int]bool{}
	at := 0
	for i, kind := range want {
		if at < len(have) && fits(have[at], kind) {
			at++
		} else {
			out[i] = true
		}
	}
	if at == len(have) {
		return out
	}
	for i := range want {
		out[i] = i >= len(have)
	}
	return out
}

// fits reports whether a value of a type, as Go names it in a message, may be meant for another.
func fits(have, want string) bool {
	numeric := []string{"int", "float64", "uint64", "int64", "uint", "float32", "time.Duration"}
	return have == want || have == "number" && slices.Contains(numeric, want)
}

// plainName is what to call an argument of a type of which nothing else is known.
func plainName(kind string) string {
	name := strings.TrimLeft(kind[strings.LastIndex(kind, ".")+1:], "*[]")
	if name == "" || strings.ContainsAny(name, " (){}[]") {
		return "…"
	}
	return strings.ToLower(name[:1]) + name[1:]
}

// listed are the types of a list, which may hold functions.
func listed(text string) []string {
	var out []string
	depth, start := 0, 0
	for i, c := range text {
		switch c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ',':
			if depth == 0 {
				out = append(out, strings.TrimSpace(text[start:i]))
				start = i + 1
			}
		}
	}
	if rest := strings.TrimSpace(text[start:]); rest != "" {
		out = append(out, rest)
	}
	return out
}
