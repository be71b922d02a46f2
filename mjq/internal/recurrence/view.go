package recurrence

import (
	"cmp"
	"slices"
)

// View is a snapshot of the ordered workload vector at one instant, made for
// asking many coordinates of it. Reuse it: Read allocates only when it grows.
type View struct {
	groups Groups  // ascending, the free servers first
	upTo   []int32 // cumulative counts
	work   []float64
}

// Read takes the snapshot at time t of free servers, which none leaves before front,
// and of groups in service, in any order. O(groups log groups).
func (v *View) Read(t float64, free Group, groups Groups, more ...Groups) {
	v.groups, v.upTo, v.work = v.groups[:0], v.upTo[:0], v.work[:0]
	v.groups = append(append(v.groups, free), groups...)
	for _, g := range more {
		v.groups = append(v.groups, g...)
	}
	slices.SortFunc(v.groups, func(a, b Group) int { return cmp.Compare(a.Release, b.Release) })
	total, sum := int32(0), 0.0
	for i, g := range v.groups {
		v.groups[i].Release = max(0, g.Release-t)
		total += g.Count
		sum += float64(g.Count) * v.groups[i].Release
		v.upTo = append(v.upTo, total)
		v.work = append(v.work, sum)
	}
}

// Wait is coordinate need of the ordered vector, W^need: the waiting time of a
// job that arrives now and needs that many servers. O(log runs).
func (v *View) Wait(need int32) float64 {
	i, _ := slices.BinarySearch(v.upTo, need)
	return v.groups[i].Release
}

// Waste is Σ_{i≤need} (W^need - W^i): the server-time that a job arriving now
// with that need would keep idle while it gathers its servers.
func (v *View) Waste(need int32) float64 {
	i, _ := slices.BinarySearch(v.upTo, need)
	w := v.groups[i].Release
	below := v.work[i] - float64(v.upTo[i]-need)*w
	return max(0, float64(need)*w-below)
}

// Max is the largest coordinate, W^s.
func (v *View) Max() float64 { return v.groups[len(v.groups)-1].Release }

// Total is the sum of all coordinates.
func (v *View) Total() float64 { return v.work[len(v.work)-1] }
