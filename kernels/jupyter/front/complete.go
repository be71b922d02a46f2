package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf16"

	"github.com/mjqueue/mjq/internal/panics"
	"github.com/mjqueue/mjq/kernels/jupyter/cells"
)

// A completer asks gopls about cells. It keeps a module of one package, in files that
// exist only in what gopls is told: cell.go, the cell at hand, and kept.go, what the
// cells before it have declared.
type completer struct {
	begin   chan struct{} // closed when gopls may start
	begun   sync.Once
	ready   chan struct{} // closed when gopls has seen mjq once, or is not to be had
	server  *server       // nil if it is not
	dir     string
	mu      sync.Mutex // one question at a time, for a question is about the text at hand
	version int
}

// patience is how long a question waits for gopls to get ready, and for its answer.
const patience = 15 * time.Second

// checkout is the tree in which this program lies, in .mjq/bin.
func checkout() string {
	path, err := os.Executable()
	if err != nil {
		return "."
	}
	return filepath.Dir(filepath.Dir(filepath.Dir(path)))
}

// newCompleter returns one that, once it may, starts gopls and has it read mjq, so that the
// first question is answered as quickly as the others. Without gopls there are no answers.
func newCompleter() *completer {
	c := &completer{begin: make(chan struct{}), ready: make(chan struct{}), dir: filepath.Join(checkout(), ".mjq", "gopls")}
	go func() {
		defer close(c.ready)
		<-c.begin
		if err := panics.Call(c.warm); err != nil {
			c.server = nil
		}
	}()
	return c
}

// start lets gopls start, which takes all processors for a second: after the kernel.
func (c *completer) start() { c.begun.Do(func() { close(c.begin) }) }

func (c *completer) warm() {
	path := filepath.Join(c.dir, "gopls")
	if _, err := exec.LookPath(path); err != nil {
		return
	}
	env := append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod", "GOPROXY=off", "GOPLSCACHE="+filepath.Join(c.dir, "cache"), "GOGC=50")
	env = append(env, withoutTelemetry(filepath.Join(c.dir, "config"))...)
	s, err := startServer(path, filepath.Join(c.dir, "cells"), env)
	if err != nil || c.greet(s) != nil {
		return
	}
	c.server = s
	first := rules.Read("m := mjq.Servers(1).", cells.NewBook())
	var none json.RawMessage
	_ = c.ask(cells.NewBook(), first, len(first.Text), "textDocument/completion", &none) // for its own sake
}

// withoutTelemetry is what a program of Go's reads its settings from that says nothing to anybody
// and starts no process for that. Settings of the user for go itself stay.
func withoutTelemetry(folder string) []string {
	mode := filepath.Join(folder, "go", "telemetry", "mode")
	before, err := os.UserConfigDir()
	if err != nil || os.MkdirAll(filepath.Dir(mode), 0o700) != nil || os.WriteFile(mode, []byte("off"), 0o600) != nil {
		return nil
	}
	env := []string{"XDG_CONFIG_HOME=" + folder}
	if os.Getenv("GOENV") == "" {
		env = append(env, "GOENV="+filepath.Join(before, "go", "env"))
	}
	return env
}

func (c *completer) close() {
	select {
	case <-c.ready:
		if c.server != nil {
			c.server.in.Close()
		}
	default: // our end closes its input
	}
}

func (c *completer) uri(name string) string { return "file://" + filepath.Join(c.dir, "cells", name) }

// greet opens the conversation and the two files.
func (c *completer) greet(s *server) error {
	type object = map[string]any
	var capabilities json.RawMessage
	err := s.call("initialize", object{
		"processId":        os.Getpid(),
		"rootUri":          "file://" + filepath.Join(c.dir, "cells"),
		"workspaceFolders": []object{{"uri": "file://" + filepath.Join(c.dir, "cells"), "name": "cells"}},
		"capabilities": object{"textDocument": object{
			"hover":      object{"contentFormat": []string{"markdown"}},
			"completion": object{"completionItem": object{"documentationFormat": []string{"plaintext"}}},
		}},
		// Nobody looks at diagnostics here.
		"initializationOptions": object{"linksInHover": false, "diagnosticsTrigger": "Save", "deepCompletion": false},
	}, time.Minute, &capabilities)
	if err != nil {
		return err
	}
	if err := s.notify("initialized", object{}); err != nil {
		return err
	}
	for _, name := range []string{"cell.go", "kept.go"} {
		doc := object{"uri": c.uri(name), "languageId": "go", "version": 0, "text": "package main\n"}
		if err := s.notify("textDocument/didOpen", object{"textDocument": doc}); err != nil {
			return err
		}
	}
	return nil
}

// atHand are the packages of every cell, whether imported or not yet.
var atHand = []string{"context", "fmt", "github.com/mjqueue/mjq/mjq", "github.com/mjqueue/mjq/widgets"}

// ask puts a question about an offset of a cell.
func (c *completer) ask(b *cells.Book, at *cells.Cell, offset int, method string, result any) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.server == nil {
		return os.ErrNotExist
	}
	cellText, kept, moved := b.Documents(at, atHand)
	c.version++
	for name, text := range map[string]string{"kept.go": kept, "cell.go": cellText} {
		err := c.server.notify("textDocument/didChange", map[string]any{
			"textDocument":   map[string]any{"uri": c.uri(name), "version": c.version},
			"contentChanges": []map[string]string{{"text": text}},
		})
		if err != nil {
			return err
		}
	}
	to := moved(offset)
	line := strings.Count(cellText[:to], "\n")
	column := len(utf16.Encode([]rune(cellText[strings.LastIndex(cellText[:to], "\n")+1 : to])))
	return c.server.call(method, map[string]any{
		"textDocument": map[string]any{"uri": c.uri("cell.go")},
		"position":     map[string]int{"line": line, "character": column},
	}, patience, result)
}

// wait waits until gopls is ready, and says whether it is.
func (c *completer) wait() bool {
	c.start()
	select {
	case <-c.ready:
	case <-time.After(patience):
	}
	return c.server != nil
}

// byteOffset is where the n-th character of a text begins, counted as Jupyter does.
func byteOffset(text string, n int) int {
	for at := range text {
		if n == 0 {
			return at
		}
		n--
	}
	return len(text)
}

// An item is what gopls offers.
type item struct {
	Label, Detail string
	SortText      string
	Kind          int
	TextEdit      *struct {
		NewText string
		Range   struct{ Start, End struct{ Line, Character int } }
	}
}

// kinds are the names of the Language Server Protocol's kinds of completions.
var kinds = map[int]string{2: "method", 3: "function", 4: "function", 5: "field", 6: "variable", 7: "class", 8: "interface", 9: "module", 14: "keyword", 21: "constant", 22: "class"}

// complete is the content of a complete_reply.
func (c *completer) complete(b *cells.Book, code string, cursor int) map[string]any {
	reply := map[string]any{"status": "ok", "matches": []string{}, "cursor_start": cursor, "cursor_end": cursor, "metadata": map[string]any{}}
	at := rules.Read(code, b)
	offset := byteOffset(code, cursor)
	if at.Other || !c.wait() {
		return reply
	}
	var list struct{ Items []item }
	if c.ask(b, at, offset, "textDocument/completion", &list) != nil {
		return reply
	}
	slices.SortStableFunc(list.Items, func(a, b item) int { return strings.Compare(a.SortText, b.SortText) })
	list.Items = preferred(list.Items, c.wanted(b, at, offset))
	matches, types := []string{}, []map[string]any{}
	replaced := -1
	for _, i := range list.Items {
		if i.TextEdit == nil {
			continue
		}
		r := i.TextEdit.Range
		n := r.End.Character - r.Start.Character
		if r.Start.Line != r.End.Line || replaced >= 0 && n != replaced {
			continue // Jupyter knows only one range
		}
		replaced = n
		matches = append(matches, i.TextEdit.NewText)
		types = append(types, map[string]any{"start": cursor - n, "end": cursor, "text": i.TextEdit.NewText, "type": kinds[i.Kind], "signature": i.Detail})
	}
	reply["matches"], reply["cursor_start"] = matches, cursor-max(0, replaced)
	reply["metadata"] = map[string]any{"_jupyter_types_experimental": types}
	return reply
}

// inspect is the content of an inspect_reply: the declaration and documentation of the
// name at the cursor, or of the function whose arguments it is among.
func (c *completer) inspect(b *cells.Book, code string, cursor int) map[string]any {
	reply := map[string]any{"status": "ok", "found": false, "data": map[string]any{}, "metadata": map[string]any{}}
	at := rules.Read(code, b)
	if at.Other || !c.wait() {
		return reply
	}
	var hover struct{ Contents struct{ Value string } }
	if c.ask(b, at, cells.NameAt(code, byteOffset(code, cursor)), "textDocument/hover", &hover) != nil || hover.Contents.Value == "" {
		return reply
	}
	reply["found"] = true
	reply["data"] = map[string]string{"text/markdown": hover.Contents.Value, "text/plain": unmarked(hover.Contents.Value)}
	return reply
}

var fences = regexp.MustCompile("(?m)^(```.*|---)\n?")

// unmarked is Markdown as gopls writes it, as text.
func unmarked(markdown string) string {
	text := fences.ReplaceAllString(markdown, "")
	text = regexp.MustCompile(`\\([[:punct:]])`).ReplaceAllString(text, "$1")
	return strings.TrimSpace(regexp.MustCompile(`\n{3,}`).ReplaceAllString(text, "\n\n"))
}
