package events

import (
	"math"
	"sync"

	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/replicate"
	"github.com/mjqueue/mjq/mjq/result"
)

// manyClasses is from how many classes on what is seen is logged: a histogram takes
// kilobytes however few jobs of a class come.
var manyClasses = 256

func (p *Plan) many() bool { return p.Classes >= manyClasses }

// briefClasses is from how many classes on an interrupted run does not look at how well
// replications know the distribution of a class: it ends within a tenth of a second, and quantiles of
// classes are known as well as their means.
const briefClasses = 1000

// histograms is how many classes have histograms: none if they are many.
func (p *Plan) histograms() int {
	if p.many() {
		return 0
	}
	return p.Classes
}

// logged notes the quantities of a job: of class c they begin at index c·Quantities.
func logged(l *estimate.Log, class int32, values *[estimate.Quantities]float64) {
	for q, x := range values {
		l.Add(int(class)*estimate.Quantities+q, x)
	}
}

// rows are counts and spreads of many classes.
type rows struct {
	by    []estimate.Row // as logged; nil of one replication, which shows no spread
	brief bool           // without the precision of single classes, which takes longest
	alone estimate.Log   // of this one
	all   spreads        // of all jobs
}

func (p *Plan) newRows() *rows {
	s := &rows{all: newSpreads(0)}
	if p.Replications > 1 {
		s.by = make([]estimate.Row, estimate.Quantities*p.Classes)
	}
	return s
}

// add adds a replication. Goroutines share the classes, as when it tells estimates.
// Once brief reports true, nobody will ask for the precision of a class, and the rows keep less.
func (s *rows) add(l *estimate.Log, workers int, brief func() bool) {
	if s.by == nil {
		l.Settle()
		s.alone = *l
		return
	}
	var of [][]estimate.Count // by quantity
	for counts := l.Counts(); len(counts) > 0; {
		n := 1
		for n < len(counts) && counts[n].Of() == counts[0].Of() {
			n++
		}
		of, counts = append(of, counts[:n]), counts[n:]
	}
	all := &s.all[0]
	replicate.Each(len(all)+len(of), workers, func(i int) {
		if i >= len(all) {
			counts := of[i-len(all)]
			if row := &s.by[counts[0].Of()]; brief() {
				row.AddBriefly(counts)
			} else {
				row.AddGroup(counts)
			}
			return
		}
		for _, counts := range of {
			if counts[0].Of()%len(all) == i {
				all[i].TakeCounts(counts, 1)
			}
		}
		all[i].Close()
	})
}

// tell sets the distributions of neighbouring classes and how well they are known.
func (s *rows) tell(classes []estimate.Tally, first int, buffer *estimate.Buffer) {
	const each = estimate.Quantities
	var alone []result.Distribution
	if s.by == nil {
		alone = estimate.Distributions(s.alone.Of(each*first, each*len(classes), buffer), each*first, each*len(classes))
	}
	for i := range classes {
		for q := range each {
			to := classes[i].Of(estimate.Quantity(q))
			if s.by == nil {
				to.Dist = alone[each*i+q]
				continue
			}
			row := &s.by[each*(first+i)+q]
			if to.Dist = row.Distribution(); !s.brief {
				to.Precision = row.Precision()
			}
		}
	}
}

// observeMany is observe where classes are many.
func (r *recorder) observeMany(classes []sums, jobs []began) {
	for _, j := range jobs {
		values := r.asked.Values(j.wait, j.service)
		classes[j.class].observe(&Record{Need: int(j.need), Served: estimate.Served{Wait: j.wait, FirstWait: j.wait, Service: j.service}}, &values, &r.asked, 1)
		logged(&r.log, j.class, &values)
	}
}

// neighbours is how many classes a goroutine takes at a time, whose sums lie together.
const neighbours = 64

// tell estimates for many classes, on all goroutines: a run that was interrupted is to
// end soon.
func (p *Plan) tell(classes []estimate.Tally, imbalances []imbalance, batches []batch, many *rows) {
	type memory struct {
		sums   []sums
		counts estimate.Buffer
	}
	buffers := sync.Pool{New: func() any { return new(memory) }}
	replicate.Each((len(classes)+neighbours-1)/neighbours, p.Workers, func(k int) {
		from := k * neighbours
		some := classes[from:min(from+neighbours, len(classes))]
		own := buffers.Get().(*memory)
		for i, one := range ofClasses(batches, from, from+len(some), &own.sums) {
			p.tally(&some[i], one)
			imbalances[from+i] = p.imbalance(from+i, batches, one)
		}
		many.tell(some, from, &own.counts)
		buffers.Put(own)
	})
}

// Bytes is about what a run of at most so many replications takes for what it keeps by
// class.
func (p *Plan) Bytes(replications int) float64 {
	const (
		sum    = 192.0  // of a class in a batch
		cells  = 1500.0 // of a quantity, that are all met in a long run
		usual  = 400e3  // of the histograms of a class, and again for each goroutine
		worker = 200e3
		count  = 50.0 // of a cell that was met: logged by a replication, and as a row
		row    = 55.0
		class  = 2000.0 // of a result
	)
	n, reps, workers := float64(p.Classes), float64(min(replications, p.Replications)), float64(p.Workers)
	batch := n * sum
	if p.Overtaking {
		batch += 8 * n * n
	}
	bytes := batch * (reps*float64(p.Batches) + 3*workers)
	if !p.many() {
		return bytes + n*(usual+workers*worker)
	}
	jobs := float64(p.Batches) * float64(p.Length)
	met := func(jobs float64) float64 { return -estimate.Quantities * n * cells * math.Expm1(-jobs/(n*cells)) }
	return bytes + 2*workers*met(jobs)*count + met(reps*jobs)*row + n*class
}
