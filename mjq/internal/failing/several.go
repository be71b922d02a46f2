package failing

import (
	"context"
	"fmt"
	"math"

	"github.com/mjqueue/mjq/mjq/internal/chain"
	"github.com/mjqueue/mjq/mjq/law"
)

// line is the state of a queue of several classes: jobs, servers that are down, and the jobs
// whose class is known, in order of arrival. These are the jobs that have started and at most
// one that has not, the last: while one waits nobody behind it starts.
type line struct {
	jobs  int32
	down  downs
	known string // a byte a job: twice its class, and 1 if it runs; fresh is added if it has not started
}

const (
	runs  = 1
	fresh = 0x80
)

// class is that of a known job.
func class(b byte) int { return int(b&^fresh) >> 1 }

// several is a queue of several classes of exponential work.
type several struct {
	*Queue
	*fails
	rates []float64 // of work
	least int       // need
}

// several is the queue as one of several classes.
func (q *Queue) several() (*several, error) {
	f, err := q.sorted()
	if err != nil {
		return nil, err
	}
	s := &several{Queue: q, fails: f, least: f.free}
	for _, c := range q.Classes {
		rate, _ := law.ExponentialRate(c.Work)
		s.rates = append(s.rates, rate)
		s.least = min(s.least, c.Need)
	}
	return s, nil
}

// explore lists its states.
func (s *several) explore(ctx context.Context, most chain.Limits) (*chain.Graph[line, line], error) {
	rule := chain.Rule[line, line]{
		Key:    func(x line) line { return x },
		Layer:  func(x line) int { return int(x.jobs) },
		Moves:  s.moves,
		Repeat: &chain.Repeat[line]{From: s.free/s.least + 2, Shift: func(x line, by int) line { x.jobs += int32(by); return x }},
	}
	if s.Room > 0 {
		rule.Repeat = nil
	}
	return chain.Explore(ctx, rule, most, line{})
}

// answer is what the stationary law tells.
func (s *several) answer(g *chain.Graph[line, line], law *chain.Law) *Answer {
	a := &Answer{Classes: make([]ClassAnswer, len(s.Classes))}
	g.Each(law, func(x line, p, above, _ float64) { s.count(a, x, p, above) })
	for c := range a.Classes {
		let := s.Rate * s.Classes[c].Prob * (1 - a.Full)
		if s.How != Migrate {
			a.Classes[c].Interruptions = float64(s.Classes[c].Need) * s.all * a.Classes[c].Busy
		}
		a.Classes[c].Interruptions /= let
	}
	return a
}

// count adds what a state brings.
func (s *several) count(a *Answer, x line, p, above float64) {
	unknown := p*float64(int(x.jobs)-len(x.known)) + above
	for c := range a.Classes {
		a.Classes[c].Jobs += s.Classes[c].Prob * unknown
		a.Classes[c].Fresh += s.Classes[c].Prob * unknown
	}
	waits := int(x.jobs) > len(x.known)
	for _, b := range []byte(x.known) {
		a.Classes[class(b)].Jobs += p
		switch {
		case b&runs != 0:
			a.Classes[class(b)].Busy += p
		default:
			waits = true
		}
		if b&fresh != 0 {
			a.Classes[class(b)].Fresh += p
		}
	}
	a.Up += p * float64(s.up(x.down))
	switch used := s.used(x.known); {
	case s.Room > 0 && int(x.jobs) == s.Room:
		a.Full += p
	case !waits:
		for c := range s.Classes {
			if used+s.Classes[c].Need <= s.fails.room(x.down) {
				a.Classes[c].AtOnce += p
			}
		}
	}
	if s.How == Migrate {
		s.broken(x.down, s.up(x.down), func(d downs, rate float64) {
			after := s.prefix([]byte(x.known), d)
			for i, b := range []byte(x.known) {
				if b&runs != 0 && after[i]&runs == 0 {
					a.Classes[class(b)].Interruptions += p * rate
				}
			}
		})
	}
}

// used is how many servers jobs hold.
func (s *several) used(known string) (n int) {
	for _, b := range []byte(known) {
		if b&runs != 0 {
			n += s.Classes[class(b)].Need
		}
	}
	return n
}

// moves are what happens in a state.
func (s *several) moves(_ context.Context, x line, to func(line, float64)) {
	if s.Room == 0 || int(x.jobs) < s.Room {
		more := x
		more.jobs++
		s.admit(more, s.Rate, to)
	}
	s.mended(x.down, func(d downs, rate float64) {
		s.admit(line{x.jobs, d, x.known}, rate, to)
	})
	up := s.up(x.down)
	idle := up - s.used(x.known)
	if s.How == Migrate {
		idle = up
	}
	s.broken(x.down, idle, func(d downs, rate float64) {
		s.admit(line{x.jobs, d, x.known}, rate, to)
	})
	for i, b := range []byte(x.known) {
		if b&runs == 0 {
			continue
		}
		s.admit(line{x.jobs - 1, x.down, x.known[:i] + x.known[i+1:]}, s.rates[class(b)], to)
		if s.How == Migrate {
			continue
		}
		hit := []byte(x.known)
		hit[i] &^= runs
		s.broken(x.down, s.Classes[class(b)].Need, func(d downs, rate float64) {
			s.admit(line{x.jobs, d, string(hit)}, rate, to)
		})
	}
}

// admit starts jobs in order of arrival, until one does not fit.
func (s *several) admit(x line, rate float64, to func(line, float64)) {
	if rate == 0 {
		return
	}
	known := []byte(x.known)
	if s.How == Migrate {
		known = s.prefix(known, x.down)
	}
	used, room, blocked := s.used(string(known)), s.fails.room(x.down), false
	for i, b := range known {
		if b&runs != 0 {
			continue
		}
		if need := s.Classes[class(b)].Need; !blocked && used+need <= room {
			used += need
			known[i] = b&^fresh | runs
		} else {
			blocked = true
		}
	}
	x.known = string(known)
	if blocked || len(known) == int(x.jobs) {
		to(x, rate)
		return
	}
	for c := range s.Classes {
		next := x
		next.known += string([]byte{byte(2*c) | fresh})
		s.admit(next, rate*s.Classes[c].Prob, to)
	}
}

// prefix is known jobs of which those run that are the longest beginning of the line that fits.
func (s *several) prefix(known []byte, d downs) []byte {
	out := make([]byte, len(known))
	used, room, blocked := 0, s.fails.room(d), false
	for i, b := range known {
		need := s.Classes[class(b)].Need
		if blocked = blocked || used+need > room; blocked {
			out[i] = b &^ runs
			continue
		}
		used += need
		out[i] = b&^fresh | runs
	}
	return out
}

// LimitOfOne is the largest stable rate of one class of any work, whatever follows a hit, when
// no detection follows: E⌊min(up, s-k)/b⌋/E C, C being the time that a job runs.
func (s Servers) LimitOfOne(need, spares int, work law.Law, after After) (float64, error) {
	if after.Detection > 0 {
		return 0, ErrDetection
	}
	if s.Busy {
		return math.NaN(), fmt.Errorf("the limit is not known when only busy servers fail")
	}
	running, err := s.Running(need, 0, spares)
	return running / after.Held(work, float64(need)*s.Rate()).Mean, err
}
