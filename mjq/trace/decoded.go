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
