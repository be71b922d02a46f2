package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq"
)

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
