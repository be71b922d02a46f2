package slurm

import (
	"bytes"
	"fmt"
	"strconv"
)

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
