package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Layouts that package lanes has too.
const (
	jobSize, gapAt, serviceAt, needAt = 24, 0, 8, 20
	blockJobs                         = 256
	rowSize                           = 8 * 136
	nowAt, frontAt, idleAt            = 0, 32, 64
)

// dense writes a step of so many queues side by side: all coordinates of the workload,
// ascending, in absolute time. They wait for each other's memory, and not for their own.
func dense(chains int, noting bool) {
	name, doc, signature := fmt.Sprintf("take%d", chains), "", "func(rows *float64, vectors int, jobs *byte, n int, state *float64)"
	if noting {
		name, signature = fmt.Sprintf("note%d", chains), "func(rows *float64, vectors int, jobs *byte, n int, state *float64, waits *float64)"
		doc = ", writes their waits and adds up the time that servers stand idle for them"
	}
	TEXT(name, 4, signature)
	Pragma("noescape")
	Doc(fmt.Sprintf("%s lets n jobs arrive in each of %d queues%s.", name, chains, doc))
	rows, vectors := Load(Param("rows"), GP64()), Load(Param("vectors"), GP64())
	jobs, n := Load(Param("jobs"), GP64()), Load(Param("n"), GP64())
	state := Load(Param("state"), GP64())
	var waits reg.Register
	if noting {
		waits = Load(Param("waits"), GP64())
	}
	SHLQ(operand.Imm(5), vectors) // bytes of a row
	zero := YMM()
	if noting {
		VXORPD(zero, zero, zero)
	}
	var now, front []reg.VecVirtual
	for c := range chains {
		now, front = append(now, XMM()), append(front, XMM())
		VMOVSD(operand.Mem{Base: state, Disp: nowAt + 8*c}, now[c])
		VMOVSD(operand.Mem{Base: state, Disp: frontAt + 8*c}, front[c])
	}
	Label("job")
	for c := range chains {
		job := func(at int) operand.Mem { return operand.Mem{Base: jobs, Disp: c*blockJobs*jobSize + at} }
		row := operand.Mem{Base: rows, Disp: c * rowSize}
		need := GP64()
		MOVLQSX(job(needAt), need)
		ready, release, start, most := YMM(), YMM(), YMM(), YMM()
		VMAXSD(now[c], front[c], ready.AsX())
		VMAXSD(operand.Mem{Base: rows, Index: need, Scale: 8, Disp: c*rowSize - 8}, ready.AsX(), front[c])
		if noting {
			wait := XMM()
			VSUBSD(now[c], front[c], wait)
			VMOVSD(wait, operand.Mem{Base: waits, Disp: c * blockJobs * 8})
			VBROADCASTSD(ready.AsX(), ready)
			VBROADCASTSD(front[c], start)
			VSUBPD(ready, start, most)
		}
		VADDSD(job(serviceAt), front[c], release.AsX())
		VBROADCASTSD(release.AsX(), release)
		VADDSD(job(gapAt), now[c], now[c])
		LEAQ(operand.Mem{Base: rows, Index: need, Scale: 8, Disp: c * rowSize}, need)
		idle := YMM()
		if noting {
			VXORPD(idle, idle, idle)
		}
		i := GP64()
		XORQ(i, i)
		label := fmt.Sprintf("row%d", c)
		Label(label)
		old, moved := YMM(), YMM()
		VMOVUPD(row.Idx(i, 1), old)
		VMINPD(operand.Mem{Base: need, Index: i, Scale: 1}, release, moved)
		VMAXPD(moved, old, moved)
		VMOVUPD(moved, row.Idx(i, 1))
		if noting { // start - max(old, ready), or 0: by signs, as the units that compare are busy
			lifted := YMM()
			VSUBPD(ready, old, lifted)
			VSUBPD(old, start, old)
			VBLENDVPD(lifted, most, old, old)
			VBLENDVPD(old, zero, old, old)
			VADDPD(old, idle, idle)
		}
		ADDQ(operand.Imm(32), i)
		CMPQ(i, vectors)
		JB(operand.LabelRef(label))
		if noting {
			sum := operand.Mem{Base: state, Disp: idleAt + 32*c}
			VADDPD(sum, idle, idle)
			VMOVUPD(idle, sum)
		}
	}
	ADDQ(operand.Imm(jobSize), jobs)
	if noting {
		ADDQ(operand.Imm(8), waits)
	}
	DECQ(n)
	JNZ(operand.LabelRef("job"))
	for c := range chains {
		VMOVSD(now[c], operand.Mem{Base: state, Disp: nowAt + 8*c})
		VMOVSD(front[c], operand.Mem{Base: state, Disp: frontAt + 8*c})
	}
	VZEROUPPER()
	RET()
}
