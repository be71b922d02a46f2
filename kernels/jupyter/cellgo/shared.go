package main

import (
	"bytes"
	"cmp"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"slices"
	"sort"
	"syscall"
)

// A shared is the file of a library, of which single symbols are looked at: it has more
// than a hundred thousand, and a cell needs about a hundred.
type shared struct {
	data     []byte
	sections []*elf.Section

	symbols, names, hashes []byte // .dynsym, .dynstr and .gnu.hash
	pointers               []byte // as pointersOf returns them
}

var little = binary.LittleEndian

// errLibrary is that the library is not as the linker makes it.
var errLibrary = errors.New("the library of packages is damaged")

// openShared opens the library at the path, whose pointers are in another file.
func openShared(path, pointers string) (*shared, error) {
	data, err := mapped(path)
	if err != nil {
		return nil, err
	}
	l, err := readShared(data)
	if err == nil && pointers != "" {
		l.pointers, err = mapped(pointers)
	}
	return l, err
}

// mapped is the content of a file, until this program ends.
func mapped(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	return syscall.Mmap(int(file.Fd()), 0, int(info.Size()), syscall.PROT_READ, syscall.MAP_PRIVATE)
}

func readShared(data []byte) (*shared, error) {
	l := &shared{data: data}
	f, err := elf.NewFile(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errLibrary, err)
	}
	l.sections = f.Sections
	for _, s := range f.Sections {
		if s.Type != elf.SHT_NOBITS && s.Offset+s.FileSize > uint64(len(data)) {
			return nil, errLibrary
		}
		switch s.Name {
		case ".dynsym":
			l.symbols = l.content(s)
		case ".dynstr":
			l.names = l.content(s)
		case ".gnu.hash":
			l.hashes = l.content(s)
		}
	}
	if l.symbols == nil || l.names == nil || len(l.hashes) < 16 {
		return nil, errLibrary
	}
	return l, nil
}

func (l *shared) content(s *elf.Section) []byte { return l.data[s.Offset:][:s.FileSize] }

// at returns so many bytes at an address that the file holds.
func (l *shared) at(address, length uint64) []byte {
	for _, s := range l.sections {
		if s.Type == elf.SHT_PROGBITS && s.Addr <= address && address+length <= s.Addr+s.Size {
			return l.content(s)[address-s.Addr:][:length]
		}
	}
	return nil
}

// symbol is an entry of a table of symbols; its bytes are those of the file.
type symbol []byte

const symbolSize = 24

func (s symbol) kind() elf.SymType { return elf.ST_TYPE(s[4]) }
func (s symbol) defined() bool     { return little.Uint16(s[6:]) != uint16(elf.SHN_UNDEF) }
func (s symbol) value() uint64     { return little.Uint64(s[8:]) }
func (s symbol) size() uint64      { return little.Uint64(s[16:]) }
func (s symbol) name() uint32      { return little.Uint32(s) }
func (s symbol) setName(at int)    { little.PutUint32(s, uint32(at)) }
func (s symbol) setSection(n int)  { little.PutUint16(s[6:], uint16(n)) }

// find looks a symbol up as the dynamic linker does: by a table of hashes, in which the
// last of those that share a bucket is odd. It is nil if the library does not define it.
func (l *shared) find(name string) symbol {
	hash := uint32(5381)
	for i := range len(name) {
		hash = hash*33 + uint32(name[i])
	}
	buckets, first, filter := little.Uint32(l.hashes), little.Uint32(l.hashes[4:]), little.Uint32(l.hashes[8:])
	table := l.hashes[16+8*filter:]
	i := little.Uint32(table[4*(hash%buckets):])
	if i < first {
		return nil
	}
	for chain := table[4*buckets:]; ; i++ {
		h := little.Uint32(chain[4*(i-first):])
		if s := symbol(l.symbols[symbolSize*i:][:symbolSize]); h|1 == hash|1 && l.isNamed(s, name) && s.defined() {
			return s
		}
		if h&1 != 0 {
			return nil
		}
	}
}

func (l *shared) isNamed(s symbol, name string) bool {
	at := l.names[s.name():]
	return len(at) > len(name) && at[len(name)] == 0 && string(at[:len(name)]) == name
}

// pointersOf finds all places of a library where there is a pointer to a symbol, which the
// dynamic linker fills in, and returns them in order, each with the number of the symbol.
func pointersOf(l *shared) []byte {
	const size, isPointer = 24, uint64(elf.R_X86_64_64)
	var all [][2]uint64
	for _, s := range l.sections {
		if s.Type != elf.SHT_RELA {
			continue
		}
		for r := l.content(s); len(r) >= size; r = r[size:] {
			if info := little.Uint64(r[8:]); info&0xffffffff == isPointer && little.Uint64(r[16:]) == 0 {
				all = append(all, [2]uint64{little.Uint64(r), info >> 32})
			}
		}
	}
	slices.SortFunc(all, func(a, b [2]uint64) int { return cmp.Compare(a[0], b[0]) })
	var out []byte
	for _, p := range all {
		out = little.AppendUint64(little.AppendUint64(out, p[0]), p[1])
	}
	return out
}

// pointersIn calls f with the places in a range of addresses and the symbols there.
func (l *shared) pointersIn(from, to uint64, f func(at uint64, s symbol, name string)) {
	const size = 16
	n := len(l.pointers) / size
	at := func(i int) uint64 { return little.Uint64(l.pointers[size*i:]) }
	for i := sort.Search(n, func(i int) bool { return at(i) >= from }); i < n && at(i) < to; i++ {
		s := symbol(l.symbols[symbolSize*little.Uint64(l.pointers[size*i+8:]):][:symbolSize])
		name, _, _ := bytes.Cut(l.names[s.name():], []byte{0})
		f(at(i), s, string(name))
	}
}

// note returns a section with one of the notes that Go's linker leaves for itself.
func (l *shared) note(name string) (part, error) {
	for _, s := range l.sections {
		if s.Name == name {
			return part{name: name, kind: elf.SHT_NOTE, flags: elf.SHF_ALLOC, data: l.content(s), align: 4}, nil
		}
	}
	return part{}, fmt.Errorf("%w: no %s", errLibrary, name)
}
