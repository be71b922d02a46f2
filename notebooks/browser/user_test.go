package browser

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-rod/rod/lib/input"
)

// TestUserInBrowser does in JupyterLab what a user does on the first day, and prints what
// each step took.
func TestUserInBrowser(t *testing.T) {
	dir := folder(t, "tutorial")
	for _, name := range []string{"START.md", "course.toml"} {
		if err := os.Link(filepath.Join(checkout(), "notebooks", name), filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	base := startJupyter(t, dir)
	browser := startBrowser(t)
	beginsWithWords(t, base)
	exports(t, base)
	t.Run("tutorial", func(t *testing.T) {
		r := open(t, browser, base, dir, app{"lab", "/"}, "")
		r.start()
		r.runTutorial()
		r.looks()
	})
	t.Run("own", func(t *testing.T) {
		r := open(t, browser, base, dir, lab, written(t, dir, "own"))
		r.ready()
		r.rests("in a new notebook")
		r.edits()
		r.panics()
		r.completes()
		r.interrupts()
		other := open(t, browser, base, dir, lab, written(t, dir, "other"))
		other.ready()
		r.runsBeside(other)
		if _, err := r.page.Activate(); err != nil { // or it would not be drawn when it is loaded anew
			t.Fatal(err)
		}
		r.restart()
		r.rests("after a restart")
		r.reload()
		r.rests("after a reload")
		r.runCells(0, 1, 2)
		r.shows(2, "20 servers")
	})
}

// beginsWithWords makes a new notebook as File › New does, which is not empty.
func beginsWithWords(t *testing.T, base string) {
	t.Helper()
	var made struct {
		Path    string
		Content struct{ Cells []struct{ Source string } }
	}
	for _, ask := range []func() (*http.Response, error){
		func() (*http.Response, error) {
			return http.Post(base+"/api/contents?token="+token, "application/json", strings.NewReader(`{"type":"notebook"}`))
		},
		func() (*http.Response, error) {
			return http.Get(base + "/api/contents/" + made.Path + "?token=" + token)
		},
	} {
		resp, err := ask()
		if err != nil {
			t.Fatal(err)
		}
		err = json.NewDecoder(resp.Body).Decode(&made)
		resp.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
	}
	if c := made.Content.Cells; len(c) != 2 || !strings.Contains(c[0].Source, "Cells are Go") || !strings.HasPrefix(c[1].Source, "cluster := ") {
		t.Errorf("a new notebook has the cells %v", c)
	}
}

// exports has the tutorial exported in all forms that the menu offers.
func exports(t *testing.T, base string) {
	t.Helper()
	get := func(path string) ([]byte, int) {
		t.Helper()
		resp, err := http.Get(base + path + "token=" + token)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		text, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return text, resp.StatusCode
	}
	list, _ := get("/api/nbconvert?")
	var forms map[string]any
	if err := json.Unmarshal(list, &forms); err != nil {
		t.Fatal(err)
	}
	for _, always := range []string{"html", "markdown"} {
		if forms[always] == nil {
			t.Errorf("%s is not offered, but %v", always, forms)
		}
	}
	for form := range forms {
		if slices.Contains([]string{"notebook", "python", "custom"}, form) { // which the menu leaves out
			continue
		}
		if text, status := get("/nbconvert/" + form + "/tutorial.ipynb?download=true&"); status != http.StatusOK {
			t.Errorf("export to %s: status %d, %.200s", form, status, text)
		}
	}
}

// start opens the tutorial from the start page.
func (r *reader) start() {
	r.t.Helper()
	r.await("the start page is there", `[...document.querySelectorAll(".jp-MarkdownViewer a")].some((a) => a.textContent === "tutorial")`)
	r.await("the notebooks are listed", `[...document.querySelectorAll(".jp-DirListing-itemText")].some((e) => e.textContent.startsWith("tutorial"))`)
	if listed := r.js(`[...document.querySelectorAll(".jp-DirListing-itemText")].map((e) => e.textContent).join()`); strings.Contains(listed, "course.toml") {
		r.t.Errorf("the browser of files lists %s", listed)
	}
	r.picture("1-start")
	r.js(`[...document.querySelectorAll(".jp-MarkdownViewer a")].find((a) => a.textContent === "tutorial").click()`)
	r.file = "tutorial.ipynb"
	r.await("the tutorial is open", `jupyterapp.shell.currentWidget.context?.path === "tutorial.ipynb"`)
	r.ready()
}

// runTutorial runs all of it, which ends by itself, explorer included.
func (r *reader) runTutorial() {
	r.t.Helper()
	r.do("notebook:clear-all-cell-outputs")
	started := time.Now()
	r.do("notebook:run-all-cells")
	until(r.t, patience, "Run All has begun", func() bool { return kernelState(r.base, r.file) == "busy" })
	const code = `jupyterapp.shell.currentWidget.content.widgets.filter((w) => w.model.type === "code" && w.model.sharedModel.source.trim())`
	until(r.t, 4*patience, "the last cell has a number", func() bool {
		return r.js(code+`.every((w) => w.model.executionCount)`) == "true"
	})
	r.idle("the kernel is at rest")
	r.t.Logf("%6.2f s  Run All of the tutorial", time.Since(started).Seconds())
	if faults := r.js(code + `.flatMap((w) => w.model.outputs.toJSON()).filter((o) => o.output_type === "error").map((o) => o.evalue).join()`); faults != "" {
		r.t.Errorf("the tutorial fails: %s", faults)
	}
	r.await("the chart's jobs have titles", `document.querySelectorAll(".mjq-gantt svg title").length > 10`)
	r.picture("2-tutorial")
}

// looks sees that no picture is cut off in a narrow window or glares in a dark theme.
func (r *reader) looks() {
	r.t.Helper()
	r.js(`document.querySelector(".mjq-gantt").scrollIntoView()`)
	for _, width := range []int{1000, 600} {
		r.size(width, 1000)
		r.await("pictures fit", `[...document.querySelectorAll(".jp-RenderedSVG img, .jp-RenderedSVG svg, .mjq-explore img")].every((e) =>
			e.getBoundingClientRect().right <= e.closest(".jp-OutputArea-output").getBoundingClientRect().right + 2)`)
	}
	r.size(1300, 1100)
	r.js(`jupyterapp.commands.execute("apputils:change-theme", {theme: "JupyterLab Dark"})`)
	r.await("the theme is dark", `document.body.dataset.jpThemeLight === "false"`)
	r.await("pictures are dimmed", `getComputedStyle(document.querySelector(".mjq-gantt > div")).filter.includes("brightness")`)
	r.picture("3-dark")
	r.js(`jupyterapp.commands.execute("apputils:change-theme", {theme: "JupyterLab Light"})`)
	r.await("the theme is light", `document.body.dataset.jpThemeLight === "true"`)
}

// edits runs a model and a result, changes the model, and sees another result.
func (r *reader) edits() {
	r.t.Helper()
	r.runCells(0, 1, 2)
	r.shows(2, "20 servers")
	before := r.output(2)
	r.write(1, strings.Replace(r.source(1), "Servers(20)", "Servers(40)", 1))
	r.runCells(1, 2)
	r.shows(2, "40 servers")
	if after := r.output(2); after == before || strings.Contains(after, "20 servers") {
		r.t.Errorf("after the edit the result is still %q", after)
	}
	r.write(1, strings.Replace(r.source(1), "Servers(40)", "Servers(20)", 1))
	r.runCells(1)
}

// rests waits until the page itself knows that no cell runs.
func (r *reader) rests(when string) {
	r.t.Helper()
	r.await("the kernel is idle "+when, `jupyterapp.shell.currentWidget.sessionContext.session?.kernel?.status === "idle"`)
}

// panics runs a cell that fails ten times: it says so once each time, and the next cell
// has nothing of it.
func (r *reader) panics() {
	r.t.Helper()
	for i := range 10 {
		r.write(3, fmt.Sprintf("fmt.Println(%d)\n_ = mjq.Must(mjq.Servers(64).Poisson(-%[1]d - 1).Class(\"a\", 1, 1, mjq.ExpMean(1)).Resolve(ctx))", i))
		r.run(3)
		r.shows(3, "in line 2:")
		r.idle("")
		text := r.output(3)
		for _, once := range []string{fmt.Sprintf("%d\n", i), "mjq: the model has 1 fault", fmt.Sprintf("Poisson(-%d)", i+1), "in line 2:"} {
			if strings.Count(text, once) != 1 {
				r.t.Errorf("panic %d: the cell shows %q, %q not once", i, text, once)
			}
		}
		for _, never := range []string{"goroutine", "exit status"} {
			if strings.Contains(text, never) {
				r.t.Errorf("panic %d: the cell shows %q", i, text)
			}
		}
	}
	r.picture("2-panic")
	r.runCells(2)
	r.shows(2, "20 servers")
}

// completes presses Tab after m.S and Shift-Tab after a name.
func (r *reader) completes() {
	r.t.Helper()
	for _, when := range []string{"first", "then"} {
		r.write(3, "m.S")
		r.do("completer:invoke-notebook")
		r.await(when+": Tab lists queries", `[...document.querySelectorAll(".jp-Completer:not(.lm-mod-hidden) .jp-Completer-item")].some((e) => e.textContent.includes("Solve"))`)
		r.await("with documentation", `document.querySelector(".jp-Completer-docpanel")?.textContent.length > 40`)
		r.picture("3-completed-" + when)
		if err := r.page.Keyboard.Type(input.Escape); err != nil {
			r.t.Fatal(err)
		}
		r.await("Escape ends it", `!document.querySelector(".jp-Completer:not(.lm-mod-hidden) .jp-Completer-item")`)
	}
	r.explains(3)
}

// explains presses Shift-Tab after a name, which waits for gopls to have read the packages.
func (r *reader) explains(index int) {
	r.t.Helper()
	r.write(index, "mjq.Backward")
	r.do("tooltip:launch-notebook")
	r.await("Shift-Tab explains", `document.querySelector(".jp-Tooltip")?.textContent.includes("Algorithm 1")`)
	r.picture("4-explained")
	r.do("tooltip:dismiss")
}

// interrupts stops a query and sees what it has.
func (r *reader) interrupts() {
	r.t.Helper()
	r.write(3, "fmt.Println(\"begun\")\ns := mjq.Must(m.Solve(ctx, mjq.Backward{Samples: 50_000_000}))\nwidgets.Show(s)\nfmt.Println(\"shown\")")
	r.run(3)
	r.shows(3, "begun")
	time.Sleep(2 * time.Second)
	r.do("notebook:interrupt-kernel")
	r.shows(3, "shown")
	r.shows(3, "Interrupted")
	r.idle("the interrupted cell has ended")
	r.picture("5-interrupted")
}

// runsBeside runs a cell of another notebook while one of this runs.
func (r *reader) runsBeside(other *reader) {
	r.t.Helper()
	r.write(3, "fmt.Println(\"begun\")\ntime.Sleep(time.Minute)\nfmt.Println(\"ended\")")
	r.run(3)
	r.shows(3, "begun")
	other.runCells(0, 1, 2)
	other.shows(2, "20 servers")
	if state := kernelState(r.base, r.file); state != "busy" {
		r.t.Errorf("the two did not run at once: the first is %s", state)
	}
	for range 2 { // the first is for those who listen to ctx
		r.do("notebook:interrupt-kernel")
		time.Sleep(500 * time.Millisecond)
	}
	r.idle("the first has ended")
}

// written is a notebook with a model and a question in the folder.
func written(t *testing.T, dir, name string) string {
	t.Helper()
	return book(t, dir, name,
		"import (\n\t\"fmt\"\n\n\t\"github.com/mjqueue/mjq/mjq\"\n\t\"github.com/mjqueue/mjq/widgets\"\n)\n\nvar ctx = widgets.Context()",
		"m := mjq.Servers(20).Poisson(1).\n\tClass(\"small\", 1, .9, mjq.ExpMean(1)).\n\tClass(\"large\", 15, .1, mjq.ExpMean(2))",
		"r := mjq.Must(m.Solve(ctx, mjq.Exact{}))\nfmt.Println(m.Spec().Servers, \"servers:\", r.All.Waiting.Mean)", "")
}

// book is a notebook with cells of code in the folder.
func book(t *testing.T, dir, name string, sources ...string) string {
	t.Helper()
	var cells []map[string]any
	for i, source := range sources {
		cells = append(cells, map[string]any{"cell_type": "code", "id": fmt.Sprint("cell", i), "source": source,
			"metadata": map[string]any{}, "outputs": []any{}, "execution_count": nil})
	}
	data, err := json.Marshal(map[string]any{"cells": cells, "nbformat": 4, "nbformat_minor": 5,
		"metadata": map[string]any{"kernelspec": map[string]string{"name": "mjq", "display_name": "Go (mjq)", "language": "go"}}})
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name+".ipynb"), data, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	return name + ".ipynb"
}

// call calls a function of the page with the cell of an index.
func (r *reader) call(index int, function string, arguments ...any) string {
	r.t.Helper()
	v, err := r.page.Timeout(patience).Eval(`(index, ...rest) => {
		const book = jupyterapp.shell.currentWidget.content;
		return String((`+function+`)(book.widgets[index], book, index, ...rest));
	}`, slices.Concat([]any{index}, arguments)...)
	if err != nil {
		r.t.Fatal(err)
	}
	return v.Value.Str()
}

func (r *reader) source(index int) string {
	return r.call(index, `(cell) => cell.model.sharedModel.source`)
}
func (r *reader) output(index int) string {
	return r.call(index, `(cell) => cell.outputArea.node.innerText`)
}

// write puts text into a cell and the cursor behind it.
func (r *reader) write(index int, text string) {
	r.t.Helper()
	r.call(index, `(cell, book, index, text) => {
		book.activeCellIndex = index;
		book.mode = "edit";
		cell.model.sharedModel.setSource(text);
		const lines = text.split("\n");
		cell.editor.focus();
		cell.editor.setCursorPosition({line: lines.length - 1, column: lines.at(-1).length});
	}`, text)
}

// run runs a cell and does not wait.
func (r *reader) run(index int) {
	r.t.Helper()
	r.call(index, `(cell, book, index) => { book.activeCellIndex = index; cell.model.clearExecution(); book.deselectAll(); }`)
	r.do("notebook:run-cell")
}

// runCells runs cells one after the other and prints what each takes.
func (r *reader) runCells(indices ...int) {
	r.t.Helper()
	for _, i := range indices {
		r.run(i)
		started := time.Now()
		until(r.t, patience, "", func() bool {
			return r.call(i, `(cell) => cell.model.executionCount > 0 && cell.model.executionState !== "running"`) == "true" && kernelState(r.base, r.file) == "idle"
		})
		r.t.Logf("%6.2f s  cell %d of %s", time.Since(started).Seconds(), i+1, r.file)
		if fault := r.call(i, `(cell) => cell.model.outputs.toJSON().filter((o) => o.output_type === "error").map((o) => o.traceback).join()`); fault != "" {
			r.t.Fatalf("cell %d: %s", i+1, fault)
		}
	}
}

// shows waits until the output of a cell has a text.
func (r *reader) shows(index int, text string) {
	r.t.Helper()
	until(r.t, patience, "the cell shows "+text, func() bool { return strings.Contains(r.output(index), text) })
}
