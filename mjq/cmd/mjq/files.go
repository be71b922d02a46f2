package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/mjqueue/mjq/internal/files"
)

// open opens a file to read. The name - stands for standard input, unless that is nil.
func open(file string, stdin io.Reader) (io.ReadCloser, error) {
	if file == "-" && stdin != nil {
		return io.NopCloser(stdin), nil
	}
	f, err := os.Open(file)
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return f, nil
}

// mostInput is the largest file that is taken for a model or for an answer: five hundred times
// as much as is usual for a thousand classes.
const mostInput = 256 << 20

// readInput reads a whole file, uncompressed if its name ends in .gz. fit says whether it can be one by its name.
func readInput(file string, stdin io.Reader, fit func(file string) error) ([]byte, error) {
	f, err := open(file, stdin)
	if err != nil {
		return nil, err
	}
	if err := fit(file); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if of, is := f.(*os.File); is {
		if info, err := of.Stat(); err == nil && info.Size() > mostInput {
			return nil, errors.Join(fmt.Errorf("%s: %d MB; at most %d MB are read", file, info.Size()>>20, mostInput>>20), f.Close())
		}
	}
	in := io.Reader(f)
	if strings.HasSuffix(file, ".gz") {
		if in, err = gzip.NewReader(f); err != nil {
			return nil, errors.Join(fmt.Errorf("%s: %w", file, err), f.Close())
		}
	}
	text, err := files.ReadAll(in, mostInput)
	if err := errors.Join(err, f.Close()); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if bytes.HasPrefix(text, []byte("\xff\xfe")) || bytes.HasPrefix(text, []byte("\xfe\xff")) {
		return nil, fmt.Errorf("%s: begins with a byte order mark of UTF-16; save it as UTF-8", file)
	}
	return bytes.TrimPrefix(text, []byte("\ufeff")), nil // a byte order mark says nothing of UTF-8
}

// anyName is a fit of all names.
func anyName(string) error { return nil }
