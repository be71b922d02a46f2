package main

import (
	"debug/elf"
	"os"
)

// A stub stands for a library while a cell is linked. It has the library's name and notes
// and those of its symbols that the cell needs, and for types what the linker reads of
// them, at the addresses of the library. Linkers read all symbols of a library, which
// takes longer than to link a cell without one; with a stub it is a tenth of that.
type stub struct {
	of       *shared
	names    []byte
	symbols  []byte
	pointers []byte
	parts    []part
	included map[string]int // the numbers of symbols
}

// part is a section of the stub.
type part struct {
	name       string
	kind       elf.SectionType
	flags      elf.SectionFlag
	address    uint64
	data       []byte
	link, info uint32
	align      uint64
	entry      uint64 // size of an entry
}

// writeStub writes the stub of a library for a cell with the given symbols. The linker
// finds out if one is missing.
func writeStub(l *shared, names []string, to string) error {
	s := &stub{of: l, names: []byte{0}, symbols: make([]byte, symbolSize), included: map[string]int{}}
	s.parts = append(s.parts, part{}, part{name: ".text", kind: elf.SHT_PROGBITS, flags: elf.SHF_ALLOC | elf.SHF_EXECINSTR, data: []byte{0}, align: 1})
	for _, of := range [][]string{names, linkerNames} {
		for _, name := range of {
			for _, spelling := range spellings(name) {
				if found := l.find(spelling); found != nil {
					s.include(found, spelling)
				}
			}
		}
	}
	for _, name := range linkerNotes {
		note, err := l.note(name)
		if err != nil {
			return err
		}
		s.parts = append(s.parts, note)
	}
	dynamic := make([]byte, 32) // two entries, the last of them zero
	little.PutUint64(dynamic, uint64(elf.DT_SONAME))
	little.PutUint64(dynamic[8:], uint64(s.text(libraryFile)))
	table := uint32(len(s.parts))
	s.parts = append(s.parts,
		part{name: ".dynsym", kind: elf.SHT_DYNSYM, flags: elf.SHF_ALLOC, data: s.symbols, link: table + 1, info: 1, align: 8, entry: symbolSize},
		part{name: ".dynstr", kind: elf.SHT_STRTAB, flags: elf.SHF_ALLOC, data: s.names, align: 1},
		part{name: ".dynamic", kind: elf.SHT_DYNAMIC, flags: elf.SHF_ALLOC | elf.SHF_WRITE, data: dynamic, link: table + 1, align: 8, entry: 16},
		part{name: ".rela.dyn", kind: elf.SHT_RELA, flags: elf.SHF_ALLOC, data: s.pointers, link: table, align: 8, entry: 24})
	return os.WriteFile(to, s.file(), 0o600)
}

// text adds a name and returns where it is.
func (s *stub) text(name string) int {
	at := len(s.names)
	s.names = append(append(s.names, name...), 0)
	return at
}

// include adds a symbol, unless it is there, and returns its number. With a type come its
// data and its mask of pointers, each in a section with the address of the library, and the
// types of an array's elements and a structure's fields, for the linker finds out where in
// a variable pointers are.
func (s *stub) include(found symbol, name string) int {
	if n := s.included[name]; n > 0 {
		return n
	}
	n := len(s.symbols) / symbolSize
	s.included[name] = n
	entry := append(symbol{}, found...)
	entry.setName(s.text(name))
	entry.setSection(1)
	s.symbols = append(s.symbols, entry...)
	if !entry.isType(name) {
		return n
	}
	data := s.of.at(found.value(), found.size())
	if len(data) < commonType {
		return n // which the linker will notice
	}
	symbol(s.symbols[symbolSize*n:]).setSection(len(s.parts))
	s.add(found.value(), data)
	pointers, mask := pointersOfType(data)
	if bits := s.of.at(mask, (pointers/8+7)/8); mask != 0 && len(bits) > 0 {
		s.add(mask, bits)
	}
	if hasParts(data) {
		s.of.pointersIn(found.value()+commonType, found.value()+found.size(), func(at uint64, of symbol, name string) {
			if of.defined() && of.isType(name) {
				s.pointers = little.AppendUint64(s.pointers, at)
				s.pointers = little.AppendUint64(s.pointers, uint64(s.include(of, name))<<32|uint64(elf.R_X86_64_64))
				s.pointers = little.AppendUint64(s.pointers, 0)
			}
		})
	}
	return n
}

func (s *stub) add(address uint64, data []byte) {
	s.parts = append(s.parts, part{name: ".data", kind: elf.SHT_PROGBITS, flags: elf.SHF_ALLOC, address: address, data: data, align: 1})
}

// file is the stub as a file: a header, the sections, and the table of them.
func (s *stub) file() []byte {
	const header, sectionHeader = 64, 64
	names := []byte{0}
	var nameAt []int
	s.parts = append(s.parts, part{name: ".shstrtab", kind: elf.SHT_STRTAB, align: 1})
	for _, p := range s.parts {
		nameAt = append(nameAt, len(names))
		names = append(append(names, p.name...), 0)
	}
	s.parts[len(s.parts)-1].data = names
	out, table := make([]byte, header), []byte(nil)
	for i, p := range s.parts {
		out = append(out, make([]byte, -len(out)&7)...)
		h := make([]byte, sectionHeader)
		if i > 0 {
			little.PutUint32(h, uint32(nameAt[i]))
			little.PutUint32(h[4:], uint32(p.kind))
			little.PutUint64(h[8:], uint64(p.flags))
			little.PutUint64(h[16:], p.address)
			little.PutUint64(h[24:], uint64(len(out)))
			little.PutUint64(h[32:], uint64(len(p.data)))
			little.PutUint32(h[40:], p.link)
			little.PutUint32(h[44:], p.info)
			little.PutUint64(h[48:], p.align)
			little.PutUint64(h[56:], p.entry)
		}
		table = append(table, h...)
		out = append(out, p.data...)
	}
	out = append(out, make([]byte, -len(out)&7)...)
	copy(out, s.of.data[:header]) // the same system and machine
	little.PutUint64(out[32:], 0) // but no program headers
	little.PutUint16(out[56:], 0)
	little.PutUint64(out[40:], uint64(len(out)))
	little.PutUint16(out[58:], sectionHeader)
	little.PutUint16(out[60:], uint16(len(s.parts)))
	little.PutUint16(out[62:], uint16(len(s.parts)-1))
	return append(out, table...)
}
