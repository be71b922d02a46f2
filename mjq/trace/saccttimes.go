package trace

import (
	"math"

	"github.com/mjqueue/mjq/mjq/trace/internal/slurm"
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
