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

// queues are the registers of so many queues side by side: all coordinates of the workload,
// ascending, in absolute time. They wait for each other's memory, and not for their own.
type queues struct {
	noting               bool // waits, and the time that servers stand idle for the jobs
	rows, vectors, state reg.Register
	jobs, n, waits       reg.Register
	zero                 reg.VecVirtual
	now, front           []reg.VecVirtual // by queue
}

// dense writes a step of queues.
func dense(chains int, noting bool) {
	name, doc, signature := fmt.Sprintf("take%d", chains), "", "func(rows *float64, vectors int, jobs *byte, n int, state *float64)"
	if noting {
		name, signature = fmt.Sprintf("note%d", chains), "func(rows *float64, vectors int, jobs *byte, n int, state *float64, waits *float64)"
		doc = ", writes their waits and adds up the time that servers stand idle for them"
	}
	TEXT(name, 4, signature)
	Pragma("noescape")
	Doc(fmt.Sprintf("%s lets n jobs arrive in each of %d queues%s.", name, chains, doc))
	q := load(chains, noting)
	Label("job")
	for c := range chains {
		q.arrive(c)
	}
	ADDQ(operand.Imm(jobSize), q.jobs)
	if noting {
		ADDQ(operand.Imm(8), q.waits)
	}
	DECQ(q.n)
	JNZ(operand.LabelRef("job"))
	for c := range chains {
		VMOVSD(q.now[c], operand.Mem{Base: q.state, Disp: nowAt + 8*c})
		VMOVSD(q.front[c], operand.Mem{Base: q.state, Disp: frontAt + 8*c})
	}
	VZEROUPPER()
	RET()
}

// load writes the beginning.
func load(chains int, noting bool) (q queues) {
	q.noting = noting
	q.rows, q.vectors = Load(Param("rows"), GP64()), Load(Param("vectors"), GP64())
	q.jobs, q.n = Load(Param("jobs"), GP64()), Load(Param("n"), GP64())
	q.state = Load(Param("state"), GP64())
	if noting {
		q.waits = Load(Param("waits"), GP64())
	}
	SHLQ(operand.Imm(5), q.vectors) // bytes of a row
	q.zero = YMM()
	if noting {
		VXORPD(q.zero, q.zero, q.zero)
	}
	for c := range chains {
		q.now, q.front = append(q.now, XMM()), append(q.front, XMM())
		VMOVSD(operand.Mem{Base: q.state, Disp: nowAt + 8*c}, q.now[c])
		VMOVSD(operand.Mem{Base: q.state, Disp: frontAt + 8*c}, q.front[c])
	}
	return q
}

// arrive writes the arrival of a job in a queue.
func (q *queues) arrive(c int) {
	now, front := q.now[c], q.front[c]
	job := func(at int) operand.Mem { return operand.Mem{Base: q.jobs, Disp: c*blockJobs*jobSize + at} }
	need := GP64()
	MOVLQSX(job(needAt), need)
	ready, release, start, most := YMM(), YMM(), YMM(), YMM()
	VMAXSD(now, front, ready.AsX())
	VMAXSD(operand.Mem{Base: q.rows, Index: need, Scale: 8, Disp: c*rowSize - 8}, ready.AsX(), front)
	if q.noting {
		wait := XMM()
		VSUBSD(now, front, wait)
		VMOVSD(wait, operand.Mem{Base: q.waits, Disp: c * blockJobs * 8})
		VBROADCASTSD(ready.AsX(), ready)
		VBROADCASTSD(front, start)
		VSUBPD(ready, start, most)
	}
	VADDSD(job(serviceAt), front, release.AsX())
	VBROADCASTSD(release.AsX(), release)
	VADDSD(job(gapAt), now, now)
	LEAQ(operand.Mem{Base: q.rows, Index: need, Scale: 8, Disp: c * rowSize}, need)
	idle := YMM()
	if q.noting {
		VXORPD(idle, idle, idle)
	}
	q.lift(c, need, release, func(old reg.VecVirtual) { // start - max(old, ready), or 0: by signs, as the units that compare are busy
		lifted := YMM()
		VSUBPD(ready, old, lifted)
		VSUBPD(old, start, old)
		VBLENDVPD(lifted, most, old, old)
		VBLENDVPD(old, q.zero, old, old)
		VADDPD(old, idle, idle)
	})
	if q.noting {
		sum := operand.Mem{Base: q.state, Disp: idleAt + 32*c}
		VADDPD(sum, idle, idle)
		VMOVUPD(idle, sum)
	}
}

// lift writes the loop that gives the servers of a job its release, in order. Note has their
// releases of before.
func (q *queues) lift(c int, need reg.Register, release reg.VecVirtual, note func(old reg.VecVirtual)) {
	row := operand.Mem{Base: q.rows, Disp: c * rowSize}
	i := GP64()
	XORQ(i, i)
	label := fmt.Sprintf("row%d", c)
	Label(label)
	old, moved := YMM(), YMM()
	VMOVUPD(row.Idx(i, 1), old)
	VMINPD(operand.Mem{Base: need, Index: i, Scale: 1}, release, moved)
	VMAXPD(moved, old, moved)
	VMOVUPD(moved, row.Idx(i, 1))
	if q.noting {
		note(old)
	}
	ADDQ(operand.Imm(32), i)
	CMPQ(i, q.vectors)
	JB(operand.LabelRef(label))
}
