package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// entries reads, for four cells, the last two of the three numbers of each. Loads one
// by one are faster than a gather.
func entries(table reg.Register, cell reg.VecVirtual) (second, third reg.VecVirtual) {
	low, high := cell.AsX(), XMM()
	VEXTRACTI128(operand.Imm(1), cell, high)
	var at [4]reg.GPVirtual
	for i := range at {
		at[i] = GP64()
		from := low
		if i > 1 {
			from = high
		}
		if i&1 == 0 {
			VMOVQ(from, at[i])
		} else {
			VPEXTRQ(operand.Imm(1), from, at[i])
		}
		LEAQ(operand.Mem{Base: at[i], Index: at[i], Scale: 2}, at[i])
	}
	entry := func(i int) operand.Mem { return operand.Mem{Base: table, Index: at[i], Scale: 8, Disp: 8} }
	even, odd := YMM(), YMM()
	VMOVUPD(entry(0), even.AsX())
	VINSERTF128(operand.Imm(1), entry(2), even, even)
	VMOVUPD(entry(1), odd.AsX())
	VINSERTF128(operand.Imm(1), entry(3), odd, odd)
	second, third = YMM(), YMM()
	VUNPCKLPD(odd, even, second)
	VUNPCKHPD(odd, even, third)
	return second, third
}
