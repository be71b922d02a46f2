package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
)

// negLog writes the logarithm of package law, operation by operation, for four words
// a turn.
func negLog() {
	number := func(name string, x float64) operand.Mem { return everywhere(name, math.Float64bits(x)) }
	one := everywhere("one", 1)
	upper, lower := number("upper", 0x1p84), number("lower", 0x1p52)
	both := number("both", 0x1p84+0x1p52)
	fraction := everywhere("fraction", 1<<52-1)
	nearest := everywhere("nearest", 1<<43)
	unit := number("unit", 1)
	signed := number("signed", 0x1.8p52) // whole numbers in its last bits may be negative
	bias := everywhere("bias", math.Float64bits(0x1.8p52)+1023+52)
	ln2 := number("ln2", math.Ln2)
	half, third, quarter, fifth, sixth := number("half", 0.5), number("third", 1.0/3), number("quarter", 0.25), number("fifth", 0.2), number("sixth", 1.0/6)

	TEXT("negLog", 4, "func(dst *float64, words *uint64, n int, table *float64)")
	Pragma("noescape")
	Doc("negLog puts -ln u of the uniform numbers of the words into dst; n is a multiple of 4, and table that of package law.")
	dst, words := Load(Param("dst"), GP64()), Load(Param("words"), GP64())
	n, table := Load(Param("n"), GP64()), Load(Param("table"), GP64())

	Label("next")
	x, y := YMM(), YMM()
	VMOVDQU(operand.Mem{Base: words}, x)
	VPSRLQ(operand.Imm(11), x, x)
	VPADDQ(one, x, x)
	// A whole number up to 2^53 as a float64: its halves in the last bits of 2^84 and 2^52.
	VPSRLQ(operand.Imm(32), x, y)
	VPOR(upper, y, y)
	VSUBPD(both, y, y)
	VPBLENDD(operand.Imm(0xaa), lower, x, x)
	VADDPD(x, y, x)

	m, cell := YMM(), YMM()
	VPAND(fraction, x, m)
	VPADDQ(nearest, m, cell)
	VPSRLQ(operand.Imm(44), cell, cell)
	VPOR(unit, m, m)
	inverse, neg := entries(table, cell)
	e := YMM()
	VPSRLQ(operand.Imm(52), x, x)
	VMOVDQU(bias, e)
	VPSUBQ(x, e, e)
	VSUBPD(signed, e, e)
	VMULPD(ln2, e, e)
	VADDPD(e, neg, neg)

	centre := YMM()
	VPSLLQ(operand.Imm(44), cell, centre)
	VPADDQ(unit, centre, centre)
	r, r2, a, b := YMM(), YMM(), YMM(), YMM()
	VSUBPD(centre, m, r)
	VMULPD(inverse, r, r)
	VMULPD(r, r, r2)
	t := YMM()
	VMULPD(fifth, r, t)
	VMOVUPD(quarter, b)
	VSUBPD(t, b, b)
	VMULPD(sixth, r2, t)
	VADDPD(t, b, b)
	VMULPD(b, r2, b)
	VMULPD(third, r, t)
	VMOVUPD(half, a)
	VSUBPD(t, a, a)
	VADDPD(b, a, a)
	VMULPD(a, r2, a)
	VSUBPD(a, r, r)
	VSUBPD(r, neg, neg)
	VMOVUPD(neg, operand.Mem{Base: dst})
	ADDQ(operand.Imm(32), dst)
	ADDQ(operand.Imm(32), words)
	SUBQ(operand.Imm(4), n)
	JG(operand.LabelRef("next"))
	VZEROUPPER()
	RET()
}
