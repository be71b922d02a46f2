package stream

import (
	"math"
	"slices"
	"testing"

	"github.com/mjqueue/mjq/mjq/law"
)

// TestChoicesAreUniform counts every set of k of 5 servers by chi-square, and
// how often successive jobs agree.
func TestChoicesAreUniform(t *testing.T) {
	r := New(4, law.ExpMean(1), mix()).Reader(0)
	c := NewChooser(5)
	sets := map[int]int{1: 5, 2: 10, 3: 10, 4: 5, 5: 1}
	const jobs = 60_000
	for k, want := range sets {
		counts := map[int]int{}
		before, same := 0, 0
		for job := range int64(jobs) {
			set := 0
			for _, i := range c.Job(r, job-jobs/2, k) {
				set |= 1 << i
			}
			counts[set]++
			if set == before {
				same++
			}
			before = set
		}
		p := 1 / float64(want)
		chi2 := 0.0
		for _, n := range counts {
			d := float64(n) - jobs*p
			chi2 += d * d / (jobs * p)
		}
		// Chi-square of want-1 degrees: mean want-1, variance 2(want-1).
		if spread := math.Sqrt(2*float64(want-1)) + 1e-9; len(counts) != want || chi2 > float64(want-1)+6*spread {
			t.Errorf("%d of 5: %d sets with chi-square %v, want %d sets", k, len(counts), chi2, want)
		}
		if d := float64(same) - jobs*p; math.Abs(d) > 5*math.Sqrt(jobs*p*(1-p))+1 {
			t.Errorf("%d of 5: successive jobs agree %d times, want about %v", k, same, jobs*p)
		}
	}
}

// TestChoicesAreReproducible asks in another order, of another reader, with
// other draws between.
func TestChoicesAreReproducible(t *testing.T) {
	src := New(4, law.ExpMean(1), mix())
	a, b := NewChooser(20), NewChooser(20)
	ra, rb := src.Reader(7), src.Reader(1)
	var want [][]int32
	for job := range int64(50) {
		want = append(want, slices.Clone(a.Job(ra, job-25, int(job)%21)))
	}
	other := 0
	for job := int64(49); job >= 0; job-- {
		rb.Rewind(1)
		if !slices.Equal(b.Job(rb, job-25, int(job)%21), want[job]) {
			other++
		}
		b.Probe(rb, 2, job, 11)
		rb.Rewind(7)
		if got := b.Job(rb, job-25, int(job)%21); !slices.Equal(got, want[job]) {
			t.Fatalf("job %d chooses %v, before %v", job-25, got, want[job])
		}
	}
	if other < 40 {
		t.Errorf("another replication chooses the same for %d of 50 jobs", 50-other)
	}
	if slices.Equal(slices.Clone(a.Probe(ra, 1, 0, 9)), a.Probe(ra, 2, 0, 9)) {
		t.Error("tagged customers of two classes choose the same")
	}
}
