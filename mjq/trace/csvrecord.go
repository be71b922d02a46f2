package trace

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/mjqueue/mjq/mjq/result"
)

// The reasons for which a line of CSV is no job, and for which a choice was made.
const (
	noServers      = "needs no server"
	neverRan       = "its start or its end is not known"
	endsEarly      = "it ends before it starts, or starts before it arrives"
	otherService   = "the service time is End - Start, and its column says something else"
	unknownArrival = "its arrival is not known"
)

// record reads a job; false when the caller has had enough.
func (in *csvReader) record(no int, yield func(Job, error) bool) bool {
	if len(in.cells) != in.width {
		return in.malformed(yield, no, "%d columns; the first line has %d", len(in.cells), in.width)
	}
	if !in.sieve.passes(in.cells) {
		in.skip(filtered, no)
		return true
	}
	j := Job{Line: no}
	reason, err := in.fill(&j)
	switch {
	case err != nil:
		return in.malformed(yield, no, "%v", err)
	case reason != "":
		in.skip(reason, no)
		return true
	}
	j.Class, j.User, j.Account = in.label(classColumn), in.label(userColumn), in.label(accountColumn)
	if in.number = 0; len(in.cell(idColumn)) > 0 {
		in.number = identity(in.cell(idColumn))
	}
	return in.job(yield, j)
}

// fill reads what a job is; the reason is that for which it is none.
func (in *csvReader) fill(j *Job) (reason string, err error) {
	var known bool
	if j.Arrival, known, err = in.instant(0); err != nil || !known {
		return unknownArrival, err
	}
	if none, err := in.need(j); err != nil {
		return "", err
	} else if none {
		return noServers, nil
	}
	for k, to := range [...]*float64{&j.Estimate, &j.Waited} {
		if len(in.cell(estimateColumn+k)) == 0 {
			continue
		}
		if *to, err = in.real(estimateColumn+k, ", or leave the cell empty"); err != nil {
			return "", err
		}
	}
	j.WaitKnown = len(in.cell(waitColumn)) > 0
	if len(in.cell(nodesColumn)) > 0 {
		x, err := in.real(nodesColumn, ", or leave the cell empty")
		if err != nil || x != math.Trunc(x) || x > math.MaxInt32 {
			return "", errors.Join(err, fmt.Errorf("the number of nodes is %q; give a whole number, or leave the cell empty", in.cell(nodesColumn)))
		}
		j.Nodes = int(x)
	}
	if in.at[endColumn] < 0 {
		j.Service, err = in.real(serviceColumn, "")
		return "", err
	}
	return in.span(j)
}

// span reads the service time and the wait from the times of start and end.
func (in *csvReader) span(j *Job) (reason string, err error) {
	start, begun, err := in.instant(startColumn)
	if err != nil {
		return "", err
	}
	end, done, err := in.instant(endColumn)
	switch {
	case err != nil:
		return "", err
	case !begun || !done:
		return neverRan, nil
	case end < start || start < j.Arrival:
		return endsEarly, nil
	}
	j.Service = end - start
	if len(in.cell(serviceColumn)) > 0 {
		if x, err := in.real(serviceColumn, ""); err != nil {
			return "", err
		} else if math.Abs(x-j.Service) > 1 {
			in.adjust(otherService, j.Line)
		}
	}
	if !j.WaitKnown {
		j.Waited, j.WaitKnown = start-j.Arrival, true
	}
	return "", nil
}

// real reads a column that holds no time of day.
func (in *csvReader) real(column int, or string) (float64, error) {
	text := in.cell(column)
	x, err := strconv.ParseFloat(string(text), 64)
	if err != nil || !(x >= 0) || math.IsInf(x, 1) {
		return 0, fmt.Errorf("the %s is %.40q; give a finite number, not negative%s", csvFields[column].holds, text, or)
	}
	return x, nil
}

// instant reads a point in time. It may be unknown where a job has a start and an end, or where
// times are not numbers.
func (in *csvReader) instant(column int) (at float64, known bool, err error) {
	text := in.cell(column)
	if in.options.Times != Numbers || in.at[endColumn] >= 0 {
		switch string(text) {
		case "", "None", "null", "NULL", "NaN", "nan", "Unknown", "N/A":
			return 0, false, nil
		}
	}
	if in.options.Times == Numbers && in.report.Jobs == 0 && column == 0 {
		if _, err := strconv.ParseFloat(string(text), 64); err != nil {
			if _, err := in.options.stamp(string(text)); err == nil {
				in.options.Times, in.zone, in.unit = Timestamps, cmp.Or(in.options.Location, time.UTC), result.Seconds
			}
		}
	}
	if in.options.Times == Numbers {
		at, err = in.real(column, "")
		return at, true, err
	}
	t, err := in.options.parse(string(text))
	if err != nil {
		return 0, false, fmt.Errorf("the %s is %.40q; expected %s", csvFields[column].holds, text, in.options.Times)
	}
	return float64(t.UnixMicro()) / 1e6, true, nil
}

// stamps are the forms of Timestamps.
var stamps = []string{"2006-01-02 15:04:05", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05Z0700", "2006-01-02 15:04:05 Z0700"}

// stamp reads a time as Timestamps are written.
func (o CSV) stamp(text string) (time.Time, error) {
	o.Times = Timestamps
	return o.parse(text)
}

// parse reads a time.
func (o *CSV) parse(text string) (t time.Time, err error) {
	zone := o.Location
	if zone == nil {
		zone = time.UTC
	}
	if o.Times != Timestamps {
		t, err = time.ParseInLocation(o.Times, text, zone)
	} else {
		if len(text) > 10 && text[10] == 'T' {
			text = text[:10] + " " + text[11:]
		}
		for _, form := range stamps {
			if t, err = time.ParseInLocation(form, text, zone); err == nil {
				break
			}
		}
	}
	if err == nil && t.Unix() < 0 {
		err = fmt.Errorf("%v is before 1970", t)
	}
	return t, err
}

// need reads the servers, or the units of the types; none if they are 0 and may be.
func (in *csvReader) need(j *Job) (none bool, err error) {
	if len(in.amounts) > 0 {
		return in.units(j)
	}
	x, err := in.real(serversColumn, "")
	if err != nil {
		return false, err
	}
	if x == 0 && in.options.SkipNone {
		return true, nil
	}
	if x < 1 || x != math.Trunc(x) || x > math.MaxInt32 {
		return false, fmt.Errorf("the number of servers is %v; give a whole number from 1", x)
	}
	j.Need = int(x)
	return false, nil
}

// units reads the units of the types. Jobs that need the same share one list.
func (in *csvReader) units(j *Job) (none bool, err error) {
	in.key = in.key[:0]
	none = true
	for k, at := range in.amounts {
		t := &in.options.Types[k]
		x, err := strconv.ParseFloat(string(in.cells[at]), 64)
		if t.Per > 0 {
			x /= t.Per
		}
		if x = math.Ceil(x); err != nil || !(x >= 0 && x <= math.MaxInt32) {
			return false, fmt.Errorf("the amount of %s is %.40q; give a number from 0", t.Name, in.cells[at])
		}
		none = none && x == 0
		in.key = append(strconv.AppendInt(in.key, int64(x), 10), ' ')
		if k == 0 {
			j.Need = int(x)
		}
	}
	if none && !in.options.SkipNone {
		return false, fmt.Errorf("no unit of %q is needed; give one, or set SkipNone", in.options.typeNames())
	}
	units, known := in.vectors[string(in.key)]
	if !known {
		units = counted(in.key)
		in.vectors[string(in.key)] = units
	}
	j.Units = units
	return none, nil
}

// counted are the numbers of a key.
func counted(key []byte) (list []int) {
	n := 0
	for _, c := range key {
		if c == ' ' {
			list, n = append(list, n), 0
			continue
		}
		n = 10*n + int(c-'0')
	}
	return list
}
