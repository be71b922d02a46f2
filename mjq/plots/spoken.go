package plots

import (
	"slices"
	"strings"
)

// spoken are names of policies as people say them: "EASY, users' limits" for
// EASY.Estimates(Given()). Where two would be the same, all stay as they are.
func spoken(policies []string) []string {
	out := make([]string, len(policies))
	for i, p := range policies {
		out[i] = inWords(p)
	}
	sorted := slices.Sorted(slices.Values(out))
	if len(slices.Compact(sorted)) < len(out) {
		return policies
	}
	return out
}

// phrases are what the parts of a policy's name mean; what stands in their parentheses comes in
// place of the underscore.
var phrases = map[string]string{
	"FirstFit": "First-Fit", "Conservative": "conservative", "Quickswap": "quickswap, threshold _", "ArmedQuickswap": "armed quickswap, threshold _", "AdaptiveQuickswap": "adaptive quickswap", "Backfill": "backfill, _ deep", "Window": "window of _ jobs",
	"MostServersFirst": "most servers first", "LeastServersFirst": "fewest servers first",
	"PreemptiveFirstFit": "preemptive First-Fit", "PreemptiveMostServersFirst": "preemptive, most servers first",
	"PreemptiveLeastServersFirst": "preemptive, fewest servers first",
	"ServerFilling":               "server filling", "ServerFillingSRPT": "server filling, shortest work first", "FirstFitSRPT": "First-Fit, shortest work first",
	"Multifactor": "Slurm's priorities", "Priority": "_ first",
	"Estimates(Given())": "users' limits", "Estimates(Exact())": "exact estimates", "Estimates": "estimates _", "Kill": "kills at the limit",
	"Preemptive(restart)": "preempts, restarts", "Preemptive(resume)": "preempts, resumes", "Preemptive": "preempts, _",
	"Passing": "others may pass", "Exempt": "not after _", "Overhead": "overhead _", "Tier": "tiers _",
}

// inWords is one name. What has no phrase stays as it is.
func inWords(policy string) string {
	var said []string
	for _, part := range dotted(policy) {
		word, args, _ := strings.Cut(part, "(")
		args = strings.TrimSuffix(args, ")")
		phrase, ok := phrases[part]
		if !ok {
			phrase, ok = phrases[word]
		}
		switch {
		case word == "Within":
			phrase = inWords(args)
		case !ok:
			phrase = part
		case word == "Priority":
			first, _, _ := strings.Cut(args, ";")
			args = strings.ReplaceAll(first, ",", ", ")
		}
		said = append(said, strings.ReplaceAll(phrase, "_", args))
	}
	return strings.Join(said, ", ")
}

// dotted splits a name at the dots that no parentheses hold.
func dotted(name string) (parts []string) {
	depth, from := 0, 0
	for i, c := range name {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		case '.':
			if depth == 0 {
				parts, from = append(parts, name[from:i]), i+1
			}
		}
	}
	return append(parts, name[from:])
}
