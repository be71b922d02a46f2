package main

import (
	"regexp"
	"strings"

	"github.com/mjqueue/mjq/kernels/jupyter/cells"
)

// query is a cell that asks what a name is, as in IPython: name?, ?name or name??.
var query = regexp.MustCompile(`^(?:\?{1,2}\s*([\pL_][\pL\pN_.]*)|([\pL_][\pL\pN_.]*)(?:\(\))?\s*\?{1,2})$`)

// queried is the name that a cell asks for; empty if it is none of these.
func queried(text string) string {
	m := query.FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return ""
	}
	return m[1] + m[2]
}

// documented shows what a name is, in the output of the cell that asks.
func (s *session) documented(m message, name string, book *cells.Book) message {
	found := s.completer.inspect(book, name, len([]rune(name)))
	if found["found"] == true {
		out := about(m.parent, m.about, "display_data", map[string]any{"data": found["data"], "metadata": map[string]any{}, "transient": map[string]any{}})
		out.topic = m.topic
		return out
	}
	if s.completer.server == nil {
		return m.stream("stderr", "Documentation comes from gopls, which is not here: docker/setup.sh gopls\n")
	}
	return m.stream("stderr", name+" is unknown: no cell that has run declares it, and no package has that name.\n")
}
