package workload

import (
	"cmp"
	"slices"
)

// View is a snapshot of the ordered workload vector at one instant, made for
// asking many coordinates of it. Reuse it: Read allocates only when it grows.
type View struct {
	now    float64
	groups []group // ascending, the free servers first
	upTo   []int32 // cumulative counts
	work   []float64
}

// Read takes the snapshot of r at time t, which must not lie before the last
// arrival. O(runs log runs).
func (v *View) Read(r *Runs, t float64) {
	v.now = t
	v.groups, v.upTo, v.work = v.groups[:0], v.upTo[:0], v.work[:0]
	v.groups = append(v.groups, group{r.front, r.free}) // none leaves before front
	v.groups = append(v.groups, r.groups...)
	for _, rung := range r.far.rungs[:r.far.up] {
		v.groups = append(v.groups, rung...)
	}
	slices.SortFunc(v.groups, func(a, b group) int { return cmp.Compare(a.release, b.release) })
	total, sum := int32(0), 0.0
	for i, g := range v.groups {
		v.groups[i].release = max(0, g.release-t)
		total += g.count
		sum += float64(g.count) * v.groups[i].release
		v.upTo = append(v.upTo, total)
		v.work = append(v.work, sum)
	}
}

// Wait is coordinate need of the ordered vector, W^need: the waiting time of a
// job that arrives now and needs that many servers. O(log runs).
func (v *View) Wait(need int32) float64 {
	i, _ := slices.BinarySearch(v.upTo, need)
	return v.groups[i].release
}

// Waste is Σ_{i≤need} (W^need - W^i): the server-time that a job arriving now
// with that need would keep idle while it gathers its servers.
func (v *View) Waste(need int32) float64 {
	i, _ := slices.BinarySearch(v.upTo, need)
	w := v.groups[i].release
	below := v.work[i] - float64(v.upTo[i]-need)*w
	return max(0, float64(need)*w-below)
}

// Max is the largest coordinate, W^s.
func (v *View) Max() float64 { return v.groups[len(v.groups)-1].release }

// Total is the sum of all coordinates.
func (v *View) Total() float64 { return v.work[len(v.work)-1] }
