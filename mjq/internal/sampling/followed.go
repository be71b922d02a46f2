package sampling

import (
	"github.com/mjqueue/mjq/mjq/internal/estimate"
)

// followed is what one chain has shown at one look or at several: by class,
// sums of what a job arriving then would meet.
type followed struct {
	now                 seen               // the last look
	wait, square, waste []float64          // sums over the looks
	logs                []estimate.Log     // of waits and responses, by class
	waits, responses    [][]estimate.Count // what they come to, ascending
	arrivals            ledger             // on the path
	seen                observation        // of all looks
	looks               int
	window, steps       int64
}

// reset forgets all looks; a part serves many samples.
func (p *followed) reset(classes, controls int) {
	if p.wait == nil {
		p.now = newSeen(classes, 0)
		p.wait, p.square, p.waste = make([]float64, classes), make([]float64, classes), make([]float64, classes)
		p.logs, p.waits, p.responses = make([]estimate.Log, 2*classes), make([][]estimate.Count, classes), make([][]estimate.Count, classes)
	}
	p.looks = 0
	p.arrivals.reset(classes, controls)
	for c := range p.wait {
		p.wait[c], p.square[c], p.waste[c] = 0, 0, 0
		p.logs[2*c].Reset()
		p.logs[2*c+1].Reset()
	}
}

// meet adds what a job with the given index would meet, in every class.
func (p *followed) meet(w *worker, job int64, probs []float64, by *controls) {
	w.long.observe(w.reader, &p.now)
	for c, wait := range p.now.wait {
		p.now.response[c] = wait + w.reader.Probe(c, job)
	}
	p.note(probs, by)
}

// note adds what the last look has shown.
func (p *followed) note(probs []float64, by *controls) {
	p.looks++
	by.turnPage(&p.arrivals, p.now.mean(probs))
	for c, wait := range p.now.wait {
		p.wait[c] += wait
		p.square[c] += wait * wait
		p.waste[c] += p.now.waste[c]
		p.logs[2*c].Add(0, wait)
		p.logs[2*c+1].Add(0, p.now.response[c])
	}
}

// count counts what the looks have shown.
func (p *followed) count() {
	for c := range p.waits {
		p.waits[c], p.responses[c] = p.logs[2*c].Counts(), p.logs[2*c+1].Counts()
	}
}

// merge adds the sample to the result: the means over its looks, whose number
// is the same in all samples, so that the means over samples have no bias. For
// all jobs together a look gives the expectation over the class of the job.
func (p *followed) merge(res *BackwardResult, probs []float64, workers int) {
	n := float64(p.looks)
	x, y, hol := 0.0, 0.0, 0.0
	for c, prob := range probs {
		res.Classes[c].Waiting.Add(p.wait[c]/n, p.square[c]/n)
		x += prob * p.wait[c] / n
		y += prob * p.square[c] / n
		hol += prob * p.waste[c] / n
	}
	merge(res.Classes, &res.All, p.waits, p.responses, func(c int) float64 { return probs[c] }, workers)
	res.All.Waiting.Add(x, y)
	res.HOL.Add(hol, 0)
	if res.Fit != nil {
		res.Fit.Add(p.observe(res.Fit.Row, x, y, hol))
	}
	res.Done++
	res.Steps += p.steps
	res.MaxWindow = max(res.MaxWindow, p.window)
	if res.MinWindow == 0 || p.window < res.MinWindow {
		res.MinWindow = p.window
	}
}

// observe is the sample as a row, given the wait of all jobs, its square and the waste.
func (p *followed) observe(l *Layout, wait, square, hol float64) []float64 {
	n := float64(p.looks)
	p.seen.of(p.arrivals.sums, l.Len())
	v := p.seen.values
	for c := range p.wait {
		v[l.Class(Waiting, c)], v[l.Class(Squared, c)] = p.wait[c]/n, p.square[c]/n
	}
	v[l.All(Waiting)], v[l.All(Squared)], v[l.All(Waste)] = wait, square, hol
	return p.seen.row
}
