// Package files writes files as a whole or not at all, and reads them within a limit.
package files

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// errReadOnly is why a file that was made read-only is not written, although its folder would
// take another one in its place.
var errReadOnly = errors.New("the file is read-only; make it writable, or choose another name")

// toDisk waits until what was written is on the disk. Tests watch it.
var toDisk = (*os.File).Sync

// Write writes a file as a whole or not at all: who reads it meanwhile has all of the old
// content or all of the new one, also after a crash. A new file has the permissions that the
// umask leaves; an existing one keeps its own. Write follows a symbolic link and writes the file
// that it names. A device and a pipe get the bytes as they come. A read-only file is an error.
func Write(file string, data []byte) error {
	info, err := os.Stat(file)
	switch {
	case err == nil && !info.Mode().IsRegular():
		return os.WriteFile(file, data, 0o666)
	case err == nil && info.Mode().Perm()&0o222 == 0:
		return &fs.PathError{Op: "write", Path: file, Err: errReadOnly}
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	target, err := behind(file)
	if err != nil {
		return err
	}
	if info != nil { // even root may be unable to
		f, err := os.OpenFile(target, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		if err := f.Close(); err != nil {
			return err
		}
	}
	if err := replace(target, info, data); err != nil {
		var path *fs.PathError
		if errors.As(err, &path) {
			err = path.Err
		}
		return &fs.PathError{Op: "write", Path: file, Err: err}
	}
	return nil
}

// behind is the file to which symbolic links lead; it need not be there.
func behind(file string) (string, error) {
	const most = 40 // links, as Linux has it
	for range most {
		next, err := os.Readlink(file)
		if err != nil {
			return file, nil // no link, or nothing
		}
		if !filepath.IsAbs(next) {
			folder, err := filepath.EvalSymlinks(filepath.Dir(file))
			if err != nil {
				return "", err
			}
			next = filepath.Join(folder, next)
		}
		file = next
	}
	return "", &fs.PathError{Op: "write", Path: file, Err: errors.New("too many symbolic links")}
}

// replace puts a file with the data in place of the one that info is about, if it is not nil.
func replace(target string, info fs.FileInfo, data []byte) (err error) {
	folder, mode := filepath.Dir(target), fs.FileMode(0o666)
	if info != nil {
		mode = info.Mode().Perm()
	}
	f, err := aside(folder, mode)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name()) // there is nothing better to do with it
		}
	}()
	_, err = f.Write(data)
	if info != nil {
		err = errors.Join(err, f.Chmod(mode)) // whatever the umask is
	}
	if err := errors.Join(err, toDisk(f), f.Close()); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), target); err != nil {
		return err
	}
	if d, err := os.Open(folder); err == nil {
		_ = toDisk(d) // not every system can do that
		_ = d.Close()
	}
	return nil
}

// aside makes a file of a new name in a folder, with the permissions that the umask leaves.
func aside(folder string, mode fs.FileMode) (*os.File, error) {
	for {
		name := filepath.Join(folder, fmt.Sprintf(".mjq-%016x", rand.Uint64()))
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}

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
