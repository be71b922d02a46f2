package trace

import (
	"errors"
	"fmt"

	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/recurrence/fast"
)

// replayer takes the jobs of a trace one by one.
type replayer struct {
	servers    int
	skip       int64
	by         grouping
	runs, pile *fast.Runs
	index      map[group]int
	groups     []replayed
	batches    batches

	jobs                        int64
	first, now, end             float64 // time of the first arrival; of the last, and of the last departure, from then
	work, waste, sojourn, until float64 // until: latest arrival, against disorder
}

// replayed is what was seen of a class.
type replayed struct {
	key            group
	need           int     // the largest
	jobs, seen     float64 // all, and after the warm-up
	wait, response estimate.Histogram
}

func newReplayer(servers, skip int, by grouping) *replayer {
	return &replayer{servers: servers, skip: int64(skip), by: by, index: map[group]int{},
		runs: fast.NewRuns(servers), pile: fast.NewRuns(servers), batches: batches{length: 1}}
}

// take lets a job arrive.
func (p *replayer) take(j *Job) error {
	if wrong := wrongJob(j); wrong != nil {
		return errors.Join(wrong...)
	}
	if j.Need > p.servers {
		return fmt.Errorf("the job needs %d servers, more than the %d there are", j.Need, p.servers)
	}
	if p.jobs == 0 {
		p.first, p.until = j.Arrival, j.Arrival
	}
	if j.Arrival < p.until {
		return fmt.Errorf("the job arrives at %v, before the one above it at %v; read the whole log, which sorts it, and replay that", j.Arrival, p.until)
	}
	p.until, p.now = j.Arrival, j.Arrival-p.first
	start, waste := p.runs.Step(p.now, int32(j.Need), j.Service)
	p.pile.Pile(int32(j.Need), j.Service)
	wait := start - p.now
	response := wait + j.Service
	p.end = p.runs.Top()
	p.work += float64(j.Need) * j.Service
	p.waste += max(0, waste) // a difference of sums, which rounding may make negative
	p.sojourn += response
	g := p.group(j)
	g.jobs++
	g.need = max(g.need, j.Need)
	p.jobs++
	if p.jobs <= p.skip {
		return nil
	}
	g.seen++
	g.wait.Add(wait)
	g.response.Add(response)
	p.batches.add(p.index[g.key], wait, response)
	return nil
}

// group finds the class of a job, or makes it.
func (p *replayer) group(j *Job) *replayed {
	key := p.by.of(j)
	i, known := p.index[key]
	if !known {
		i = len(p.groups)
		p.index[key] = i
		p.groups = append(p.groups, replayed{key: key})
	}
	return &p.groups[i]
}

// mostBatches is the number of full batches at which pairs of them are made
// one, so that any number of jobs ends in 32 to 63 full batches and a rest.
const mostBatches = 64

// batches are sums over stretches of consecutive jobs, all of length jobs but
// the last, by class.
type batches struct {
	length, filled int64
	full           int // batches before the one being filled
	sums           [mostBatches + 1][]batch
}

// batch holds the waits and responses of a class.
type batch struct{ wait, response estimate.Batch }

func (b *batches) add(class int, wait, response float64) {
	if b.filled == b.length {
		b.filled = 0
		if b.full++; b.full == mostBatches {
			b.halve()
		}
	}
	for len(b.sums[b.full]) <= class {
		b.sums[b.full] = append(b.sums[b.full], batch{})
	}
	c := &b.sums[b.full][class]
	c.wait = merged(c.wait, estimate.Batch{N: 1, X: wait, X2: wait * wait})
	c.response = merged(c.response, estimate.Batch{N: 1, X: response, X2: response * response})
	b.filled++
}

func merged(a, b estimate.Batch) estimate.Batch {
	return estimate.Batch{N: a.N + b.N, X: a.X + b.X, X2: a.X2 + b.X2}
}

// halve makes one batch of every two.
func (b *batches) halve() {
	for k := range mostBatches / 2 {
		left, right := b.sums[2*k], b.sums[2*k+1]
		if len(left) < len(right) {
			left, right = right, left
		}
		for c := range right {
			left[c] = batch{merged(left[c].wait, right[c].wait), merged(left[c].response, right[c].response)}
		}
		b.sums[2*k], b.sums[2*k+1] = nil, nil
		b.sums[k] = left
	}
	b.full, b.length = mostBatches/2, 2*b.length
}

// waits are the batches of a class, which are also added to those of all.
func (b *batches) waits(class int, all []estimate.Batch) []estimate.Batch {
	return b.of(class, all, func(x batch) estimate.Batch { return x.wait })
}

// responses are the same of the responses.
func (b *batches) responses(class int, all []estimate.Batch) []estimate.Batch {
	return b.of(class, all, func(x batch) estimate.Batch { return x.response })
}

func (b *batches) of(class int, all []estimate.Batch, what func(batch) estimate.Batch) []estimate.Batch {
	out := make([]estimate.Batch, b.full+1)
	for k := range out {
		if class < len(b.sums[k]) {
			out[k] = what(b.sums[k][class])
			all[k] = merged(all[k], out[k])
		}
	}
	return out
}
