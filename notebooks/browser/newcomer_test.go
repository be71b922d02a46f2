package browser

import (
	"strings"
	"testing"
	"time"
)

// hour is what a newcomer writes in a first hour: each cell one sentence, and some of what
// it shows.
var hour = []struct{ cell, shows string }{
	{`cluster := mjq.Servers(64).Poisson(2).
	Class("small", 1, 0.80, mjq.ExpMean(5)).
	Class("medium", 8, 0.17, mjq.ExpMean(12)).
	Class("large", 32, 0.03, mjq.LogNormalMeanSCV(15, 2))
cluster`, "64 servers, 3 job classes"},
	{`cluster.Stability(ctx)`, "stable below"},
	{`cluster.AtRate(1.2).Solve(ctx, mjq.Forward{Jobs: 20_000})`, "Waiting times"},
	{`w, err := cluster.AtRate(1.2).Solve(ctx, mjq.Forward{Jobs: 20_000})
w.Class("large").Waiting.Mean`, "±"},
	{`w.Utilization`, "0."},
	{`cluster.Stabilty(ctx)`, "Did you mean Stability?"},
	{`cluster.Solve(ctx, mjq.Exact)`, "mjq.Exact is a type"},
	{`cluster.Servers(16).Solve(ctx)`, "need 32 exceeds the 16 servers"},
	{`cluster.AtRate(1.2).FewestServers(ctx, mjq.WaitQuantile(0.9, 30), mjq.Forward{Jobs: 20_000})`, "servers"},
	{`mjq.Compare(ctx, cluster.AtRate(1.2), []mjq.Policy{mjq.FCFS(), mjq.EASY()}, mjq.Simulation{Jobs: 20_000, Replications: 4})`, "EASY"},
	{`cluster.AtRate(1.2).Path(ctx, 0, 40)`, ""},
	{`plots.Tails(w)`, ""},
	{`100 * w.All.Waiting.Mean.Value`, "."},
	{`fmt.Println(strings.ToUpper("done"), math.Round(w.Rate*10))`, "DONE 12"},
}

// TestNewcomersFirstHourInBrowser writes a notebook that holds nothing but sentences, cell after
// cell, and sees each answer in its place; then a question that takes long, with its bar,
// which an interrupt ends with what there is.
func TestNewcomersFirstHourInBrowser(t *testing.T) {
	dir := folder(t)
	base := startJupyter(t, dir)
	browser := startBrowser(t)
	sources := make([]string, len(hour)+1)
	r := open(t, browser, base, dir, lab, book(t, dir, "hour", sources...))
	r.ready()
	r.explains(0) // before that messages come without a name that may be meant
	began := time.Now()
	for i, step := range hour {
		r.write(i, step.cell)
		r.run(i)
		until(t, patience, "cell "+step.cell+" has run", func() bool {
			return r.call(i, `(cell) => cell.model.executionCount > 0 && cell.model.executionState !== "running"`) == "true" && kernelState(base, r.file) == "idle"
		})
		r.shows(i, step.shows)
		mistake := i >= 5 && i <= 7
		if fails := r.call(i, `(cell) => cell.model.outputs.toJSON().some((o) => o.output_type === "error")`) == "true"; fails != mistake {
			t.Errorf("%s fails: %v, want %v", step.cell, fails, mistake)
		}
		if text := r.output(i); strings.Contains(text, "goroutine") || strings.Contains(text, "exit status") {
			t.Errorf("%s shows %q", step.cell, text)
		}
	}
	t.Logf("%6.2f s  the sentences", time.Since(began).Seconds())
	pictured := func(i int) bool {
		return r.call(i, `(cell) => !!cell.outputArea.node.querySelector(".jp-RenderedSVG, .mjq-gantt")`) == "true"
	}
	for _, i := range []int{2, 9, 10, 11} {
		until(t, patience, "a picture below "+hour[i].cell, func() bool { return pictured(i) })
	}
	for _, i := range []int{0, 4} {
		if pictured(i) {
			t.Errorf("%s shows a picture", hour[i].cell)
		}
	}
	r.picture("1-sentences")
	last := len(hour)
	r.write(last, `cluster.AtRate(1.2).Solve(ctx, mjq.Backward{Samples: 50_000_000})`)
	r.run(last)
	until(t, patience, "a bar", func() bool { return strings.Contains(r.output(last), "to go") })
	r.call(last, `(cell) => cell.node.scrollIntoView()`)
	r.picture("2-bar")
	r.do("notebook:interrupt-kernel")
	r.shows(last, "Interrupted")
	r.idle("the interrupted cell has ended")
	until(t, patience, "the bar has gone", func() bool { // the server hears before the page that the cell has ended
		text := r.output(last)
		return !strings.Contains(text, "to go") && !strings.Contains(text, "running for")
	})
	r.picture("3-interrupted")
}
