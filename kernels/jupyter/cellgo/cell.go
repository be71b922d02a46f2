package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

// cell is the program that GoNB has made of a cell and all declarations before.
type cell struct {
	imports      []string // in order
	declarations string   // a fingerprint of all but what is for the function main
}

const source = "main.go"

// flags are those of the kernel and harmless ones of a user; any other is for go.
var flags = []string{"-ldflags=-s", "-trimpath", "-buildvcs=false", "-buildvcs=auto"}

// readCell reads the cell of this folder; plain is false if it, or what is to be done with
// it, is for go.
func readCell(args []string) (c *cell, plain bool) {
	get, build := len(args) == 1 && args[0] == "get", len(args) == 3 && args[0] == "build" && args[1] == "-o"
	if !get && !build || !plainSettings() {
		return nil, false
	}
	if files, err := filepath.Glob("*.go"); err != nil || len(files) != 1 || files[0] != source {
		return nil, false
	}
	text, err := os.ReadFile(source)
	if err != nil || bytes.Contains(text, []byte("\n//go:")) {
		return nil, false
	}
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, source, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, false
	}
	c = &cell{}
	for _, i := range file.Imports {
		path := strings.Trim(i.Path.Value, "\"`")
		if path == "C" {
			return nil, false
		}
		c.imports = append(c.imports, path)
	}
	slices.Sort(c.imports)
	c.declarations = fingerprint(declarations(files, file, text))
	return c, true
}

// plainSettings reports whether go would build for this system with nothing special.
func plainSettings() bool {
	for _, flag := range strings.Fields(os.Getenv("GOFLAGS")) {
		if !slices.Contains(flags, flag) {
			return false
		}
	}
	for name, usual := range map[string]string{"GOOS": runtime.GOOS, "GOARCH": runtime.GOARCH, "GOWORK": ""} {
		if value := os.Getenv(name); value != "" && value != usual {
			return false
		}
	}
	return true
}

// declarations is the text without the function main, which is the cell of the moment, and
// without imports that only main needs.
func declarations(files *token.FileSet, file *ast.File, text []byte) []byte {
	var out []byte
	packages := map[string]bool{}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "main" {
			continue
		}
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
			continue
		}
		ast.Inspect(d, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := s.X.(*ast.Ident); ok {
					packages[x.Name] = true
				}
			}
			return true
		})
		out = append(append(out, text[files.Position(d.Pos()).Offset:files.Position(d.End()).Offset]...), '\n')
	}
	for _, i := range file.Imports {
		if needed(i, packages) {
			out = append(append(out, text[files.Position(i.Pos()).Offset:files.Position(i.End()).Offset]...), '\n')
		}
	}
	return out
}

// needed reports whether an import may be what one of the names stands for. Without a name
// of its own that of the package is the last part of the path, but for a version or the like.
func needed(i *ast.ImportSpec, names map[string]bool) bool {
	if i.Name != nil {
		return names[i.Name.Name] || i.Name.Name == "." || i.Name.Name == "_"
	}
	path := version.ReplaceAllString(strings.Trim(i.Path.Value, "\"`"), "")
	words := strings.FieldsFunc(path[strings.LastIndex(path, "/")+1:], func(r rune) bool { return r == '.' || r == '-' })
	return slices.ContainsFunc(words, func(word string) bool { return names[word] })
}

var version = regexp.MustCompile(`/v[0-9]+$`)

func fingerprint(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
