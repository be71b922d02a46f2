package cuda

import (
	"bytes"
	"encoding/binary"
	"unsafe"
)

// Kind tells a device which law it has; the constants stand in the order of
// model.cuh, whose comments say what the numbers of a Law then mean.
type Kind int32

// The kinds of laws that the kernels sample.
const (
	Exponential Kind = iota
	Erlang
	HyperExp
	Cox2
	Phases
	Bounded
	Lomax
	Weibull
	LogNormal
	Constant
	Rectangular
	Observed
)

// Law is a law in numbers.
type Law struct {
	Kind       Kind
	N          int32 // how many numbers it has
	A, B, C, D float64
	Table      int64 // the first of them in Model.Numbers
}

// Cell of the alias table of the classes.
type Cell struct {
	Keep       uint64
	Own, Other int32
}

// Class of jobs.
type Class struct {
	Service Law
	Need    int64
	_       int64 // the kernels read 16 bytes at a time
}

// Resource is a type of resource: its units, how many groups can hold some of
// them, and the share of one unit.
type Resource struct {
	Units, Slots int32
	Share        float64
}

// MostTypes is how many types of resources the kernels take.
const MostTypes = 8

// Model is the input of a queue. Numbers begins with the table of logarithms, as
// [Logs] orders it.
type Model struct {
	Key     uint64
	Servers int64
	Gap     Law
	Classes []Class
	Cells   []Cell // as many as classes
	Numbers []float64

	Resources []Resource // none in the plain queue
	Needs     []int64    // by class and, within it, type of resource
	Printed   bool       // types follow the recursion as printed
}

// header is what struct Model of model.cuh says.
type header struct {
	Key                      uint64
	Servers, Classes         int64
	Cells, Services, Numbers int64
	Gap                      Law
	Types, Printed           int64
	Resources, Needs         int64
	Share                    float64
	_                        int64 // the tables begin at a multiple of 16 bytes
}

// Encode is the model as the kernels read it.
func (m *Model) Encode() []byte {
	h := header{Key: m.Key, Servers: m.Servers, Classes: int64(len(m.Classes)), Gap: m.Gap, Types: int64(len(m.Resources)), Share: 1 / float64(m.Servers)}
	if m.Printed {
		h.Printed = 1
	}
	h.Cells = int64(unsafe.Sizeof(h))
	h.Services = h.Cells + int64(len(m.Cells))*int64(unsafe.Sizeof(Cell{}))
	h.Resources = h.Services + int64(len(m.Classes))*int64(unsafe.Sizeof(Class{}))
	h.Numbers = h.Resources + int64(len(m.Resources))*int64(unsafe.Sizeof(Resource{}))
	h.Needs = h.Numbers + 8*int64(len(m.Numbers))
	var b bytes.Buffer
	for _, part := range []any{h, m.Cells, m.Classes, m.Resources, m.Numbers, m.Needs} {
		// Memory does not fail, and all sizes are fixed.
		_ = binary.Write(&b, binary.LittleEndian, part)
	}
	return b.Bytes()
}

// Saved is a chain between two launches; zero is an empty one at its origin but
// for Free, the number of servers. With types of resources it holds the times of
// the chain, and one more for each type its pool.
type Saved struct {
	Now, Front, Last float64
	Free, Groups     int64
}

// State is how the task of a chain stands.
type State int64

// A chain runs, or has ended.
const (
	Running State = iota
	Coupled       // with the chain of half the window: the sample stays
	Changed       // it has a new sample that differs
	Agreed        // it has a new sample that agrees
	Over          // at the end of its path
)

// Window is the task of a chain that samples backward.
type Window struct {
	Rep       uint64
	Window    int64
	Doubles   int64 // 1: compare with half the window
	At, Steps int64
	State     State
	Before    float64 // the work seen with half the window
}

// Stage is how far two chains have closed in on a sample.
type Stage int64

// The upper chain piles up a block, then both close in until they are joined;
// a window ends with a sample, or without if they have missed each other.
const (
	Piling Stage = iota
	Closing
	Joined
	Certified
	Missed
)

// Squeeze is the task of two chains that close in on a sample.
type Squeeze struct {
	Rep               uint64
	Window, At, Steps int64
	State             Stage
	Above             float64 // until when the upper one starts occupied, less the pile
}

// Replication is the task of a chain that runs forward.
type Replication struct {
	Rep   uint64
	At    int64
	Waste float64
	Level float64 // of the queue when it was last looked at
	Turns int64   // parts of the path that have been noted
}

// Path is the task of a chain, or of a pair, that is looked at along a path.
type Path struct {
	Rep      uint64
	Half     int64 // job before which a block ends and the second chain begins
	Pair     int64 // 1: there is a second chain
	By, To   int64 // jobs between looks, and the job at which the path ends
	At, Next int64 // next job, and the next one before which there is a look
	Steps    int64
	Looks    int64 // since the host has read them
	State    State
}

// Tower is the task of a chain that grows a pile.
type Tower struct {
	Rep    uint64
	At     int64
	Lifted float64
}

// HistogramCells is the length of one histogram, in the cells of the samplers.
const HistogramCells = 104 << 8

// LogNumbers is how many numbers the table of logarithms has.
const LogNumbers = 3 * 257

// Logs orders the table of package fastmath, three numbers a cell, as the kernels read it:
// the first two of each cell side by side, then the third of each.
func Logs(table []float64) []float64 {
	cells := len(table) / 3
	logs := make([]float64, len(table))
	for i := range cells {
		logs[2*i], logs[2*i+1], logs[2*cells+i] = table[3*i], table[3*i+1], table[3*i+2]
	}
	return logs
}
