// Front stands between Jupyter and GoNB in the kernel "Go (mjq)". It passes on what
// they say to each other, and
//
//   - has package cells make Go of them, by the rules of this kernel (rules.go), and explain what
//     is wrong;
//   - tells all who listen, each message once, and first whether a cell runs (publish.go);
//   - shows how long a cell has been running that shows nothing else (clock.go);
//   - asks whether the nearest name was meant by one that nobody knows (similar.go);
//   - completes and explains code with gopls, which it keeps warm (complete.go, gopls.go);
//   - joins controls in a page with a program that goes on after its cell (desk.go);
//   - says that Go is to be coloured as Go.
//
// Kernel.sh runs it twice:
//
//	front prepare CONNECTION        prints the name of a connection file for GoNB
//	front relay CONNECTION INNER    relays, until its parent, GoNB, is gone
//
// A user runs
//
//	front export FROM.ipynb TO.ipynb    writes a notebook as plain GoNB runs it (export.go)
//
// By itself it runs
//
//	front guard PID                 ends GoNB if the relay is killed outright
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
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
		guard := startGuard(parent)
		err := serve(args[1], args[2], parent)
		os.RemoveAll(filepath.Dir(args[2]))
		if os.Getppid() == parent { // without us nobody reaches the kernel
			syscall.Kill(parent, syscall.SIGTERM)
		}
		guard.Write([]byte("the end"))
		return err
	case len(args) == 3 && args[0] == "export":
		return export(args[1], args[2])
	case len(args) == 2 && args[0] == "guard":
		signal.Ignore(os.Interrupt)
		if said, _ := io.ReadAll(os.Stdin); len(said) > 0 {
			return nil
		}
		kernel, err := strconv.Atoi(args[1])
		if err != nil {
			return err
		}
		return syscall.Kill(kernel, syscall.SIGTERM)
	}
	return errors.New("usage: front prepare CONNECTION | front relay CONNECTION INNER | front export FROM.ipynb TO.ipynb")
}

// startGuard starts a process that ends the kernel when this one ends without a word to it,
// for nobody would reach the kernel any more, and Jupyter would wait for it for ever. What
// is returned is for that word.
func startGuard(kernel int) *os.File {
	program, err := os.Executable()
	if err != nil {
		return nil // a file to which nothing can be written
	}
	in, out, err := os.Pipe()
	if err != nil {
		return nil
	}
	defer in.Close()
	cmd := exec.Command(program, "guard", strconv.Itoa(kernel))
	cmd.Stdin = in
	if err := cmd.Start(); err != nil {
		fmt.Fprintln(os.Stderr, "front: without a guard:", err)
	}
	return out
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

// endpoint is where a kernel listens on the channel with a port.
func (c connection) endpoint(port int) net.Addr {
	if c.Transport == "ipc" {
		return &net.UnixAddr{Net: "unix", Name: fmt.Sprintf("%s-%d", c.IP, port)}
	}
	return &net.TCPAddr{IP: net.ParseIP(c.IP), Port: port}
}

// prepare writes a connection file like the given one, but with sockets in a directory of their own,
// and prints its name. A TCP port that is free now could be taken by another program before GoNB opens
// it. The file keeps its name, because GoNB reads the id of its kernel from it. If messages do not go
// by TCP, or are signed in a way that we do not know, prepare prints the name of the given file: no
// front is needed.
func prepare(path string) error {
	c, err := readConnection(path)
	if err != nil {
		return err
	}
	if c.Transport != "tcp" || c.Scheme != "hmac-sha256" {
		fmt.Println(path)
		return nil
	}
	dir, err := os.MkdirTemp("", "mjq-kernel-")
	if err != nil {
		return err
	}
	c.Transport, c.IP = "ipc", filepath.Join(dir, "channel")
	c.Shell, c.IOPub, c.Stdin, c.Control, c.Heartbeat = 1, 2, 3, 4, 5
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
		time.Sleep(20 * time.Millisecond) // what Jupyter says meanwhile is lost
	}
	return nil
}
