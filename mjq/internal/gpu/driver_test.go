//go:build cuda

package gpu

import (
	"strings"
	"testing"
)

// TestOnTheDriver runs the comparisons with the CPU on CUDA's driver, whichever
// it is: a GPU's, or the emulated one that kernels/cuda/link.sh makes. Without a
// device it checks that the error says what to do; the emulated one has to open.
func TestOnTheDriver(t *testing.T) {
	first, err := Open()
	if err != nil {
		if !strings.HasPrefix(err.Error(), "") || !strings.Contains(err.Error(), "Device: mjq.CPU") {
			t.Errorf("without a device: %v", err)
		}
		if strings.Contains(err.Error(), "GPU emulated") {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	t.Logf("on %s", first.Name())
	if err := first.Launch("mjq_nothing", 1, 32, 0); err == nil {
		t.Error("a kernel that does not exist runs")
	}
	if at, err := first.Alloc(1 << 50); err == nil {
		t.Errorf("2^50 bytes lie at %x", at)
	}
	if err := first.Close(); err != nil {
		t.Error(err)
	}
	defer func(before func(*testing.T, int64) Driver) { open = before }(open)
	open = func(t *testing.T, _ int64) Driver {
		d, err := Open()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := d.Close(); err != nil {
				t.Error(err)
			}
		})
		return d
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
	t.Run("chains", TestManyChains)
	t.Run("pairs", TestManyPairs)
	t.Run("interrupted", TestInterrupted)
}
