package main

import (
	"bufio"
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync/atomic"
	"time"
)

// A frame is one part of what ZMTP 3, the protocol of ZeroMQ, sends: a part of a
// message or a command (https://rfc.zeromq.org/spec/23).
type frame struct {
	flags byte
	body  []byte
}

const (
	more    = 1 // further parts of the message follow
	long    = 2 // the size has eight bytes, not one
	command = 4
	// largest bounds what a damaged size can make us take.
	largest = 1 << 31
)

func readFrame(r *bufio.Reader, held *hold) (frame, error) {
	flags, err := r.ReadByte()
	if err != nil {
		return frame{}, err
	}
	size := make([]byte, 8)
	if flags&long != 0 {
		_, err = io.ReadFull(r, size)
	} else {
		size[7], err = r.ReadByte()
	}
	n := binary.BigEndian.Uint64(size)
	if err != nil || n > largest {
		return frame{}, errors.Join(err, fmt.Errorf("frame of %d bytes", n))
	}
	f := frame{flags: flags &^ long}
	f.body, err = held.read(r, int(n))
	return f, err
}

func appendFrame(b []byte, f frame) []byte {
	if len(f.body) < 256 {
		b = append(b, f.flags, byte(len(f.body)))
	} else {
		b = binary.BigEndian.AppendUint64(append(b, f.flags|long), uint64(len(f.body)))
	}
	return append(b, f.body...)
}

// readFrames returns the frames of one message, or one command.
func readFrames(r *bufio.Reader) ([]frame, error) { return readHeld(r, nil) }

// readHeld is readFrames for what somebody sends of whom nothing is known yet.
func readHeld(r *bufio.Reader, held *hold) ([]frame, error) {
	var frames []frame
	for {
		f, err := readFrame(r, held)
		if err != nil {
			return nil, err
		}
		if frames = append(frames, f); f.flags&more == 0 {
			return frames, nil
		}
	}
}

func encode(frames []frame) []byte {
	var b []byte
	for _, f := range frames {
		b = appendFrame(b, f)
	}
	return b
}

// greeting is the number of bytes with which each end begins.
const greeting = 64

// greet begins a conversation without security, as a socket of the given type, and hears
// what the other end has to say before its first message.
func greet(conn io.Writer, in *bufio.Reader, as string) error {
	first := make([]byte, greeting)
	first[0], first[9], first[10] = 0xff, 0x7f, 3 // ZMTP 3.0
	copy(first[12:], "NULL")
	ready := append([]byte("\x05READY\x0bSocket-Type\x00\x00\x00"), byte(len(as)))
	if _, err := conn.Write(append(first, encode([]frame{{command, append(ready, as...)}})...)); err != nil {
		return err
	}
	if _, err := in.Discard(greeting); err != nil {
		return err
	}
	frames, err := readFrames(in)
	if err == nil && frames[0].flags&command == 0 {
		err = errors.New("a message before the handshake")
	}
	return err
}

// header is what we need to know of a message, and what we say of our own.
type header struct {
	ID       string `json:"msg_id"`
	Type     string `json:"msg_type"`
	Session  string `json:"session"`
	Username string `json:"username"`
	Date     string `json:"date"`
	Version  string `json:"version"`
}

// A hold is what has been read of one connection's message that is not whole yet, and whose
// signature can therefore not be checked. All of them share a store.
type hold struct {
	of    *store
	bytes int
}

// A store is how many bytes may be held at once without a signature that is right.
type store struct{ left atomic.Int64 }

// mostUnsigned and mostConnections are what somebody who does not know the key can make us hold,
// on all channels together, and on each. Cells with large data in them are smaller.
const mostUnsigned, mostConnections = 128 << 20, 200

// mostBeats is how long a heartbeat may be, which is never signed.
const mostBeats = 1 << 20

var errUnsigned = errors.New("too much is sent without a signature")

// read reads so many bytes, part by part: a size is only a promise.
func (h *hold) read(r io.Reader, n int) ([]byte, error) {
	if h == nil {
		body := make([]byte, n)
		_, err := io.ReadFull(r, body)
		return body, err
	}
	var body []byte
	for part := 1 << 16; ; {
		k := min(part, n-len(body))
		h.bytes += k + 64 // of what describes a frame
		if h.of.left.Add(-int64(k)-64) < 0 {
			return nil, errUnsigned
		}
		start := len(body)
		body = slices.Grow(body, k)[:start+k]
		if _, err := io.ReadFull(r, body[start:]); err != nil || len(body) == n {
			return body, err
		}
	}
}

// release gives back what has been held.
func (h *hold) release() {
	if h != nil {
		h.of.left.Add(int64(h.bytes))
		h.bytes = 0
	}
}

// A message is one of Jupyter's (https://jupyter-client.readthedocs.io/en/stable/messaging.html).
type message struct {
	topic                             [][]byte
	header, parent, metadata, content json.RawMessage
	buffers                           [][]byte
	head, about                       header // header and parent, read
}

var delimiter = []byte("<IDS|MSG>")

// decode reads a message; ok is false for what is none, such as a subscription, and where the
// signature is not right.
func decode(frames []frame, key []byte) (m message, ok bool) {
	at := 0
	for at < len(frames) && !bytes.Equal(frames[at].body, delimiter) {
		m.topic = append(m.topic, frames[at].body)
		at++
	}
	if len(frames) < at+6 || frames[0].flags&command != 0 {
		return m, false
	}
	part := func(i int) json.RawMessage { return frames[at+i].body }
	m.header, m.parent, m.metadata, m.content = part(2), part(3), part(4), part(5)
	if !hmac.Equal(frames[at+1].body, m.signature(key)) {
		return m, false
	}
	for _, f := range frames[at+6:] {
		m.buffers = append(m.buffers, f.body)
	}
	if json.Unmarshal(m.header, &m.head) != nil {
		return m, false
	}
	// A message that answers none has an empty parent.
	_ = json.Unmarshal(m.parent, &m.about)
	return m, true
}

func (m message) signature(key []byte) []byte {
	if len(key) == 0 {
		return nil
	}
	mac := hmac.New(sha256.New, key)
	for _, part := range []json.RawMessage{m.header, m.parent, m.metadata, m.content} {
		mac.Write(part)
	}
	return []byte(hex.EncodeToString(mac.Sum(nil)))
}

// frames is the message as it is sent.
func (m message) frames(key []byte) []frame {
	parts := append(append([][]byte{}, m.topic...), delimiter, m.signature(key), m.header, m.parent, m.metadata, m.content)
	parts = append(parts, m.buffers...)
	out := make([]frame, len(parts))
	for i, p := range parts {
		out[i] = frame{more, p}
	}
	out[len(out)-1].flags = 0
	return out
}

// answer is a new message to the sender of m.
func (m message) answer(kind string, content any) message {
	return about(m.header, m.head, kind, content)
}

// about is a new message with the given parent.
func about(parent json.RawMessage, head header, kind string, content any) message {
	head.ID = fmt.Sprintf("mjq-%s-%d", head.ID, time.Now().UnixNano())
	head.Type, head.Date = kind, time.Now().UTC().Format(time.RFC3339Nano)
	return message{header: plainJSON(head), parent: parent, metadata: json.RawMessage("{}"), content: plainJSON(content)}
}

// stream is a text that a cell prints, beside a message that the kernel publishes about it.
func (m message) stream(stream, text string) message {
	out := about(m.parent, m.about, "stream", map[string]string{"name": stream, "text": text})
	out.topic = m.topic
	return out
}

// plainJSON is the JSON of what always has one.
func plainJSON(v any) json.RawMessage {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return data
}
