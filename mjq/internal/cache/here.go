package cache

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/mjqueue/mjq/mjq/result"
)

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
