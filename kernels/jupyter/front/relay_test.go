package main

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"io"
	"net"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// listener is a port of this machine and who listens there.
func listener(t *testing.T) (int, net.Listener) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l.Addr().(*net.TCPAddr).Port, l
}

// free are ports at which nobody listens, each another: one that is closed may come again.
func free(t *testing.T) (ports [5]int) {
	t.Helper()
	for i := range ports {
		port, l := listener(t)
		defer l.Close()
		ports[i] = port
	}
	return ports
}

// TestTheNextFrontWaitsForItsPorts: a kernel that is started anew has those of the last,
// whose front may not have gone yet.
func TestTheNextFrontWaitsForItsPorts(t *testing.T) {
	port, last := listener(t)
	time.AfterFunc(100*time.Millisecond, func() { last.Close() })
	l, err := listen(net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	if _, err := listen("127.0.0.1:none"); err == nil {
		t.Error("listens at no port")
	}
}

func request(kind, content string) message {
	return message{header: plainJSON(header{ID: "1", Type: kind}), parent: json.RawMessage("{}"), metadata: json.RawMessage("{}"), content: json.RawMessage(content)}
}

// relayed starts a relay and returns its ports, those of its kernel, of which only that for
// what it publishes is in use, and who publishes there.
func relayed(t *testing.T) (from, to connection, kernel *publisher) {
	t.Helper()
	p := free(t)
	from = connection{IP: "127.0.0.1", Key: "key", Shell: p[0], IOPub: p[1], Stdin: p[2], Control: p[3], Heartbeat: p[4]}
	to = connection{Transport: "ipc", IP: filepath.Join(t.TempDir(), "channel"), Shell: 1, IOPub: 2, Stdin: 3, Control: 4, Heartbeat: 5}
	l, err := net.Listen("unix", to.endpoint(to.IOPub).String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	began := func() message { return request("status", `{"execution_state":"starting"}`) }
	kernel = &publisher{key: []byte("key"), state: began, subscribers: map[*outbox]bool{}}
	up := make(chan struct{})
	close(up)
	go accept(l, func(conn net.Conn) { kernel.serve(conn, up, nil) })
	r, err := newRelay(from, to, filepath.Join(t.TempDir(), "front"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.close)
	return from, to, kernel
}

// TestTheRelayEditsWhatIsSigned speaks through it as Jupyter and a
// kernel that begins to listen late.
func TestTheRelayEditsWhatIsSigned(t *testing.T) {
	from, to, _ := relayed(t)
	client, err := net.Dial("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(from.Shell)))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	l, err := net.Listen("unix", to.endpoint(to.Shell).String())
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	kernel, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer kernel.Close()
	kernel.SetDeadline(time.Now().Add(time.Minute))
	client.SetDeadline(time.Now().Add(time.Minute))

	hello := append(bytes.Repeat([]byte("g"), greeting), encode([]frame{{command, []byte("READY")}})...)
	cell := request("execute_request", `{"code":"fmt.Println(1)"}`)
	client.Write(hello)
	client.Write(encode(cell.frames([]byte("wrong")))) // which does not arrive
	client.Write(encode(cell.frames([]byte("key"))))
	in := bufio.NewReader(kernel)
	got := make([]byte, len(hello))
	if _, err := io.ReadFull(in, got); err != nil || !bytes.Equal(got, hello) {
		t.Fatalf("the greeting arrives as %q, %v", got, err)
	}
	frames, err := readFrames(in)
	if err != nil {
		t.Fatal(err)
	}
	var content struct{ Code string }
	if err := json.Unmarshal(frames[5].body, &content); err != nil || content.Code != `import "fmt"; func main() { fmt.Println(1) }` {
		t.Errorf("the cell arrives as %q, %v", content.Code, err)
	}
	if _, ok := decode(frames, []byte("key")); !ok {
		t.Error("the cell is not signed")
	}

	kernel.Write(hello)
	kernel.Write(encode(request("kernel_info_reply", `{"language_info":{"name":"go"}}`).frames([]byte("key"))))
	out := bufio.NewReader(client)
	if _, err := io.ReadFull(out, got); err != nil {
		t.Fatal(err)
	}
	if frames, err := readFrames(out); err != nil || !strings.Contains(string(frames[5].body), `"pygments_lexer":"go"`) {
		t.Errorf("the language is %v, %v", frames, err)
	}
	kernel.Close()
	if _, err := out.ReadByte(); err != io.EOF {
		t.Errorf("when the kernel ends the client hears %v", err)
	}
}

// TestStrangersHoldLittle: without the key nobody makes us hold more than a bound, by promises,
// by large frames or by many small ones, and what they held is given back.
func TestStrangersHoldLittle(t *testing.T) {
	var s store
	s.left.Store(1 << 20)
	large := encode([]frame{{0, make([]byte, 2<<20)}})
	var many []frame
	for range 20_000 {
		many = append(many, frame{more, nil})
	}
	promise := append([]byte{long}, binary.BigEndian.AppendUint64(nil, 1<<30)...)
	for name, sent := range map[string][]byte{"a large frame": large, "many small ones": encode(many), "a promise": promise} {
		h := &hold{of: &s}
		if _, err := readHeld(bufio.NewReader(bytes.NewReader(sent)), h); err == nil {
			t.Errorf("%s is taken", name)
		}
		if h.bytes > 1<<20+1<<17 {
			t.Errorf("of %s are held %d bytes", name, h.bytes)
		}
		h.release()
		if got := s.left.Load(); got != 1<<20 {
			t.Errorf("after %s %d bytes are left", name, got)
		}
	}
	h := &hold{of: &s}
	m := request("execute_request", `{"code":"`+strings.Repeat("x", 300_000)+`"}`)
	frames, err := readHeld(bufio.NewReader(bytes.NewReader(encode(m.frames([]byte("key"))))), h)
	if _, ok := decode(frames, []byte("key")); !ok || err != nil {
		t.Errorf("a large cell is not taken: %v", err)
	}
}

// TestAFaultOfOursChangesNothing: what cannot be edited is passed on as it came.
func TestAFaultOfOursChangesNothing(t *testing.T) {
	there, in := net.Pipe()
	out, here := net.Pipe()
	sent := encode(request("x", "{}").frames([]byte("key")))
	l := &link{key: []byte("key")}
	go l.pump(&line{conn: in}, &line{conn: out}, func(message, *link) []message { panic("oh") }, nil)
	go func() {
		there.Write(make([]byte, greeting))
		there.Write(sent)
	}()
	got := make([]byte, greeting+len(sent))
	if _, err := io.ReadFull(here, got); err != nil || !bytes.Equal(got[greeting:], sent) {
		t.Errorf("%q arrives, %v", got, err)
	}
}

// TestProgramsBehindControls: what a program wants to have shown is published as an update
// of its display, and what the page says reaches it.
func TestProgramsBehindControls(t *testing.T) {
	published := make(chan message, 1)
	path := filepath.Join(t.TempDir(), "front")
	d, l, err := openDesk(path, func(m message) { published <- m })
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	shown := request("display_data", `{"transient":{"display_id":"mjq_picture_1"}}`)
	shown.parent = json.RawMessage(`{"msg_id":"cell"}`)
	d.displayed(shown)
	program, err := net.Dial("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer program.Close()
	json.NewEncoder(program).Encode(change{Panel: "mjq_panel_1"})
	json.NewEncoder(program).Encode(change{Display: "mjq_picture_1", HTML: "<b>"})
	m := <-published
	if !strings.Contains(string(m.content), `"text/html":"\u003cb\u003e"`) || string(m.parent) != string(shown.parent) || !strings.Contains(string(m.header), "update_display_data") {
		t.Errorf("%s with parent %s is published", m.content, m.parent)
	}
	heard := false
	said := request("comm_msg", `{"comm_id":"mjq_panel_1","data":{"do":"set"}}`)
	if !d.spoken(said, func(message) { heard = true }) || !heard {
		t.Error("the page is not heard")
	}
	if text, err := bufio.NewReader(program).ReadString('\n'); err != nil || text != "{\"do\":\"set\"}\n" {
		t.Errorf("the program hears %q, %v", text, err)
	}
	if d.spoken(request("comm_msg", `{"comm_id":"gonb"}`), func(message) {}) {
		t.Error("a comm of GoNB's is taken")
	}
}
