package trace

import (
	"bufio"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"
)

// number is the shortest form that reads back as the same number.
func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// WriteCSV writes jobs with the header that ReadCSV expects. The column of
// classes is left out when no job has one. Jobs come back as they were.
func WriteCSV(w io.Writer, jobs []Job) error {
	labelled := slices.ContainsFunc(jobs, func(j Job) bool { return j.Class != "" })
	out := bufio.NewWriter(w)
	out.WriteString("arrival,servers,service")
	if labelled {
		out.WriteString(",class")
	}
	out.WriteByte('\n')
	for _, j := range jobs {
		out.WriteString(number(j.Arrival) + "," + strconv.Itoa(j.Need) + "," + number(j.Service))
		if labelled {
			if strings.ContainsAny(j.Class, "\r\n") {
				return fmt.Errorf("writing CSV: the class %q has a line break; rename it", j.Class)
			}
			out.WriteString("," + quoted(j.Class))
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

// WriteSWF writes jobs in the Standard Workload Format: submit time, run time
// and processors, both allocated and requested, all else -1 but status 1. The
// classes become queues, numbered from 1 and named in the header; SWF{Class:
// 15} reads them back. Times are written in full although most logs have whole
// seconds; the format permits it. servers is for the header, 0 if unknown.
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
		fmt.Fprintf(out, "%d %s -1 %s %s -1 -1 %s -1 -1 1 -1 -1 -1 %d -1 -1 -1\n",
			no, number(j.Arrival), number(j.Service), need, need, q)
	}
	return out.Flush()
}
