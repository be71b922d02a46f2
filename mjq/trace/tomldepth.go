package trace

import (
	"fmt"
	"io"
)

// A document of this format has keys of three parts and tables in lists in
// tables. What is far deeper or longer is none, and the parser takes time that
// grows as the square of the depth, or the stack of the process.
const (
	mostDeep  = 64
	mostBytes = 16 << 20
)

// readText is all of a document that may be parsed.
func readText(file string, r io.Reader) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, mostBytes+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if len(text) > mostBytes {
		return nil, &LineError{file, 1, fmt.Sprintf("the file has more than %d MB, which no experiment has; give the right file", mostBytes>>20)}
	}
	s := depth{text: text, line: 1}
	for s.at < len(text) {
		s.step()
		if s.parts > mostDeep {
			return nil, &LineError{file, s.line, fmt.Sprintf("a key of more than %d parts; the keys of this format have up to three", mostDeep)}
		}
		if s.open > mostDeep {
			return nil, &LineError{file, s.line, fmt.Sprintf("more than %d brackets within each other; write the lists as they are documented", mostDeep)}
		}
	}
	return text, nil
}

// depth goes over a document without understanding more of it than where its
// strings and comments end.
type depth struct {
	text  []byte
	at    int
	line  int
	open  int // brackets
	parts int // of the key that may be here: words between dots
}

// step passes one character, string or comment.
func (s *depth) step() {
	c := s.text[s.at]
	s.at++
	switch c {
	case '\n':
		s.line++
		s.parts = 0
	case '#':
		for s.at < len(s.text) && s.text[s.at] != '\n' {
			s.at++
		}
	case '"', '\'':
		s.quoted(c)
	case '.':
		s.parts++
	case '[', '{':
		s.open++
		s.parts = 0
	case ']', '}':
		s.open = max(0, s.open-1)
		s.parts = 0
	case '=', ',':
		s.parts = 0
	}
}

// quoted passes the rest of a string, one of three quotes over lines.
func (s *depth) quoted(quote byte) {
	n := 1
	if s.at+1 < len(s.text) && s.text[s.at] == quote && s.text[s.at+1] == quote {
		n = 3
		s.at += 2
	}
	for run := 0; s.at < len(s.text) && run < n; s.at++ {
		switch c := s.text[s.at]; {
		case c == quote:
			run++
		case c == '\n' && n == 1:
			return // not closed: the parser says so
		case c == '\\' && quote == '"':
			if s.at++; s.at < len(s.text) && s.text[s.at] == '\n' {
				s.line++
			}
			run = 0
		default:
			run = 0
			if c == '\n' {
				s.line++
			}
		}
	}
}
