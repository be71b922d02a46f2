package main

import (
	"bytes"
	"crypto/sha256"
	"debug/elf"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"os"
	"slices"
	"strings"
)

// All that the library knows of Go and that no version promises stands in this file: the format of
// object files, the names of symbols, the data of types and the flags of a library. The rest of
// cellgo knows ELF, the system's linker and the command go. LIBRARY.md says what a new version takes.

// knownLinker is the version of Go whose linker does what LIBRARY.md says. With another one no
// library is made.
const knownLinker = "go1.26"

// Flags with which packages, the library and a cell are compiled and linked.
var (
	librarySources = []string{"-gcflags=all=-dynlink -linkshared", "-asmflags=all=-dynlink -D=GOBUILDMODE_shared=1"}
	libraryObjects = []string{"-dynlink", "-linkshared"}
	libraryLink    = []string{"-buildmode=shared", "-linkshared", "-s"}
	cellLink       = []string{"-linkshared", "-buildmode=exe", "-s"}
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

// spellings are the names that the linker may give to a symbol in a library: functions
// have that of their calling convention at the end, those of types are hashed. They are
// from mangleABIName and typeSymbolMangle of cmd/link; with another linker a cell is not
// found to be complete and linked as ever.
func spellings(name string) []string {
	is := strings.HasPrefix(name, "type:")
	all := []string{name, name + ".abiinternal", name + ".abi0"}
	hashed := func(text string) string {
		sum := sha256.Sum256([]byte(text))
		sum[0] ^= 0xff
		return base64.StdEncoding.EncodeToString(sum[:6])
	}
	switch {
	case is && len(name) <= 14 && !strings.Contains(name, "@"), strings.HasPrefix(name, "type:runtime."):
	case strings.HasPrefix(name, "type:."):
		all = append(all, "type:."+hashed(name[5:]))
	case is:
		all = append(all, "type:"+hashed(name[5:]))
	case strings.Contains(name, "@") && !strings.HasPrefix(name, "go:string."):
		i, j := strings.IndexByte(name, '['), strings.LastIndexByte(name, ']')
		if j <= i {
			j = len(name)
		}
		name = name[:i+1] + hashed(name[i+1:j]) + name[j:]
		all = append(all, name, name+".abiinternal", name+".abi0")
	}
	return all
}

// linkerNames are the symbols of package runtime that Go's linker looks for by itself.
var linkerNames = []string{"_rt0_amd64_linux", "main", "go:link.abihash." + libraryFile, "type:runtime.moduledata", "runtime..inittask",
	"runtime.addmoduledata", "runtime.buildVersion", "runtime.deferreturn", "runtime.disableMemoryProfiling", "runtime.duffcopy",
	"runtime.duffzero", "runtime.firstmoduledata", "runtime.isarchive", "runtime.islibrary", "runtime.lastmoduledatap",
	"runtime.mapinitnoop", "runtime.memProfileInternal", "runtime.modinfo", "runtime.morestack", "runtime.morestack_noctxt",
	"runtime.rt0_go", "runtime.tlsg", "runtime.unreachableMethod", "runtime.zerobase"}

// linkerNotes are the notes that the linker leaves for itself in a library.
var linkerNotes = []string{".note.go.abihash", ".note.go.deps"}

// isType reports whether the linker wants to see the data of the symbol, which has this name.
func (s symbol) isType(n string) bool {
	return strings.HasPrefix(n, "type:") && !strings.HasPrefix(n, "type:.") && s.kind() != elf.STT_FUNC
}

// The data of a type have this layout in internal/abi.
const (
	commonType        = 48 // bytes that all types have
	isArray, isStruct = 17, 25
)

// pointersOfType are how many bytes of a value have pointers, and where the mask of them is.
func pointersOfType(data []byte) (bytes, mask uint64) {
	return little.Uint64(data[8:]), little.Uint64(data[32:])
}

// hasParts reports whether the linker looks into the types of which a type is made.
func hasParts(data []byte) bool { return data[23] == isArray || data[23] == isStruct }
