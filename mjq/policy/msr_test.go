package policy

import (
	"math"
	"strings"
	"testing"
)

// TestShares: those of a chain of three schedules balance its flows, also where rates lie
// far apart.
func TestShares(t *testing.T) {
	p := MSR{Schedules: make([][]int, 3), Generator: [][]float64{{-3, 1, 2}, {1e-9, -1e-9, 0}, {0, 4, -4}}}
	shares, sum := p.Shares(), 0.0
	for j := range shares {
		flow, scale := 0.0, 0.0
		for i := range shares {
			flow += shares[i] * p.Generator[i][j]
			scale = max(scale, math.Abs(shares[i]*p.Generator[i][j]))
		}
		if math.Abs(flow) > 1e-15*scale {
			t.Errorf("state %d: flows of up to %g leave %g", j, scale, flow)
		}
		sum += shares[j]
	}
	if math.Abs(sum-1) > 1e-15 {
		t.Errorf("shares sum to %v", sum)
	}
}

// TestMSRValidate: all faults at once, each with what to do.
func TestMSRValidate(t *testing.T) {
	system := System{Servers: 4, Classes: []Class{{Name: "small", Need: 1}, {Name: "big", Need: 3}, {Name: "other big", Need: 3}}}
	for _, c := range []struct {
		p    MSR
		says []string
	}{
		{MSR{}, []string{"no schedule"}},
		{MSR{[][]int{{4, 1}, {1}, {-1, 1}}, [][]float64{{-1, 2}}}, []string{"takes 7 servers of 4", "schedule 2 has 1 numbers", "-1 jobs of need 1", "generator of 1 rows", "has 2 rates of 1"}},
		{MSR{[][]int{{4, 0}, {1, 0}}, [][]float64{{-1, 1}, {1, -2}}}, []string{"no schedule runs jobs of need 3", "sums to -1"}},
		{MSR{[][]int{{4, 0}, {1, 1}}, [][]float64{{0, 0}, {1, -1}}}, []string{"does not come"}},
		{MSR{[][]int{{4, 0}, {1, 1}}, [][]float64{{-1, 1}, {0, 0}}}, []string{"does not come"}},
		{MSR{[][]int{{4, 0}, {1, 1}}, [][]float64{{1, -1}, {math.NaN(), 0}}}, []string{"rate -1", "rate NaN"}},
	} {
		err := c.p.Validate(system)
		for _, says := range c.says {
			if err == nil || !strings.Contains(err.Error(), says) {
				t.Errorf("%v does not say %q", err, says)
			}
		}
	}
	if err := (MSR{[][]int{{4, 0}, {1, 1}}, [][]float64{{-1, 1}, {2, -2}}}).Validate(system); err != nil {
		t.Error(err)
	}
}
