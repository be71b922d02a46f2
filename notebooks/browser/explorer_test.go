package browser

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-rod/rod/lib/input"
	"github.com/go-rod/rod/lib/proto"
)

// TestExploreInBrowser plays with the explorer as a reader would, in
// JupyterLab and in Notebook 7: first picture, sliders moved by the keyboard while the
// kernel is free, stop, a restart of the kernel, a reload of the page.
func TestExploreInBrowser(t *testing.T) {
	dir := folder(t)
	base := startJupyter(t, dir)
	browser := startBrowser(t)
	for _, app := range []app{lab, notebook} {
		t.Run(app.name, func(t *testing.T) {
			file := book(t, dir, "explorer-"+app.name,
				"m := workload.FiveClassExponential().Poisson(1.2)\nexplorer.Run(ctx, m)")
			open(t, browser, base, dir, app, file).visit()
		})
	}
}

// TestExplorersAfterRunAllInBrowser runs all cells of two notebooks that are open in one
// page, each with an explorer far below what can be seen, and moves the sliders of both.
// A third one is open that has somebody else's explorer, whose script Jupyter does not run.
func TestExplorersAfterRunAllInBrowser(t *testing.T) {
	dir := folder(t)
	base := startJupyter(t, dir)
	tall := "for i := range 40 {\n\tfmt.Println(i)\n}"
	for _, name := range []string{"one", "two"} {
		book(t, dir, name, tall, tall, tall, tall,
			"var ctx = widgets.Context()\nm := mjq.Servers(4).Poisson(2).Class(\"one\", 1, 1, mjq.ExpMean(1))",
			"if err := explorer.Run(ctx, m); err != nil {\n\tfmt.Println(err)\n}", tall, tall)
	}
	saved(t, filepath.Join(dir, book(t, dir, "saved", "1")), `<div class="mjq-panel"></div><script>1</script>`)
	one := open(t, startBrowser(t), base, dir, lab, "saved.ipynb")
	one.await("the saved panel is there", `!!document.querySelector(".mjq-panel")`)
	two := *one
	one.file, two.file = "one.ipynb", "two.ipynb"
	for _, r := range []*reader{&two, one} {
		r.turn()
		r.do("notebook:run-all-cells")
	}
	for _, r := range []*reader{&two, one} {
		const last = `jupyterapp.shell.currentWidget.content.widgets.at(-1)`
		r.turn()
		r.await("the last cell has run", last+`.model.executionCount > 0`)
		r.idle("all cells have run")
		r.call(5, `(cell) => cell.node.scrollIntoView()`)
		const panel = `jupyterapp.shell.currentWidget.node.querySelector(".mjq-panel")`
		r.await("the sliders are there", panel+`?.querySelectorAll(".mjq-load").length === 1`)
		r.await("the sliders are connected", panel+`.querySelector(".mjq-note").textContent === ""`)
		r.picture("1-run")
		r.js(`(` + panel + `.querySelector(".mjq-load").focus(), true)`)
		if err := r.page.Keyboard.Type(input.ArrowRight); err != nil {
			t.Fatal(err)
		}
		r.await("its picture follows", `Math.abs(jupyterapp.shell.currentWidget.node.querySelector(".mjq-explore")?.dataset.load - `+panel+`.querySelector(".mjq-load").value) < 1e-3`)
		r.picture("2-moved")
	}
}

// saved gives the first cell of a notebook an output.
func saved(t *testing.T, path, html string) {
	t.Helper()
	data, err := os.ReadFile(path)
	var content map[string]any
	if err == nil {
		err = json.Unmarshal(data, &content)
	}
	if err == nil {
		output := map[string]any{"output_type": "display_data", "data": map[string]string{"text/html": html}, "metadata": map[string]any{}}
		content["cells"].([]any)[0].(map[string]any)["outputs"] = []any{output}
		data, err = json.Marshal(content)
	}
	if err == nil {
		err = os.WriteFile(path, data, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// turn brings the notebook to the front of the page, and opens it if need be.
func (r *reader) turn() {
	r.t.Helper()
	if _, err := r.page.Eval(`(path) => { jupyterapp.commands.execute("docmanager:open", {path}) }`, r.file); err != nil {
		r.t.Fatal(err)
	}
	r.await("the notebook is in front", `jupyterapp.shell.currentWidget?.context?.path === "`+r.file+`"`)
	r.ready()
}

// visit is the whole play.
func (r *reader) visit() {
	r.ready()
	r.runAll()
	r.move("1-first", "2-moved")
	r.stop("3-stopped")
	if r.app == notebook { // the rest is the same in both
		return
	}
	r.restart()
	r.runAll()
	r.move("4-restarted", "5-moved")
	load := r.js(`document.querySelector(".mjq-load").value`)
	r.reload()
	r.ready()
	r.connected()
	r.await("the slider stands where it stood", `document.querySelector(".mjq-load").value === "`+load+`"`)
	r.move("6-reloaded", "7-moved")
}

func (r *reader) runAll() {
	r.t.Helper()
	// What an earlier run left must not be taken for the new picture.
	r.do("notebook:clear-all-cell-outputs")
	r.await("the outputs are gone", `!document.querySelector(".mjq-explore")`)
	r.do("notebook:run-all-cells")
	r.await("the first picture is there", `!!document.querySelector(".mjq-explore[data-stage] img.mjq-curves")?.complete`)
	r.idle("the cell has ended")
	r.connected()
}

func (r *reader) connected() {
	r.t.Helper()
	r.await("the controls are connected", `document.querySelector(".mjq-note")?.textContent === ""`)
	r.js(`document.querySelector(".mjq-panel").scrollIntoView()`)
}

// curves and numbers are what the page shows.
func (r *reader) curves() string { return r.js(`document.querySelector("img.mjq-curves")?.src`) }
func (r *reader) numbers() string {
	return r.js(`document.querySelector(".mjq-explore tbody")?.textContent`)
}

// move pushes the load slider with the arrow keys and looks for another curve
// and other numbers, of the load that the slider shows.
func (r *reader) move(before, after string) {
	r.t.Helper()
	r.picture(before)
	curves, numbers := r.curves(), r.numbers()
	for range 20 {
		r.push()
	}
	r.await("the picture is of the load of the slider",
		`Math.abs(document.querySelector(".mjq-explore")?.dataset.load - document.querySelector(".mjq-load").value) < 1e-3`)
	until(r.t, patience, "the curves and the numbers have moved with it", func() bool {
		return r.curves() != curves && r.numbers() != numbers
	})
	curves, numbers = r.curves(), r.numbers()
	until(r.t, patience, "the picture is refined", func() bool {
		return r.curves() != curves && r.numbers() != numbers || // or remembered, and fine at once
			r.js(`document.querySelector(".mjq-explore").dataset.done`) == "true"
	})
	r.idle("the kernel is free while the sliders move") // but for the moment it hears one
	r.await("the picture is drawn", `document.querySelector("img.mjq-curves").naturalWidth > 100`)
	r.picture(after)
}

// push presses an arrow key on the load slider until the slider has moved. A page that is
// still settling may take the focus away, and a reader would go back to the slider.
func (r *reader) push() {
	r.t.Helper()
	const slider = `document.querySelector(".mjq-load")`
	before := r.js(slider + ".value")
	until(r.t, patience, "", func() bool {
		r.js("(" + slider + ".focus(), true)")
		if err := r.page.Keyboard.Type(input.ArrowRight); err != nil {
			r.t.Fatal(err)
		}
		now := r.js(slider + ".value")
		return now != before && now != ""
	})
}

func (r *reader) stop(name string) {
	r.t.Helper()
	button, err := r.page.Timeout(patience).Element(".mjq-stop")
	if err != nil {
		r.t.Fatal(err)
	}
	until(r.t, patience, "the controls rest", func() bool {
		if r.js(`document.querySelector(".mjq-stop").disabled`) == "true" {
			return true
		}
		// A picture that grows moves the button away from under the mouse.
		if err := button.Click(proto.InputMouseButtonLeft, 1); err != nil {
			r.t.Log("a click has missed: ", err)
		}
		return false
	})
	r.await("the last picture has stayed", `!!document.querySelector(".mjq-explore img.mjq-curves")`)
	r.picture(name)
}
