package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// block is four counters of Philox4x32 side by side: in each 64-bit lane the lower
// half counts.
type block [4]reg.VecVirtual

// philox writes ten rounds for eight counters a turn.
func philox() {
	m0 := everywhere("multiplier0", 0xD2511F53)
	m1 := everywhere("multiplier1", 0xCD9E8D57)
	weyl0 := everywhere("weyl0", 0x9E3779B9)
	weyl1 := everywhere("weyl1", 0xBB67AE85)
	four := everywhere("four", 4)
	count := GLOBL("count", 24)
	for i := range 4 {
		DATA(8*i, operand.U64(i))
	}

	TEXT("philox", 4, "func(w0, w1 *uint64, n int, first, at, key uint64)")
	Pragma("noescape")
	Doc("philox puts the words of counters (first, at), (first+1, at), ... into w0 and w1; n is a multiple of 8.")
	w0, w1 := Load(Param("w0"), GP64()), Load(Param("w1"), GP64())
	n := Load(Param("n"), GP64())
	at, key := halves("at"), halves("key")
	next := YMM()
	VPBROADCASTQ(operand.NewParamAddr("first", 24), next)
	VPADDQ(count, next, next)

	Label("turn")
	var x [2]block
	for i := range x {
		for j := range x[i] {
			x[i][j] = YMM()
		}
		VMOVDQA(next, x[i][0])
		VPSRLQ(operand.Imm(32), next, x[i][1])
		everyLane(at[0], x[i][2])
		everyLane(at[1], x[i][3])
		VPADDQ(four, next, next)
	}
	k0, k1 := YMM(), YMM()
	everyLane(key[0], k0)
	everyLane(key[1], k1)
	for round := range 10 {
		for i := range x {
			x[i] = turned(x[i], m0, m1, k0, k1)
		}
		if round < 9 {
			VPADDD(weyl0, k0, k0)
			VPADDD(weyl1, k1, k1)
		}
	}
	for i := range x {
		VPSLLQ(operand.Imm(32), x[i][1], x[i][1])
		VPSLLQ(operand.Imm(32), x[i][3], x[i][3])
		VPBLENDD(operand.Imm(0xaa), x[i][1], x[i][0], x[i][0])
		VPBLENDD(operand.Imm(0xaa), x[i][3], x[i][2], x[i][2])
		VMOVDQU(x[i][0], operand.Mem{Base: w0, Disp: 32 * i})
		VMOVDQU(x[i][2], operand.Mem{Base: w1, Disp: 32 * i})
	}
	ADDQ(operand.Imm(64), w0)
	ADDQ(operand.Imm(64), w1)
	SUBQ(operand.Imm(8), n)
	JG(operand.LabelRef("turn"))
	VZEROUPPER()
	RET()
}

// turned is a block after a round. What waits for a product comes last.
func turned(x block, m0, m1 operand.Mem, k0, k1 reg.VecVirtual) block {
	p0, p1, h := YMM(), YMM(), YMM()
	VPMULUDQ(m0, x[0], p0)
	VPMULUDQ(m1, x[2], p1)
	VPXOR(k0, x[1], x[1])
	VPXOR(k1, x[3], x[3])
	VPSRLQ(operand.Imm(32), p1, h)
	VPXOR(x[1], h, x[0])
	VPSRLQ(operand.Imm(32), p0, x[2])
	VPXOR(x[3], x[2], x[2])
	return block{x[0], p1, x[2], p0}
}

// halves loads a parameter of 64 bits and its upper half.
func halves(name string) (h [2]reg.GPVirtual) {
	h[0], h[1] = GP64(), GP64()
	Load(Param(name), h[0])
	MOVQ(h[0], h[1])
	SHRQ(operand.Imm(32), h[1])
	return h
}

// everyLane puts 32 bits into all lanes.
func everyLane(from reg.GPVirtual, to reg.VecVirtual) {
	VMOVD(from.As32(), to.AsX())
	VPBROADCASTD(to.AsX(), to)
}
