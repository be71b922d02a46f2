package browser

import (
	"strings"
	"testing"

	"github.com/go-rod/rod/lib/input"
)

// TestPlaygroundInBrowser runs a cell that shows playground.Explore, moves its slider by
// the keyboard, saves, and opens the notebook anew: the slider lives although no cell
// runs.
func TestPlaygroundInBrowser(t *testing.T) {
	dir := folder(t)
	base := startJupyter(t, dir)
	r := open(t, startBrowser(t), base, dir, lab, explored(t, dir))
	r.ready()
	r.runCells(0)
	r.slides("1-run")
	r.reload()
	r.ready()
	r.slides("2-reopened")
	if state := kernelState(base, r.file); state != "idle" {
		t.Errorf("the kernel is %s", state)
	}
	if ran := r.call(0, `(cell) => cell.model.executionState`); ran == "running" {
		t.Error("the cell runs again")
	}
}

// slides moves the slider for servers, and waits for the answer of five of them in place
// of four: jobs of a server each, half as many as the limit takes.
func (r *reader) slides(picture string) {
	r.t.Helper()
	r.await("the queue of the cell", within(`p.getElementById("servers")?.value === "4" && p.body.dataset.state === "done"`))
	r.await("words that are hidden", `document.querySelector(".mjq-playground > div").hidden`)
	means := within(`p.getElementById("means").textContent`)
	before := r.js(means)
	r.js(within(`(p.defaultView.focus(), p.body.dataset.state = "", p.getElementById("servers-slide").focus(), true)`))
	if err := r.page.Keyboard.Type(input.ArrowRight); err != nil {
		r.t.Fatal(err)
	}
	r.await("an answer to the slider", within(`p.getElementById("servers").value === "5" && p.body.dataset.state === "done" && `+
		`p.getElementById("verdict").textContent.startsWith("Stable below 5 jobs")`))
	if after := r.js(means); after == before || after == "" || before == "" {
		r.t.Errorf("the mean waits before: %q, after: %q", before, after)
	}
	r.picture(picture)
}

// within is an expression of the page p in the output of the cell.
func within(expression string) string {
	return `(p => p && (` + expression + `))(document.querySelector(".mjq-playground iframe")?.contentDocument)`
}

// explored is a notebook with one cell, which shows the page with a queue.
func explored(t *testing.T, dir string) string {
	t.Helper()
	return book(t, dir, "page", strings.Join([]string{"import (", "\t\"github.com/mjqueue/mjq/mjq\"", "\t\"github.com/mjqueue/mjq/widgets\"",
		"\t\"github.com/mjqueue/mjq/widgets/playground\"", ")", "%%",
		"widgets.Show(playground.Explore(mjq.Servers(4).Poisson(2).Class(\"one\", 1, 1, mjq.ExpMean(1))))"}, "\n"))
}
