package events

// waiter is a job that waits.
type waiter struct {
	arrival, service float64
	class, need      int32
}

// ring is a line of jobs in order of arrival.
type ring struct {
	jobs []waiter // a power of two of them
	at   int      // the head
	n    int
}

func (r *ring) clear() { r.at, r.n = 0, 0 }

func (r *ring) push(j waiter) {
	if r.n == len(r.jobs) {
		r.grow()
	}
	r.jobs[(r.at+r.n)&(len(r.jobs)-1)] = j
	r.n++
}

// grow doubles the ring.
func (r *ring) grow() {
	jobs := make([]waiter, max(64, 2*len(r.jobs)))
	n := copy(jobs, r.jobs[r.at:])
	copy(jobs[n:], r.jobs[:r.at])
	r.jobs, r.at = jobs, 0
}

// head is the first; there must be one.
func (r *ring) head() *waiter { return &r.jobs[r.at&(len(r.jobs)-1)] }

func (r *ring) pop() {
	r.at = (r.at + 1) & (len(r.jobs) - 1)
	r.n--
}

// shift moves the origin of time.
func (r *ring) shift(by float64) {
	for i := range r.n {
		r.jobs[(r.at+i)&(len(r.jobs)-1)].arrival -= by
	}
}
