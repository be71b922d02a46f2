package trace

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"strconv"

	"github.com/mjqueue/mjq/mjq/internal/slurm"
)

// The reasons for which a line of sacct is no job, and those for which a choice was made.
const (
	ofStep        = "step: a part of a job that has its own line"
	notBegun      = "array tasks that have not begun"
	waitsStill    = "waits still"
	runsStill     = "runs still"
	leftBefore    = "left before it started"
	putBack       = "requeued before it started: its next run has a line"
	ranElsewhere  = "ran on another cluster"
	tooShort      = "ran for less than half a second"
	noEnd         = "ended, but its End or its Elapsed is not known"
	noArrival     = "neither Submit nor Eligible is known"
	holdsNone     = "holds none of "
	filtered      = "left out by Only or Without"
	beforeWindow  = "arrived before Since"
	afterWindow   = "arrived at Until or later"
	sameRun       = "the same run as in an earlier line"
	earlierRun    = "an earlier run of a job that was requeued"
	shortLimit    = "ran longer than its time limit"
	noLimit       = "no time limit"
	lateEligible  = "eligible later than submitted"
	oddEligible   = "Eligible is before Submit or after Start: arrived at Submit"
	laterRun      = "a later run of a job that was requeued"
	wasSuspended  = "End - Start is not Elapsed: suspended in between"
	otherClock    = "End - Start and Elapsed differ by an hour exactly: suspended, or the clock changed; sacct with TZ=UTC tells which"
	twiceTold     = "a time that the change of the clock gives twice: the earlier"
	joinedHet     = "component of a heterogeneous job, joined to its first"
	joinedRun     = "a later run of a job that was requeued, joined to its first"
	apartHet      = "component of a heterogeneous job that started without the others: a job of its own"
	asRequested   = "AllocTRES is empty: resources from ReqTRES"
	asSlices      = "parts of GPUs (MIG) counted as one GPU each"
	stateUnknown  = "a state that is not known, of a job that ran"
	soFar         = "runs still: the time so far"
	elapsedFrom   = "Elapsed is not known: End - Start"
	lengthReplace = "ran for less than half a second: the time given by ZeroRunTime"
)

// times are those of a line, in Unix seconds, and which are known.
type times struct {
	submit, eligible, start, end int64
	known                        [4]bool
}

const (
	submitted = iota
	madeEligible
	started
	ended
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

// times reads the points in time of a line; false if one cannot be read.
func (in *sacctReader) times(no int) (at times, ok bool) {
	c := &in.columns
	for k, column := range [...]int{c.submit, c.eligible, c.start, c.end} {
		if column < 0 {
			continue
		}
		t, known, twice, err := in.clock.Read(in.cells[column])
		if err != nil {
			in.malformed(no, noTime, err.Error())
			return at, false
		}
		if twice {
			in.adjust(twiceTold, no)
		}
		*[...]*int64{&at.submit, &at.eligible, &at.start, &at.end}[k], at.known[k] = t, known
		if known {
			in.latest = max(in.latest, t)
		}
	}
	return at, true
}

// arrival is when a job arrives, by the rule chosen; by is when it started or left.
func (in *sacctReader) arrival(no int, at times, by int64, byKnown bool) int64 {
	switch {
	case !at.known[submitted]:
		return at.eligible
	case in.options.From == Submit || !at.known[madeEligible]:
		return at.submit
	case at.eligible < at.submit || byKnown && at.eligible > by:
		in.adjust(oddEligible, no)
		return at.submit
	}
	return at.eligible
}

// leaves notes a job that has not started: it left, or waits still.
func (in *sacctReader) leaves(no int, at times, waits bool) {
	reason := leftBefore
	if waits {
		reason = waitsStill
	}
	a := in.arrival(no, at, at.end, at.known[ended])
	if in.untilSet && a >= in.until || in.sinceSet && a < in.since {
		reason += ", outside the window"
	} else if ok := in.resources(no, in.columns.requested, -1); !ok {
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
	switch {
	case in.untilSet && r.arrival >= in.until:
		in.skip(afterWindow, no)
		return
	case in.sinceSet && r.arrival < in.since && at.known[ended] && at.end <= in.since:
		in.skip(beforeWindow, no)
		return
	case in.sinceSet && r.arrival < in.since:
		in.skip(beforeWindow, no)
		r.fate = begins
	default:
		in.remark(no, at, r, limit, limited, still, stateKnown)
	}
	if limited {
		r.estimate = seconds(limit)
	}
	r.need, r.labels = int32(in.amounts[0]), in.labelled()
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

// elapsed is the service time of a job that has started; false if it is no job.
func (in *sacctReader) elapsed(no int, at times, still bool) (service float64, ok bool) {
	c := &in.columns
	service, known, err := 0., false, error(nil)
	if c.elapsedRaw >= 0 {
		service, known, err = slurm.Raw(in.cells[c.elapsedRaw])
	}
	if c.elapsed >= 0 && !known && err == nil {
		service, known, err = slurm.Length(in.cells[c.elapsed])
	}
	switch {
	case err != nil:
		in.malformed(no, noLength, err.Error())
		return 0, false
	case !at.known[ended] && !still, !known && !at.known[ended]:
		in.skip(noEnd, no)
		return 0, false
	case !known:
		service = float64(max(0, at.end-at.start))
		in.adjust(elapsedFrom, no)
	}
	if service > 0 {
		return service, true
	}
	if in.options.ZeroRunTime == 0 {
		in.skip(tooShort, no)
		return 0, false
	}
	in.adjust(lengthReplace, no)
	return in.options.ZeroRunTime, true
}

// limit is the time limit.
func (in *sacctReader) limit() (seconds float64, known bool, err error) {
	if c := &in.columns; c.limitRaw >= 0 {
		return slurm.RawLimit(in.cells[c.limitRaw])
	} else if c.limit >= 0 {
		return slurm.Limit(in.cells[c.limit])
	}
	return 0, false, nil
}

// held reads what a job held; false if it is no job.
func (in *sacctReader) held(no int) bool {
	c := &in.columns
	column := c.allocated
	if column < 0 || len(in.cells[column]) == 0 {
		column = -1
		if c.requested >= 0 && len(in.cells[c.requested]) > 0 && c.allocated >= 0 {
			in.adjust(asRequested, no)
			column = c.requested
		}
	}
	if !in.resources(no, column, column) {
		return false
	}
	if slices.Max(in.amounts) == 0 {
		in.skip(holdsNone+in.keys[0]+others(len(in.keys)-1), no)
		return false
	}
	return true
}

// others is what stands for the rest of a list.
func others(n int) string {
	if n == 0 {
		return ""
	}
	return " and " + strconv.Itoa(n) + " more"
}

// resources reads the amounts of a column; false if one cannot be read. Where the column does
// not say, CPUs and nodes have columns of their own.
func (in *sacctReader) resources(no, column, remarked int) bool {
	c := &in.columns
	for k, key := range in.keys {
		a, err := slurm.AmountOf(cell(in.cells, column), key)
		if own := map[string]int{"cpu": c.allocCPUs, "node": c.nNodes}; err == nil && !a.Given && (key == "cpu" || key == "node") && own[key] >= 0 && len(in.cells[own[key]]) > 0 {
			a, err = slurm.AmountOf(append([]byte(key+"="), in.cells[own[key]]...), key)
		}
		if err != nil {
			in.malformed(no, noAmount, err.Error())
			return false
		}
		if a.N > math.MaxInt32 {
			in.malformed(no, numberTooLarge, fmt.Sprintf("%d units of %s are more than %d", a.N, key, math.MaxInt32))
			return false
		}
		if a.Slices && remarked >= 0 {
			in.adjust(asSlices, no)
		}
		in.amounts[k] = a.N
	}
	return true
}

// class numbers the label of the line.
func (in *sacctReader) class() int32 {
	in.label = in.label[:0]
	for i, at := range in.columns.class {
		text := in.cells[at]
		if at == in.columns.state {
			if s, known := slurm.StateOf(text); known {
				text = []byte(s.Name)
			}
		}
		if i > 0 {
			in.label = append(in.label, '+')
		}
		in.label = append(in.label, text...)
	}
	return in.classes.of(in.label)
}

// labelled numbers the labels of the line.
func (in *sacctReader) labelled() int32 {
	l := labels{class: in.class(), user: in.users.of(cell(in.cells, in.columns.user))}
	if len(in.options.Types) > 0 {
		l.units = in.vector()
	}
	return in.share(l)
}

// share numbers labels.
func (in *sacctReader) share(l labels) int32 {
	k, known := in.sharing[l]
	if !known {
		k = int32(len(in.shared))
		in.shared, in.sharing[l] = append(in.shared, l), k
	}
	return k
}

// seconds are whole ones, between 0 and what fits.
func seconds(x float64) uint32 { return uint32(min(max(0, math.Round(x)), math.MaxUint32)) }

// vector numbers the amounts of the line.
func (in *sacctReader) vector() int32 {
	in.label = in.label[:0]
	for _, n := range in.amounts {
		in.label = append(strconv.AppendInt(in.label, int64(n), 10), ' ')
	}
	k := in.vectors.of(in.label)
	if int(k) == len(in.units) {
		in.units = append(in.units, slices.Clone(in.amounts))
	}
	return k
}

// identity is that of the job of the line.
func (in *sacctReader) identity() uint64 {
	if raw := cell(in.cells, in.columns.idRaw); len(raw) > 0 {
		return identity(raw)
	}
	return identity(cell(in.cells, in.columns.id))
}

// identity is the number of a job, of another text its hash.
func identity(text []byte) uint64 {
	if n, err := strconv.ParseUint(string(text), 10, 63); err == nil {
		return n
	}
	h := fnv.New64a()
	_, _ = h.Write(text)
	return h.Sum64() | 1<<63
}
