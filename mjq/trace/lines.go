package trace

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"
	"golang.org/x/text/encoding/unicode"
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

// errEnough is what a function returns that wants no more rows.
var errEnough = errors.New("enough")

// rows counts all lines, and hands out those that are neither blank nor comments, until a function wants no
// more or fails. Of lines that are too long it has the beginning.
func (l *lines) rows(r *Report, comment func(text []byte) bool, row func(text []byte, no int, long bool) error) error {
	for {
		text, long, err := l.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("after line %d: %w", l.no, err)
		}
		r.Lines++
		text = bytes.TrimRight(text, "\r\n")
		if len(bytes.TrimSpace(text)) == 0 || comment(text) {
			r.Comments++
			continue
		}
		switch err := row(text, l.no, long); {
		case errors.Is(err, errEnough):
			return nil
		case err != nil:
			return err
		}
	}
}

// rows passes the lines of a stream on, and an error of the reader, which is the last.
func (s *Stream) rows(l *lines, yield func(Job, error) bool, comment func(text []byte) bool, line func(text []byte, no int) (more bool)) {
	err := l.rows(&s.report, comment, func(text []byte, no int, long bool) error {
		more := false
		if long {
			more = s.malformed(yield, no, "the line has more than %d bytes", longest)
		} else {
			more = line(text, no)
		}
		if !more {
			return errEnough
		}
		return nil
	})
	if err != nil {
		yield(Job{}, fmt.Errorf("%s: %w", s.report.File, err))
	}
}

// decoded is the text of an input, whatever its name: what gzip, zstd or xz compressed is
// uncompressed, UTF-16 becomes UTF-8, and a byte order mark is left out.
func decoded(r io.Reader) (*bufio.Reader, error) {
	in := bufio.NewReaderSize(r, longest)
	for range 3 { // a compressed file in another, and its encoding
		head, err := in.Peek(6)
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		var inner io.Reader
		switch {
		case bytes.HasPrefix(head, []byte("\x1f\x8b")):
			inner, err = gzip.NewReader(in)
		case bytes.HasPrefix(head, []byte("\x28\xb5\x2f\xfd")):
			var z *zstd.Decoder
			z, err = zstd.NewReader(in, zstd.WithDecoderConcurrency(1))
			inner = z
		case bytes.HasPrefix(head, []byte("\xfd7zXZ\x00")):
			inner, err = xz.NewReader(in)
		case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")):
			in = bufio.NewReaderSize(unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder().Reader(in), longest)
			return in, nil
		case bytes.HasPrefix(head, []byte("\ufeff")):
			_, err = in.Discard(3)
			return in, err
		default:
			return in, nil
		}
		if err != nil {
			return nil, compressed(err)
		}
		in = bufio.NewReaderSize(whole{inner}, longest)
	}
	return nil, errors.New("a compressed file in a compressed one; uncompress it first")
}

// whole says in words that a compressed file is cut off.
type whole struct{ io.Reader }

// Read reads.
func (w whole) Read(p []byte) (int, error) {
	n, err := w.Reader.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = compressed(err)
	}
	return n, err
}

// compressed is the error of a compressed file.
func compressed(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return errors.New("the compressed file is cut off; copy it again")
	}
	return fmt.Errorf("the compressed file cannot be read: %w", err)
}
