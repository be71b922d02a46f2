package main

import (
	"fmt"
	"os"
	"strings"
)

// instruction is one instruction of a Dockerfile, its continued lines joined.
type instruction struct {
	Line  int
	Name  string            // in capitals
	Flags map[string]string // --chown=mjq:mjq as "chown"
	Args  string            // the rest
}

// parse splits a Dockerfile into instructions. It knows what ours use: no
// here-documents, no other escape character.
func parse(text string) ([]instruction, error) {
	var list []instruction
	var open string
	start := 0
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if open == "" {
			start = i + 1
		}
		if rest, more := strings.CutSuffix(line, `\`); more {
			open += strings.TrimSpace(rest) + " "
			continue
		}
		list = append(list, newInstruction(start, open+line))
		open = ""
	}
	if open != "" {
		return nil, fmt.Errorf("line %d: the file ends in the middle of %s", start, strings.Fields(open)[0])
	}
	return list, nil
}

func newInstruction(line int, text string) instruction {
	name, rest, _ := strings.Cut(text, " ")
	in := instruction{Line: line, Name: strings.ToUpper(name), Flags: map[string]string{}}
	for rest = strings.TrimSpace(rest); strings.HasPrefix(rest, "--"); rest = strings.TrimSpace(rest) {
		var flag string
		flag, rest, _ = strings.Cut(rest, " ")
		key, value, _ := strings.Cut(strings.TrimPrefix(flag, "--"), "=")
		in.Flags[key] = value
	}
	in.Args = rest
	return in
}

func parseFile(name string) ([]instruction, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	list, err := parse(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return list, nil
}

// base is what FROM names: golang:1.26.2-bookworm@sha256:....
type base struct{ Image, Tag, Digest string }

func (in instruction) base() base {
	var b base
	name := strings.Fields(in.Args + " ?")[0]
	name, b.Digest, _ = strings.Cut(name, "@")
	b.Image, b.Tag, _ = strings.Cut(name, ":")
	return b
}

// assignments are the pairs of an ENV or ARG line, with variables of env filled in.
func (in instruction) assignments(env map[string]string) map[string]string {
	pairs := map[string]string{}
	for _, word := range strings.Fields(in.Args) {
		key, value, _ := strings.Cut(word, "=")
		pairs[key] = os.Expand(strings.Trim(value, `"`), func(name string) string { return env[name] })
	}
	return pairs
}
