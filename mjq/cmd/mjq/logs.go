package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mjqueue/mjq/mjq/trace"
)

// logFlags say how a log is read, and what its classes are.
type logFlags struct {
	servers   int
	faster    float64
	malformed bool
	columns   map[string]string
	noHeader  bool
	swf       trace.SWF
	by        string
	groups    []string // that by may be
}

// add defines the flags of a command that takes a log and nothing else.
func (f *logFlags) add(c *cobra.Command, groups string) {
	c.Flags().Var((*whole)(&f.servers), "servers", "number of servers (as the log says)")
	f.reading(c, groups)
	c.Args = oneFile
	c.ValidArgsFunction = filesEnding("swf", "csv", "gz")
}

// reading defines the flags of reading, and of classes by the groups that there are.
func (f *logFlags) reading(c *cobra.Command, groups string) {
	f.groups = strings.Split(strings.ReplaceAll(groups, " or ", ", "), ", ")
	flags := c.Flags()
	f.faster = 1
	flags.Var(&number{value: &f.faster}, "faster", "let jobs arrive this much faster")
	flags.BoolVar(&f.malformed, "skip-malformed", false, "leave out lines that cannot be understood, with a warning")
	flags.StringToStringVar(&f.columns, "columns", nil, "of a CSV: which columns hold arrival, servers, service, class, estimate, wait and user, as arrival=submit,servers=cores")
	flags.BoolVar(&f.noHeader, "no-header", false, "of a CSV: the first line is a job")
	flags.BoolVar(&f.swf.Requested, "requested", false, "of SWF: the processors requested, not those allocated")
	flags.Var(&number{value: &f.swf.ZeroRunTime}, "zero-run-time", "of SWF: the time of jobs with run time 0, which are left out otherwise")
	flags.Var((*whole)(&f.swf.Class), "class-field", "of SWF: the field of the class: 12 user, 13 group, 14 executable, 15 queue, 16 partition")
	flags.StringVar(&f.by, "by", "need", "what makes a class: "+groups)
	_ = c.RegisterFlagCompletionFunc("by", cobra.FixedCompletions(f.groups, cobra.ShellCompDirectiveNoFileComp))
}

// classes is the name of what makes a class.
func (f *logFlags) classes() (string, error) {
	if !slices.Contains(f.groups, f.by) {
		return "", input(fmt.Errorf("--by: %q is no way to make classes; choose one of %s", f.by, strings.Join(f.groups, ", ")))
	}
	return f.by, nil
}

// read reads a log by its ending.
func (f *logFlags) read(c *cobra.Command, file string, s streams) (*trace.Trace, error) {
	if !(f.faster > 0) {
		return nil, input(fmt.Errorf("--faster: %v is no factor; give a positive number", f.faster))
	}
	how, err := f.csv()
	if err != nil {
		return nil, input(err)
	}
	in, err := open(file, nil)
	if err != nil {
		return nil, input(err)
	}
	var t *trace.Trace
	switch ending := filepath.Ext(strings.TrimSuffix(strings.ToLower(file), ".gz")); ending {
	case ".swf":
		t, err = trace.ReadSWF(file, in, f.swf)
	case ".csv":
		t, err = trace.ReadCSV(file, in, how)
	default:
		err = fmt.Errorf("%s: a log is read by its ending; name it .swf or .csv", file)
	}
	if closing := in.Close(); closing != nil {
		return nil, errors.Join(err, closing)
	}
	if err != nil && f.malformed && t != nil && len(t.Jobs) > 0 {
		fmt.Fprintln(s.notes, "mjq: left out:", message(err))
		err = nil
	}
	if err != nil {
		return nil, input(err)
	}
	if f.servers == 0 {
		f.servers = t.Report.Servers
	}
	if f.servers == 0 {
		return nil, input(fmt.Errorf("%s: the log does not say how many servers there are; give --servers", file))
	}
	if f.faster != 1 {
		t = t.Faster(f.faster)
	}
	return t, nil
}

// csv is how a CSV is read.
func (f *logFlags) csv() (trace.CSV, error) {
	how := trace.CSV{NoHeader: f.noHeader}
	into := map[string]*string{"arrival": &how.Arrival, "servers": &how.Servers, "service": &how.Service, "class": &how.Class,
		"estimate": &how.Estimate, "wait": &how.Wait, "user": &how.User}
	for what, column := range f.columns {
		field, known := into[what]
		if !known {
			return how, fmt.Errorf("--columns: there is no %q; name arrival, servers, service, class, estimate, wait or user", what)
		}
		*field = column
	}
	return how, nil
}
