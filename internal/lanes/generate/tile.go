package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// rows and columns, in vectors of four, of a tile: its sums fill twelve registers.
const tileRows, tileVectors = 4, 3

// tile writes the product of a strip of four rows with a panel of twelve columns.
func tile() {
	TEXT("tile", 4, "func(c *float64, cStride int, a *float64, aStride int, b *float64, n int)") // NOSPLIT
	Pragma("noescape")
	Doc("tile adds to 4 rows of c, 12 numbers each, the product of 4 rows of a, n numbers each, and n rows of b that follow each other; n is positive. Each number is summed in order, by multiplications and additions in one.")
	c, cs := Load(Param("c"), GP64()), Load(Param("cStride"), GP64())
	a, as := Load(Param("a"), GP64()), Load(Param("aStride"), GP64())
	b, n := Load(Param("b"), GP64()), Load(Param("n"), GP64())
	SHLQ(operand.Imm(3), cs)
	SHLQ(operand.Imm(3), as)
	third := GP64()
	LEAQ(operand.Mem{Base: as, Index: as, Scale: 2}, third)
	var sums [tileRows][tileVectors]reg.VecVirtual
	at := GP64()
	MOVQ(c, at)
	for i := range sums {
		for j := range sums[i] {
			sums[i][j] = YMM()
			VMOVUPD(operand.Mem{Base: at, Disp: 32 * j}, sums[i][j])
		}
		if i+1 < tileRows {
			ADDQ(cs, at)
		}
	}
	rows := [tileRows]operand.Mem{{Base: a}, {Base: a, Index: as, Scale: 1}, {Base: a, Index: as, Scale: 2}, {Base: a, Index: third, Scale: 1}}
	Label("tileNext")
	var right [tileVectors]reg.VecVirtual
	for j := range right {
		right[j] = YMM()
		VMOVUPD(operand.Mem{Base: b, Disp: 32 * j}, right[j])
	}
	left := YMM()
	for i, row := range rows {
		VBROADCASTSD(row, left)
		for j, r := range right {
			VFMADD231PD(r, left, sums[i][j])
		}
	}
	ADDQ(operand.Imm(8), a)
	ADDQ(operand.Imm(32*tileVectors), b)
	DECQ(n)
	JNE(operand.LabelRef("tileNext"))
	for i := range sums {
		for j := range sums[i] {
			VMOVUPD(sums[i][j], operand.Mem{Base: c, Disp: 32 * j})
		}
		if i+1 < tileRows {
			ADDQ(cs, c)
		}
	}
	VZEROUPPER()
	RET()
}
