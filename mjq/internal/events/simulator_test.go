package events

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/compiled"

	"github.com/mjqueue/mjq/mjq/internal/recurrence"
	"github.com/mjqueue/mjq/mjq/internal/stream"
)

// tape is an input written down beforehand; after its end, jobs without gap,
// servers or service follow.
type tape []stream.Job

func (t tape) Fill(dst []stream.Job, first int64) {
	clear(dst)
	if first < int64(len(t)) {
		copy(dst, t[first:])
	}
}

// waits are those of all jobs of the tape.
func (t tape) waits(servers int) []float64 {
	var waits []float64
	s := New(compiled.System{Servers: servers})
	s.Started = func(_ int64, _ int32, wait, _ float64) { waits = append(waits, wait) }
	s.Reset(t)
	s.Until(int64(len(t)))
	for s.Drain(3) > 0 {
	}
	return waits
}

// TestByHand follows a few jobs on three servers. The big job arrives at 1,
// finds two servers busy until 2 and 4, and blocks the small ones behind it
// although a server is idle: one from 1 to 2, two from 2 to 4.
func TestByHand(t *testing.T) {
	in := tape{
		{Need: 1, Service: 2, Gap: 0},
		{Need: 1, Service: 4, Gap: 1},
		{Need: 3, Service: 1, Gap: 1},       // at 1, starts at 4, leaves at 5
		{Need: 1, Service: 5, Gap: 0},       // at 2, starts at 5
		{Need: 2, Service: 0, Gap: 1},       // at 2, starts and leaves at 5
		{Need: 2, Service: 2, Gap: 7},       // at 3, starts at 5, leaves at 7
		{Need: 3, Service: 1, Gap: 0},       // at 10, when the last server frees
		{Need: 1, Service: 1, Gap: 1},       // at 10, starts at 11
		{Need: 1, Service: 1, Gap: math.Pi}, // at 11
	}
	want := []float64{0, 0, 3, 3, 3, 2, 0, 1, 0}
	got := in.waits(3)
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("waits %v, by hand %v", got, want)
	}
	s := New(compiled.System{Servers: 3})
	s.Reset(in)
	s.Until(6) // time 10
	a := s.Take()
	// Responses 2, 4, 4, 8, 3, 4 and waits 11 in all; busy 2+4+3+5+0+4.
	if (a != Area{Time: 10, System: 25, Queue: 11, Idle: 30 - 18, Wasted: 1 + 2*2}) {
		t.Errorf("accumulated %+v", a)
	}
	if s.Take() != (Area{}) {
		t.Error("Take does not forget")
	}
}

// randomTape has needs skewed to small, ties, zeros, long services, and gaps
// that sometimes let the system run empty.
func randomTape(rng *rand.Rand, servers, jobs int) tape {
	in := make(tape, jobs)
	whole := rng.IntN(2) == 0 // times are small whole numbers: ties everywhere
	least := 1 + rng.IntN(servers)
	for i := range in {
		j := &in[i]
		j.Need = int32(min(servers, least+int(float64(servers-least+1)*math.Pow(rng.Float64(), 3))))
		j.Service, j.Gap = rng.ExpFloat64(), rng.ExpFloat64()*(0.2+2*float64(rng.IntN(2)))
		switch rng.IntN(10) {
		case 0:
			j.Service = 0
		case 1:
			j.Service = 1
		case 2:
			j.Gap = 0
		case 3:
			j.Service *= 20
		}
		if whole {
			j.Service, j.Gap = math.Floor(3*j.Service), math.Floor(3*j.Gap)
		}
	}
	return in
}

// disagreement compares waits with those of the recurrence; empty if none
// differs by more than 1e-9.
func disagreement(in tape, servers int, waits []float64) string {
	runs, now := recurrence.NewRuns(servers), 0.0
	for i, j := range in {
		start, _ := runs.Step(now, j.Need, j.Service)
		if want := start - now; math.Abs(waits[i]-want) > 1e-9 {
			return fmt.Sprintf("s=%d job %d: wait %v, the recurrence says %v", servers, i, waits[i], want)
		}
		now += j.Gap
		if i%100 == 99 {
			runs.Shift(now)
			now = 0
		}
	}
	return ""
}

// TestAgreesWithTheRecurrence compares every wait of random inputs with the
// recurrence, an independent program.
func TestAgreesWithTheRecurrence(t *testing.T) {
	for _, servers := range []int{1, 2, 3, 7, 20, 100} {
		for seed := range uint64(10) {
			in := randomTape(rand.New(rand.NewPCG(seed, uint64(servers))), servers, 3000)
			if fault := disagreement(in, servers, in.waits(servers)); fault != "" {
				t.Error(fault)
			}
		}
	}
	in := randomTape(rand.New(rand.NewPCG(1, 1)), 5, 3000)
	waits := in.waits(5)
	waits[1700] += 1e-6
	if disagreement(in, 5, waits) == "" {
		t.Error("a wrong wait goes unnoticed")
	}
}

// TestHOLWaste compares the integral of idle servers while a job waits with
// the sum over jobs that the recurrence gives, on a run that ends empty.
func TestHOLWaste(t *testing.T) {
	for seed := range uint64(5) {
		in := randomTape(rand.New(rand.NewPCG(seed, 3)), 12, 2000)
		in[len(in)-1].Gap = 1e6
		s, runs := New(compiled.System{Servers: 12}), recurrence.NewRuns(12)
		s.Reset(in)
		s.Until(int64(len(in)))
		want, now, waits, services, work := 0.0, 0.0, 0.0, 0.0, 0.0
		for _, j := range in {
			start, waste := runs.Step(now, j.Need, j.Service)
			want += waste
			waits += start - now
			services += j.Service
			work += j.Service * float64(j.Need)
			now += j.Gap
		}
		a := s.Take()
		for _, c := range []struct {
			what      string
			got, want float64
		}{
			{"waste", a.Wasted, want}, {"time", a.Time, now}, {"jobs in line", a.Queue, waits},
			{"jobs in system", a.System, waits + services}, {"idle servers", a.Idle, 12*now - work},
		} {
			if math.Abs(c.got-c.want) > 1e-9*c.want {
				t.Errorf("%s: integral %v, the sum over jobs is %v", c.what, c.got, c.want)
			}
		}
	}
}

// TestMemoryOfALongRun: the slab of jobs grows with the fullest system only, and a run
// allocates nothing once warm, but for what the policy starts with.
func TestMemoryOfALongRun(t *testing.T) {
	in := make(tape, 1<<16)
	for i := range in {
		in[i] = stream.Job{Need: 1, Service: 1.5, Gap: 1}
		if i%100 < 50 {
			in[i].Gap = 2.5
		}
	}
	s, input := New(compiled.System{Servers: 1}), Input(in)
	s.Reset(input)
	s.Until(int64(len(in)))
	s.Reset(input)
	next := int64(0)
	allocs := testing.AllocsPerRun(10, func() {
		next += 1 << 12
		s.Until(next)
	})
	if allocs > 0 || len(s.system.all) > 64 {
		t.Errorf("%v allocations, room for %d in the system", allocs, len(s.system.all))
	}
}
