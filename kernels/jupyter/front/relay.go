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
// the kernel for each of Jupyter's. Messages on the channels shell and iopub go by its
// session, which may change, add and answer them; all else passes as it is.
type relay struct {
	key       []byte
	session   *session
	listeners []net.Listener

	mu          sync.Mutex
	subscribers map[*line]bool // connections that listen to what the kernel publishes
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

// An editor looks at a message on its way and returns what goes on in its place; reply
// sends one back.
type editor func(m message, reply func(message)) []message

func newRelay(from, to connection, socket string) (*relay, error) {
	r := &relay{key: []byte(from.Key), subscribers: map[*line]bool{}}
	desk, l, err := openDesk(socket, r.publish)
	if err != nil {
		return nil, err
	}
	r.listeners = append(r.listeners, l)
	r.session = newSession(desk, r.publish)
	for _, c := range []struct {
		from, to       int
		there, back    editor
		reads, publish bool
	}{
		{from: from.Shell, to: to.Shell, reads: true, there: r.session.request, back: r.session.reply},
		{from: from.IOPub, to: to.IOPub, reads: true, publish: true, back: r.session.published},
		{from: from.Control, to: to.Control},
		{from: from.Stdin, to: to.Stdin},
		{from: from.Heartbeat, to: to.Heartbeat},
	} {
		l, err := listen(net.JoinHostPort(from.IP, fmt.Sprint(c.from)))
		if err != nil {
			r.close()
			return nil, err
		}
		r.listeners = append(r.listeners, l)
		go func() {
			for {
				conn, err := l.Accept()
				if err != nil {
					return
				}
				go r.connect(conn, fmt.Sprintf("127.0.0.1:%d", c.to), c.reads, c.publish, c.there, c.back)
			}
		}()
	}
	return r, nil
}

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

// connect joins a connection of Jupyter's to the kernel's address, where nobody may
// listen yet, and returns when one of the two has ended.
func (r *relay) connect(client net.Conn, address string, reads, publishes bool, there, back editor) {
	defer client.Close()
	var kernel net.Conn
	for err, tries := error(net.ErrClosed), 0; err != nil; tries++ {
		if kernel, err = net.Dial("tcp", address); err == nil {
			break
		}
		if tries > 3000 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	defer kernel.Close()
	in, out := &line{conn: client}, &line{conn: kernel}
	ended := make(chan struct{}, 2)
	pump := func(from, to *line, edit editor, ready func()) {
		defer func() { ended <- struct{}{} }()
		if !reads {
			io.Copy(to.conn, from.conn)
			return
		}
		r.pump(from, to, edit, ready)
	}
	go pump(in, out, there, func() {})
	go pump(out, in, back, func() {
		if publishes {
			r.subscribe(in, true)
		}
	})
	<-ended
	r.subscribe(in, false)
}

// greeting is the number of bytes with which each end begins.
const greeting = 64

// pump passes on what comes from one end to the other until it ends, and says when the
// other end may be written to: after the greeting and the first command, which is the
// last of the handshake.
func (r *relay) pump(from, to *line, edit editor, ready func()) {
	in := bufio.NewReaderSize(from.conn, 1<<16)
	if _, err := io.CopyN(to.conn, in, greeting); err != nil {
		return
	}
	reply := func(m message) { from.send(m.frames(r.key)) }
	for shaken := false; ; {
		frames, err := readFrames(in)
		if err != nil {
			return
		}
		messages := [][]frame{frames}
		if m, ok := decode(frames, r.key); ok && edit != nil {
			var edited []message
			if err := panics.Call(func() { edited = edit(m, reply) }); err == nil {
				messages = nil
				for _, m := range edited {
					messages = append(messages, m.frames(r.key))
				}
			} else {
				fmt.Fprintln(os.Stderr, "front: a message is passed on as it came:", err)
			}
		}
		for _, frames := range messages {
			if to.send(frames) != nil {
				return
			}
		}
		if !shaken && frames[0].flags&command != 0 {
			shaken = true
			ready()
		}
	}
}

func (r *relay) subscribe(l *line, on bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if delete(r.subscribers, l); on {
		r.subscribers[l] = true
	}
}

// publish sends a message of our own to all who listen.
func (r *relay) publish(m message) {
	m.topic = [][]byte{[]byte("kernel.mjq")}
	r.mu.Lock()
	defer r.mu.Unlock()
	for l := range r.subscribers {
		l.send(m.frames(r.key))
	}
}

func (r *relay) close() {
	for _, l := range r.listeners {
		l.Close()
	}
	if r.session != nil {
		r.session.close()
	}
}
