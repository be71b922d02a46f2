package events

import (
	"github.com/mjqueue/mjq/mjq/internal/compiled"
	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/replicate"
	"github.com/mjqueue/mjq/mjq/result"
)

// Fate is what becomes of a job.
type Fate int8

// The fates: it is served, it finds no room, or it gives up before it has started.
const (
	Served Fate = iota
	TurnedAway
	GaveUp
)

// unserved is what is added up of the jobs that are not served.
type unserved struct {
	turned, left         float64 // jobs
	turnedWork, leftWork float64 // servers × service
	inVain               float64 // time that jobs have waited which gave up
}

func (l *unserved) merge(q *unserved) {
	l.turned += q.turned
	l.left += q.left
	l.turnedWork += q.turnedWork
	l.leftWork += q.leftWork
	l.inVain += q.inVain
}

// lose adds a job that is not served, so many times.
func (l *unserved) lose(j *Record, times float64) {
	work := times * float64(j.Need) * j.Service
	if j.Fate == TurnedAway {
		l.turned += times
		l.turnedWork += work
		return
	}
	l.left += times
	l.leftWork += work
	l.inVain += times * j.Wait
}

// limited reports whether the engine of that name does: servers are alike, and jobs start in
// the order in which they come, under whatever policy if nobody may wait.
func (p *Plan) limited() bool {
	return p.Turns() && p.Failing == nil && !p.Loops() && p.Types == nil && p.Nodes == nil && !p.Overtaking &&
		(p.Room != nil && p.Room.Jobs == 0 || p.Policy == nil || p.Policy.Properties().Recurrence)
}

// fates records jobs whose fate is known, in any order.
func (r *recorder) fates(jobs []fated) {
	for i := range jobs {
		j := &jobs[i]
		b := r.at(j.number)
		if b == nil {
			continue
		}
		if j.fate != TurnedAway || b != r.open[0] {
			r.record(&Record{Number: j.number, Class: j.class, Need: int(j.need), Fate: j.fate,
				Served: estimate.Served{Wait: j.wait, FirstWait: j.wait, Service: j.service}})
			continue
		}
		b.missing--
		s := &b.classes[j.class].unserved
		s.turned++
		s.turnedWork += float64(j.need) * j.service
	}
}

// fates estimates what becomes of the jobs.
func (p *Plan) fates(t *estimate.Tally, batches []sums) {
	ratio := func(kind estimate.Kind, num, den func(s *sums) float64) result.Estimate {
		return replicate.RatioOf(kind, batches, num, den, t.Waiting.Worth, p.Level, p.method())
	}
	came := func(s *sums) float64 { return s.N + s.turned + s.left }
	if p.Room != nil {
		t.Blocked = ratio(estimate.Share, func(s *sums) float64 { return s.turned }, came)
	}
	if p.Patience != nil {
		t.Left = ratio(estimate.Share, func(s *sums) float64 { return s.left + s.Means[estimate.Left] }, came)
	}
	if p.Room == nil && p.Patience == nil {
		return
	}
	if p.Room != nil && p.Room.Jobs == 0 {
		t.InLine = result.Exact(0, p.method())
		return
	}
	t.InLine = ratio(estimate.Amount, func(s *sums) float64 { return s.Of[estimate.Waiting].X + s.inVain }, func(s *sums) float64 { return s.N + s.left })
}

// turned estimates what the queue does not serve.
func (p *Plan) turned(res *Result, batches []batch) {
	ratio := func(kind estimate.Kind, num, den func(b *batch) float64) result.Estimate {
		return replicate.RatioOf(kind, batches, num, den, res.All.Waiting.Worth, p.Level, p.method())
	}
	time := (*batch).time
	sum := func(of func(s *sums) float64) func(b *batch) float64 {
		return func(b *batch) (total float64) {
			for c := range b.classes {
				total += of(&b.classes[c])
			}
			return total
		}
	}
	res.TurnedWork = ratio(estimate.Share, sum(func(s *sums) float64 { return s.turnedWork }), sum(func(s *sums) float64 { return s.work + s.turnedWork + s.leftWork }))
	res.Goodput = ratio(estimate.Amount, sum(func(s *sums) float64 { return s.work - s.lostWork }), time)
	p.thinking(res, ratio)
	for c := range p.Classes {
		res.Classes[c].Carried = ratio(estimate.Amount, func(b *batch) float64 { return b.classes[c].N }, time)
		if len(batches) > 0 && batches[0].full != nil {
			res.Classes[c].BlockedTime = ratio(estimate.Share, func(b *batch) float64 { return b.full[c] }, time)
		}
	}
	res.All.Carried = ratio(estimate.Amount, sum(func(s *sums) float64 { return s.N }), time)
}

// thinking estimates how many users think: those whose job is not there.
func (p *Plan) thinking(res *Result, ratio func(kind estimate.Kind, num, den func(b *batch) float64) result.Estimate) {
	if len(p.Users) == 0 {
		return
	}
	think := func(b *batch, u *compiled.Users) float64 { return float64(u.Number)*b.area.Time - b.presence[u.Class] }
	time := (*batch).time
	for i := range p.Users {
		u := &p.Users[i]
		res.Classes[u.Class].Thinking = ratio(estimate.Amount, func(b *batch) float64 { return think(b, u) }, time)
	}
	res.All.Thinking = ratio(estimate.Amount, func(b *batch) (all float64) {
		for i := range p.Users {
			all += think(b, &p.Users[i])
		}
		return all
	}, time)
}
