package sampling

import (
	"math"
	"sync/atomic"

	"github.com/mjqueue/mjq/internal/heap"
	"github.com/mjqueue/mjq/mjq/internal/stream"
)

// past is one goroutine's room for the dominating queue: M/G/1 with processor
// sharing, which runs backwards as it runs forward. A customer of the reversed
// queue departs when it arrived in the true one.
type past struct {
	*worker
	initial *stream.Reader
	present heap.Heap  // those present, by the virtual time at which they are done
	whole   []customer // those present, by their number
	free    []int32    // numbers to give again
	left    []customer // in the order of departure; -t_1 > -t_2 > ...
}

// customer is a job of the dominating queue. When it has departed, ago is the
// time from then to 0 in reversed time.
type customer struct {
	ago, service float64 // t_i and S_i
	class, need  int32   // N_i
}

func (d *Dominated) newPast() *past {
	return &past{worker: d.newWorker(), initial: d.Initial.Reader(0)}
}

// recall runs the dominating queue from equilibrium at time 0 until it is
// empty, and notes its departures. Each costs O(log customers present), since
// all of them get the same share of the server: at virtual time v, which
// advances at the rate 1/Q, a customer with work r before it has the tag v + r
// for good.
//
// Interarrival times are drawn at the total rate; lines 15 and 21 of the
// paper's Algorithm 2 print the rate of the class.
func (d *Dominated) recall(stop *atomic.Bool, p *past, rep uint64) bool {
	p.reader.Until(stop).Rewind(rep)
	p.initial.Until(stop).Rewind(rep)
	d.equilibrium(p)
	t, v := 0.0, 0.0
	few := int64(8) // most paths are short
	for at, jobs := int64(0), []stream.Job(nil); len(p.present) > 0; {
		if len(jobs) == 0 {
			if jobs = p.read(at, at+few); len(jobs) == 0 {
				return false
			}
			at += int64(len(jobs))
			few = min(2*few, block)
		}
		j := &jobs[0]
		arrival := t + j.Gap // exponential: as good a time before a job as after it
		for len(p.present) > 0 {
			departure := t + (p.present.Least()-v)*float64(len(p.present))
			if departure > arrival {
				break
			}
			t, v = departure, p.present.Least()
			p.leave(t)
		}
		if len(p.present) == 0 {
			return true
		}
		v += (arrival - t) / float64(len(p.present))
		t = arrival
		p.enter(customer{service: j.Service, class: j.Class, need: j.Need}, v+j.Service)
		jobs = jobs[1:]
	}
	return true
}

// equilibrium draws the customers present at time 0, (13): a geometric number
// (5), each of class k with probability ρ_k/ρ (12), its whole work H from the
// spread (11) and a uniform fraction of it still to be done. They are jobs -1,
// -2, ... of the replication, so that their randomness is not that of arrivals.
func (d *Dominated) equilibrium(p *past) {
	p.present, p.whole, p.free, p.left = p.present[:0], p.whole[:0], p.free[:0], p.left[:0]
	count := int64(math.Log(p.reader.Uniform()) / math.Log(d.Load)) // P(Q ≥ k) = ρ^k
	var jobs [block]stream.Job
	for k := int64(0); k < count; k += block {
		some := jobs[:min(block, count-k)]
		p.initial.Fill(some, -k-int64(len(some)))
		for i := range some {
			j := &some[i]
			p.enter(customer{service: j.Service, class: j.Class, need: j.Need}, j.Gap*j.Service)
		}
	}
}

// enter lets a customer in whose work will be done at virtual time tag.
func (p *past) enter(c customer, tag float64) {
	number := int32(len(p.whole))
	if n := len(p.free); n > 0 {
		number, p.free = p.free[n-1], p.free[:n-1]
		p.whole[number] = c
	} else {
		p.whole = append(p.whole, c)
	}
	p.present.Push(heap.Item{Key: tag, ID: number})
}

// leave notes the departure of the customer whose work is done first.
func (p *past) leave(t float64) {
	number := p.present.Pop().ID
	c := p.whole[number]
	c.ago = t
	p.left = append(p.left, c)
	p.free = append(p.free, number)
}

// relive runs the true queue from the empty time on. The departures, last
// first, are its arrivals.
func (p *past) relive(stop *atomic.Bool) bool {
	queue := p.long.(*chain)
	queue.empty()
	for i := len(p.left) - 1; i >= 0; i-- {
		c := &p.left[i]
		queue.runs.Step(queue.now, c.need, c.service)
		before := 0.0
		if i > 0 {
			before = p.left[i-1].ago
		}
		queue.now += c.ago - before
		if i%block == 0 {
			if stop.Load() {
				return false
			}
			queue.rebase()
		}
	}
	return true
}
