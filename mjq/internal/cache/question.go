package cache

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"io"
	"math"
	"os"
	"reflect"
	"strings"
	"sync"
)

// Key is the fingerprint of a question.
type Key [sha256.Size]byte

// Question collects what an answer depends on: all of it, or a wrong answer is remembered.
// Its parts are told apart by their order and lengths. The code that answers is part of
// every question.
type Question struct {
	sum     hash.Hash
	foreign bool  // some of the code is not of this module
	err     error // why it cannot be told from others
}

// Ask begins a question of the given kind.
func Ask(kind string) *Question {
	q := &Question{sum: sha256.New()}
	return q.Text(code()).Text(kind)
}

// Text adds a text.
func (q *Question) Text(text string) *Question { return q.Bytes([]byte(text)) }

// Bytes adds a part of any form.
func (q *Question) Bytes(part []byte) *Question {
	q.Numbers(uint64(len(part)))
	q.sum.Write(part)
	return q
}

// Numbers adds whole numbers.
func (q *Question) Numbers(numbers ...uint64) *Question {
	var b []byte
	for _, n := range numbers {
		b = binary.LittleEndian.AppendUint64(b, n)
	}
	q.sum.Write(b)
	return q
}

// Reals adds real numbers, to the bit.
func (q *Question) Reals(numbers ...float64) *Question {
	for _, x := range numbers {
		q.Numbers(math.Float64bits(x))
	}
	return q
}

// Written adds the written form of something; with an error it has none, and the question
// cannot be told from others.
func (q *Question) Written(text []byte, err error) *Question {
	if err != nil {
		q.err = err
	}
	return q.Bytes(text)
}

// Code looks through values for types of other modules, such as a law that a cell
// declares. What they do is then part of the question too: a written form names them and
// their parameters, but not what their methods say.
func (q *Question) Code(values ...any) *Question {
	for _, v := range values {
		q.foreign = q.foreign || foreign(reflect.ValueOf(v), map[uintptr]bool{})
	}
	return q
}

// key is the fingerprint; ok is false if the question cannot be told from others.
func (q *Question) key() (key Key, ok bool) {
	if q.err != nil {
		return key, false
	}
	if q.foreign {
		q.Text(program())
	}
	q.sum.Sum(key[:0])
	return key, true
}

// native reports whether the fingerprint of Ask is also of this package.
func native(path string) bool {
	switch path {
	case "", "time", "sync", "sync/atomic", "internal/sync":
		return true
	}
	return strings.HasPrefix(path, "github.com/mjqueue/mjq/") || strings.HasPrefix(path, "gonum.org/v1/gonum/")
}

// foreign reports whether a value is of, or holds, a type of another package than those,
// or a function.
func foreign(v reflect.Value, seen map[uintptr]bool) bool {
	if !v.IsValid() {
		return false
	}
	t := v.Type()
	if !native(t.PkgPath()) {
		return true
	}
	switch v.Kind() {
	case reflect.Func:
		return !v.IsNil()
	case reflect.Interface:
		return foreign(v.Elem(), seen)
	case reflect.Pointer:
		if v.IsNil() || seen[v.Pointer()] {
			return false
		}
		seen[v.Pointer()] = true
		return foreign(v.Elem(), seen)
	case reflect.Struct:
		for i := range v.NumField() {
			if foreign(v.Field(i), seen) {
				return true
			}
		}
	case reflect.Slice, reflect.Array:
		if plain(t.Elem().Kind()) && t.Elem().PkgPath() == "" {
			return false
		}
		for i := range v.Len() {
			if foreign(v.Index(i), seen) {
				return true
			}
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			if foreign(it.Key(), seen) || foreign(it.Value(), seen) {
				return true
			}
		}
	}
	return false
}

func plain(k reflect.Kind) bool {
	return k >= reflect.Bool && k <= reflect.Complex128 || k == reflect.String
}

// LinkedCode is a fingerprint of the compiled packages of this module and of those that
// they import, linkedCell one of the declarations of the notebook, which outlives cells that
// declare nothing new. Both are empty outside of the kernel.
var linkedCode, linkedCell string

// Linked says which code the program is made of. Cells of the kernel call it before any
// of their variables is computed, so that they can be told apart from each other although
// most of their code is in a library. It returns true, to be the value of a variable.
func Linked(code, cell string) bool {
	linkedCode, linkedCell = code, cell
	return true
}

// code is a fingerprint of the code that computes; of the whole program where the kernel
// has not set it.
func code() string {
	if linkedCode != "" {
		return linkedCode
	}
	return executable()
}

// program is a fingerprint of all code, that of users included.
func program() string {
	if linkedCell != "" {
		return linkedCell
	}
	return executable()
}

// executable is a hash of the file that runs, about 10 ms for 10 MB. Where it cannot be
// read it is a different text every time, so that nothing is found.
var executable = sync.OnceValue(func() string {
	sum := sha256.New()
	path, err := os.Executable()
	if err == nil {
		var file *os.File
		if file, err = os.Open(path); err == nil {
			defer file.Close()
			_, err = io.Copy(sum, file)
		}
	}
	if err != nil {
		return unknown()
	}
	return hex.EncodeToString(sum.Sum(nil))
})
