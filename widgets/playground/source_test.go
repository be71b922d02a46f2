package playground

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/internal/escape/nasty"
)

// shape is the syntax tree of Go source without the values of its strings, which are apart.
func shape(t *testing.T, source string) (nodes, texts []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "main.go", source, parser.ParseComments)
	if err != nil {
		t.Fatalf("%v in\n%s", err, source)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			if n.Kind == token.STRING {
				text, err := strconv.Unquote(n.Value)
				if err != nil {
					t.Fatal(err)
				}
				texts = append(texts, text)
				return true
			}
			nodes = append(nodes, n.Value)
		case *ast.Ident:
			nodes = append(nodes, n.Name)
		case *ast.Comment:
			nodes = append(nodes, n.Text)
		case nil:
		default:
			nodes = append(nodes, reflect.TypeOf(n).String())
		}
		return true
	})
	return nodes, texts
}

// sources are what is saved of a setting: the program, and the cells of the notebook as
// programs.
func sources(t *testing.T, s Setting) (list []string) {
	t.Helper()
	list = append(list, s.Program())
	var book struct {
		Cells []struct {
			Kind   string `json:"cell_type"`
			Source []string
		}
	}
	if err := json.Unmarshal(s.Notebook(), &book); err != nil {
		t.Fatal(err)
	}
	for _, c := range book.Cells[1:] {
		text, lines := strings.Join(c.Source, ""), strings.Split(strings.Join(c.Source, ""), "\n")
		for i, line := range lines {
			if special := strings.HasPrefix(strings.TrimSpace(line), "%") || strings.HasPrefix(strings.TrimSpace(line), "!"); special && (i > 0 || line != "%%") {
				t.Fatalf("a line for the kernel: %q", line)
			}
		}
		if body, main := strings.CutPrefix(text, "%%\n"); main {
			text = "func main() {\n" + body + "\n}"
		}
		list = append(list, "package main\n"+text)
	}
	return list
}

// everywhere are settings that a link can hold, with the text wherever one stands.
func everywhere(t *testing.T, text string) map[string]Setting {
	t.Helper()
	plain := func() Setting {
		return Setting{Servers: 8, Load: 0.5, NodeSize: 4, Placement: "WorstFit", Policy: "EASY", Unit: "minute",
			Classes: []Class{{Name: "a", Need: 1, Share: 1, Law: "Erlang", Mean: 1}, {Name: "b", Need: 2, Share: 2, Law: "Lomax", Mean: 1}}}
	}
	all := map[string]Setting{}
	change := func(what string, f func(s *Setting)) {
		s := plain()
		f(&s)
		link, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		var came Setting
		if err := json.Unmarshal(link, &came); err != nil {
			t.Fatal(err)
		}
		all[what] = came
	}
	quoted, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	change("name", func(s *Setting) { s.Classes[0].Name = text })
	change("name of a class as given", func(s *Setting) {
		s.Classes[0].Name, s.Classes[0].Law, s.Classes[0].Form = text, asGiven, json.RawMessage(`{"law":"BoundedPareto","low":0.1,"high":30,"alpha":1.5}`)
	})
	change("law", func(s *Setting) { s.Classes[0].Law = text })
	change("placement", func(s *Setting) { s.Placement = text })
	change("placement without nodes", func(s *Setting) { s.Placement, s.NodeSize = text, 0 })
	change("policy", func(s *Setting) { s.Policy = text })
	change("unit", func(s *Setting) { s.Unit = text })
	change("form", func(s *Setting) { s.Classes[0].Law, s.Classes[0].Form = asGiven, quoted })
	change("form with a word", func(s *Setting) {
		s.Classes[0].Law, s.Classes[0].Form = asGiven, json.RawMessage(fmt.Sprintf(`{"law":%s,"mean":1}`, quoted))
	})
	change("rule", func(s *Setting) { s.Policy, s.Rule = asGiven, json.RawMessage(fmt.Sprintf(`{"policy":%s}`, quoted)) })
	change("arrivals", func(s *Setting) { s.Arrivals = json.RawMessage(fmt.Sprintf(`{"arrivals":%s,"rate":1}`, quoted)) })
	return all
}

// TestNastyLinks: whatever a link holds stays text in the program and the notebook: they are
// the same as with a harmless text, or say what is wrong, but for the values of strings.
func TestNastyLinks(t *testing.T) {
	harmless := map[string][][]string{}
	for what, s := range everywhere(t, "harmless") {
		for _, source := range sources(t, s) {
			nodes, _ := shape(t, source)
			harmless[what] = append(harmless[what], nodes)
		}
	}
	for _, name := range nasty.Names() {
		for what, s := range everywhere(t, name) {
			if _, err := s.built(); (err == nil) != (len(harmless[what]) == 5) {
				continue // an empty name is a fault, an empty law, placement or policy is the usual one
			}
			for i, source := range sources(t, s) {
				nodes, texts := shape(t, source)
				if !slices.Equal(nodes, harmless[what][i]) {
					t.Errorf("%s %q:\n%s", what, name, source)
				}
				if err := nasty.Terminal(strings.ReplaceAll(source, "\t", " ")); err != nil {
					t.Errorf("%s %q: %v", what, name, err)
				}
				if what == "name" && i == 0 && !slices.Contains(texts, s.Classes[0].Name) {
					t.Errorf("%q is not among %q", s.Classes[0].Name, texts)
				}
			}
		}
	}
}
