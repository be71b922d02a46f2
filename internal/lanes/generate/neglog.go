package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// negLog writes the logarithm of package law, operation by operation, for four words
// a turn.
func negLog() {
	k := logConstants()
	TEXT("negLog", 4, "func(dst *float64, words *uint64, n int, table *float64)")
	Pragma("noescape")
	Doc("negLog puts -ln u of the uniform numbers of the words into dst; n is a multiple of 4, and table that of package law.")
	dst, words := Load(Param("dst"), GP64()), Load(Param("words"), GP64())
	n, table := Load(Param("n"), GP64()), Load(Param("table"), GP64())

	Label("next")
	x := k.whole(words)
	m, cell := YMM(), YMM()
	VPAND(k.fraction, x, m)
	VPADDQ(k.nearest, m, cell)
	VPSRLQ(operand.Imm(44), cell, cell)
	VPOR(k.unit, m, m)
	inverse, neg := entries(table, cell)
	k.octaves(x, neg)
	VSUBPD(k.series(m, cell, inverse), neg, neg)
	VMOVUPD(neg, operand.Mem{Base: dst})
	ADDQ(operand.Imm(32), dst)
	ADDQ(operand.Imm(32), words)
	SUBQ(operand.Imm(4), n)
	JG(operand.LabelRef("next"))
	VZEROUPPER()
	RET()
}

// logs are the constants of negLog.
type logs struct {
	one, upper, lower, both, fraction, nearest, unit, signed, bias, ln2 operand.Mem
	half, third, quarter, fifth, sixth                                  operand.Mem
}

func logConstants() logs {
	number := func(name string, x float64) operand.Mem { return everywhere(name, math.Float64bits(x)) }
	return logs{
		one:   everywhere("one", 1),
		upper: number("upper", 0x1p84), lower: number("lower", 0x1p52), both: number("both", 0x1p84+0x1p52),
		fraction: everywhere("fraction", 1<<52-1),
		nearest:  everywhere("nearest", 1<<43),
		unit:     number("unit", 1),
		signed:   number("signed", 0x1.8p52), // whole numbers in its last bits may be negative
		bias:     everywhere("bias", math.Float64bits(0x1.8p52)+1023+52),
		ln2:      number("ln2", math.Ln2),
		half:     number("half", 0.5), third: number("third", 1.0/3), quarter: number("quarter", 0.25),
		fifth: number("fifth", 0.2), sixth: number("sixth", 1.0/6),
	}
}

// whole writes the upper 53 bits of words, plus 1, as float64: whole numbers up to 2^53, their
// halves in the last bits of 2^84 and 2^52.
func (k *logs) whole(words reg.Register) (x reg.VecVirtual) {
	x, y := YMM(), YMM()
	VMOVDQU(operand.Mem{Base: words}, x)
	VPSRLQ(operand.Imm(11), x, x)
	VPADDQ(k.one, x, x)
	VPSRLQ(operand.Imm(32), x, y)
	VPOR(k.upper, y, y)
	VSUBPD(k.both, y, y)
	VPBLENDD(operand.Imm(0xaa), k.lower, x, x)
	VADDPD(x, y, x)
	return x
}

// octaves writes the logarithm of the exponents of x, and adds it to neg.
func (k *logs) octaves(x, neg reg.VecVirtual) {
	e := YMM()
	VPSRLQ(operand.Imm(52), x, x)
	VMOVDQU(k.bias, e)
	VPSUBQ(x, e, e)
	VSUBPD(k.signed, e, e)
	VMULPD(k.ln2, e, e)
	VADDPD(e, neg, neg)
}

// series writes the logarithm of the quotients of fractions m and the centres of their cells.
func (k *logs) series(m, cell, inverse reg.VecVirtual) (r reg.VecVirtual) {
	centre := YMM()
	VPSLLQ(operand.Imm(44), cell, centre)
	VPADDQ(k.unit, centre, centre)
	r, r2, a, b := YMM(), YMM(), YMM(), YMM()
	VSUBPD(centre, m, r)
	VMULPD(inverse, r, r)
	VMULPD(r, r, r2)
	t := YMM()
	VMULPD(k.fifth, r, t)
	VMOVUPD(k.quarter, b)
	VSUBPD(t, b, b)
	VMULPD(k.sixth, r2, t)
	VADDPD(t, b, b)
	VMULPD(b, r2, b)
	VMULPD(k.third, r, t)
	VMOVUPD(k.half, a)
	VSUBPD(t, a, a)
	VADDPD(b, a, a)
	VMULPD(a, r2, a)
	VSUBPD(a, r, r)
	return r
}
