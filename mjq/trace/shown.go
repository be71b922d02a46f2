package trace

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// Shown is what a log shows by itself, without a replay. Times are in seconds.
type Shown struct {
	From, To time.Time // first and last arrival; zero where the log has no calendar
	Span     float64   // from one to the other
	Jobs     int
	Servers  int
	// Waits says whose waits the rest is about: "log", or "replay" where the log has none.
	Waits             string
	Mean, Median, P90 float64
	Hour              float64 // share of the jobs that waited for more than an hour
	Busy              float64 // share of the server-time between From and To
	// IdleHours are server-hours without a job, BlockedHours those while a job waited.
	IdleHours, BlockedHours float64
	Classes, Users          []Waiters // Users: the five whose jobs waited longest together
}

// Waiters are jobs that have something in common, and what they waited.
type Waiters struct {
	Name      string
	Jobs      int
	Mean, P90 float64
	Share     float64 // of the waiting time of all jobs
}

// mostUsers is how many users a page names.
const mostUsers = 5

// shown is what the jobs of a replay show with their waits, NaN for those without.
func (x *served) shown(waits []float64, source string) (s Shown) {
	jobs := x.log.Jobs
	first, last := jobs[0].Arrival, jobs[len(jobs)-1].Arrival
	s = Shown{Span: last - first, Jobs: len(jobs), Servers: x.how.Servers, Waits: source}
	if origin := x.log.Report.Origin; !origin.IsZero() {
		at := func(t float64) time.Time { return origin.Add(time.Duration(t) * time.Second) }
		s.From, s.To = at(first), at(last)
	}
	known := make([]float64, 0, len(waits))
	total, long := 0., 0.
	for _, w := range waits {
		if math.IsNaN(w) {
			continue
		}
		known, total = append(known, w), total+w
		if w > 3600 {
			long++
		}
	}
	slices.Sort(known)
	n := float64(len(known))
	s.Mean, s.Median, s.P90, s.Hour = total/n, at(known, 0.5), at(known, 0.9), long/n
	s.Classes = x.waiters(waits, total, func(j *Job) string { return x.how.Classes.name(x.how.Classes.of(j)) })
	s.Users = slices.DeleteFunc(x.waiters(waits, total, func(j *Job) string { return j.User }), func(w Waiters) bool { return w.Name == "" })
	slices.SortStableFunc(s.Users, func(a, b Waiters) int { return cmp.Compare(b.Share, a.Share) })
	s.Users = s.Users[:min(mostUsers, len(s.Users))]
	if x.how.Units == nil {
		s.occupied(x, waits, first, last)
	}
	return s
}

// at is a quantile of ascending numbers; NaN without any.
func at(sorted []float64, p float64) float64 {
	if len(sorted) == 0 {
		return math.NaN()
	}
	return sorted[min(len(sorted)-1, int(p*float64(len(sorted))))]
}

// waiters are the jobs by what they have in common, classes in the order of their needs.
func (x *served) waiters(waits []float64, total float64, name func(j *Job) string) (list []Waiters) {
	type some struct {
		need  int
		waits []float64
	}
	by := map[string]*some{}
	for i, w := range waits {
		if math.IsNaN(w) {
			continue
		}
		j := &x.log.Jobs[i]
		k := name(j)
		if by[k] == nil {
			by[k] = &some{need: j.Need}
		}
		by[k].need, by[k].waits = min(by[k].need, j.Need), append(by[k].waits, w)
	}
	for k, of := range by {
		slices.Sort(of.waits)
		sum := 0.
		for _, w := range of.waits {
			sum += w
		}
		list = append(list, Waiters{k, len(of.waits), sum / float64(len(of.waits)), at(of.waits, 0.9), sum / max(total, 1)})
	}
	slices.SortFunc(list, func(a, b Waiters) int {
		return cmp.Or(cmp.Compare(by[a.Name].need, by[b.Name].need), cmp.Compare(a.Name, b.Name))
	})
	return list
}

// occupied adds up the servers that were busy, and those idle while a job waited, between two times.
func (s *Shown) occupied(x *served, waits []float64, from, to float64) {
	type change struct {
		at      float64
		servers int32
		waiting int32
	}
	var all []change
	for i, w := range waits {
		if math.IsNaN(w) {
			continue
		}
		j := &x.log.Jobs[i]
		start := j.Arrival + w
		all = append(all, change{j.Arrival, 0, 1}, change{start, int32(j.Need), -1}, change{start + j.Service, -int32(j.Need), 0})
	}
	began := 0
	for _, j := range x.log.Begin {
		if began += j.Need; began > s.Servers {
			break // the others wait
		}
		all = append(all, change{from, int32(j.Need), 0}, change{from + j.Service, -int32(j.Need), 0})
	}
	slices.SortFunc(all, func(a, b change) int { return cmp.Compare(a.at, b.at) })
	busy, blocked, last := 0., 0., from
	servers, waiting := 0, 0
	for _, c := range all {
		if now := min(max(c.at, from), to); now > last {
			busy += float64(servers) * (now - last)
			if waiting > 0 {
				blocked += float64(max(0, s.Servers-servers)) * (now - last)
			}
			last = now
		}
		servers, waiting = servers+int(c.servers), waiting+int(c.waiting)
	}
	whole := float64(s.Servers) * (to - from)
	s.Busy, s.IdleHours, s.BlockedHours = busy/whole, (whole-busy)/3600, blocked/3600
}
