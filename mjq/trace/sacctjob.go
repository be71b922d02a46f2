package trace

import (
	"bytes"
	"math"

	"github.com/mjqueue/mjq/mjq/internal/slurm"
)

// job reads a line that is no header.
func (in *sacctReader) job(no int) {
	c := &in.columns
	raw, id := cell(in.cells, c.idRaw), cell(in.cells, c.id)
	switch {
	case bytes.IndexByte(raw, '.') >= 0 || bytes.IndexByte(id, '.') >= 0 && bytes.IndexByte(id, '[') < 0:
		in.skip(ofStep, no)
		return
	case !in.passes():
		in.skip(filtered, no)
		return
	}
	at, ok := in.times(no)
	if !ok {
		return
	}
	state, known := slurm.StateOf(in.cells[c.state])
	switch {
	case bytes.Contains(id, []byte("_[")):
		in.skip(notBegun, no)
	case state.Phase == slurm.Elsewhere:
		in.skip(ranElsewhere, no)
	case !at.known[submitted] && !at.known[madeEligible]:
		in.skip(noArrival, no)
	case state.Phase == slurm.Waiting:
		in.leaves(no, at, true)
	case state.Phase == slurm.Running && !in.options.Running:
		in.skip(runsStill, no)
	case !at.known[started] && state.Name == "REQUEUED":
		in.skip(putBack, no)
	case !at.known[started]:
		in.leaves(no, at, false)
	default:
		in.ran(no, at, state.Phase == slurm.Running, known)
	}
}

// passes reports whether Only and Without let a line through.
func (in *sacctReader) passes() bool {
	for _, w := range in.columns.only {
		if string(in.cells[w.at]) != w.value {
			return false
		}
	}
	for _, w := range in.columns.without {
		if string(in.cells[w.at]) == w.value {
			return false
		}
	}
	return true
}

// leaves notes a job that has not started: it left, or waits still.
func (in *sacctReader) leaves(no int, at times, waits bool) {
	reason := leftBefore
	if waits {
		reason = waitsStill
	}
	a := in.arrival(no, at, at.end, at.known[ended])
	if ok := in.resources(no, in.columns.requested, -1); !ok {
		return
	} else {
		d := departed{Departure: Departure{Waiting: waits || !at.known[ended], Need: in.amounts[0], Line: no}, arrival: a, until: at.end}
		d.Class, d.User = in.classes.list[in.class()], in.users.list[in.users.of(cell(in.cells, in.columns.user))]
		if len(in.options.Types) > 0 {
			d.Units = in.units[in.vector()]
		}
		in.left = append(in.left, d)
	}
	in.skip(reason, no)
}

// ran notes a job that has started.
func (in *sacctReader) ran(no int, at times, still, stateKnown bool) {
	service, ok := in.elapsed(no, at, still)
	if !ok {
		return
	}
	limit, limited, err := in.limit()
	if err != nil {
		in.malformed(no, noLength, err.Error())
		return
	}
	if ok := in.held(no); !ok {
		return
	}
	r := sacctRun{arrival: in.arrival(no, at, at.start, true), line: int32(no), service: service, id: in.identity()}
	r.wait = seconds(float64(at.start - r.arrival))
	in.remark(no, at, r, limit, limited, still, stateKnown)
	if limited {
		r.estimate = seconds(limit)
	}
	r.need, r.labels, r.nodes = int32(in.amounts[0]), in.labelled(), in.onNodes()
	if plus := bytes.IndexByte(cell(in.cells, in.columns.id), '+'); plus >= 0 {
		in.parts = append(in.parts, component{identity(in.cells[in.columns.id][:plus]), in.runs.n})
	}
	in.runs.push(r)
}

// remark counts what a reader of the report should know of a job.
func (in *sacctReader) remark(no int, at times, r sacctRun, limit float64, limited, still, stateKnown bool) {
	for _, x := range [...]struct {
		is     bool
		reason string
	}{
		{!limited, noLimit}, {limited && r.service > limit, shortLimit}, {still, soFar}, {!stateKnown, stateUnknown},
		{at.known[submitted] && at.known[madeEligible] && r.arrival == at.eligible && at.eligible > at.submit, lateEligible},
	} {
		if x.is {
			in.adjust(x.reason, no)
		}
	}
	if !at.known[ended] {
		return
	}
	off := math.Abs(float64(at.end-at.start) - r.service)
	if off > 1 && r.service != in.options.ZeroRunTime {
		in.adjust(wasSuspended, no)
	}
	if off == 3600 {
		in.adjust(otherClock, no)
	}
}
