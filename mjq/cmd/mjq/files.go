package main

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// open opens a file to read, uncompressed if its name ends in .gz. The name - stands for
// standard input.
func open(file string, stdin io.Reader) (io.ReadCloser, error) {
	if file == "-" && stdin != nil {
		return io.NopCloser(stdin), nil
	}
	f, err := os.Open(file)
	var path *fs.PathError
	if errors.As(err, &path) {
		return nil, fmt.Errorf("%s: %w", file, path.Err)
	}
	if err != nil || !strings.HasSuffix(file, ".gz") {
		return f, err
	}
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", file, err), f.Close())
	}
	return unzipped{z, f}, nil
}

// unzipped closes the file beneath the decompressor too.
type unzipped struct {
	*gzip.Reader
	file *os.File
}

// Close closes both.
func (u unzipped) Close() error { return errors.Join(u.Reader.Close(), u.file.Close()) }

// readInput reads a whole file.
func readInput(file string, stdin io.Reader) ([]byte, error) {
	f, err := open(file, stdin)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(f)
	if err := errors.Join(err, f.Close()); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return text, nil
}

// writeFile writes a file as a whole or not at all; a device as it comes.
func writeFile(file string, data []byte) (err error) {
	if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() {
		return os.WriteFile(file, data, 0o644)
	}
	f, err := os.CreateTemp(filepath.Dir(file), ".mjq-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name()) // there is nothing better to do with it
		}
	}()
	_, err = f.Write(data)
	if err := errors.Join(err, f.Chmod(0o644), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), file)
}
