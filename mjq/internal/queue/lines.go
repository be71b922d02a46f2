package queue

import (
	"encoding/binary"
	"slices"
)

// lines are the lines of known classes that have been met, by number; 0 is the empty one.
type lines struct {
	of     [][]int
	behind []int32 // by line, that without its head; -1 if it is not known yet
	number map[string]int32
}

func newLines() lines {
	return lines{of: [][]int{nil}, behind: []int32{0}, number: map[string]int32{"": 0}}
}

// enter is the number of a line.
func (l *lines) enter(line []int) int32 {
	var key []byte
	for _, k := range line {
		key = binary.AppendUvarint(key, uint64(k))
	}
	n, known := l.number[string(key)]
	if !known {
		n = int32(len(l.of))
		l.number[string(key)] = n
		l.of, l.behind = append(l.of, slices.Clone(line)), append(l.behind, -1)
	}
	return n
}

// given enters a long line with all that can be left of it as its heads start.
func (l *lines) given(line []int) (n int32) {
	for i := range line {
		rest := line[len(line)-1-i:]
		l.of, l.behind = append(l.of, rest), append(l.behind, n)
		n = int32(len(l.of) - 1)
	}
	return n
}

// tail is the number of a line without its head.
func (l *lines) tail(n int32) int32 {
	if l.behind[n] < 0 {
		rest := l.enter(l.of[n][1:])
		l.behind[n] = rest
	}
	return l.behind[n]
}

// without is that without one of its jobs.
func (l *lines) without(n int32, i int) int32 {
	return l.enter(append(slices.Clone(l.of[n][:i]), l.of[n][i+1:]...))
}

// joined is the number of a line with another job at its end.
func (l *lines) joined(n int32, class int) int32 { return l.enter(append(slices.Clip(l.of[n]), class)) }
