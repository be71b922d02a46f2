package trace

import (
	"bufio"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"
)

// number is the shortest form that reads back as the same number.
func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// column is an optional one of what WriteCSV writes: whether a job has it, and its cell.
type column struct {
	name string
	has  func(j *Job) bool
	cell func(j *Job) string
}

var optional = []column{
	{"class", func(j *Job) bool { return j.Class != "" }, func(j *Job) string { return quoted(j.Class) }},
	{"estimate", func(j *Job) bool { return j.Estimate > 0 }, func(j *Job) string { return number(j.Estimate) }},
	{"wait", func(j *Job) bool { return j.WaitKnown }, func(j *Job) string { return number(j.Waited) }},
	{"nodes", func(j *Job) bool { return j.Nodes > 0 }, func(j *Job) string { return strconv.Itoa(j.Nodes) }},
	{"user", func(j *Job) bool { return j.User != "" }, func(j *Job) string { return quoted(j.User) }},
	{"account", func(j *Job) bool { return j.Account != "" }, func(j *Job) string { return quoted(j.Account) }},
}

// WriteCSV writes jobs with the header that ReadCSV expects. The columns of classes,
// estimates, waits, users and accounts are left out when no job has one. Jobs come back as they
// were, without units of types, which Trace.WriteCSV writes.
func WriteCSV(w io.Writer, jobs []Job) error { return writeCSV(w, jobs, nil) }

// writeCSV writes jobs, with a column for each type of resource.
func writeCSV(w io.Writer, jobs []Job, types []string) error {
	out := bufio.NewWriter(w)
	out.WriteString("arrival,servers,service")
	var more []column
	for _, c := range optional {
		if slices.ContainsFunc(jobs, func(j Job) bool { return c.has(&j) }) {
			more = append(more, c)
			out.WriteString("," + c.name)
		}
	}
	for _, name := range types {
		out.WriteString("," + quoted(name))
	}
	out.WriteByte('\n')
	for i := range jobs {
		j := &jobs[i]
		out.WriteString(number(j.Arrival) + "," + strconv.Itoa(j.Need) + "," + number(j.Service))
		if text := j.Class + j.User + j.Account; strings.ContainsAny(text, "\r\n") {
			return fmt.Errorf("writing CSV: the class %q, the user %q or the account %q has a line break; rename it", j.Class, j.User, j.Account)
		}
		for _, c := range more {
			out.WriteByte(',')
			if c.has(j) {
				out.WriteString(c.cell(j))
			}
		}
		for k := range types {
			out.WriteString("," + strconv.Itoa(j.Units[k]))
		}
		out.WriteByte('\n')
	}
	return out.Flush()
}

// quoted writes a cell so that it reads back as it was.
func quoted(cell string) string {
	if strings.ContainsAny(cell, `",`) || strings.TrimSpace(cell) != cell {
		return `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
	}
	return cell
}

// WriteSWF writes jobs in the Standard Workload Format: submit time, wait, run time,
// processors, both allocated and requested, requested time and user. A missing wait or
// requested time, and a user that is no number, are -1. All other fields are -1, except status
// 1. The classes become queues, numbered from 1 and named in the header; SWF{Class: 15} reads
// them back. Times are written in full although most logs have whole seconds; the format
// permits it. servers is for the header, 0 if unknown.
func WriteSWF(w io.Writer, jobs iter.Seq[Job], servers int, classes []string) error {
	out := bufio.NewWriter(w)
	fmt.Fprintln(out, "; Version: 2.2")
	if servers > 0 {
		fmt.Fprintf(out, "; MaxProcs: %d\n", servers)
	}
	queue := map[string]int{"": -1}
	for _, name := range classes {
		if strings.ContainsAny(name, "\r\n") || strings.TrimSpace(name) != name {
			return fmt.Errorf("writing SWF: the class %q has a line break or blanks at an end; rename it", name)
		}
		if _, known := queue[name]; !known {
			queue[name] = len(queue)
			fmt.Fprintf(out, "; Queue: %d %s\n", queue[name], name)
		}
	}
	no := 0
	for j := range jobs {
		no++
		q, known := queue[j.Class]
		if !known {
			return fmt.Errorf("writing SWF: job %d has class %q, which is not among those given", no, j.Class)
		}
		need := strconv.Itoa(j.Need)
		fmt.Fprintf(out, "%d %s %s %s %s -1 -1 %s %s -1 1 %s -1 -1 %d -1 -1 -1\n",
			no, number(j.Arrival), field(j.WaitKnown, j.Waited), number(j.Service), need, need, field(j.Estimate > 0, j.Estimate), userField(j.User), q)
	}
	return out.Flush()
}

// field is a number of a line in the Standard Workload Format, -1 if it is not known.
func field(known bool, x float64) string {
	if !known {
		return "-1"
	}
	return number(x)
}

// userField is the number of a user.
func userField(name string) string {
	n, err := strconv.ParseFloat(name, 64)
	return field(err == nil && !math.IsNaN(n) && !math.IsInf(n, 0), n)
}
