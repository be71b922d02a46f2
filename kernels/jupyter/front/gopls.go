package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"syscall"
	"time"
)

// A server is gopls, which ends when its input does, and so with us however we end. It
// speaks JSON-RPC with the headers of the Language Server Protocol
// (https://microsoft.github.io/language-server-protocol).
type server struct {
	in io.WriteCloser

	mu      sync.Mutex
	last    int
	waiting map[int]chan<- response
	failed  error
}

type response struct {
	result json.RawMessage
	err    error
}

type rpc struct {
	Version string           `json:"jsonrpc"`
	ID      *json.RawMessage `json:"id,omitempty"`
	Method  string           `json:"method,omitempty"`
	Params  any              `json:"params,omitempty"`
	Result  *json.RawMessage `json:"result,omitempty"`
	Error   *struct {
		Message string `json:"message"`
	} `json:"error,omitempty"`
}

// startServer starts gopls for the module in dir. It goes behind the cells, which run
// when it has the most to do: at the start.
func startServer(path, dir string, env []string) (*server, error) {
	cmd := exec.Command(path)
	cmd.Dir, cmd.Env = dir, env
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	_ = syscall.Setpriority(syscall.PRIO_PROCESS, cmd.Process.Pid, 5) // as it is, if that may not be
	s := &server{in: in, waiting: map[int]chan<- response{}}
	go func() {
		err := s.read(bufio.NewReader(out))
		s.mu.Lock()
		s.failed = errors.Join(errors.New("gopls has ended"), err)
		for _, c := range s.waiting {
			c <- response{err: s.failed}
		}
		s.waiting = nil
		s.mu.Unlock()
		_ = cmd.Wait()
	}()
	return s, nil
}

// read hands what gopls answers to those who wait for it, and answers its own questions
// with nothing: defaults will do.
func (s *server) read(out *bufio.Reader) error {
	for {
		head, err := textproto.NewReader(out).ReadMIMEHeader()
		if err != nil {
			return err
		}
		size, err := strconv.Atoi(head.Get("Content-Length"))
		if err != nil || size < 0 || size > largest {
			return fmt.Errorf("a message of %q bytes", head.Get("Content-Length"))
		}
		body := make([]byte, size)
		if _, err := io.ReadFull(out, body); err != nil {
			return err
		}
		var m rpc
		if err := json.Unmarshal(body, &m); err != nil {
			return err
		}
		if m.ID == nil {
			continue
		}
		if m.Method != "" {
			answer := json.RawMessage("null")
			if m.Method == "workspace/configuration" {
				answer = json.RawMessage("[null]")
			}
			if err := s.write(rpc{ID: m.ID, Result: &answer}); err != nil {
				return err
			}
			continue
		}
		var id int
		if err := json.Unmarshal(*m.ID, &id); err != nil {
			return err
		}
		var r response
		if m.Result != nil {
			r.result = *m.Result
		}
		if m.Error != nil {
			r.err = errors.New(m.Error.Message)
		}
		s.mu.Lock()
		c := s.waiting[id]
		delete(s.waiting, id)
		s.mu.Unlock()
		if c != nil {
			c <- r
		}
	}
}

func (s *server) write(m rpc) error {
	m.Version = "2.0"
	body := plainJSON(m)
	s.mu.Lock()
	defer s.mu.Unlock()
	_, err := fmt.Fprintf(s.in, "Content-Length: %d\r\n\r\n%s", len(body), body)
	return err
}

func (s *server) notify(method string, params any) error {
	return s.write(rpc{Method: method, Params: params})
}

// call asks and waits, but not for ever.
func (s *server) call(method string, params any, limit time.Duration, result any) error {
	c := make(chan response, 1)
	s.mu.Lock()
	if s.failed != nil {
		s.mu.Unlock()
		return s.failed
	}
	s.last++
	number := s.last
	s.waiting[number] = c
	s.mu.Unlock()
	id := json.RawMessage(strconv.Itoa(number))
	if err := s.write(rpc{ID: &id, Method: method, Params: params}); err != nil {
		return err
	}
	select {
	case r := <-c:
		if r.err != nil || len(r.result) == 0 {
			return r.err
		}
		return json.Unmarshal(r.result, result)
	case <-time.After(limit):
		s.mu.Lock()
		delete(s.waiting, number)
		s.mu.Unlock()
		return os.ErrDeadlineExceeded
	}
}
