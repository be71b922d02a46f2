package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"slices"
)

// The names of a compiled package stand in blocks of its object file, which cmd/internal/goobj
// describes: from the fourth block on five of them list symbols, defined and referred to.
const (
	magic                   = "\x00go120ld"
	blocks                  = len(magic) + 8 + 4 // where their offsets are, after a fingerprint and flags
	firstSymbols, pastLast  = 3, 8
	symbolBytes, nameLength = 21, 4
)

var errFormat = errors.New("the object file has a format that cellgo does not know")

// symbolNames returns the names of all symbols that a compiled package has to do with.
func symbolNames(path string) ([]string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	start := bytes.Index(text, []byte(magic))
	if start < 0 {
		return nil, errFormat
	}
	object := text[start:]
	number := func(at int) int {
		if at < 0 || at+4 > len(object) {
			return len(object)
		}
		return int(binary.LittleEndian.Uint32(object[at:]))
	}
	var names []string
	begin, end := number(blocks+4*firstSymbols), number(blocks+4*pastLast)
	if begin > end || end > len(object) || (end-begin)%symbolBytes != 0 {
		return nil, errFormat
	}
	for at := begin; at < end; at += symbolBytes {
		length, where := number(at), number(at+nameLength)
		if where+length > len(object) {
			return nil, errFormat
		}
		if length > 0 {
			names = append(names, string(object[where:where+length]))
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}
