package trace

import (
	"bytes"
	"math"
	"slices"

	"github.com/mjqueue/mjq/mjq/trace/internal/slurm"
)

// job reads a line that is no header.
func (in *sacctReader) job(no int) {
	c := &in.columns
	raw, id := cell(in.cells, c.idRaw), cell(in.cells, c.id)
	switch {
	case bytes.IndexByte(raw, '.') >= 0 || bytes.IndexByte(id, '.') >= 0 && bytes.IndexByte(id, '[') < 0:
		in.skip(ofStep, no)
		return
	case !in.sieve.passes(in.cells):
		in.skip(filtered, no)
		return
	}
	at, ok := in.times(no)
	if !ok {
		return
	}
	state, known := slurm.StateOf(in.cells[c.state])
	switch {
	case state.Phase == slurm.Elsewhere:
		in.skip(ranElsewhere, no)
	case !at.known[submitted] && !at.known[madeEligible]:
		in.skip(noArrival, no)
	case state.Phase == slurm.Waiting:
		in.leaves(no, at, true)
	case !at.known[started] && state.Name == "REQUEUED":
		in.skip(putBack, no)
	case !at.known[started]:
		in.leaves(no, at, false)
	default:
		in.ran(no, at, state, known)
	}
}

// leaves notes a job that has not started: it left, or waits still.
func (in *sacctReader) leaves(no int, at times, waits bool) {
	reason := leftBefore
	if waits {
		reason = waitsStill
	}
	ids, ok := in.tasks(no)
	if !ok || !in.resources(no, in.columns.requested, -1) {
		return
	}
	if len(cell(in.cells, in.columns.requested)) > 0 && slices.Max(in.amounts) == 0 {
		in.skip(in.needless(), no)
		return
	}
	if waits && len(ids) > 1 {
		reason = notBegun
	}
	d := departed{Departure: Departure{Waiting: waits || !at.known[ended], Need: in.amounts[0], Line: no}, user: in.users.of(cell(in.cells, in.columns.user)),
		submit: at.submit, arrival: in.arrival(no, at, at.end, at.known[ended]), until: at.end, reason: reason, raw: in.isRaw()}
	if !at.known[submitted] {
		d.submit = d.arrival
	}
	d.id.cluster = in.clusters.of(cell(in.cells, in.columns.cluster))
	d.Class, d.User = in.classes.list[in.class()], in.users.list[d.user]
	if len(in.options.Types) > 0 {
		d.Units = in.units[in.vector()]
	}
	for _, d.id.number = range ids {
		in.left = append(in.left, d)
	}
}

// ran notes a job that has started.
func (in *sacctReader) ran(no int, at times, state slurm.State, stateKnown bool) {
	still := state.Phase == slurm.Running
	r := sacctRun{arrival: in.arrival(no, at, at.start, true), line: int32(no), id: in.identity(), state: stateOf(state)}
	r.wait = seconds(float64(at.start - r.arrival))
	var ok bool
	if r.service, ok = in.elapsed(no, at, still); !ok {
		r.state, r.labels = gone, in.labelled() // a line in which it waits is known better
		in.runs.push(r)
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
	in.remark(no, at, r, limit, limited, stateKnown)
	if limited {
		r.estimate = seconds(limit)
	}
	r.need, r.labels, r.nodes = int32(in.amounts[0]), in.labelled(), in.onNodes()
	if in.shared[r.labels].cluster != 0 {
		in.adjust(otherCluster, no)
	}
	if leader, offset, ok := bytes.Cut(cell(in.cells, in.columns.id), []byte{'+'}); ok {
		in.parts = append(in.parts, component{identity(leader), identity(offset), in.runs.n})
	}
	if state.Name == "NODE_FAIL" {
		in.failed = append(in.failed, in.runs.n)
	}
	in.runs.push(r)
}

// stateOf is what a state says of a run.
func stateOf(s slurm.State) outcomeOf {
	switch s.Name {
	case "REQUEUED", "PREEMPTED", "NODE_FAIL", "BOOT_FAIL", "LAUNCH_FAILED", "SPECIAL_EXIT":
		return stops
	}
	if s.Phase == slurm.Running {
		return runs
	}
	return done
}

// remark counts what a reader of the report should know of a job.
func (in *sacctReader) remark(no int, at times, r sacctRun, limit float64, limited, stateKnown bool) {
	for _, x := range [...]struct {
		is     bool
		reason string
	}{
		{!limited, noLimit}, {limited && r.service > limit, shortLimit}, {!stateKnown, stateUnknown},
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

// The reasons for which a line of sacct is no job, and those for which a choice was made.
const (
	ofStep         = "step: a part of a job that has its own line"
	notBegun       = "array tasks that have not begun"
	waitsStill     = "waits still"
	someTasks      = "more tasks of an array than the line names; SLURM_BITSTR_LEN=0 names all"
	otherCluster   = "of another cluster than the first line; choose one with Only"
	aboveHeader    = "a line of sacct above the header: "
	noHeader       = "no header: the columns are those of SacctCommand"
	cutName        = "a name that plain sacct has cut; sacct -P writes it in full"
	roundedNodes   = "NNodes is rounded, as 1K, and not known: run sacct with --noconvert"
	filtersNothing = "the filters leave out nothing"
	runsStill      = "runs still"
	leftBefore     = "left before it started"
	putBack        = "requeued before it started: its next run has a line"
	ranElsewhere   = "ran on another cluster"
	tooShort       = "ran for less than half a second"
	noEnd          = "ended, but its End or its Elapsed is not known"
	noArrival      = "neither Submit nor Eligible is known"
	holdsNone      = "holds none of "
	filtered       = "left out by Only or Without"
	beforeWindow   = "arrived before Since"
	afterWindow    = "arrived at Until or later"
	sameRun        = "the same run as in an earlier line"
	earlierRun     = "an earlier run of a job that was requeued"
	shortLimit     = "ran longer than its time limit"
	noLimit        = "no time limit"
	lateEligible   = "eligible later than submitted"
	oddEligible    = "Eligible is before Submit or after Start: arrived at Submit"
	laterRun       = "a later run of a job that was requeued"
	wasSuspended   = "End - Start is not Elapsed: suspended in between"
	otherClock     = "End - Start and Elapsed differ by an hour exactly: suspended, or the clock changed; sacct with TZ=UTC tells which"
	twiceTold      = "a time that the change of the clock gives twice: the earlier"
	joinedHet      = "component of a heterogeneous job, joined to its first"
	joinedRun      = "a later run of a job that was requeued, joined to its first"
	apartHet       = "component of a heterogeneous job that started without the others: a job of its own"
	asRequested    = "AllocTRES is empty: resources from ReqTRES"
	asSlices       = "parts of GPUs (MIG) counted as one GPU each"
	stateUnknown   = "a state that is not known, of a job that ran"
	soFar          = "runs still: the time so far"
	elapsedFrom    = "Elapsed is not known: End - Start"
	lengthReplace  = "ran for less than half a second: the time given by ZeroRunTime"
)
