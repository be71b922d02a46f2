package main

import (
	"encoding/json"
	"net"
	"strings"
	"sync"
)

// A desk joins controls in a page with the program behind them, which goes on after its
// cell has ended (widgets/explorer): GoNB itself lets a program speak with the page only
// while its cell runs. The program connects to a socket and says in lines of JSON which
// display it wants to have changed; what the page says comes by the channel shell, as
// messages of a comm with the name of the controls' display.
type desk struct {
	publish func(message)

	mu       sync.Mutex
	displays map[string]message  // who displayed what, by display id
	programs map[string]net.Conn // by the display id of their controls
}

// controls begin the display ids of what has a program behind it.
const controls = "mjq_panel_"

// change is a line from a program: whose controls it serves, and what is to be shown.
type change struct {
	Panel, Display string
	HTML, Text     string
}

func openDesk(path string, publish func(message)) (*desk, net.Listener, error) {
	l, err := net.Listen("unix", path)
	if err != nil {
		return nil, nil, err
	}
	d := &desk{publish: publish, displays: map[string]message{}, programs: map[string]net.Conn{}}
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go d.serve(conn)
		}
	}()
	return d, l, nil
}

// serve shows what a program wants to have shown until it ends.
func (d *desk) serve(conn net.Conn) {
	defer conn.Close()
	in := json.NewDecoder(conn)
	panel := ""
	defer func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		if d.programs[panel] == conn {
			delete(d.programs, panel)
		}
	}()
	for {
		var c change
		if in.Decode(&c) != nil {
			return
		}
		d.mu.Lock()
		if c.Panel != "" {
			panel = c.Panel
			d.programs[panel] = conn
		}
		by := d.displays[c.Display]
		d.mu.Unlock()
		if by.parent != nil {
			d.publish(about(by.parent, by.about, "update_display_data", map[string]any{
				"data":      map[string]string{"text/html": c.HTML, "text/plain": c.Text},
				"metadata":  map[string]any{},
				"transient": map[string]string{"display_id": c.Display},
			}))
		}
	}
}

// displayed notes who has displayed something that may be changed later.
func (d *desk) displayed(m message) {
	var content struct {
		Transient struct {
			Display string `json:"display_id"`
		} `json:"transient"`
	}
	if json.Unmarshal(m.content, &content) == nil && strings.HasPrefix(content.Transient.Display, "mjq_") {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.displays[content.Transient.Display] = message{parent: m.parent, about: m.about}
	}
}

// spoken hands what a page says to the program behind it, and reports whether it was for
// one. The page hears back when there is a program.
func (d *desk) spoken(m message, reply func(message)) bool {
	var content struct {
		Comm string          `json:"comm_id"`
		Data json.RawMessage `json:"data"`
	}
	if json.Unmarshal(m.content, &content) != nil || !strings.HasPrefix(content.Comm, controls) {
		return false
	}
	d.mu.Lock()
	conn := d.programs[content.Comm]
	d.mu.Unlock()
	if conn == nil {
		return true
	}
	if _, err := conn.Write(append(content.Data, '\n')); err == nil {
		reply(m.answer("comm_msg", map[string]any{"comm_id": content.Comm, "data": "heard"}))
	}
	return true
}
