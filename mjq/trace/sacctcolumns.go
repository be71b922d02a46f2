package trace

import (
	"bytes"
	"fmt"
	"strings"
)

// sacctColumns are the places of the columns that count, -1 for one that is not there.
type sacctColumns struct {
	width                                   int
	idRaw, id, user, cluster, state         int
	submit, eligible, start, end            int
	elapsed, elapsedRaw, limit, limitRaw    int
	allocated, requested, allocCPUs, nNodes int
	account                                 int
	class                                   []int
}

// columnNamed finds the place of the first column of one of these names. sacct writes names in any
// case, and with a width as in State%30.
func columnNamed(header [][]byte, names ...string) int {
	for _, name := range names {
		for i, cell := range header {
			cell, _, _ = bytes.Cut(bytes.TrimSpace(cell), []byte{'%'})
			if strings.EqualFold(string(cell), name) {
				return i
			}
		}
	}
	return -1
}

// columnsOf finds the columns of a header. The error names all that are missing.
func (o *Sacct) columnsOf(header [][]byte, where *sieve) (c sacctColumns, err error) {
	at := func(names ...string) int { return columnNamed(header, names...) }
	c = sacctColumns{width: len(header), idRaw: at("JobIDRaw"), id: at("JobID"), user: at("User"), account: at("Account"), cluster: at("Cluster"), state: at("State"),
		submit: at("Submit"), eligible: at("Eligible"), start: at("Start"), end: at("End"),
		elapsed: at("Elapsed"), elapsedRaw: at("ElapsedRaw"), limit: at("Timelimit"), limitRaw: at("TimelimitRaw"),
		allocated: at("AllocTRES"), requested: at("ReqTRES"), allocCPUs: at("AllocCPUS", "NCPUS"), nNodes: at("NNodes", "AllocNodes")}
	var missing []string
	lacks := func(name string, places ...int) {
		for _, at := range places {
			if at >= 0 {
				return
			}
		}
		missing = append(missing, name)
	}
	lacks("JobIDRaw or JobID", c.idRaw, c.id)
	lacks("State", c.state)
	lacks("Start", c.start)
	lacks("End", c.end)
	lacks("Elapsed", c.elapsed, c.elapsedRaw)
	lacks("Submit or Eligible", c.submit, c.eligible)
	for _, key := range o.resources() {
		switch key {
		case "cpu":
			lacks("AllocTRES or AllocCPUS", c.allocated, c.allocCPUs)
		case "node":
			lacks("AllocTRES or NNodes", c.allocated, c.nNodes)
		default:
			lacks("AllocTRES", c.allocated)
		}
	}
	find := func(name string) int {
		i := at(name)
		lacks(name, i)
		return i
	}
	if o.Class != "" {
		for name := range strings.SplitSeq(o.Class, "+") {
			c.class = append(c.class, find(strings.TrimSpace(name)))
		}
	}
	where.of(find)
	if len(missing) > 0 {
		return c, fmt.Errorf("the header %.200q has no column %s; write the log with\n  %s",
			bytes.Join(header, []byte{'|'}), strings.Join(missing, ", and none "), SacctCommand)
	}
	return c, nil
}

// resources are those that count.
func (o *Sacct) resources() []string {
	if len(o.Types) > 0 {
		return o.Types
	}
	return []string{o.Need}
}

// header reports whether a line is one.
func isSacctHeader(cells [][]byte) bool { return columnNamed(cells, "JobIDRaw", "JobID") >= 0 }

// cell is that of a column, empty where there is none.
func cell(cells [][]byte, at int) []byte {
	if at < 0 {
		return nil
	}
	return cells[at]
}
