package cache

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/mjqueue/mjq/internal/files"
)

// KeepPart writes a part to a file of a directory, as a whole or not at all: aside, to the disk,
// and only then under its name. Writers of the same part at the same time do no harm.
func KeepPart(dir, name string, p Part) error {
	data, err := p.Encode()
	if err != nil {
		return err
	}
	if err := files.Write(filepath.Join(dir, name), data); err != nil {
		return faulty(dir, len(data), err)
	}
	return nil
}

// faulty is the error of a directory that does not take so many bytes.
func faulty(dir string, bytes int, err error) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return fmt.Errorf("%s has no room for %d bytes more: %w; make room, and run the same command again", dir, bytes, err)
	}
	return fmt.Errorf("%s: %w; give a directory that can be written", dir, err)
}

// Writable makes the directory unless it is there, and tries to write a file in it. A part
// that takes hours ought not to find out at its end.
func Writable(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return faulty(dir, 0, err)
	}
	f, err := os.CreateTemp(dir, ".try-*")
	if err != nil {
		return faulty(dir, 0, err)
	}
	const some = 4096
	_, err = f.Write(make([]byte, some))
	if err := errors.Join(err, f.Close(), os.Remove(f.Name())); err != nil {
		return faulty(dir, some, err)
	}
	return nil
}

// mostBytes is the largest file that is taken for a part: a hundred thousand results.
const mostBytes = 8 << 30

// RecallPart reads a part. The error is fs.ErrNotExist if there is none, ErrTorn if it cannot be
// relied on.
func RecallPart(dir, name string) (p Part, err error) {
	data, err := files.ReadRegular(filepath.Join(dir, name), mostBytes)
	if err != nil {
		return p, err
	}
	return DecodePart(data)
}

// PartFile is a file of a part by its name.
type PartFile struct {
	Key  string // of the sweep
	K, N int    // part K of N; the whole if they are equal
}

var named = regexp.MustCompile(`^([0-9a-f]{64})-(\d+)-of-(\d+)$`)

// ListParts returns the files of parts in a directory, sorted by name.
func ListParts(dir string) (files []PartFile, err error) {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		m := named.FindStringSubmatch(e.Name())
		if m == nil {
			continue
		}
		k, failed := strconv.Atoi(m[2])
		n, failedToo := strconv.Atoi(m[3])
		if failed == nil && failedToo == nil && n > 0 && k <= n {
			files = append(files, PartFile{m[1], k, n})
		}
	}
	return files, err
}

// Gathered is what a directory has of a sweep that is cut into N parts.
type Gathered struct {
	Key     string
	N       int
	Parts   []Part
	Missing []int // numbers of the parts that have to be computed, torn ones among them
	Torn    []int
}

// Gather reads all parts of a sweep that are in a directory.
func Gather(dir, key string, n int) (g Gathered, err error) {
	g.Key, g.N = key, n
	for k := range n {
		p, err := RecallPart(dir, fmt.Sprintf("%s-%d-of-%d", key, k, n))
		switch {
		case err == nil:
			g.Parts = append(g.Parts, p)
			continue
		case errors.Is(err, ErrTorn):
			g.Torn = append(g.Torn, k)
		case !errors.Is(err, fs.ErrNotExist):
			return g, err
		}
		g.Missing = append(g.Missing, k)
	}
	return g, nil
}

// Ranges writes numbers as sbatch --array takes them, "3,7-9".
func Ranges(numbers []int) string {
	numbers = slices.Sorted(slices.Values(numbers))
	var all []string
	for i := 0; i < len(numbers); {
		end := i
		for end+1 < len(numbers) && numbers[end+1] == numbers[end]+1 {
			end++
		}
		if text := strconv.Itoa(numbers[i]); end > i {
			all = append(all, text+"-"+strconv.Itoa(numbers[end]))
		} else {
			all = append(all, text)
		}
		i = end + 1
	}
	return strings.Join(all, ",")
}
