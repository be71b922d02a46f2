package playground

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
)

// TestExploreInBrowser looks at a page with what Explore shows, beside the playground as
// on the site: the sliders move the queue that was given. Where there is no playground
// the words stay. It runs only when asked for: make widgets.
func TestExploreInBrowser(t *testing.T) {
	if os.Getenv("MJQ_BROWSER") == "" {
		t.Skip("no browser asked for: make widgets")
	}
	m := mjq.Servers(12).Poisson(1.5).Class("small", 1, 0.75, mjq.ExpMean(1)).Class("wide", 6, 0.25, mjq.BoundedPareto(0.2, 20, 1.5))
	mux := http.NewServeMux()
	mux.Handle("/playground/", http.StripPrefix("/playground/", http.FileServer(http.Dir("../../build/static/playground"))))
	page := func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "<!doctype html><meta charset=utf-8><title>A notebook</title><h1>A notebook</h1>"+Explore(m).HTML())
	}
	mux.HandleFunc("/notebooks/queue.html", page)
	mux.HandleFunc("/elsewhere/with/queue.html", page)
	site := httptest.NewServer(mux)
	defer site.Close()

	v := &visitor{t: t, page: browser(t).MustPage(), dir: "../../build/browser"}
	v.resize(1400, 1000, "light")
	if err := v.page.Navigate(site.URL + "/notebooks/queue.html"); err != nil {
		t.Fatal(err)
	}
	within := func(expression string) string {
		return fmt.Sprintf(`(p => p !== null && (%s))(document.querySelector("iframe")?.contentDocument ?? null)`, expression)
	}
	v.await("the queue that was given", within(`p.getElementById("servers")?.value === "12" && p.body.dataset.state === "done" && p.querySelectorAll("#means rect").length === 3`))
	v.await("words that are hidden", `document.querySelector(".mjq-playground > div").hidden && document.querySelector("iframe").clientHeight > 500 && document.querySelector("iframe").clientHeight !== 900`)
	if law := v.js(within(`[...p.querySelectorAll("#classes select")].map(e => e.value)`)); law != "exponential,as given" {
		t.Errorf("the laws are %s", law)
	}
	before := v.js(within(`p.getElementById("verdict").textContent`))
	v.js(within(`(e => { p.body.dataset.state = ""; e.value = 24; e.dispatchEvent(new Event("input", {bubbles: true})) })(p.getElementById("servers-slide"))`))
	v.await("an answer to a slider", within(`p.body.dataset.state === "done"`))
	if after := v.js(within(`p.getElementById("verdict").textContent`)); after == before || !strings.Contains(before, "1.5 arrive") {
		t.Errorf("before %q, after %q", before, after)
	}
	v.picture("playground-inside")

	if err := v.page.Navigate(site.URL + "/elsewhere/with/queue.html"); err != nil {
		t.Fatal(err)
	}
	v.await("the words", `document.querySelector(".mjq-playground").dataset.ready === "yes" && document.querySelector(".mjq-playground > div").clientHeight > 20`)
	if v.js(`document.querySelector("iframe") === null`) != "true" {
		t.Error("there is a page where there are no files for it")
	}
}
