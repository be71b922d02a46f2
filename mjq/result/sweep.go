package result

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
)

// Sweep is what a sweep, or a part of one, has computed. It is plain data and
// survives encoding/gob and encoding/json: compute parts on several machines, send them
// to one, and merge them there.
type Sweep struct {
	Method       string // with its settings, in words
	Seed         uint64
	Level        float64
	Unit         Unit // of all times and rates; "" if it is not known
	Replications int
	Classes      []string // names, in the order of the model
	Points       []SweepPoint
	Jobs         []SweepJob // done, in the order of point and replication
}

// MarshalJSON writes all fields under their names, as WriteJSON does.
func (s Sweep) MarshalJSON() ([]byte, error) { return WriteJSON(s) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (s *Sweep) UnmarshalJSON(text []byte) error { return ReadJSON(text, s) }

// SweepPoint is one point of the grid: given by its rate or by its load, the
// other being NaN.
type SweepPoint struct {
	Law        string // family; "" as in the model
	Servers    int
	Nodes      string // as 16x8; "" where servers are not on nodes
	Placement  string // of jobs on nodes
	Rate, Load float64
}

// MarshalJSON writes all fields under their names, as WriteJSON does.
func (p SweepPoint) MarshalJSON() ([]byte, error) { return WriteJSON(p) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (p *SweepPoint) UnmarshalJSON(text []byte) error { return ReadJSON(text, p) }

// SweepJob is one replication of one point, with its result.
type SweepJob struct {
	Point, Replication int
	Result             *Result
}

// Label is the point in a few words.
func (p *SweepPoint) Label() string {
	s := fmt.Sprintf("%d servers", p.Servers)
	if p.Nodes != "" {
		s = fmt.Sprintf("nodes %s, %s", p.Nodes, p.Placement)
	}
	if p.Law != "" {
		s = p.Law + ", " + s
	}
	if math.IsNaN(p.Load) {
		return fmt.Sprintf("%s, rate %.6g", s, p.Rate)
	}
	return fmt.Sprintf("%s, load %.6g", s, p.Load)
}

// same reports whether two points are the same, NaN being itself.
func (p SweepPoint) same(q SweepPoint) bool {
	return p.Law == q.Law && p.Servers == q.Servers && p.Nodes == q.Nodes && p.Placement == q.Placement && equal(p.Rate, q.Rate) && equal(p.Load, q.Load)
}

// same reports whether two results of one job have the same mean wait, bit for bit,
// NaN being itself.
func (j *SweepJob) same(k *SweepJob) bool {
	a, b := j.Result.All.Waiting.Mean, k.Result.All.Waiting.Mean
	return equal(a.Value, b.Value) && equal(a.HalfWidth, b.HalfWidth) && equal(a.Level, b.Level) && a.N == b.N && a.Method == b.Method
}

func equal(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }

// counted is "1 point" or "3 points".
func counted(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// sound says what is wrong with the jobs of a part that was not computed here.
func (s *Sweep) sound() error {
	if s == nil {
		return errors.New("is nil; leave it out")
	}
	for _, j := range s.Jobs {
		if j.Point < 0 || j.Point >= len(s.Points) || j.Replication < 0 || j.Replication >= s.Replications {
			return fmt.Errorf("has a job of point %d, replication %d, and a grid of %s with %s; its file is damaged",
				j.Point, j.Replication, counted(len(s.Points), "point"), counted(s.Replications, "replication"))
		}
		if j.Result == nil {
			return fmt.Errorf("has no result for point %s, replication %d; compute it again", s.Points[j.Point].Label(), j.Replication)
		}
	}
	return nil
}

// MergeSweeps puts the parts of one sweep together. They must be parts of the
// same grid with the same method, seed, level and replications; a job that
// several have must have the same mean wait in all, to the bit (NaN being
// itself), and is taken once. It fails otherwise, and names a damaged part. The
// result has the bits of the whole sweep computed at once, whatever the parts
// were and in whatever order they come.
func MergeSweeps(parts ...*Sweep) (*Sweep, error) {
	if len(parts) == 0 {
		return nil, errors.New("merging sweeps: no part given; give the results of all shards")
	}
	for i, p := range parts {
		if err := p.sound(); err != nil {
			return nil, fmt.Errorf("merging sweeps: part %d %w", i+1, err)
		}
	}
	first := parts[0]
	out := *first
	out.Jobs = nil
	for i, p := range parts {
		if p.Method != first.Method || p.Seed != first.Seed || p.Level != first.Level || p.Replications != first.Replications ||
			!slices.Equal(p.Classes, first.Classes) || !slices.EqualFunc(p.Points, first.Points, SweepPoint.same) {
			return nil, fmt.Errorf("merging sweeps: part %d is of another sweep than the first; grid, method, seed, level and replications must agree", i+1)
		}
		out.Jobs = append(out.Jobs, p.Jobs...)
	}
	slices.SortStableFunc(out.Jobs, func(a, b SweepJob) int {
		return cmp.Or(cmp.Compare(a.Point, b.Point), cmp.Compare(a.Replication, b.Replication))
	})
	for i := 1; i < len(out.Jobs); i++ {
		a, b := &out.Jobs[i-1], &out.Jobs[i]
		if a.Point == b.Point && a.Replication == b.Replication && !a.same(b) {
			return nil, fmt.Errorf("merging sweeps: point %s, replication %d has two results, %v and %v; they come from different programs or models",
				out.Points[a.Point].Label(), a.Replication, a.Result.All.Waiting.Mean, b.Result.All.Waiting.Mean)
		}
	}
	out.Jobs = slices.CompactFunc(out.Jobs, func(a, b SweepJob) bool { return a.Point == b.Point && a.Replication == b.Replication })
	return &out, nil
}

// Complete reports whether every job of the grid is done.
func (s *Sweep) Complete() bool { return len(s.Jobs) == len(s.Points)*s.Replications }

// At is the result of a point, pooled over the replications that are done; nil
// if none is.
func (s *Sweep) At(point int) *Result {
	var rs []*Result
	for _, j := range s.Jobs {
		if j.Point == point {
			rs = append(rs, j.Result)
		}
	}
	return Pool(rs)
}

// Results are the results of all points that have any, in the order of the
// grid, for plots.Means and its kin.
func (s *Sweep) Results() []*Result {
	var out []*Result
	for i := range s.Points {
		if r := s.At(i); r != nil {
			out = append(out, r)
		}
	}
	return out
}

// Table returns a row for every finished point: its stability limit λ_c, the mean waits by
// class and of all jobs, and the servers wasted by head-of-line blocking. It has the method
// too, if points were answered by different ones.
func (s *Sweep) Table() *Table {
	var laws, methods, nodes, placements []string
	var servers, rates, loads []float64
	var limits, all, waste []Estimate
	waits := make([][]Estimate, len(s.Classes))
	named, placed := false, false
	for i, p := range s.Points {
		r := s.At(i)
		if r == nil {
			continue
		}
		named, placed = named || p.Law != "", placed || p.Nodes != ""
		nodes, placements = append(nodes, p.Nodes), append(placements, p.Placement)
		laws, methods, servers = append(laws, p.Law), append(methods, r.Solver), append(servers, float64(p.Servers))
		rates, loads, limits = append(rates, r.Rate), append(loads, r.Rate/r.Limit.Rate), append(limits, r.Limit.Estimate())
		for c := range waits {
			waits[c] = append(waits[c], r.Classes[c].Waiting.Mean)
		}
		all, waste = append(all, r.All.Waiting.Mean), append(waste, r.WastedHOL)
	}
	t := NewTable("Sweep: " + s.Method).In(s.Unit)
	if named {
		t.Text("service law", laws...)
	}
	if placed {
		t.Text("nodes", nodes...).Text("placement", placements...)
	}
	t.Numbers("servers", servers...).Numbers("λ", rates...).Time(-1).Numbers("λ/λ_c", loads...).Estimates("λ_c", limits...).Time(-1)
	for c, name := range s.Classes {
		t.Estimates("mean wait "+name, waits[c]...).Time(1)
	}
	t.Estimates("mean wait, all", all...).Time(1).Estimates("servers wasted", waste...)
	if mixed := slices.ContainsFunc(methods, func(name string) bool { return name != methods[0] }); mixed {
		t.Text("method", methods...)
	}
	t.Note = fmt.Sprintf("%g %% intervals; seed %d; %d of %d jobs done.", 100*s.Level, s.Seed, len(s.Jobs), len(s.Points)*s.Replications)
	return t.positive()
}

// String returns the table as text.
func (s *Sweep) String() string { return s.Table().String() }

// HTML returns the table and the notes as HTML, for a notebook.
func (s *Sweep) HTML() string { return s.Table().HTML() }
