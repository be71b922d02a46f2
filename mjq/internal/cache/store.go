// Package cache keeps answers on disk under a fingerprint of the question, so that the
// same question is not computed twice: in a notebook every cell is a program of its own
// and evaluates all variables again. It also keeps the parts of a sweep in a directory, each
// in a file of its own, for programs that share nothing else: the tasks of a job array, the
// workers of Apache Beam.
//
// A store is a folder with a file for each answer. Files appear whole or not at all, carry
// a checksum, and are removed, those not asked for the longest first, when there are more
// bytes than allowed; several programs may use one folder at once. A file that is damaged,
// or written by other code, is as good as none. What cannot be written is not an error:
// it will be computed again.
package cache

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/gob"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/mjqueue/mjq/internal/files"
	"github.com/mjqueue/mjq/mjq/result"
)

// Store is a folder of answers.
type Store struct {
	folder string
	most   int64 // bytes of all files together

	// Worthwhile is the least time of an answer that is kept.
	Worthwhile time.Duration
}

// DefaultBytes is how much a store holds unless told otherwise; an answer has 1 to 100
// kilobytes.
const DefaultBytes = 256 << 20

// New is the store in a folder, which is made when something is first written.
func New(folder string, most int64) *Store { return &Store{folder, most, worthwhile} }

// head begins every file, before the checksum of the rest. Its number goes up when the
// form of the files changes.
const head = "mjq answer 1\n"

const (
	suffix    = ".answer"
	unwritten = ".part" // a file that is being written
	abandoned = time.Hour
)

// entry is what a file holds after its head and checksum.
type entry struct {
	Written time.Time
	Answer  []byte
}

func (s *Store) path(key Key) string {
	return filepath.Join(s.folder, hex.EncodeToString(key[:])+suffix)
}

// Get reads the answer under the key into a pointer, and returns when it was written; ok
// is false if there is none that can be read.
func (s *Store) Get(key Key, into any) (written time.Time, ok bool) {
	path := s.path(key)
	data, err := files.ReadRegular(path, s.most)
	if err != nil {
		return time.Time{}, false
	}
	var e entry
	rest, ok := bytes.CutPrefix(data, []byte(head))
	if !ok || opened(rest, &e) != nil || decode(e.Answer, into) != nil {
		os.Remove(path)
		return time.Time{}, false
	}
	now := time.Now()
	os.Chtimes(path, now, now) // asked for last
	return e.Written, true
}

// Put writes an answer under the key, unless it alone is more than the store may hold, and
// then removes what is too much.
func (s *Store) Put(key Key, answer any) {
	text, err := encode(answer)
	if err != nil {
		return
	}
	body, err := sealed(entry{time.Now(), text})
	if err != nil || int64(len(head)+len(body)) > s.most {
		return
	}
	if s.write(s.path(key), slices.Concat([]byte(head), body)) == nil {
		s.shrink()
	}
}

// write makes a file that other programs see whole or not at all.
func (s *Store) write(path string, data []byte) error {
	if err := os.MkdirAll(s.folder, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(s.folder, "*"+unwritten)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = cmp.Or(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// shrink removes the files not asked for the longest until the others are at most nine
// tenths of what the store may hold, and what programs that have died left half written.
// Files of other names are none of its business.
func (s *Store) shrink() {
	entries, err := os.ReadDir(s.folder)
	if err != nil {
		return
	}
	var files []fs.FileInfo
	total := int64(0)
	for _, e := range entries {
		info, err := e.Info()
		switch {
		case err != nil: // removed by another program
		case strings.HasSuffix(e.Name(), unwritten) && time.Since(info.ModTime()) > abandoned:
			os.Remove(filepath.Join(s.folder, e.Name()))
		case strings.HasSuffix(e.Name(), suffix):
			files, total = append(files, info), total+info.Size()
		}
	}
	if total <= s.most {
		return
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	for _, f := range files {
		if total <= s.most/10*9 {
			return
		}
		os.Remove(filepath.Join(s.folder, f.Name()))
		total -= f.Size()
	}
}

func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	err := gob.NewEncoder(&b).Encode(v)
	return b.Bytes(), err
}

func decode(data []byte, into any) error {
	return gob.NewDecoder(bytes.NewReader(data)).Decode(into)
}

// sealed writes a value behind its checksum.
func sealed(v any) ([]byte, error) {
	text, err := encode(v)
	sum := sha256.Sum256(text)
	return slices.Concat(sum[:], text), err
}

// ErrTorn is the error of a file whose writer was stopped, or that was changed since.
var ErrTorn = errors.New("the file is torn: its checksum is wrong")

// opened reads what sealed has written.
func opened(data []byte, into any) error {
	if len(data) < sha256.Size || sha256.Sum256(data[sha256.Size:]) != [sha256.Size]byte(data[:sha256.Size]) {
		return ErrTorn
	}
	return decode(data[sha256.Size:], into)
}

// Variable names the folder of the store of this program; empty or "off", nothing is
// remembered. VariableMB says how many megabytes it may hold.
const (
	Variable   = "MJQ_REMEMBER"
	VariableMB = "MJQ_REMEMBER_MB"
)

var here struct {
	mu    sync.Mutex
	set   bool
	store *Store // nil: nothing is remembered
}

// In has this program remember in a folder, or with "" and "off" nowhere, whatever the
// environment says.
func In(folder string) {
	here.mu.Lock()
	defer here.mu.Unlock()
	here.set, here.store = true, open(folder)
}

func open(folder string) *Store {
	if folder == "" || folder == "off" {
		return nil
	}
	most := int64(DefaultBytes)
	if mb, err := strconv.ParseInt(os.Getenv(VariableMB), 10, 32); err == nil && mb >= 0 {
		most = mb << 20
	}
	return New(folder, most)
}

// Here is the store of this program, nil where nothing is remembered. Tests never
// remember unless they say so by In.
func Here() *Store {
	here.mu.Lock()
	defer here.mu.Unlock()
	if !here.set {
		here.set = true
		if !strings.HasSuffix(os.Args[0], ".test") {
			here.store = open(os.Getenv(Variable))
		}
	}
	return here.store
}

// unknown is a text unlike all others.
func unknown() string { return fmt.Sprintf("%x %x", rand.Uint64(), rand.Uint64()) }

// worthwhile is the least time of an answer that a store keeps unless told otherwise:
// reading it back takes about a millisecond.
const worthwhile = 3 * time.Millisecond

// Answer is the answer to the question: the one that this program's store has, unless
// fresh, or what find finds, which is then kept if keep says so and there was no error.
// mark is told of an answer from the store when it was written. Where nothing is
// remembered, or the question cannot be told from others, as without ask, it only finds.
// All questions come through here: what find has not computed is unknown in the answer.
func Answer[R any](ask func() *Question, fresh bool, mark func(r *R, written time.Time), keep func(r *R) bool, find func() (*R, error)) (*R, error) {
	marked := func() (*R, error) {
		r, err := find()
		if r != nil {
			result.MarkUnknown(r)
		}
		return r, err
	}
	s := Here()
	if s == nil || ask == nil {
		return marked()
	}
	key, ok := ask().key()
	if !ok {
		return marked()
	}
	if !fresh {
		r := new(R)
		if written, found := s.Get(key, r); found {
			mark(r, written)
			return r, nil
		}
	}
	began := time.Now()
	r, err := marked()
	if err == nil && r != nil && time.Since(began) >= s.Worthwhile && keep(r) {
		s.Put(key, r)
	}
	return r, err
}
