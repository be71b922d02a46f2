package main

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/policy"
)

// goCall is a call or an empty value of Go in a message, as MeanWait(0), After(Checkpoint(1)) and mjq.Simulation{}.
var goCall = regexp.MustCompile(`\b(?:mjq\.)?([A-Z][A-Za-z]*)(?:\(((?:[^()]|\([^()]*\))*)\)|\{\})`)

var (
	itself  = regexp.MustCompile(`\bit (is|takes|needs|has)\b`) // the question in a message about it
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

// commandKnown is the error of a word that stands where a command should.
func commandKnown(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	hint := check.DidYouMean(args[0], names)
	for _, m := range mjq.Methods() {
		if hyphened(nameOf(m)) == args[0] {
			hint = fmt.Sprintf("; it is a method, as mjq solve MODEL --method %s", args[0])
		}
	}
	if hint == "" {
		hint = "; there are " + strings.Join(names, ", ")
	}
	return fmt.Errorf("unknown command %q%s", args[0], hint)
}

// flagFault says in words what is wrong with a flag.
func flagFault(c *cobra.Command, err error) error {
	if !c.HasParent() && len(c.Flags().Args()) > 0 {
		return commandKnown(c, c.Flags().Args()) // the flag is that of a command
	}
	var unknown *pflag.NotExistError
	var empty *pflag.ValueRequiredError
	var wrong *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		return unknownFlag(c, unknown)
	case errors.As(err, &empty):
		return fmt.Errorf("--%s needs a value%s", empty.GetFlag().Name, asExample(empty.GetFlag()))
	case errors.As(err, &wrong) && wrong.GetFlag().Value.Type() == "bool":
		return fmt.Errorf("--%s: %q is neither true nor false", wrong.GetFlag().Name, wrong.GetValue())
	case errors.As(err, &wrong):
		return fmt.Errorf("--%s: %w", wrong.GetFlag().Name, wrong.Unwrap())
	}
	return err
}

// asExample is how a flag is given, if its value is a number.
func asExample(f *pflag.Flag) string {
	if v, is := f.Value.(interface{ instance() string }); is {
		return fmt.Sprintf(", as --%s %s", f.Name, v.instance())
	}
	return ""
}

// unknownFlag says which flag was meant, which may have one hyphen too few.
func unknownFlag(c *cobra.Command, unknown *pflag.NotExistError) error {
	word, hyphens := unknown.GetSpecifiedName(), "--"
	if short := unknown.GetSpecifiedShortnames(); short != "" {
		word, hyphens = short, "-"
	}
	var owners, names []string
	for _, other := range newRoot(streams{}, nil).Commands() {
		if other.Flags().Lookup(word) != nil {
			owners = append(owners, other.Name())
		}
	}
	if hyphens == "--" && len(owners) > 0 {
		return fmt.Errorf("%s has no %s%s; those with it are %s", c.Name(), hyphens, word, strings.Join(owners, ", "))
	}
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
	hint := check.DidYouMean("--"+word, names)
	if len(word) == 1 || hint == "" {
		hint = "; mjq help " + c.Name() + " lists the flags"
		if !c.HasParent() {
			hint = "; mjq help lists the commands and flags"
		}
	}
	return fmt.Errorf("unknown flag: %s%s%s", hyphens, word, hint)
}
