package slurm

import "bytes"

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
