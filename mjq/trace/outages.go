package trace

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/trace/internal/slurm"
)

// EventCommand is a command whose output ReadOutages reads, of the first quarter of a year.
const EventCommand = "TZ=UTC sacctmgr show event -P start=2026-01-01 end=2026-04-01 format=NodeName,TimeStart,TimeEnd,State,Reason"

// Outage is a time in which a node could not run jobs.
type Outage struct {
	Node     string
	From, To time.Time // To is the zero value of one that has not ended
	Drained  bool      // jobs that ran on the node went on to their ends
	Reason   string    // as the operator or Slurm gave it, "" if there is none
	Line     int       // in the file, from 1
}

// Outages are those of the nodes of a cluster. Failures turns them into failures of a replay.
type Outages struct {
	List   []Outage
	Report Report // of the lines; Jobs is the number of outages
}

// The reasons for which a line of events is no outage.
const (
	ofCluster    = "of a cluster, and not of a node"
	runsJobs     = "a state in which the node runs jobs or sleeps"
	otherMachine = "of another cluster than the first line"
	endsBefore   = "its end is not after its start"
)

// mostHosts is how many nodes a line may name.
const mostHosts = 1 << 16

// ReadOutages reads when nodes were down, drained or in maintenance: the output of EventCommand, whose columns are
// found by name, or of sinfo -R, which has the nodes that are out now and since when. Times without an offset are
// those of the location; nil is UTC. The report accounts for every line. A malformed line is left out, and the error
// names the first ten; the outages of the other lines are returned with it.
func ReadOutages(name string, r io.Reader, where *time.Location) (*Outages, error) {
	in := &outageReader{ledger: ledger{Report{File: name}}, clock: slurm.NewClock(where), bad: check.Faults{Most: mostProblems}, zone: cmp.Or(where, time.UTC)}
	never := func([]byte) bool { return false }
	if err := newLines(r).rows(&in.report, never, in.row); err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	if !in.begun {
		return nil, fmt.Errorf("reading %s: the file has no header; write it with\n  %s", name, EventCommand)
	}
	in.report.Jobs = len(in.list)
	return &Outages{in.list, in.report}, in.bad.Err("reading " + name)
}

// outageReader is one pass over a file.
type outageReader struct {
	ledger
	list                                   []Outage
	bad                                    check.Faults
	clock                                  *slurm.Clock
	zone                                   *time.Location
	begun, events                          bool
	width                                  int
	node, from, to, state, reason, cluster int
	first                                  string // cluster
}

// row reads a line.
func (in *outageReader) row(text []byte, no int, long bool) error {
	switch {
	case long:
		in.malformed(no, tooLong, fmt.Sprintf("the line has more than %d bytes", longest))
	case !in.begun:
		in.begun = true
		return in.header(text, no)
	case in.events:
		in.event(bytes.Split(text, []byte{'|'}), no)
	default:
		in.reasons(text, no)
	}
	return nil
}

// header finds the columns. A first line that is already one of sinfo -R, without a header, is read.
func (in *outageReader) header(text []byte, no int) error {
	cells := bytes.Split(text, []byte{'|'})
	at := func(names ...string) int { return columnNamed(cells, names...) }
	in.node, in.from, in.to = at("NodeName"), at("TimeStart", "Start"), at("TimeEnd", "End")
	in.state, in.reason, in.cluster, in.width = at("State"), at("Reason"), at("Cluster"), len(cells)
	in.events = in.node >= 0
	switch {
	case in.events && (in.from < 0 || in.to < 0 || in.state < 0):
		return fmt.Errorf("the header %.200q needs the columns NodeName, TimeStart, TimeEnd and State; write it with\n  %s", text, EventCommand)
	case in.events || strings.Contains(strings.ToUpper(string(text)), "TIMESTAMP"):
		in.report.Comments++
		return nil
	}
	if _, _, _, ok := slurm.Drained(text); !ok {
		return fmt.Errorf("line %d: %.80q is no line of sinfo -R, and no header of sacctmgr show event; write it with\n  %s", no, text, EventCommand)
	}
	in.reasons(text, no)
	return nil
}

// event reads a line of sacctmgr show event.
func (in *outageReader) event(cells [][]byte, no int) {
	if more := len(cells) - in.width; more > 0 && in.reason >= 0 { // a reason may hold bars
		last := in.reason + more + 1
		cells = slices.Concat(cells[:in.reason], [][]byte{bytes.Join(cells[in.reason:last], []byte{'|'})}, cells[last:])
	}
	if len(cells) != in.width {
		in.malformed(no, columnsDiffer, fmt.Sprintf("%d columns; the header has %d", len(cells), in.width))
		return
	}
	cluster := string(cell(cells, in.cluster))
	if in.first == "" {
		in.first = cluster
	}
	out, drained := slurm.Out(string(bytes.TrimSpace(cells[in.state])))
	switch {
	case len(bytes.TrimSpace(cells[in.node])) == 0:
		in.skip(ofCluster, no)
	case cluster != in.first:
		in.skip(otherMachine, no)
	case !out:
		in.skip(runsJobs, no)
	default:
		in.add(cells[in.node], cells[in.from], cells[in.to], cell(cells, in.reason), drained, no)
	}
}

// reasons reads a line of sinfo -R.
func (in *outageReader) reasons(text []byte, no int) {
	reason, at, nodes, ok := slurm.Drained(text)
	if !ok {
		in.malformed(no, noTime, fmt.Sprintf("%.80q has no time and list of nodes; expected the columns REASON, USER, TIMESTAMP and NODELIST", text))
		return
	}
	in.add(nodes, at, nil, reason, true, no)
}

// add adds the outages of the nodes of a line.
func (in *outageReader) add(nodes, from, to, reason []byte, drained bool, no int) {
	start, known, twice, err := in.clock.Read(bytes.TrimSpace(from))
	end, ended, twiceToo, wrong := in.clock.Read(bytes.TrimSpace(to))
	if err = errors.Join(err, wrong); err == nil && !known {
		err = fmt.Errorf("%.40q is no time; an outage needs its start", from)
	}
	if err != nil {
		in.malformed(no, noTime, err.Error())
		return
	}
	names, err := slurm.Hosts(bytes.TrimSpace(nodes), mostHosts)
	if err != nil {
		in.malformed(no, noNodes, err.Error())
		return
	}
	if ended && end <= start {
		in.skip(endsBefore, no)
		return
	}
	if twice || twiceToo {
		in.adjust(twiceTold, no)
	}
	for _, name := range names {
		o := Outage{Node: name, From: time.Unix(start, 0).In(in.zone), Drained: drained, Reason: utf8Of(bytes.TrimSpace(reason)), Line: no}
		if ended {
			o.To = time.Unix(end, 0).In(in.zone)
		}
		in.list = append(in.list, o)
	}
}

// noNodes is a kind of malformed lines.
const noNodes = "a list of nodes that cannot be read"

// malformed notes a line that cannot be understood.
func (in *outageReader) malformed(line int, kind, detail string) {
	in.report.Malformed++
	in.report.Faulty = tick(in.report.Faulty, kind, line)
	in.bad.Join(&LineError{in.report.File, line, detail})
}
