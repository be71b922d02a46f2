package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"syscall"
	"time"

	"github.com/mjqueue/mjq/internal/panics"
)

// A relay passes on the bytes of Jupyter's connections to the kernel, one connection to
// the kernel for each of Jupyter's, but on the channel iopub, where all share one (publish.go).
// Messages on the channels shell and iopub go by its session, which may change, add and
// answer them; all else passes as it is.
type relay struct {
	key       []byte
	session   *session
	publisher *publisher
	listeners []net.Listener
	unsigned  store
	up        chan struct{} // closed when nothing that the kernel publishes will be missed
}

// A line is one end of a connection, to which several may write.
type line struct {
	mu   sync.Mutex
	conn net.Conn
}

func (l *line) send(frames []frame) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, err := l.conn.Write(encode(frames))
	return err
}

// An editor looks at a message on its way and returns what goes on in its place.
type editor func(m message, by *link) []message

// A link is one connection of Jupyter's and the one to the kernel that belongs to it.
type link struct {
	key             []byte
	jupyter, kernel *line
	cells           sync.WaitGroup // that are to go by it
}

// on sends a message to the kernel, back one to Jupyter. Who is gone does not hear it.
func (l *link) on(m message)   { _ = l.kernel.send(m.frames(l.key)) }
func (l *link) back(m message) { _ = l.jupyter.send(m.frames(l.key)) }

func newRelay(from, to connection, socket string) (*relay, error) {
	r := &relay{key: []byte(from.Key), up: make(chan struct{})}
	r.unsigned.left.Store(mostUnsigned)
	r.publisher = &publisher{key: r.key, subscribers: map[*outbox]bool{}}
	desk, l, err := openDesk(socket, r.publisher.publish)
	if err != nil {
		return nil, err
	}
	r.listeners = append(r.listeners, l)
	r.session = newSession(desk, r.publisher.publish)
	r.publisher.edit, r.publisher.state = r.session.published, r.session.state
	r.publisher.waiting, r.publisher.later = r.session.waiting, r.session.later
	through := func(port int, there, back editor) func(net.Conn) {
		return func(conn net.Conn) { r.connect(conn, to.endpoint(port), there, back) }
	}
	for port, serve := range map[int]func(net.Conn){
		from.Shell:     through(to.Shell, r.session.request, r.session.reply),
		from.IOPub:     func(conn net.Conn) { r.publisher.serve(conn, r.up, &hold{of: &r.unsigned}) },
		from.Control:   through(to.Control, r.session.controlled, nil),
		from.Stdin:     through(to.Stdin, asItIs, nil),
		from.Heartbeat: through(to.Heartbeat, nil, nil),
	} {
		l, err := listen(net.JoinHostPort(from.IP, fmt.Sprint(port)))
		if err != nil {
			r.close()
			return nil, err
		}
		r.listeners = append(r.listeners, l)
		go accept(l, serve)
	}
	go r.publisher.hear(to.endpoint(to.IOPub), func() { close(r.up) })
	return r, nil
}

// accept serves those who connect, but not too many at once.
func accept(l net.Listener, serve func(net.Conn)) {
	places := make(chan struct{}, mostConnections)
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		select {
		case places <- struct{}{}:
			go func() {
				defer func() { <-places }()
				serve(conn)
			}()
		default:
			conn.Close()
		}
	}
}

// asItIs edits nothing: what is signed goes on.
func asItIs(m message, _ *link) []message { return []message{m} }

// leaving is how long the front of a kernel that is started anew may take to go: it has
// the same ports.
const leaving = 10 * time.Second

// listen listens at an address as soon as nobody else does.
func listen(address string) (l net.Listener, err error) {
	for began := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		l, err = net.Listen("tcp", address)
		if !errors.Is(err, syscall.EADDRINUSE) || time.Since(began) > leaving {
			return l, err
		}
	}
}

// dial connects to the kernel's address, where nobody may listen yet.
func dial(address net.Addr) (conn net.Conn, err error) {
	for range 3000 {
		if conn, err = net.Dial(address.Network(), address.String()); err == nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	return conn, err
}

// connect joins a connection of Jupyter's to the kernel's address, and returns when one of
// the two has ended. Where messages are edited, none goes there before what it has the
// kernel publish will be heard.
func (r *relay) connect(client net.Conn, address net.Addr, there, back editor) {
	defer client.Close()
	if there != nil {
		<-r.up
	}
	kernel, err := dial(address)
	if err != nil {
		return
	}
	defer kernel.Close()
	l := &link{key: r.key, jupyter: &line{conn: client}, kernel: &line{conn: kernel}}
	ended := make(chan struct{}, 2)
	pump := func(from, to *line, edit editor, held *hold) {
		defer func() { ended <- struct{}{} }()
		if edit == nil && held == nil {
			io.Copy(to.conn, from.conn)
			return
		}
		l.pump(from, to, edit, held)
	}
	held := &hold{of: &r.unsigned}
	if there == nil {
		held.of = &store{}
		held.of.left.Store(mostBeats)
	}
	go pump(l.jupyter, l.kernel, there, held)
	go pump(l.kernel, l.jupyter, back, nil)
	<-ended
	client.Close()
	l.cells.Wait() // run also if who has sent them is gone
}

// pump passes on what comes from one end to the other until it ends. What anybody may send, held,
// goes on only if it is signed: GoNB ends at a message that is not.
func (l *link) pump(from, to *line, edit editor, held *hold) {
	defer held.release()
	in := bufio.NewReaderSize(from.conn, 1<<13)
	if _, err := io.CopyN(to.conn, in, greeting); err != nil {
		return
	}
	for {
		frames, err := readHeld(in, held)
		if err != nil {
			return
		}
		_, signed := decode(frames, l.key)
		held.release()
		if edit == nil { // a heartbeat, which nobody signs
			if to.send(frames) != nil {
				return
			}
			continue
		}
		if held != nil && !signed && frames[0].flags&command == 0 {
			continue
		}
		for _, frames := range edited(frames, l.key, func(m message) []message { return edit(m, l) }) {
			if to.send(frames) != nil {
				return
			}
		}
	}
}

// edited are the messages that go on in the place of one. What cannot be edited goes on as
// it came.
func edited(frames []frame, key []byte, edit func(message) []message) (out [][]frame) {
	m, ok := decode(frames, key)
	if !ok {
		return [][]frame{frames}
	}
	var messages []message
	if err := panics.Call(func() { messages = edit(m) }); err != nil {
		complain(err)
		return [][]frame{frames}
	}
	for _, m := range messages {
		out = append(out, m.frames(key))
	}
	return out
}

// complain tells who reads Jupyter's log of a fault of ours.
func complain(err error) { fmt.Fprintln(os.Stderr, "front: a message is passed on as it came:", err) }

func (r *relay) close() {
	for _, l := range r.listeners {
		l.Close()
	}
	if r.session != nil {
		r.session.close()
	}
}
