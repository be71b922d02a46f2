package trace

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/mjqueue/mjq/mjq/trace/internal/slurm"
)

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
		in.skip(in.needless(), no)
		return false
	}
	return true
}

// needless is the reason of a line that needs none of what counts.
func (in *sacctReader) needless() string { return holdsNone + in.keys[0] + others(len(in.keys)-1) }

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
	l := labels{class: in.class(), user: in.users.of(cell(in.cells, in.columns.user)), account: in.accounts.of(cell(in.cells, in.columns.account)), cluster: in.clusters.of(cell(in.cells, in.columns.cluster)), raw: in.isRaw()}
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
			if k == ended {
				in.ended = min(in.ended, t)
			}
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

// seconds are whole ones, between 0 and what fits.
func seconds(x float64) uint32 { return uint32(min(max(0, math.Round(x)), math.MaxUint32)) }
