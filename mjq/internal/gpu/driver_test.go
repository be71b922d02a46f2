//go:build cuda

package gpu

import (
	"context"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mjqueue/mjq/kernels/cuda"
)

// only is the one driver that all tests of a program have open: a context takes long to
// make on a GPU. It counts launches, by kernel, and how long they took.
type only struct {
	Driver
	launches map[string]int
	took     time.Duration
}

func (d *only) Launch(kernel string, blocks, threads, bytes int, args ...uint64) error {
	d.launches[kernel]++
	began := time.Now()
	defer func() { d.took += time.Since(began) }()
	return d.Driver.Launch(kernel, blocks, threads, bytes, args...)
}

// Close leaves the device to the next test.
func (d *only) Close() error { return nil }

var opened = sync.OnceValues(func() (*only, error) {
	d, err := Open()
	return &only{Driver: d, launches: map[string]int{}}, err
})

// onDriver has the tests run on CUDA's driver, whichever it is: a GPU's, or the emulated one
// that kernels/cuda/link.sh makes. Without a device it checks that the error says what to do;
// the emulated one has to open.
func onDriver(t testing.TB) *only {
	d, err := opened()
	if err != nil {
		if !strings.Contains(err.Error(), "Device: mjq.CPU") {
			t.Errorf("without a device: %v", err)
		}
		if strings.Contains(err.Error(), "GPU emulated") {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	before := open
	t.Cleanup(func() { open = before })
	open = func(*testing.T, int64) Driver { return d }
	return d
}

// TestDriverOpens says which device it is, and how long it took to open.
func TestDriverOpens(t *testing.T) {
	began := time.Now()
	d := onDriver(t)
	free, total, err := d.Memory()
	t.Logf("%s, %d multiprocessors, %d of %d MiB free, opened in %.1f s (%v)", d.Name(), d.Multiprocessors(), free>>20, total>>20, time.Since(began).Seconds(), err)
	if err != nil || d.Multiprocessors() < 1 {
		t.Error("the driver does not tell what the device has")
	}
}

// TestOnTheDriver runs the comparisons with the CPU, of every kernel, law and type of queue.
func TestOnTheDriver(t *testing.T) {
	d := onDriver(t)
	t.Logf("on %s", d.Name())
	if err := d.Launch("mjq_nothing", 1, 32, 0); err == nil {
		t.Error("a kernel that does not exist runs")
	}
	if at, err := d.Alloc(1 << 50); err == nil {
		t.Errorf("2^50 bytes lie at %x", at)
	}
	t.Run("jobs", TestJobsAreTheSame)
	t.Run("backward", TestBackwardIsTheSame)
	t.Run("certified", TestCertifiedIsTheSame)
	t.Run("windows", TestCertifiedWindowBySample)
	t.Run("types, backward", TestTypedBackwardIsTheSame)
	t.Run("types, forward", TestTypedForwardIsTheSame)
	t.Run("types, pile", TestTypedPileIsTheSame)
	t.Run("forward", TestForwardIsTheSame)
	t.Run("pile", TestPileIsTheSame)
	t.Run("paths", TestPathsAreTheSame)
	t.Run("followed", TestFollowedIsTheSame)
	t.Run("units", TestUnitsOnTheDevice)
	t.Run("pauses", TestPausesDoNotShow)
	t.Run("chains", TestManyChains)
	t.Run("pairs", TestManyPairs)
	t.Run("interrupted", TestInterrupted)
	code, err := cuda.PTX(9, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range regexp.MustCompile(`\.visible \.entry (mjq_\w+)\(`).FindAllStringSubmatch(code, -1) {
		if d.launches[entry[1]] == 0 {
			t.Errorf("nothing ran %s", entry[1])
		}
	}
	drawn := map[cuda.Kind]bool{}
	for _, sys := range systems() {
		m, err := compile(&sys)
		if err != nil {
			t.Fatal(err)
		}
		drawn[m.Gap.Kind] = true
		for _, c := range m.Classes {
			drawn[c.Service.Kind] = true
		}
	}
	if len(drawn) != len(kernels) {
		t.Errorf("the queues have %d of %d laws", len(drawn), len(kernels))
	}
}

// TestSmallOnTheDriver runs every kernel on few chains, for compute-sanitizer, under which a job
// takes a thousand times as long.
func TestSmallOnTheDriver(t *testing.T) {
	d := onDriver(t)
	all := systems()
	maps.Copy(all, typedSystems())
	for _, name := range slices.Sorted(maps.Keys(all)) {
		t.Run(name, func(t *testing.T) {
			sys := all[name]
			s, err := New(d, &sys)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			if err := small(s, sys.Alike()); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestProfileOnTheDriver launches the three kernels that count most with as many chains as a
// device takes, for ncu.
func TestProfileOnTheDriver(t *testing.T) {
	d, all := onDriver(t), systems()
	for _, c := range []struct {
		name, queue string
		run         func(s *Sampler, reps []uint64) error
	}{
		{"forward", "five classes", func(s *Sampler, reps []uint64) error {
			_, err := s.Forward(context.Background(), 0, len(reps), 100, firstQuota, 0)
			return err
		}},
		{"backward", "1 and 256", func(s *Sampler, reps []uint64) error {
			_, err := s.Backward(context.Background(), reps, firstQuota, nil)
			return err
		}},
		{"certified", "five classes", func(s *Sampler, reps []uint64) error {
			_, err := s.Certified(context.Background(), reps, firstQuota-300, 300, 3)
			return err
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			sys := all[c.queue]
			s, err := New(d, &sys)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			reps := make([]uint64, min(s.Room(), chainsToTime()[len(chainsToTime())-1]))
			for i := range reps {
				reps[i] = uint64(i)
			}
			if err := c.run(s, reps); err != nil {
				t.Error(err)
			}
		})
	}
}
