package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/reg"
)

// features writes what asks the processor.
func features() {
	TEXT("cpuid", 4, "func(leaf, part uint32) (a, b, c, d uint32)") // NOSPLIT
	Doc("cpuid asks the processor what it has.")
	Load(Param("leaf"), reg.EAX)
	Load(Param("part"), reg.ECX)
	CPUID()
	Store(reg.EAX, Return("a"))
	Store(reg.EBX, Return("b"))
	Store(reg.ECX, Return("c"))
	Store(reg.EDX, Return("d"))
	RET()

	TEXT("xgetbv", 4, "func() (a, d uint32)")
	Doc("xgetbv asks which registers the operating system saves.")
	XORL(reg.ECX, reg.ECX)
	XGETBV()
	Store(reg.EAX, Return("a"))
	Store(reg.EDX, Return("d"))
	RET()
}
