package events

import (
	"math"

	"github.com/mjqueue/mjq/mjq/internal/compiled"
)

// clocks are those by which servers fail. Those of an exponential kind are one stream of failures of all
// servers, in which a failure of a server that is down, or that no job holds where it matters, does not
// count. It depends on nothing that happens, so that two systems may read the same one.
type clocks struct {
	streams []superposed
	others  departures // by kind and server
	rest    []float64  // by kind and server: what is left of a clock that stands still; fresh: it is drawn anew
	turns   []uint32   // by kind and server, clocks drawn
	lemons  [][]int32  // by kind, all servers, those that fail more often first; nil without such
	given   int        // outages that have come
	plain   bool       // all kinds are streams
	key     uint64
	words   draws // that were given last
}

// superposed is the next failure of an exponential kind.
type superposed struct {
	at   float64
	n    uint64 // failures before
	rate float64
}

// failure is one that comes now.
type failure struct {
	server int32
	kind   int // -1: given
	repair float64
	notice float64
}

// fresh is the rest of a clock that is drawn anew.
const fresh = -1

func (c *clocks) make(q *compiled.Failing) {
	c.plain, c.lemons = true, make([][]int32, len(q.Kinds))
	for _, k := range q.Kinds {
		x := superposed{at: math.Inf(1), rate: k.Rate * (float64(q.Servers) + float64(k.Lemons)*(k.Factor-1))}
		c.streams = append(c.streams, x)
		c.plain = c.plain && k.Rate > 0
	}
	if !c.plain {
		n := len(q.Kinds) * q.Servers
		c.rest, c.turns, c.others.place = make([]float64, n), make([]uint32, n), make([]int32, n)
	}
}

// failureDraws are the numbers of failures, apart from those of jobs, of preemptions and of clocks.
const failureDraws = 1 << 60

// draws are the words of a failure, until those of another are asked for.
func (c *clocks) draws(of, n uint64) *draws {
	c.words = draws{scrambled(c.key ^ scrambled(failureDraws+of)), n << 8}
	return &c.words
}

// below is a whole number below a bound.
func (d *draws) below(n int) int { return min(n-1, int(float64(n)*d.unit())) }

// unit is a number in [0, 1).
func (d *draws) unit() float64 { return float64(d.Uint64()>>11) / (1 << 53) }

// gap is the time to the next failure of a stream.
func (x *superposed) gap(d *draws) float64 { return -math.Log1p(-d.unit()) / x.rate }

// reset begins anew.
func (c *clocks) reset(f *failing, s *Simulator) {
	c.key, c.given = s.key, 0
	c.others.heap = c.others.heap[:0]
	for i := range c.rest {
		c.rest[i], c.turns[i], c.others.place[i] = fresh, 0, nobody
	}
	for k := range f.Kinds {
		kind := &f.Kinds[k]
		c.choose(f, k)
		if kind.Rate > 0 {
			x := &c.streams[k]
			x.n = 0
			x.at = x.gap(c.draws(uint64(k), 0))
			continue
		}
		for server := range int32(f.Servers) {
			if !kind.WhileBusy {
				c.begin(f, s, k, server)
			}
		}
	}
}

// choose draws the servers that fail more often by a kind.
func (c *clocks) choose(f *failing, k int) {
	kind := &f.Kinds[k]
	if kind.Lemons == 0 {
		return
	}
	if c.lemons[k] == nil {
		c.lemons[k] = make([]int32, f.Servers)
	}
	list, d := c.lemons[k], c.draws(uint64(k), 1<<40)
	for i := range list {
		list[i] = int32(i)
	}
	for i := range kind.Lemons {
		at := i + d.below(len(list)-i)
		list[i], list[at] = list[at], list[i]
	}
}

// next is when the next failure comes.
func (c *clocks) next(f *failing, s *Simulator) float64 {
	at := c.others.first()
	for k := range c.streams {
		at = min(at, c.streams[k].at)
	}
	if c.given < len(f.Given) {
		at = min(at, f.Given[c.given].Time-s.origin)
	}
	return at
}

// strike appends the failures that come now.
func (c *clocks) strike(f *failing, s *Simulator, dst []failure) []failure {
	now := s.view.Now
	for k := range c.streams {
		if x := &c.streams[k]; x.at <= now {
			dst = c.fromStream(f, s, k, dst)
		}
	}
	for c.others.first() <= now {
		id := c.others.pop().id
		c.others.place[id] = nobody
		k := int(id) / f.Servers
		kind := &f.Kinds[k]
		repair := kind.Repair.Sample(c.draws(uint64(len(f.Kinds))+uint64(id), uint64(c.turns[id])<<8+1))
		dst = append(dst, failure{id % int32(f.Servers), k, repair, kind.Notice})
	}
	for ; c.given < len(f.Given) && f.Given[c.given].Time-s.origin <= now; c.given++ {
		g := &f.Given[c.given]
		dst = append(dst, failure{server: int32(g.Server), kind: -1, repair: g.Repair})
	}
	return dst
}

// fromStream appends the failure of a stream, unless it does not count, and sets when the next comes.
func (c *clocks) fromStream(f *failing, s *Simulator, k int, dst []failure) []failure {
	x, kind := &c.streams[k], &f.Kinds[k]
	d := c.draws(uint64(k), x.n)
	d.next += 4 // the first words are the time
	server := c.which(f, k, d)
	repair := kind.Repair.Sample(d)
	x.n++
	x.at += x.gap(c.draws(uint64(k), x.n))
	if kind.WhileBusy && !f.busy(s, server) {
		return dst
	}
	return append(dst, failure{server, k, repair, kind.Notice})
}

// which is the server that fails.
func (c *clocks) which(f *failing, k int, d *draws) int32 {
	list, kind := c.lemons[k], &f.Kinds[k]
	if list == nil {
		return int32(d.below(f.Servers))
	}
	bad := float64(kind.Lemons) * kind.Factor
	if n := kind.Lemons; d.unit()*(bad+float64(f.Servers-n)) >= bad && n < f.Servers {
		return list[n+d.below(f.Servers-n)]
	}
	return list[d.below(kind.Lemons)]
}

// busy reports whether a job holds a server.
func (f *failing) busy(s *Simulator, server int32) bool {
	if n := s.nodes; n != nil {
		return !n.whole[n.content[server]]
	}
	w, bit := server>>6, uint64(1)<<(server&63)
	return f.seats.up[w]&bit != 0 && f.seats.free[w]&bit == 0
}

// begin starts a clock anew, or goes on with what is left of it.
func (c *clocks) begin(f *failing, s *Simulator, k int, server int32) {
	id := k*f.Servers + int(server)
	rest := c.rest[id]
	if rest == fresh {
		c.turns[id]++
		if rest = f.Kinds[k].Up.Sample(c.draws(uint64(len(f.Kinds)+id), uint64(c.turns[id])<<8)); c.lemon(f, k, server) {
			rest /= f.Kinds[k].Factor
		}
	}
	c.rest[id] = fresh
	if s.view.Now+rest < forEver {
		c.others.push(departure{s.view.Now + rest, int32(id)})
	}
}

// lemon reports whether a server fails more often by a kind.
func (c *clocks) lemon(f *failing, k int, server int32) bool {
	for _, x := range c.lemons[k][:min(len(c.lemons[k]), f.Kinds[k].Lemons)] {
		if x == server {
			return true
		}
	}
	return false
}

// ownClocks calls g for the kinds of which servers have clocks of their own, and whether it runs.
func (c *clocks) ownClocks(f *failing, server int32, g func(k, id int, runs bool)) {
	for k := range f.Kinds {
		if f.Kinds[k].Rate == 0 {
			id := k*f.Servers + int(server)
			g(k, id, c.others.place[id] != nobody)
		}
	}
}

// halt stops a clock that runs and returns what is left of it.
func (c *clocks) halt(s *Simulator, id int) (rest float64) {
	rest = c.others.heap[c.others.place[id]].at - s.view.Now
	c.others.remove(int32(id))
	c.others.place[id] = nobody
	return rest
}

// stands keeps a clock that has run down while its server was down.
func (c *clocks) stands(f *failing, x *failure) {
	if x.kind >= 0 && f.Kinds[x.kind].Rate == 0 {
		c.rest[x.kind*f.Servers+int(x.server)] = 0
	}
}

// again draws the clock anew by which a server has failed that stays up.
func (c *clocks) again(f *failing, s *Simulator, x *failure) {
	if x.kind >= 0 && f.Kinds[x.kind].Rate == 0 {
		c.begin(f, s, x.kind, x.server)
	}
}

// stop has the clocks of a server stand still that goes down.
func (c *clocks) stop(f *failing, s *Simulator, x *failure) {
	if c.plain {
		return
	}
	c.ownClocks(f, x.server, func(k, id int, runs bool) {
		if runs {
			c.rest[id] = c.halt(s, id)
		}
	})
}

// restart has the clocks of a server go on that comes back.
func (c *clocks) restart(f *failing, s *Simulator, server int32) {
	if c.plain {
		return
	}
	c.ownClocks(f, server, func(k, id int, runs bool) {
		if !runs && (!f.Kinds[k].WhileBusy || f.busy(s, server)) {
			c.begin(f, s, k, server)
		}
	})
}

// taken starts the clocks of the servers of a job that starts, where they run for jobs only.
func (c *clocks) taken(f *failing, s *Simulator, j *job) {
	if c.plain {
		return
	}
	f.each(s, j, func(server int32, _ int) {
		c.ownClocks(f, server, func(k, id int, runs bool) {
			if f.Kinds[k].WhileBusy && !runs {
				c.begin(f, s, k, server)
			}
		})
	})
	s.soon = f.next(s)
}

// left stops them when the job has given its servers back.
func (c *clocks) left(f *failing, s *Simulator, server int32) {
	c.ownClocks(f, server, func(k, id int, runs bool) {
		if !f.Kinds[k].WhileBusy || f.busy(s, server) {
			return
		}
		if runs {
			c.halt(s, id)
		}
		c.rest[id] = fresh
	})
}
