package slurm

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// Hosts are the names in a list of nodes such as gpu[01-03,07],login1, at most so many.
func Hosts(text []byte, most int) (names []string, err error) {
	for _, part := range outside(string(text)) {
		if part = strings.TrimSpace(part); part == "" {
			return nil, wrong("list of nodes", text, "expected names and ranges, as gpu[01-03,07],cpu1")
		}
		list := []string{""}
		for rest := part; rest != ""; {
			plain, inside, ranged := strings.Cut(rest, "[")
			ranges, after, closed := strings.Cut(inside, "]")
			if strings.ContainsRune(plain, ']') || ranged && !closed {
				return nil, wrong("list of nodes", text, "a bracket is missing")
			}
			ends := []string{""}
			if ranged {
				if ends, err = spanned(ranges, most); err != nil {
					return nil, err
				}
			}
			if len(list)*len(ends)+len(names) > most {
				return nil, fmt.Errorf("%.40q has more than %d nodes", text, most)
			}
			var longer []string
			for _, head := range list {
				for _, end := range ends {
					longer = append(longer, head+plain+end)
				}
			}
			list, rest = longer, after
		}
		names = append(names, list...)
	}
	return names, nil
}

// outside splits at the commas that are in no brackets.
func outside(text string) (parts []string) {
	depth, from := 0, 0
	for i, c := range text {
		switch {
		case c == '[':
			depth++
		case c == ']':
			depth--
		case c == ',' && depth == 0:
			parts, from = append(parts, text[from:i]), i+1
		}
	}
	return append(parts, text[from:])
}

// spanned are the numbers of 01-03,07 with their leading zeros.
func spanned(text string, most int) (list []string, err error) {
	for part := range strings.SplitSeq(text, ",") {
		first, last, ranged := strings.Cut(part, "-")
		if !ranged {
			last = first
		}
		from, err := strconv.Atoi(first)
		to, other := strconv.Atoi(last)
		if err != nil || other != nil || from < 0 || to < from {
			return nil, wrong("range of nodes", []byte(text), "expected numbers and ranges, as 01-03,07")
		}
		if to-from+len(list) >= most {
			return nil, fmt.Errorf("%.40q has more than %d nodes", text, most)
		}
		for n := from; n <= to; n++ {
			list = append(list, fmt.Sprintf("%0*d", len(first), n))
		}
	}
	return list, nil
}

// Out reports whether a node in such a state of sacctmgr show event or sinfo is taken from jobs by a failure, an
// operator or maintenance, and whether jobs that it runs go on, as on a node that is drained.
func Out(state string) (out, drains bool) {
	lower := strings.ToLower(state)
	if strings.Contains(lower, "powered_down") || strings.Contains(lower, "powering") || usable(state) {
		return false, false
	}
	return true, strings.Contains(lower, "drain") && !strings.Contains(lower, "down") && !strings.HasSuffix(state, "*")
}

// Drained is a line of sinfo -R: the reason, the user who gave it, since when, and the nodes. False if it has no time.
func Drained(text []byte) (reason, at, nodes []byte, ok bool) {
	const length = len("0000-00-00T00:00:00")
	if cells := bytes.Split(text, []byte{'|'}); len(cells) >= 4 {
		n := len(cells)
		at = bytes.TrimSpace(cells[n-2])
		_, dated := wallClock(at)
		_, counted := whole(at)
		return bytes.Join(cells[:n-3], []byte{'|'}), at, bytes.TrimSpace(cells[n-1]), dated || counted || unknown(at)
	}
	for i := 1; i+length < len(text); i++ {
		if text[i-1] != ' ' {
			continue
		}
		if _, ok := wallClock(text[i : i+length]); !ok {
			continue
		}
		reason = bytes.TrimSpace(text[:i])
		if k := bytes.LastIndexByte(reason, ' '); k >= 0 {
			reason = bytes.TrimSpace(reason[:k])
		}
		return reason, text[i : i+length], bytes.TrimSpace(text[i+length:]), true
	}
	return nil, nil, nil, false
}

// Tasks reads the tasks of an array that have not begun, behind the opening bracket: 3-9%2],
// 1,5,7-9] or 0-20:4]. Cut is true where sacct shortened the list with dots.
func Tasks(text []byte, most int) (tasks []int, cut bool, err error) {
	text = bytes.TrimSuffix(text, []byte{']'})
	text, _, _ = bytes.Cut(text, []byte{'%'})
	for part := range bytes.SplitSeq(text, []byte{','}) {
		if part = bytes.TrimSpace(part); bytes.HasPrefix(part, []byte("...")) {
			cut = true
			continue
		}
		span, by, stepped := bytes.Cut(part, []byte{':'})
		first, last, ranged := bytes.Cut(span, []byte{'-'})
		if !ranged {
			last = first
		}
		step := 1
		from, err := strconv.Atoi(string(first))
		to, wrong := strconv.Atoi(string(last))
		if stepped && wrong == nil {
			step, wrong = strconv.Atoi(string(by))
		}
		switch {
		case bytes.HasSuffix(part, []byte("...")):
			cut = true
			continue
		case err != nil || wrong != nil || from < 0 || to < from || step < 1:
			return nil, cut, fmt.Errorf("%.40q is no list of tasks; expected numbers and ranges, as 1,3-9", text)
		case (to-from)/step+len(tasks) >= most:
			return nil, cut, fmt.Errorf("more than %d tasks of one array", most)
		}
		for n := from; n <= to; n += step {
			tasks = append(tasks, n)
		}
	}
	return tasks, cut, nil
}
