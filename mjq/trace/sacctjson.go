package trace

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// sacctJSON is a job as sacct --json writes it, of Slurm 21.08 on: numbers may be plain, or objects
// that say whether they are set.
type sacctJSON struct {
	Account, Partition, QOS, User, Cluster string
	JobID                                  numberJSON `json:"job_id"`
	Nodes                                  numberJSON `json:"allocation_nodes"`
	State                                  struct{ Current wordsJSON }
	Array                                  struct {
		JobID  numberJSON `json:"job_id"`
		TaskID numberJSON `json:"task_id"`
		Task   string     // of tasks that have not begun: 3-9%2
	}
	Het struct {
		JobID  numberJSON `json:"job_id"`
		Offset numberJSON `json:"job_offset"`
	}
	Time struct {
		Submission, Eligible, Start, End, Elapsed, Limit numberJSON
	}
	Tres        struct{ Allocated, Requested []tresJSON }
	Reservation struct{ Name string }
}

// tresJSON is an amount of a resource.
type tresJSON struct {
	Type, Name string
	Count      numberJSON
}

// numberJSON is a number that may not be known.
type numberJSON struct {
	value    int64
	known    bool
	infinite bool
}

// UnmarshalJSON reads 7, null, or {"set": true, "infinite": false, "number": 7}.
func (n *numberJSON) UnmarshalJSON(text []byte) error {
	*n = numberJSON{}
	if bytes.HasPrefix(text, []byte{'{'}) {
		var of struct {
			Set, Infinite bool
			Number        float64
		}
		if err := json.Unmarshal(text, &of); err != nil {
			return err
		}
		*n = numberJSON{int64(of.Number), of.Set && !of.Infinite, of.Infinite}
		return nil
	}
	var x *float64
	if err := json.Unmarshal(text, &x); err != nil || x == nil {
		return err
	}
	*n = numberJSON{int64(*x), true, false}
	return nil
}

// String is the number, empty if it is not known.
func (n numberJSON) String() string {
	if !n.known {
		return ""
	}
	return strconv.FormatInt(n.value, 10)
}

// wordsJSON is one word or several, of which the first counts.
type wordsJSON string

// UnmarshalJSON reads "COMPLETED" or ["COMPLETED"].
func (w *wordsJSON) UnmarshalJSON(text []byte) error {
	var list []string
	if err := json.Unmarshal(text, (*string)(w)); err == nil {
		return nil
	}
	if err := json.Unmarshal(text, &list); err != nil {
		return err
	}
	if *w = ""; len(list) > 0 {
		*w = wordsJSON(list[0])
	}
	return nil
}

// jsonColumns are those that a job in JSON is turned into.
const jsonColumns = "JobIDRaw|JobID|Cluster|User|Account|Partition|QOS|State|Submit|Eligible|Start|End|ElapsedRaw|TimelimitRaw|ReqTRES|AllocTRES|NNodes|Reservation"

// cells are those of a line with the columns jsonColumns.
func (j *sacctJSON) cells() (cells [][]byte) {
	at := func(n numberJSON) string {
		if n.value == 0 {
			return "Unknown"
		}
		return n.String()
	}
	id := j.JobID.String()
	switch {
	case j.Array.JobID.value > 0 && j.Array.TaskID.known:
		id = j.Array.JobID.String() + "_" + j.Array.TaskID.String()
	case j.Array.JobID.value > 0 && j.Array.Task != "":
		id = j.Array.JobID.String() + "_[" + strings.Trim(j.Array.Task, "[]") + "]"
	case j.Het.JobID.value > 0:
		id = j.Het.JobID.String() + "+" + strconv.FormatInt(j.Het.Offset.value, 10)
	}
	limit := j.Time.Limit.String()
	if j.Time.Limit.infinite {
		limit = "UNLIMITED"
	}
	for _, text := range []string{j.JobID.String(), id, j.Cluster, j.User, j.Account, j.Partition, j.QOS, string(j.State.Current),
		at(j.Time.Submission), at(j.Time.Eligible), at(j.Time.Start), at(j.Time.End), j.Time.Elapsed.String(), limit,
		tresText(j.Tres.Requested), tresText(j.Tres.Allocated), j.Nodes.String(), j.Reservation.Name} {
		cells = append(cells, []byte(text))
	}
	return cells
}

// tresText is a list of resources as a column of sacct has it.
func tresText(list []tresJSON) string {
	var parts []string
	for _, t := range list {
		name, unit := t.Type, ""
		if t.Name != "" {
			name += "/" + t.Name
		}
		if t.Type == "mem" {
			unit = "M"
		}
		if t.Count.known && t.Count.value >= 0 {
			parts = append(parts, name+"="+t.Count.String()+unit)
		}
	}
	return strings.Join(parts, ",")
}

// readJSON reads the output of sacct --json, job by job; a line is a job in the order of the list.
func (in *sacctReader) readJSON(r io.Reader) (err error) {
	d := json.NewDecoder(r)
	if in.columns, err = in.options.columnsOf(bytes.Split([]byte(jsonColumns), []byte{'|'}), &in.sieve); err != nil {
		return err
	}
	found := false
	for depth := 0; ; {
		token, err := d.Token()
		switch {
		case err == io.EOF && found:
			return nil
		case err == io.EOF:
			return errNoJobs
		case err != nil:
			return fmt.Errorf("in the JSON of sacct: %w", err)
		}
		switch token {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		case "jobs":
			if depth != 1 || found {
				continue
			}
			found = true
			if err := in.jobsJSON(d); err != nil {
				return err
			}
		}
	}
}

// jobsJSON reads the list of jobs.
func (in *sacctReader) jobsJSON(d *json.Decoder) error {
	if open, err := d.Token(); err != nil || open != json.Delim('[') {
		return errNoJobs
	}
	for d.More() {
		in.report.Lines++
		var j sacctJSON
		if err := d.Decode(&j); err != nil {
			return fmt.Errorf("job %d of the JSON of sacct: %w", in.report.Lines, err)
		}
		in.cells = j.cells()
		in.job(in.report.Lines)
	}
	_, err := d.Token()
	return err
}
