package main

import (
	"bufio"
	"net"
	"sync"
	"time"
)

// A publisher has the place of the kernel on the channel iopub: it hears what the kernel
// publishes by one connection, so that the session sees each message once, and tells all
// who subscribe what becomes of it. Who subscribes is told first whether a cell runs.
type publisher struct {
	key     []byte
	edit    func(message) []message
	state   func() message
	waiting func() bool      // whether something that has been edited waits for more
	later   func() []message // that, after a moment

	mu          sync.Mutex
	subscribers map[*outbox]bool
}

// hear publishes what the kernel at the address publishes, until that ends. It says when
// nothing will be missed.
func (p *publisher) hear(address net.Addr, ready func()) {
	conn, err := dial(address)
	if err != nil {
		return
	}
	defer conn.Close()
	in := bufio.NewReaderSize(conn, 1<<16)
	if greet(conn, in, "SUB") != nil {
		return
	}
	if _, err := conn.Write(encode([]frame{{body: []byte{subscribes}}})); err != nil {
		return
	}
	ready()
	p.publish(p.state()) // to those who have waited for the kernel
	heard := make(chan []frame)
	go func() {
		defer close(heard)
		for {
			frames, err := readFrames(in)
			if err != nil {
				return
			}
			heard <- frames
		}
	}()
	var after <-chan time.Time
	for {
		select {
		case frames, more := <-heard:
			if !more {
				return
			}
			for _, frames := range edited(frames, p.key, p.edit) {
				p.send(frames)
			}
		case <-after:
			after = nil
			for _, m := range p.later() {
				p.send(m.frames(p.key))
			}
		}
		if after == nil && p.waiting() {
			after = time.After(moment)
		}
	}
}

// subscribes begins a subscription, to which the beginning of a topic may follow. Jupyter
// subscribes to all of them, and everybody is sent all.
const subscribes = 1

// serve lets who is at the other end of the connection subscribe, until that ends.
func (p *publisher) serve(conn net.Conn, up <-chan struct{}, held *hold) {
	defer conn.Close()
	defer held.release()
	in := bufio.NewReader(conn)
	if greet(conn, in, "PUB") != nil {
		return
	}
	to := newOutbox(conn)
	defer p.leave(to)
	for {
		frames, err := readHeld(in, held)
		if err != nil {
			return
		}
		held.release()
		if f := frames[0]; f.flags&command == 0 && len(f.body) > 0 && f.body[0] == subscribes {
			p.join(to, up)
		}
	}
}

func (p *publisher) join(to *outbox, up <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.subscribers[to] {
		return
	}
	p.subscribers[to] = true
	select {
	case <-up:
		to.put(encode(p.own(p.state())))
	default: // there is no kernel yet
	}
}

func (p *publisher) leave(to *outbox) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.subscribers, to)
	to.close()
}

// publish sends a message of our own.
func (p *publisher) publish(m message) { p.send(p.own(m)) }

func (p *publisher) own(m message) []frame {
	m.topic = [][]byte{[]byte("kernel.mjq")}
	return m.frames(p.key)
}

func (p *publisher) send(frames []frame) {
	data := encode(frames)
	p.mu.Lock()
	defer p.mu.Unlock()
	for to := range p.subscribers {
		to.put(data)
	}
}

// An outbox sends in order what is put into it, so that nobody waits for another who does
// not read.
type outbox struct {
	conn net.Conn

	mu      sync.Mutex
	more    *sync.Cond
	waiting [][]byte
	bytes   int
	closed  bool
}

// patient is how many bytes may wait in an outbox. Who has not read so much for so long is
// cut off, and may begin anew.
const patient = 256 << 20

func newOutbox(conn net.Conn) *outbox {
	o := &outbox{conn: conn}
	o.more = sync.NewCond(&o.mu)
	go o.run()
	return o
}

func (o *outbox) put(data []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.bytes += len(data); o.bytes > patient {
		o.closed = true
		o.conn.Close()
	}
	o.waiting = append(o.waiting, data)
	o.more.Signal()
}

func (o *outbox) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed = true
	o.more.Signal()
}

func (o *outbox) run() {
	for {
		data, ok := o.next()
		if !ok {
			return
		}
		if _, err := o.conn.Write(data); err != nil {
			o.conn.Close()
			o.close()
			return
		}
	}
}

// next waits for what is to be sent.
func (o *outbox) next() ([]byte, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for len(o.waiting) == 0 && !o.closed {
		o.more.Wait()
	}
	if o.closed {
		return nil, false
	}
	data := o.waiting[0]
	o.waiting = o.waiting[1:]
	o.bytes -= len(data)
	return data, true
}
