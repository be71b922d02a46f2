package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

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

	only, without   []string
	cluster         string
	timezone, times string
	zero            float64
	policies        []mjq.Policy
	weight          string // of priorities, with its values
	unit            string // of time, where the log does not say it
}

// groups are what can make a class, groupings the flag of it.
var groups = []string{"need", "powers", "class", "user", "account"}

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
	flags.StringToStringVar(&f.columns, "columns", nil, "of a CSV: which columns hold arrival, servers, service, class, estimate, wait, user, account, start, end, nodes and id, as arrival=submit,servers=cores")
	flags.BoolVar(&f.noHeader, "no-header", false, "of a CSV: the first line is a job")
	flags.BoolVar(&f.swf.Requested, "requested", false, "of SWF: the processors requested, not those allocated")
	flags.Var(numbers.one(&f.zero), "zero-run-time", "of SWF and sacct: the time of jobs with run time 0, which are left out otherwise")
	flags.Var(wholes.one(&f.swf.Class), "class-field", "of SWF: the field of the class: 12 user, 13 group, 14 executable, 15 queue, 16 partition")
	flags.StringVar(&f.sacct.Need, "need", "", "of sacct: the resource that counts as servers, as cpu, gres/gpu or node (cpu)")
	flags.StringVar(&f.sacct.Class, "class-column", "", "of sacct: the column of the class, as Partition or Partition+QOS")
	flags.StringArrayVar(&f.only, "only", nil, "keep the jobs with these values in a column, as Partition=gpu,long or AllocCPUS>=64, of SWF queue=2 or status!=5; several times: of one column any, of several all must hold")
	flags.StringArrayVar(&f.without, "without", nil, "drop the jobs with these values, as Partition=debug or State=CANCELLED")
	flags.StringVar(&f.cluster, "cluster", "", "of sacct: the cluster whose jobs are kept, where the column Cluster has several")
	flags.StringVar(&f.sacct.Columns, "format", "", "of sacct without a header: the columns, as --format of sacct names them")
	flags.StringVar(&f.timezone, "timezone", "", "time zone of times that name none, as Europe/Rome (UTC)")
	flags.StringVar(&f.times, "times", "", "of a CSV: how times are written, timestamps or a layout as 02.01.2006 15:04:05; numbers if left out, or timestamps where the first is one")
	unitFlag(flags, &f.unit)
	f.window.add(flags)
	flags.Var(groupings.one(&f.by), "by", "what makes a class: "+strings.Join(groups, ", "))
	_ = c.RegisterFlagCompletionFunc("by", cobra.FixedCompletions(groups, cobra.ShellCompDirectiveNoFileComp))
	c.ValidArgsFunction = filesEnding("swf", "csv", "txt", "json", "gz", "zst", "xz")
}

// read reads a log of one file or several, which has to say how many servers there are if nothing
// else does.
func (f *logFlags) read(names []string, servers int, s streams) (*trace.Trace, error) {
	how, err := f.reading()
	if err != nil {
		return nil, err
	}
	var files []trace.File
	for _, name := range names {
		in, err := open(name, s.in)
		if err != nil {
			return nil, err
		}
		defer func() { _ = in.Close() }() // it was only read
		files = append(files, trace.File{Name: name, Text: in})
	}
	t, err := trace.ReadFiles(files, how)
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
		return nil, fmt.Errorf("%s: the log does not say how many servers there are; give --servers", names[0])
	}
	if t, err = f.window.apply(t); err != nil {
		return nil, fmt.Errorf("%s: %w", names[0], err)
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

// reading is how a log is read.
func (f *logFlags) reading() (how trace.Reading, err error) {
	zone := time.UTC
	if f.timezone != "" {
		if zone, err = time.LoadLocation(f.timezone); err != nil {
			return how, fmt.Errorf("--timezone: %q is no time zone; give one as Europe/Rome or America/New_York", f.timezone)
		}
	}
	c := trace.CSV{NoHeader: f.noHeader, Times: f.times, Location: zone}
	into := map[string]*string{"arrival": &c.Arrival, "servers": &c.Servers, "service": &c.Service, "class": &c.Class,
		"estimate": &c.Estimate, "wait": &c.Wait, "user": &c.User, "start": &c.Start, "end": &c.End, "nodes": &c.Nodes, "id": &c.ID, "account": &c.Account}
	for what, column := range f.columns {
		field, known := into[what]
		if !known {
			return how, fmt.Errorf("--columns: there is no %q; name arrival, servers, service, class, estimate, wait, user, account, start, end, nodes or id", what)
		}
		*field = column
	}
	how = trace.Reading{Sacct: f.sacct, SWF: f.swf, CSV: c}
	how.Sacct.Location = zone
	how.Sacct.Where = alternatives(f.only)
	if f.cluster != "" {
		how.Sacct.Where = append(how.Sacct.Where, trace.Filter("Cluster="+f.cluster))
	}
	for _, text := range f.without {
		w, err := trace.Filter(text).Not()
		if err != nil {
			return how, fmt.Errorf("--without: %w", err)
		}
		how.Sacct.Where = append(how.Sacct.Where, w)
	}
	how.SWF.Where, how.CSV.Where = how.Sacct.Where, how.Sacct.Where
	how.SWF.ZeroRunTime, how.Sacct.ZeroRunTime = f.zero, f.zero
	return how, nil
}

// alternatives are filters of which those with = on one column are one, which any of their values
// meets.
func alternatives(texts []string) (list []trace.Filter) {
	at := map[string]int{}
	for _, text := range texts {
		column, value, ok := strings.Cut(text, "=")
		column = strings.ToLower(strings.TrimSpace(column))
		if i, known := at[column]; ok && known {
			list[i] += trace.Filter("," + value)
			continue
		}
		if ok && !strings.ContainsAny(column, "!<>") {
			at[column] = len(list)
		}
		list = append(list, trace.Filter(text))
	}
	return list
}

// partition is the one whose jobs are kept; "" if there is none, or several.
func (f *logFlags) partition() (name string) {
	for _, w := range alternatives(f.only) {
		if column, value, ok := strings.Cut(string(w), "="); ok && strings.EqualFold(strings.TrimSpace(column), "Partition") && !strings.Contains(value, ",") {
			name = strings.TrimSpace(value)
		}
	}
	return name
}

// isLog tells a log from a model by its beginning: a model is a JSON object that no sacct wrote, TOML,
// or a CSV with the column probability. A pipe is one by its name, as reading would empty it; of standard
// input the beginning is kept.
func (c *call) isLog() bool {
	file := c.args[0]
	if file == "-" {
		in := bufio.NewReaderSize(c.in, 1<<16)
		c.in = in
		head, _ := in.Peek(1 << 16)
		return trace.IsLog(file, bytes.NewReader(head))
	}
	end := ending(file)
	if end == ".swf" {
		return true
	}
	if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() {
		return err == nil && end != ".json" && end != ".toml" && end != ".csv" || strings.HasSuffix(strings.ToLower(file), ".gz")
	}
	in, err := os.Open(file)
	if err != nil {
		return false
	}
	defer func() { _ = in.Close() }() // it was only read
	return trace.IsLog(file, in)
}

// windowFlags are the window of a log in which jobs count.
type windowFlags struct{ since, until string }

// add defines the flags.
func (f *windowFlags) add(flags *pflag.FlagSet) {
	const forms = "a time as 2026-03-01 or 2026-03-01T08:00, or a number in the log's unit"
	flags.StringVar(&f.since, "since", "", "count the jobs that arrive from then on, and start with those that were there: "+forms+"; none is the whole log (what the log shows)")
	flags.StringVar(&f.until, "until", "", "count the jobs that arrive before then: "+forms)
}

// apply takes the window out of a log, or the one that it shows.
func (f *windowFlags) apply(t *trace.Trace) (*trace.Trace, error) {
	w := t.Window()
	since, until := w.Since, math.Inf(1)
	var err, wrong error
	switch f.since {
	case "":
	case "none":
		since = math.Inf(-1)
	default:
		since, err = timeOf(t, "since", f.since)
	}
	if f.until != "" {
		until, wrong = timeOf(t, "until", f.until)
	}
	if err := errors.Join(err, wrong); err != nil {
		return nil, err
	}
	if !(since < until) {
		return nil, fmt.Errorf("--since %s and --until %s: give the earlier first", f.since, f.until)
	}
	switch {
	case f.since == "" && f.until == "":
		return t.Windowed(), nil
	case f.since == "none" && f.until == "":
		return t, nil
	}
	within := t.Within(since, until)
	if len(within.Jobs) == 0 {
		return nil, fmt.Errorf("--since and --until keep no job of %d. %v", len(t.Jobs), w)
	}
	return within, nil
}

// instants are the forms of points in time on the command line.
var instants = []string{"2006-01-02", "2006-01-02T15:04", "2006-01-02T15:04:05", "2006-01-02 15:04", "2006-01-02 15:04:05", time.RFC3339}

// timeOf reads a time of a log, in seconds from its beginning or in its own unit.
func timeOf(t *trace.Trace, flag, text string) (float64, error) {
	if x, err := strconv.ParseFloat(text, 64); err == nil && x >= 0 && !math.IsInf(x, 1) {
		return x, nil
	}
	origin := t.Report.Origin
	for _, form := range instants {
		at, err := time.ParseInLocation(form, text, origin.Location())
		switch {
		case err == nil && origin.IsZero():
			return 0, fmt.Errorf("--%s %s: the log has no dates; give a number in its unit of time, as %.6g", flag, text, t.Window().Since)
		case err == nil:
			return at.Sub(origin).Seconds(), nil
		}
	}
	return 0, fmt.Errorf("--%s: %q is no time; write it as 2026-03-01, 2026-03-01T08:00, or as a number in the log's unit", flag, text)
}
