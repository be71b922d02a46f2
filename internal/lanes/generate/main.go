// Generate writes the vector code of package lanes: go generate ./internal/lanes
// in the root of the repository. It is a module of its own, so that nothing else
// depends on the assembler's generator.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
)

func main() {
	ConstraintExpr("!purego")
	philox()
	tile()
	negLog()
	for _, chains := range []int{1, 4} {
		dense(chains, false)
		dense(chains, true)
	}
	Generate()
}

// everywhere is a constant that holds the same number in all four lanes.
func everywhere(name string, bits uint64) operand.Mem {
	m := GLOBL(name, 24) // RODATA|NOPTR
	for i := range 4 {
		DATA(8*i, operand.U64(bits))
	}
	return m
}
