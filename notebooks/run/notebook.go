package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"os"
	"regexp"
	"strings"
)

// notebook is an ipynb file as it is: only what is looked at has a type, the
// rest goes through untouched.
type notebook map[string]any

func readNotebook(path string) (notebook, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var nb notebook
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber() // a number keeps its digits
	if err := decoder.Decode(&nb); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return nb, nil
}

// write formats as Jupyter does (sorted keys, one blank), so that a notebook
// saved from JupyterLab and one written here differ in their outputs only.
func (nb notebook) write(path string) error {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(nb); err != nil {
		return err
	}
	return os.WriteFile(path, b.Bytes(), 0o644)
}

// clean removes what changes from run to run without meaning anything: when a
// cell ran, and which version of the kernel ran it.
func (nb notebook) clean() {
	for _, cell := range nb.cells() {
		delete(object(cell["metadata"]), "execution")
	}
	language := object(object(nb["metadata"])["language_info"])
	delete(language, "version")
}

// fault is a cell that failed, or a notebook that could not be run.
type fault struct {
	Cell int // counting all cells from 1; 0 for the whole notebook
	Line string
	Text string
}

// String indents the text below the place.
func (f fault) String() string {
	var b strings.Builder
	if f.Cell > 0 {
		fmt.Fprintf(&b, "      cell %d: %s\n", f.Cell, f.Line)
	}
	for line := range strings.Lines(f.Text) {
		fmt.Fprintf(&b, "        %s\n", strings.TrimRight(line, "\n"))
	}
	return b.String()
}

// faults are the cells with an output of type "error". GoNB gives one to a cell
// that does not compile and to one whose program does not end with status 0.
func (nb notebook) faults() []fault {
	var faults []fault
	for i, cell := range nb.cells() {
		var stderr, page, problem string
		failed := false
		for _, output := range objects(cell["outputs"]) {
			switch {
			case output["output_type"] == "error":
				failed = true
				problem, _ = output["evalue"].(string)
			case output["name"] == "stderr":
				stderr += joined(output["text"])
			default:
				page += joined(object(output["data"])["text/html"])
			}
		}
		if failed {
			// The program's last words say more than "exit status 2", and GoNB
			// shows the compiler's words only as a page.
			if stderr == "" {
				stderr = visible(page)
			}
			text := lastLines(stderr, 20)
			if !strings.Contains(text, strings.TrimSpace(problem)) {
				text = strings.TrimSpace(text + "\n" + problem)
			}
			faults = append(faults, fault{Cell: i + 1, Line: firstStatement(joined(cell["source"])), Text: plain(text)})
		}
	}
	return faults
}

// firstStatement is the line by which a reader recognises a cell.
func firstStatement(source string) string {
	for line := range strings.Lines(source) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "%%") {
			return line
		}
	}
	return ""
}

var (
	style = regexp.MustCompile(`(?s)<style>.*?</style>`)
	tag   = regexp.MustCompile(`<[^>]*>`)
	blank = regexp.MustCompile(`\n\s*\n`)
)

// visible is the text of a page without its mark-up and empty lines.
func visible(page string) string {
	text := tag.ReplaceAllString(style.ReplaceAllString(page, ""), "")
	return strings.TrimSpace(blank.ReplaceAllString(html.UnescapeString(text), "\n"))
}

var colour = regexp.MustCompile("\x1b\\[[0-9;]*m")

func plain(text string) string { return colour.ReplaceAllString(text, "") }

func (nb notebook) cells() []map[string]any { return objects(nb["cells"]) }

func object(v any) map[string]any {
	o, _ := v.(map[string]any)
	return o
}

func objects(v any) []map[string]any {
	list, _ := v.([]any)
	all := make([]map[string]any, len(list))
	for i, item := range list {
		all[i] = object(item)
	}
	return all
}

// joined is a text of the format, which is a string or a list of lines.
func joined(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	list, _ := v.([]any)
	var b strings.Builder
	for _, item := range list {
		line, _ := item.(string)
		b.WriteString(line)
	}
	return b.String()
}
