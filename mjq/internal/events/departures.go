package events

import "math"

// departure is the end of a job's service.
type departure struct {
	at float64
	id int32
}

// departures is a binary heap of the jobs in service, the earliest end first. Place
// tells where a job is, so that one that is preempted can be taken out.
type departures struct {
	heap  []departure
	place []int32 // by job
}

// first is the time of the earliest departure, +Inf without one.
func (d *departures) first() float64 {
	if len(d.heap) == 0 {
		return math.Inf(1)
	}
	return d.heap[0].at
}

func (d *departures) push(x departure) {
	d.heap = append(d.heap, x)
	d.up(len(d.heap)-1, x)
}

// pushNew is push of a job that may have had no place before.
func (d *departures) pushNew(x departure) {
	for int(x.id) >= len(d.place) {
		d.place = append(d.place, 0)
	}
	d.push(x)
}

// shift moves the origin of time.
func (d *departures) shift(by float64) {
	for i := range d.heap {
		d.heap[i].at -= by
	}
}

// pop removes the earliest; there must be one.
func (d *departures) pop() departure {
	root := d.heap[0]
	d.fill(0)
	return root
}

// remove takes a job out.
func (d *departures) remove(id int32) { d.fill(int(d.place[id])) }

// fill puts the last into a place that has become empty.
func (d *departures) fill(at int) {
	n := len(d.heap) - 1
	x := d.heap[n]
	d.heap = d.heap[:n]
	switch {
	case at == n:
	case at > 0 && x.at < d.heap[(at-1)/2].at:
		d.up(at, x)
	default:
		d.down(at, x)
	}
}

func (d *departures) up(at int, x departure) {
	h := d.heap
	for at > 0 {
		parent := (at - 1) / 2
		if h[parent].at <= x.at {
			break
		}
		h[at] = h[parent]
		d.place[h[at].id] = int32(at)
		at = parent
	}
	h[at] = x
	d.place[x.id] = int32(at)
}

func (d *departures) down(at int, x departure) {
	h := d.heap
	for child := 2*at + 1; child < len(h); child = 2*at + 1 {
		if child+1 < len(h) && h[child+1].at < h[child].at {
			child++
		}
		if x.at <= h[child].at {
			break
		}
		h[at] = h[child]
		d.place[h[at].id] = int32(at)
		at = child
	}
	h[at] = x
	d.place[x.id] = int32(at)
}
