package playground

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"
)

// TestPropertiesInBrowser: servers that fail, jobs that stretch and users come to the page by its address,
// their answers have their measures, bad values and pairs that are not served are told, and the fields fit
// on a telephone. It runs only when asked for: make widgets.
func TestPropertiesInBrowser(t *testing.T) {
	if os.Getenv("MJQ_BROWSER") == "" {
		t.Skip("no browser asked for: make widgets")
	}
	site := httptest.NewServer(http.FileServer(http.Dir("../../build/static/playground")))
	defer site.Close()
	v := &visitor{t: t, page: browser(t).MustPage(), dir: "../../build/browser"}
	if err := os.MkdirAll(v.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	v.resize(1400, 1000, "light")
	v.open(site.URL)
	if v.js(`document.getElementById("beyond").open`) != "false" {
		t.Error("the section is open on the first page")
	}
	one := func(need int) Class { return Class{Name: "T", Need: need, Share: 1, Law: "exponential", Mean: 1} }
	settings := map[string]Setting{
		"ETTR":           {Servers: 12, Load: 0.5, Unit: "hour", Failing: Failing{Up: 200, Repair: 5, After: "checkpoint", Every: 0.5, Cost: 0.02, Spares: 1}, Classes: []Class{one(1), {Name: "wide", Need: 6, Share: 0.2, Law: "exponential", Mean: 2}}},
		"mean size":      {Servers: 8, Load: 0.6, Classes: []Class{{Name: "train", Need: 2, Share: 1, Law: "exponential", Mean: 1, Stretching: Stretching{Least: 1, Most: 4, Speed: "Amdahl", Spread: 0.9}}}},
		"users thinking": {Servers: 8, Load: 0.5, Classes: []Class{one(1), {Name: "people", Need: 2, Law: "exponential", Mean: 1, Looping: Looping{6, 5}}}},
	}
	for measure, s := range settings {
		if err := v.page.Navigate("about:blank"); err != nil {
			t.Fatal(err)
		}
		if err := v.page.Navigate(address(t, site.URL, s)); err != nil {
			t.Fatal(err)
		}
		v.await(measure, fmt.Sprintf(`document.body.dataset.state === "done" && document.getElementById("beyond").open && [...document.querySelectorAll("#waits th")].some(e => e.textContent === %q) && /^No chart/.test(document.getElementById("gantt").textContent)`, measure))
		if measure == "ETTR" {
			v.picture("playground-failing-1400-light")
			v.set("up", "-1")
			v.await("a mark", `document.body.dataset.state === "error" && `+marked+` === "up: -1 is not positive. Give a number above 0."`)
			v.set("up", "200")
			v.await("no mark", `document.body.dataset.state === "done" && `+marked+` === "" && /^servers up [\d.]+ ±/.test(document.getElementById("whole").textContent)`)
			v.set("setup", "3")
			v.await("a refusal", `document.body.dataset.state === "error" && document.getElementById("verdict").textContent.includes("leave one of them out")`)
			v.picture("playground-failing-refused")
			v.set("setup", "")
			v.await("an answer", `document.body.dataset.state === "done" && !("setup" in setting)`)
			started := time.Now()
			v.set("spares", "2")
			v.await("first waits", `document.body.dataset.state !== "" && shown.all && !shown.error`)
			t.Logf("first waits after %v", time.Since(started).Round(10*time.Millisecond))
			v.resize(1400, 1000, "dark")
			v.picture("playground-failing-1400-dark")
			for _, theme := range []string{"light", "dark"} {
				v.resize(400, 900, theme)
				v.picture("playground-failing-400-" + theme)
			}
			if cut := v.js(`[...document.querySelectorAll("#beyond input, #beyond select")].filter(e => e.getBoundingClientRect().right > innerWidth - 8).length + "," + (document.documentElement.scrollWidth <= innerWidth)`); cut != "0,true" {
				t.Errorf("at 400 pixels fields that are cut off, and no scrolling: %s", cut)
			}
			v.resize(1400, 1000, "light")
		} else {
			v.picture("playground-" + strings.ReplaceAll(measure, " ", "-"))
		}
	}
	if shares := v.js(`[...setting.classes.keys()].every(k => document.querySelector('[data-field="classes.' + k + '.share"]').disabled === setting.classes[k].users > 0)`); shares != "true" {
		t.Error("the share of a class whose jobs users send is open")
	}
	if bare := v.js(`[...document.querySelectorAll("#beyond input, #beyond select")].filter(e => !(e.labels && e.labels.length) && !e.getAttribute("aria-label")).length`); bare != "0" {
		t.Errorf("%s fields have no label", bare)
	}
}
