package main

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mjqueue/mjq/internal/panics"
	"github.com/mjqueue/mjq/mjq"
)

// verb is a command. All there is about one stands in the entry of its registry.
type verb struct {
	name, takesFile      string // solve, MODEL
	short, long, example string

	// Of questions about a model:
	methods  []string // that answer it, by their names in package mjq
	options  []string // that it takes beside those of every question
	needs    []string // flags that must be given; goal is any of the goals
	arrivals arrivalsOf
	grid     bool // rates, loads and servers belong to the question, not to its models

	// build defines the flags, and returns what carries the command out.
	build func(c *call) func() error
}

// arrivalsOf says what a verb does with the arrivals of a model.
type arrivalsOf int

const (
	needed arrivalsOf = iota
	taken
	ignored
)

// call is a command line that is carried out.
type call struct {
	streams
	*verb
	cmd    *cobra.Command
	args   []string
	models modelFlags
	logs   logFlags
	set    settings
	to     output
	system systemFlags

	from, until float64 // of a path: jobs of a model, times of a log
}

func (c *call) flags() *pflag.FlagSet { return c.cmd.Flags() }
func (c *call) ctx() context.Context  { return c.cmd.Context() }

// command is the command of a verb. It has flags only if it may be carried out: those of all
// verbs would take a millisecond.
func (v *verb) command(s streams, carriedOut bool) *cobra.Command {
	cmd := &cobra.Command{Use: strings.TrimSpace(v.name + " " + v.takesFile), Short: v.short, Long: v.long, Example: v.example, Args: v.files}
	c := &call{streams: s, verb: v, cmd: cmd}
	if !carriedOut {
		cmd.Run = func(*cobra.Command, []string) {}
		return cmd
	}
	run := v.build(c)
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		c.args = args
		return coded(c.ctx(), run())
	}
	return cmd
}

// files is the error of a command that is not given what it takes: one file, several or none.
func (v *verb) files(_ *cobra.Command, args []string) error {
	switch n := len(args); {
	case v.takesFile == "" && n > 0:
		return fmt.Errorf("%s takes no file; leave %s out", v.name, strings.Join(args, " "))
	case v.takesFile == "" || n == 1 || n > 1 && strings.HasSuffix(v.takesFile, "..."):
		return nil
	case n == 0 && strings.HasSuffix(v.takesFile, "..."):
		return fmt.Errorf("%s takes one file or several, as mjq %s %s; none is given", v.name, v.name, v.takesFile)
	case n == 0:
		return fmt.Errorf("%s takes one file, as mjq %s %s; none is given", v.name, v.name, v.takesFile)
	default:
		return fmt.Errorf("%s takes one file, as mjq %s %s; %d are given", v.name, v.name, v.takesFile, n)
	}
}

// asking asks a question about a model, as the methods of mjq.Model do.
type asking[T comparable] func(m mjq.Model, ctx context.Context, opts ...mjq.Option) (T, error)

// just is a question that has no flags of its own.
func just[T comparable](ask asking[T]) func(*call) asking[T] {
	return func(*call) asking[T] { return ask }
}

// question is the verb of a question about a model, with the form of its answers. ask
// defines the flags that the question has of its own.
func question[T comparable](v verb, f form[T], ask func(c *call) asking[T]) verb {
	v.takesFile = "MODEL"
	v.build = func(c *call) func() error {
		ask := ask(c)
		c.set.add(c.cmd, v.methods, v.options)
		c.models.add(c.cmd, v.arrivals)
		c.to.add(c.cmd, f.names())
		return func() error { return about(c, f, ask) }
	}
	return v
}

// about asks a question about each model of the file, and writes the answers. When an
// interrupt comes it writes those that there are.
func about[T comparable](c *call, f form[T], ask asking[T]) error {
	opts, err := c.set.all()
	if err := errors.Join(c.to.check(), c.lacking(), err); err != nil {
		return input(err)
	}
	models, err := c.read()
	if err != nil {
		return input(err)
	}
	var found []T
	for i, m := range models {
		p := newProgress(c, fmt.Sprintf("%s %d of %d", c.name, i+1, len(models)))
		var x, none T
		x, err = ask(m, c.ctx(), append(opts, p.option())...)
		p.end()
		if x != none {
			found = append(found, x)
		}
		if err != nil && c.ctx().Err() == nil && !f.partial {
			return err
		}
		if err != nil {
			break
		}
	}
	return finish(c, f, []section{{heading: "Model", html: models[0].HTML()}}, found, err)
}

// read reads the models of the file, unless an interrupt comes before they are there.
func (c *call) read() ([]mjq.Model, error) {
	return panics.Until(c.ctx(), func() ([]mjq.Model, error) { return c.models.read(c.args[0], c.in, c.verb) })
}

// lacking is the error of a flag that must be given and is not.
func (c *call) lacking() error {
	for _, name := range c.needs {
		if name == "goal" && !slices.ContainsFunc(c.set.told, func(o mjq.Option) bool { _, is := o.(mjq.Goal); return is }) {
			return fmt.Errorf("%s needs a goal: --mean-wait, --wait-quantile, --service-level, --mean-slowdown, --blocked or --left", c.name)
		}
		if f := c.flags().Lookup(name); f != nil && !f.Changed {
			return fmt.Errorf("%s needs --%s: %s", c.name, name, f.Usage)
		}
	}
	return nil
}

// finish writes what was found, below the sections of a page on what was asked about, and
// is the failure that goes with it: an error, an interrupt, or a target that was missed.
func finish[T comparable](c *call, f form[T], before []section, found []T, err error) error {
	if len(found) == 0 {
		return err
	}
	if err != nil && c.ctx().Err() != nil {
		noted(found[len(found)-1])
	}
	if wrong := write(c, f, before, found); wrong != nil {
		return wrong
	}
	switch {
	case err != nil && c.ctx().Err() != nil:
		return failure{interrupted, errors.New("interrupted; what was done by then is written")}
	case err != nil:
		return err
	case !c.flags().Changed("rel-err") && !c.flags().Changed("half-width"):
		return nil
	}
	for _, x := range found {
		if f.missed != nil && f.missed(x) {
			return failure{notMet, errors.New("the interval is wider than --rel-err or --half-width asks for; the notes say why")}
		}
	}
	return nil
}

// interruption is the note of an answer that an interrupt has cut short.
const interruption = "Interrupted: these numbers are of what was done by then."

// noted adds that note, where an answer has notes.
func noted(answer any) {
	if notes := reflect.ValueOf(answer).Elem().FieldByName("Notes"); notes.IsValid() {
		notes.Set(reflect.Append(notes, reflect.ValueOf(interruption)))
	}
}
