package trace

import (
	"bufio"
	"errors"
	"io"
)

// longest is the number of bytes that a line of a log may have. A log has less
// than a tenth of it; what is longer is no log.
const longest = 64 << 10

// lines hands out the lines of a reader without their ends, in a buffer that
// it uses again. The slice is valid until the next call.
type lines struct {
	in    *bufio.Reader
	no    int   // of the line handed out last, from 1
	wrong error // with the input as a whole
}

// newLines are the lines of a text; see decoded.
func newLines(r io.Reader) *lines {
	in, err := decoded(r)
	return &lines{in: in, wrong: err}
}

// next is the next line; long when it had to be cut. The error is io.EOF at
// the end, or that of the reader.
func (l *lines) next() (text []byte, long bool, err error) {
	if l.wrong != nil {
		return nil, false, l.wrong
	}
	text, err = l.in.ReadSlice('\n')
	if len(text) == 0 && err != nil {
		return nil, false, err
	}
	l.no++
	if errors.Is(err, bufio.ErrBufferFull) {
		long = true
		text = text[:80]
		head := string(text)
		for errors.Is(err, bufio.ErrBufferFull) {
			_, err = l.in.ReadSlice('\n')
		}
		text = []byte(head)
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, false, err
	}
	return text, long, nil
}
