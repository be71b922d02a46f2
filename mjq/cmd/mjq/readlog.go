package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/trace"
)

// logFlags say how a log is read, what its classes are, and under which policies it is
// replayed.
type logFlags struct {
	faster    float64
	malformed bool
	columns   map[string]string
	noHeader  bool
	swf       trace.SWF
	sacct     trace.Sacct
	by        trace.Grouping
	window    windowFlags
	policies  []mjq.Policy
	unit      string // of time, where the log does not say it
}

// groups are what can make a class, groupings the flag of it.
var groups = []string{"need", "powers", "class", "user"}

var groupings = kind[trace.Grouping]{"word", "powers", func(text string) (trace.Grouping, error) {
	if !slices.Contains(groups, text) {
		return "", fmt.Errorf("%q is no way to make classes; choose one of %s", text, strings.Join(groups, ", "))
	}
	return trace.Grouping(strings.TrimPrefix(text, "need")), nil // trace.ByNeed is ""
}}

// add defines the flags.
func (f *logFlags) add(c *cobra.Command) {
	f.faster = 1
	flags := c.Flags()
	flags.Var(positive(numbers, "factor; give a positive number").one(&f.faster), "faster", "let jobs arrive this much faster")
	flags.BoolVar(&f.malformed, "skip-malformed", false, "leave out lines that cannot be understood, with a warning")
	flags.StringToStringVar(&f.columns, "columns", nil, "of a CSV: which columns hold arrival, servers, service, class, estimate, wait and user, as arrival=submit,servers=cores")
	flags.BoolVar(&f.noHeader, "no-header", false, "of a CSV: the first line is a job")
	flags.BoolVar(&f.swf.Requested, "requested", false, "of SWF: the processors requested, not those allocated")
	flags.Var(numbers.one(&f.swf.ZeroRunTime), "zero-run-time", "of SWF: the time of jobs with run time 0, which are left out otherwise")
	flags.Var(wholes.one(&f.swf.Class), "class-field", "of SWF: the field of the class: 12 user, 13 group, 14 executable, 15 queue, 16 partition")
	flags.StringVar(&f.sacct.Need, "need", "", "of sacct: the resource that counts as servers, as cpu, gres/gpu or node (cpu)")
	flags.StringVar(&f.sacct.Class, "class-column", "", "of sacct: the column of the class, as Partition or Partition+QOS")
	flags.StringToStringVar(&f.sacct.Only, "only", nil, "of sacct: keep the jobs with these values, as Partition=gpu")
	flags.StringToStringVar(&f.sacct.Without, "without", nil, "of sacct: drop the jobs with these values, as Partition=debug")
	unitFlag(flags, &f.unit)
	f.window.add(flags)
	flags.Var(groupings.one(&f.by), "by", "what makes a class: "+strings.Join(groups, ", "))
	_ = c.RegisterFlagCompletionFunc("by", cobra.FixedCompletions(groups, cobra.ShellCompDirectiveNoFileComp))
	c.ValidArgsFunction = filesEnding("swf", "csv", "txt", "gz")
}

// read reads a log by its ending, which has to say how many servers there are if nothing
// else does.
func (f *logFlags) read(file string, servers int, s streams) (*trace.Trace, error) {
	how, err := f.csv()
	if err != nil {
		return nil, err
	}
	in, err := open(file, nil)
	if err != nil {
		return nil, err
	}
	var t *trace.Trace
	switch end := ending(file); {
	case isSacct(file):
		t, err = trace.ReadSacct(file, in, f.sacct)
	case end == ".swf":
		t, err = trace.ReadSWF(file, in, f.swf)
	case end == ".csv":
		t, err = trace.ReadCSV(file, in, how)
	default:
		err = fmt.Errorf("%s: a log is read by its ending, .swf or .csv, or is the output of sacct, whose header has the column JobID", file)
	}
	if closing := in.Close(); closing != nil {
		return nil, errors.Join(err, closing)
	}
	if err != nil && f.malformed && t != nil && len(t.Jobs) > 0 {
		fmt.Fprintln(s.notes, "mjq: left out:", message(err))
		err = nil
	}
	if err != nil {
		return nil, err
	}
	if f.unit != "" {
		t.Unit = result.Unit(f.unit)
	}
	if servers == 0 && t.Report.Servers == 0 {
		return nil, fmt.Errorf("%s: the log does not say how many servers there are; give --servers", file)
	}
	if t, err = f.window.apply(t); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if f.faster != 1 {
		t = t.Faster(f.faster)
	}
	return t, nil
}

// ending is that of a file, of a compressed one that of what is in it.
func ending(file string) string {
	return filepath.Ext(strings.TrimSuffix(strings.ToLower(file), ".gz"))
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

// isLog tells a log from a model by its name, a CSV by its first line, where that of classes has
// the column probability, and the output of sacct by its header. A file that cannot be read is
// none.
func isLog(file string) bool {
	switch end := ending(file); {
	case end == ".swf", isSacct(file):
		return true
	case end != ".csv":
		return strings.HasSuffix(strings.ToLower(file), ".gz")
	}
	header := firstLine(file)
	columns := strings.Split(header, ",")
	return header != "" && !slices.ContainsFunc(columns, func(name string) bool { return strings.Trim(name, ` "`) == "probability" })
}

// isSacct reports whether a file is the output of sacct: its first line has a '|' and JobID.
func isSacct(file string) bool {
	header := strings.ToLower(firstLine(file))
	return strings.Contains(header, "|") && strings.Contains(header, "jobid")
}

// firstLine is that of a regular file, empty if it cannot be read. A pipe would lose it.
func firstLine(file string) string {
	if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	in, err := open(file, nil)
	if err != nil {
		return ""
	}
	defer func() { _ = in.Close() }() // it was only read
	const most = 1 << 16              // no header is longer
	line, _ := bufio.NewReader(io.LimitReader(in, most)).ReadString('\n')
	return strings.TrimSpace(line)
}
