// Front stands between Jupyter and GoNB in the kernel "Go (mjq)". It passes on what
// they say to each other, and
//
//   - lets a cell be bare statements, and says when an assignment will be forgotten (cell.go);
//   - puts the cell's line and the first cause of a compiler's message first (faults.go);
//   - completes and explains code with gopls, which it keeps warm (complete.go, gopls.go);
//   - joins controls in a page with a program that goes on after its cell (desk.go);
//   - says that Go is to be coloured as Go.
//
// Kernel.sh runs it twice:
//
//	front prepare CONNECTION        prints the name of a connection file for GoNB
//	front relay CONNECTION INNER    relays, until its parent, GoNB, is gone
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "front:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) == 2 && args[0] == "prepare":
		return prepare(args[1])
	case len(args) == 3 && args[0] == "relay":
		parent := os.Getppid()
		err := serve(args[1], args[2], parent)
		os.RemoveAll(filepath.Dir(args[2]))
		if os.Getppid() == parent { // without us nobody reaches the kernel
			syscall.Kill(parent, syscall.SIGTERM)
		}
		return err
	}
	return errors.New("usage: front prepare CONNECTION | front relay CONNECTION INNER")
}

// connection is a file that says where a kernel listens. What we do not know of it is kept.
type connection struct {
	Transport string `json:"transport"`
	IP        string `json:"ip"`
	Key       string `json:"key"`
	Scheme    string `json:"signature_scheme"`
	Shell     int    `json:"shell_port"`
	IOPub     int    `json:"iopub_port"`
	Stdin     int    `json:"stdin_port"`
	Control   int    `json:"control_port"`
	Heartbeat int    `json:"hb_port"`
}

func readConnection(path string) (c connection, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return c, err
	}
	if err := json.Unmarshal(data, &c); err != nil {
		return c, fmt.Errorf("%s: %w", path, err)
	}
	return c, nil
}

// prepare writes a connection file like the given one, with ports of its own, and prints
// its name. GoNB reads the id of its kernel from that name, so it stays. Where messages
// do not go by TCP or are signed in a way that we do not know, the name is that of
// the given file, and no front is needed.
func prepare(path string) error {
	c, err := readConnection(path)
	if err != nil {
		return err
	}
	if c.Transport != "tcp" || c.Scheme != "hmac-sha256" {
		fmt.Println(path)
		return nil
	}
	c.IP = "127.0.0.1"
	for _, port := range []*int{&c.Shell, &c.IOPub, &c.Stdin, &c.Control, &c.Heartbeat} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		defer l.Close() // not before all are found, or two would be the same
		*port = l.Addr().(*net.TCPAddr).Port
	}
	dir, err := os.MkdirTemp("", "mjq-kernel-")
	if err != nil {
		return err
	}
	inner := filepath.Join(dir, filepath.Base(path))
	fmt.Println(inner)
	return os.WriteFile(inner, plainJSON(c), 0o600)
}

// serve relays until the parent is gone.
func serve(outer, inner string, parent int) error {
	from, err := readConnection(outer)
	if err != nil {
		return err
	}
	to, err := readConnection(inner)
	if err != nil {
		return err
	}
	r, err := newRelay(from, to, filepath.Join(filepath.Dir(inner), "front"))
	if err != nil {
		return err
	}
	defer r.close()
	for os.Getppid() == parent {
		time.Sleep(200 * time.Millisecond)
	}
	return nil
}
