package files

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// ErrTooLarge is in the error of what has more bytes than may be read.
var ErrTooLarge = errors.New("too large")

// ReadAll reads to the end, unless that is more than most bytes away. It takes no more memory
// than twice that, whatever the reader would give.
func ReadAll(from io.Reader, most int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(from, most+1))
	if err == nil && int64(len(data)) > most {
		return nil, fmt.Errorf("%w: more than %d MB", ErrTooLarge, most>>20)
	}
	return data, err
}

// ReadRegular reads a regular file of at most so many bytes. Anything else under its name is an
// error at once: a pipe would keep the reader waiting.
func ReadRegular(file string, most int64) ([]byte, error) {
	info, err := os.Stat(file)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, &fs.PathError{Op: "read", Path: file, Err: errors.New("not a regular file")}
	case info.Size() > most:
		return nil, &fs.PathError{Op: "read", Path: file, Err: ErrTooLarge}
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	data, err := ReadAll(f, most)
	return data, errors.Join(err, f.Close())
}
