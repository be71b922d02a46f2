package slurm

import (
	"bytes"
	"time"
)

// Clock reads points in time that sacct has written in one time zone.
type Clock struct {
	zone     *time.Location
	offset   int64 // of the zone from UTC, in seconds
	from, to int64 // Unix seconds between which the offset holds, a day from its changes
}

// NewClock is a clock of a time zone; nil is UTC.
func NewClock(zone *time.Location) *Clock {
	if zone == nil {
		zone = time.UTC
	}
	return &Clock{zone: zone, from: 1, to: 0}
}

// day is its length in seconds.
const day = 24 * 60 * 60

// Read returns Unix seconds. The forms are YYYY-MM-DDTHH:MM:SS, with an
// offset from UTC or without, and, from SLURM_TIME_FORMAT=%s, digits alone. Known is false for Unknown, None, N/A and an empty cell.
// A time that a change of the clock gives twice is the earlier of both, and ambiguous.
func (c *Clock) Read(text []byte) (at int64, known, ambiguous bool, err error) {
	if unknown(text) {
		return 0, false, false, nil
	}
	if at, ok := whole(text); ok {
		return at, true, false, nil
	}
	text, offset, fixed := cutOffset(text)
	wall, ok := wallClock(text)
	if !ok {
		return 0, false, false, wrong("time", text, "run sacct with SLURM_TIME_FORMAT=standard")
	}
	if fixed {
		return wall - offset, true, false, nil
	}
	if c.zone == time.UTC {
		return wall, true, false, nil
	}
	if at = wall - c.offset; at < c.from || at >= c.to {
		at, ambiguous = c.convert(wall)
	}
	return at, true, ambiguous, nil
}

// cutOffset takes an offset from UTC off a time: Z, +01:00 or +0100.
func cutOffset(text []byte) (rest []byte, seconds int64, known bool) {
	const length = len("0000-00-00T00:00:00")
	if len(text) <= length {
		return text, 0, false
	}
	tail := text[length:]
	if string(tail) == "Z" {
		return text[:length], 0, true
	}
	digits := make([]byte, 0, 4)
	for i, c := range tail[1:] {
		if c != ':' || i != 2 {
			digits = append(digits, c)
		}
	}
	n, ok := whole(digits)
	if !ok || len(digits) != 4 || tail[0] != '+' && tail[0] != '-' || n%100 > 59 || n > 1500 {
		return text, 0, false
	}
	if seconds = n/100*3600 + n%100*60; tail[0] == '-' {
		seconds = -seconds
	}
	return text[:length], seconds, true
}

// convert finds the time at which the clocks of the zone show a wall time, given as if it
// were UTC.
func (c *Clock) convert(wall int64) (at int64, ambiguous bool) {
	w := time.Unix(wall, 0).UTC()
	t := time.Date(w.Year(), w.Month(), w.Day(), w.Hour(), w.Minute(), w.Second(), 0, c.zone)
	_, offset := t.Zone()
	start, end := t.ZoneBounds()
	if before := start.Add(-time.Second); !start.IsZero() {
		_, earlier := before.Zone()
		if at := wall - int64(earlier); at < start.Unix() && earlier > offset {
			return at, true // the clocks showed it before they were put back, too
		}
	}
	if !end.IsZero() {
		_, later := end.Zone()
		ambiguous = wall-int64(later) >= end.Unix() && later < offset
	}
	c.offset, c.from, c.to = int64(offset), start.Unix()+day, end.Unix()-day
	if start.IsZero() {
		c.from = -1 << 62
	}
	if end.IsZero() {
		c.to = 1 << 62
	}
	return t.Unix(), ambiguous
}

// wallClock reads YYYY-MM-DDTHH:MM:SS as Unix seconds in UTC.
func wallClock(text []byte) (seconds int64, ok bool) {
	const form = "0000-00-00T00:00:00"
	if len(text) != len(form) {
		return 0, false
	}
	for i := range form {
		switch c := text[i]; {
		case form[i] != '0' && c != form[i], form[i] == '0' && (c < '0' || c > '9'):
			return 0, false
		}
	}
	two := func(i int) int64 { return int64(text[i]-'0')*10 + int64(text[i+1]-'0') }
	year, month, date := two(0)*100+two(2), two(5), two(8)
	hour, minute, second := two(11), two(14), two(17)
	if year < 1970 || month < 1 || month > 12 || date < 1 || hour > 23 || minute > 59 || second > 59 {
		return 0, false
	}
	t := time.Date(int(year), time.Month(month), int(date), int(hour), int(minute), int(second), 0, time.UTC)
	return t.Unix(), t.Day() == int(date)
}

// forms are those of a length of time, in messages.
const forms = "expected D-HH:MM:SS, HH:MM:SS, MM:SS, or with days D-HH or D-HH:MM"

// Length reads a length of time in seconds: [D-]HH:MM:SS, MM:SS, each with a fraction or
// without, D-HH or D-HH:MM. An empty cell is not known.
func Length(text []byte) (seconds float64, known bool, err error) {
	if unknown(text) {
		return 0, false, nil
	}
	days, rest, dated := bytes.Cut(text, []byte{'-'})
	if !dated {
		days, rest = nil, text
	}
	var parts [3][]byte
	n := 0
	for more := true; more; n++ {
		if n == len(parts) {
			return 0, false, wrong("length of time", text, forms)
		}
		parts[n], rest, more = bytes.Cut(rest, []byte{':'})
	}
	unit := 1. // of the last part
	switch {
	case dated:
		unit = [...]float64{3600, 60, 1}[n-1]
	case n == 1:
		return 0, false, wrong("length of time", text, forms)
	}
	for i, scale := n-1, unit; i >= 0; i, scale = i-1, scale*60 {
		x, ok := decimal(parts[i])
		if fraction := bytes.IndexByte(parts[i], '.') >= 0; !ok || fraction && scale != 1 || scale < 3600 && x >= 60 {
			return 0, false, wrong("length of time", text, forms)
		}
		seconds += scale * x
	}
	if dated {
		d, ok := whole(days)
		if !ok {
			return 0, false, wrong("length of time", text, forms)
		}
		seconds += float64(day * d)
	}
	return seconds, true, nil
}

// Limit reads a time limit in seconds. UNLIMITED, Partition_Limit, INVALID and an empty cell
// are not known.
func Limit(text []byte) (seconds float64, known bool, err error) {
	switch string(text) {
	case "UNLIMITED", "Partition_Limit", "INVALID":
		return 0, false, nil
	}
	return Length(text)
}

// RawLimit reads a time limit in minutes, as TimelimitRaw has it. The two largest numbers of
// 32 bits stand for none.
func RawLimit(text []byte) (seconds float64, known bool, err error) {
	minutes, ok := whole(text)
	switch {
	case !ok:
		return Limit(text)
	case minutes >= 1<<32-2:
		return 0, false, nil
	}
	return float64(60 * minutes), true, nil
}

// Raw reads a length of time in seconds, as ElapsedRaw has it.
func Raw(text []byte) (seconds float64, known bool, err error) {
	if unknown(text) {
		return 0, false, nil
	}
	x, ok := decimal(text)
	if !ok {
		return 0, false, wrong("number of seconds", text, "expected digits alone")
	}
	return x, true, nil
}
