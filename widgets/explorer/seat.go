package explorer

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"net"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/janpfeifer/gonb/gonbui/protocol"

	"github.com/mjqueue/mjq/internal/panics"
	"github.com/mjqueue/mjq/mjq"
)

// A seat says for which call of Run the program behind the sliders is, and what it shows.
// The kernel's front (kernels/jupyter/front) joins that program with the page, at the
// socket that the environment variable MJQ_FRONT names.
type seat struct {
	Call           int
	Panel, Picture string
}

// seatVariable tells a program that it is the one behind the sliders.
const seatVariable = "MJQ_EXPLORER"

// taken is the seat of this program, if it has one.
func taken() (s seat, ok bool) {
	return s, json.Unmarshal([]byte(os.Getenv(seatVariable)), &s) == nil
}

// begin starts this program again, to sit behind the sliders: without the pipes to GoNB,
// to which it is nothing, and with nowhere to print.
func (s seat) begin() error {
	if os.Getenv("MJQ_FRONT") == "" || unattended() {
		return errors.New("explorer: no front")
	}
	path, err := os.Executable()
	if err != nil {
		return err
	}
	what, err := json.Marshal(s)
	if err != nil {
		return err
	}
	cmd := exec.Command(path, os.Args[1:]...)
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, protocol.GONB_PIPE_ENV+"=") || strings.HasPrefix(v, protocol.GONB_PIPE_BACK_ENV+"=")
	})
	cmd.Env = append(cmd.Env, seatVariable+"="+string(what))
	if err := cmd.Start(); err != nil {
		return err
	}
	return cmd.Process.Release()
}

// serve follows the page until it or the kernel ends, and ends the program.
func (s seat) serve(ctx context.Context, m mjq.Model) {
	defer os.Exit(0)
	conn, err := net.Dial("unix", os.Getenv("MJQ_FRONT"))
	if err != nil {
		return
	}
	defer conn.Close()
	if m, err = m.Resolve(ctx); err != nil {
		return
	}
	s.play(ctx, conn, newExplorer(m))
}

// change is what a program may say to the front, in lines of JSON.
type change struct {
	Panel   string `json:",omitempty"`
	Display string `json:",omitempty"`
	HTML    string `json:",omitempty"`
	Text    string `json:",omitempty"`
}

// play obeys what comes by a connection and shows by it what is to be seen.
func (s seat) play(ctx context.Context, conn net.Conn, e *explorer) {
	out := json.NewEncoder(conn)
	if out.Encode(change{Panel: s.Panel}) != nil {
		return
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	words := make(chan message)
	read := func() {
		defer stop() // the kernel has ended
		for lines := bufio.NewScanner(conn); lines.Scan(); {
			var w message
			if json.Unmarshal(lines.Bytes(), &w) != nil {
				continue
			}
			select {
			case words <- w:
			case <-ctx.Done():
				return
			}
		}
	}
	go func() {
		if panics.Call(read) != nil {
			stop()
		}
	}()
	e.conduct(ctx, words, func(f frame) {
		if out.Encode(change{Display: s.Picture, HTML: f.html(), Text: f.text()}) != nil {
			stop()
		}
	})
}
