package gpu

import (
	"context"
	"fmt"
	"time"

	"github.com/mjqueue/mjq/kernels/cuda"
	"github.com/mjqueue/mjq/mjq/internal/sampling"
)

// Sampler runs the chains of one system on a device. It is a [sampling.Device].
type Sampler struct {
	driver  Driver
	classes int
	types   int     // of resources, 0 in the plain queue
	parts   int     // of a pile, by which its height is told
	unit    float64 // of time on the device, in the caller's
	free    []int64 // what an empty chain saves as free
	slots   int     // places that a chain has for groups in service
	plan    plan
	model   uint64 // address
	room    int
	pile    *tower
	held    []uint64 // addresses to free at the end
}

// plan is how chains are laid out in a launch.
type plan struct {
	suffix  string // of the kernels' names
	threads int    // a block
	few     bool   // groups lie in shared memory
	quota   int64  // jobs in the first launch
	apart   int    // warps of a multiprocessor among which few chains are shared out
}

const (
	// sharedBytes is what every device gives a block without asking.
	sharedBytes = 48 << 10
	// fewGroups is up to how many groups a chain keeps them sorted in shared
	// memory: the array then fits for a warp of two chains a thread.
	fewGroups = 40
	// most is how many chains a launch takes on any device, and wave how many for each
	// multiprocessor of a larger one: as many threads as its registers suffice for.
	most = 1 << 17
	wave = 1024
	warp = 32
	// apart is among how many warps of a multiprocessor few chains are shared out, for the threads
	// of a warp wait for each other. Of 4, 8, 16 and 32 it is the fastest for 4096 chains on an
	// H100 in three queues of four, and up to 2.2 times as fast as whole blocks (BenchmarkBlocks).
	apart = 8
)

// layout chooses the kernels for chains of at most a given number of groups.
func layout(types, slots int) plan {
	infix := ""
	if types > 0 {
		infix = "_types"
	}
	if slots > fewGroups {
		quota := int64(firstQuota)
		if types > 0 {
			quota = leastQuota // steps on sorted arrays, however long, in global memory
		}
		return plan{infix + "_many", 128, false, quota, apart}
	}
	perThread := 2 * 12 * slots // two chains, a float64 and an int32 a group
	return plan{infix + "_few", min(128, (sharedBytes-8*cuda.LogNumbers)/perThread/warp*warp), true, firstQuota, apart}
}

// shared is how many bytes of it a block of threads takes for a given number of chains a thread.
func (s *Sampler) shared(threads, chains int) int {
	bytes := 8 * cuda.LogNumbers
	if s.plan.few {
		bytes += chains * 12 * s.slots * threads
	}
	return bytes
}

// threads is how many of them make a block when a launch runs so many chains: fewer than the
// plan says, and than a warp has, where warps would else stand idle.
func (s *Sampler) threads(chains int) int {
	blocks := s.plan.apart * s.driver.Multiprocessors()
	each := (chains + blocks - 1) / blocks
	if each >= warp {
		each = s.plan.threads
	}
	return each
}

// New lays a system out on a device. It fails when a law has no form for a
// device, or not even one chain fits its memory. Close the sampler after use;
// the driver stays open.
func New(d Driver, sys *sampling.System) (*Sampler, error) {
	m, err := compile(sys)
	if err != nil {
		return nil, err
	}
	s := &Sampler{driver: d, classes: len(sys.Needs), types: len(m.Resources), unit: sys.Input.Unit()}
	s.shape(m)
	s.plan = layout(s.types, s.slots)
	if !s.plan.few && s.types == 0 {
		s.slots = (s.slots + 3 + 3) / 4 * 4 // a heap begins three places in, and nodes are of four
	}
	image := m.Encode()
	if s.model, err = s.alloc("the model", int64(len(image))); err != nil {
		return nil, err
	}
	if err := d.Upload(s.model, image); err != nil {
		return nil, s.fault("copying the model", err)
	}
	free, _, err := d.Memory()
	if err != nil {
		return nil, s.fault("asking for free memory", err)
	}
	// A tenth stays free for the driver; the histograms do not grow with the chains.
	fixed := int64(s.classes) * 2 * 8 * cuda.HistogramCells
	s.room = int(min(int64(max(most, wave*d.Multiprocessors())), (free-free/10-fixed)/s.perChain()))
	if s.room < 1 {
		s.Close()
		return nil, fmt.Errorf("the GPU %s has %d MiB free; one chain of %d groups and the histograms of %d classes take %d MiB; close what else uses it, or use Device: mjq.CPU",
			d.Name(), free>>20, s.slots, s.classes, (s.perChain()+fixed)>>20+1)
	}
	return s, nil
}

// shape is how large the chains of a model are.
func (s *Sampler) shape(m *cuda.Model) {
	s.parts = 1
	if s.types == 0 {
		least := m.Servers
		for _, c := range m.Classes {
			least = min(least, c.Need)
		}
		s.free, s.slots = []int64{m.Servers}, int(m.Servers/least)
		return
	}
	s.free = []int64{0} // the chain itself
	for _, r := range m.Resources {
		s.free = append(s.free, int64(r.Units))
		s.slots += int(r.Slots)
	}
	if m.Printed {
		s.parts = s.types
	}
}

// perChain is how many bytes the largest of the tasks takes for a chain.
func (s *Sampler) perChain() int64 {
	groups := 3 * 12 * int64(s.slots)
	row := max(sampling.StateRow(s.classes, s.types).Len(), sampling.AccountRow(s.classes, s.types).Len(), sampling.GrowthRow(s.classes).Len()+2*s.parts)
	return groups + 3*40*int64(len(s.free)) + 80 + 8*int64(row)
}

// times turns the device's times, powers of the unit, into the caller's.
func times(list []float64, unit float64) {
	for i := range list {
		list[i] *= unit
	}
}

// rescale turns the rows of n chains, the values of all chains of one quantity side by
// side, from the device's unit of time into the caller's.
func (s *Sampler) rescale(rows []float64, l *sampling.Layout, n int) {
	for at := range l.Len() {
		column := rows[at*n : (at+1)*n]
		switch l.What(at).Power() {
		case 1:
			times(column, s.unit)
		case 2:
			times(column, s.unit*s.unit)
		}
	}
}

// Room is how many chains a launch takes.
func (s *Sampler) Room() int { return s.room }

// Close frees the sampler's memory on the device.
func (s *Sampler) Close() {
	for _, at := range s.held {
		_ = s.driver.Free(at) // a device that fails here has told so before
	}
	s.held = nil
}

// alloc reserves memory that Close frees.
func (s *Sampler) alloc(what string, bytes int64) (uint64, error) {
	at, err := s.driver.Alloc(bytes)
	if err != nil {
		free, total, _ := s.driver.Memory()
		return 0, fmt.Errorf("the GPU %s gave no %d MiB for %s (%d of %d MiB are free): %w; ask for fewer samples or replications, or use Device: mjq.CPU",
			s.driver.Name(), bytes>>20+1, what, free>>20, total>>20, err)
	}
	s.held = append(s.held, at)
	return at, nil
}

// release frees what was reserved after the first n.
func (s *Sampler) release(n int) {
	for len(s.held) > n {
		_ = s.driver.Free(s.held[len(s.held)-1])
		s.held = s.held[:len(s.held)-1]
	}
}

func (s *Sampler) fault(what string, err error) error {
	return fmt.Errorf("the GPU %s: %s: %w", s.driver.Name(), what, err)
}

// Launches are kept near this long, so that a run can be stopped between two: the
// quota of jobs a chain follows from how long the last one took.
const (
	launchTime = 30 * time.Millisecond
	firstQuota = 1 << 9
	leastQuota = 1 << 4
)

// drive launches a kernel until done says that all chains are through. before
// and after are its arguments on either side of the quota of jobs a chain.
func (s *Sampler) drive(ctx context.Context, kernel string, chains, perThread int, before, after []uint64, done func() (bool, error)) error {
	threads := s.threads(chains)
	blocks := (chains + threads - 1) / threads
	quota := s.plan.quota
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		started := time.Now()
		args := append(append(append([]uint64{}, before...), uint64(quota)), after...)
		if err := s.driver.Launch(kernel+s.plan.suffix, blocks, threads, s.shared(threads, perThread), args...); err != nil {
			return s.fault(fmt.Sprintf("running %d chains", chains), err)
		}
		if all, err := done(); all || err != nil {
			return err
		}
		quota = nextQuota(quota, time.Since(started))
	}
}

// nextQuota aims at launchTime from what the last launch took, growing at most
// fourfold a launch, since the first jobs of empty chains are the quickest.
func nextQuota(quota int64, took time.Duration) int64 {
	scaled := float64(quota) * float64(launchTime) / float64(max(took, time.Microsecond))
	return max(leastQuota, min(4*quota, int64(scaled)))
}
