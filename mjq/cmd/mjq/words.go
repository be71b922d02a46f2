package main

import (
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/policy"
)

// goCall is a call or an empty value of Go in a message, as MeanWait(0), After(Checkpoint(1)) and mjq.Simulation{}.
var goCall = regexp.MustCompile(`\b(?:mjq\.)?([A-Z][A-Za-z]*)(?:\(((?:[^()]|\([^()]*\))*)\)|\{\})`)

var (
	itself  = regexp.MustCompile(`\bit (is|takes|needs)\b`) // the question in a message about it
	another = regexp.MustCompile(`\bask [A-Z]\w*`)
)

// property is the name of one in a message, without what it is given.
var property = regexp.MustCompile(`(^|[ (])(Oldest|Elastic|Partial|Sleep|Awake|Watts|Failures|Spares|Reserve|Crews)($|[ ,;:)])`)

// otherwise are calls whose flag has another name.
var otherwise = map[string]string{"Poisson": "rate", "AtRate": "rate", "AtLoad": "load"}

// inFlags is a message of package mjq about a command in the words of the command line: options
// and methods as the flags that the command has, without the name of the question.
func inFlags(c *cobra.Command, text string) string {
	if question, rest, found := strings.Cut(text, ": "); found && hyphened(question) == c.Name() {
		text = itself.ReplaceAllString(rest, c.Name()+" $1")
	}
	text = another.ReplaceAllStringFunc(text, func(ask string) string {
		if verb := hyphened(strings.TrimPrefix(ask, "ask ")); slices.ContainsFunc(c.Root().Commands(), func(c *cobra.Command) bool { return c.Name() == verb }) {
			return "use mjq " + verb
		}
		return ask
	})
	text = strings.ReplaceAll(text, "give them one by Profile", `give them one, as --arrivals '{"arrivals":"Profile","period":24,"rates":[1,2]}'`)
	if c.Flags().Lookup("failures") != nil {
		text = strings.ReplaceAll(text, "add Failures", "add --failures NAME=UP/REPAIR, as hardware=ExpMean(5250)/ExpMean(48)")
	}
	if c.Flags().Lookup("after") != nil {
		text = strings.ReplaceAll(text, "After(...)", "--after HOW")
	}
	flagOf := func(word string) string {
		if flag := hyphened(word); c.Flags().Lookup(flag) != nil {
			return "--" + flag
		}
		return word
	}
	text = property.ReplaceAllStringFunc(text, func(match string) string {
		parts := property.FindStringSubmatch(match)
		return parts[1] + flagOf(parts[2]) + parts[3]
	})
	return goCall.ReplaceAllStringFunc(text, func(call string) string {
		parts := goCall.FindStringSubmatch(call)
		between := ":"
		if strings.Contains(parts[2], "(") { // a value that is a call has commas
			between = ","
		}
		name, values := parts[1], strings.ReplaceAll(strings.ReplaceAll(parts[2], ", ", between), `"`, "")
		if slices.ContainsFunc(mjq.Methods(), func(m mjq.Method) bool { return nameOf(m) == name }) {
			name, values = "method", hyphened(name)
		}
		flag := otherwise[name]
		if flag == "" {
			flag = hyphened(name)
		}
		if c.Flags().Lookup(flag) == nil || slices.Contains(policy.Names(), name) {
			return call
		}
		return strings.TrimSpace("--" + flag + " " + values)
	})
}
