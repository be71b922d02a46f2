package playground

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/launcher"
	"github.com/go-rod/rod/lib/proto"
)

// TestPlaygroundInBrowser plays with the page that "make playground" has put together: a
// first picture, a changed queue, a fault, another policy, a shared link, a saved
// program, a narrow screen and the dark. It runs only when asked for: make widgets.
func TestPlaygroundInBrowser(t *testing.T) {
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
	v.first(t)
	started := time.Now()
	v.open(site.URL)
	t.Logf("first picture after %v", time.Since(started).Round(10*time.Millisecond))
	v.await("the five classes", `document.querySelectorAll("#means rect").length >= 6 && /^(Sampled|Means|Exact)/.test(document.getElementById("method").textContent)`)
	v.picture("playground-1400")
	v.plays(site.URL)
	v.faults(site.URL)
	v.resize(400, 900, "dark")
	if v.js("document.documentElement.scrollWidth <= innerWidth") != "true" { // but for a scroll bar
		t.Errorf("at 400 pixels the page is %s wide", v.js("document.documentElement.scrollWidth"))
	}
	if cut := v.js(`[...document.querySelectorAll("#classes input, #classes select, #classes button")].filter(e => e.getBoundingClientRect().right > innerWidth - 8).length`); cut != "0" {
		t.Errorf("at 400 pixels %s fields of the classes are cut off", cut)
	}
	v.picture("playground-400-dark")
}

// first opens the page where its program never arrives: it shows a finished answer all the same.
func (v *visitor) first(t *testing.T) {
	files := http.FileServer(http.Dir("../../build/static/playground"))
	late := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, ".wasm.gz") {
			<-r.Context().Done()
			return
		}
		files.ServeHTTP(w, r)
	}))
	defer late.Close()
	defer late.CloseClientConnections()
	v.open(late.URL)
	v.await("a finished answer before the program", `document.body.dataset.state === "done" && document.getElementById("method").textContent === "Exact." && document.querySelectorAll("#means rect").length >= 6`)
}

// marked is what the page says at its fields, by the fields.
const marked = `[...document.querySelectorAll("[aria-invalid]")].map(e => (e.id || e.dataset.field) + ": " + document.getElementById(e.getAttribute("aria-errormessage")).textContent).join()`

// faults types what makes no sense, and opens links that hold it.
func (v *visitor) faults(base string) {
	v.t.Helper()
	for _, c := range [][3]string{{"servers", "0", "servers: 0 is too few. Give at least 1."}, {"servers", "-5", "servers: -5 is too few. Give at least 1."},
		{"servers", "", "servers: Give a whole number."}, {"servers", "12.5", "servers: 12.5 is not a whole number. Give a whole number."},
		{"load", "0", "load: 0 is not positive. Give a number above 0."}, {"load", "-1", "load: -1 is not positive. Give a number above 0."},
		{"room", "-1", "room: -1 is too few. Give at least 0."}, {"node-size", "1.5", "node-size: 1.5 is not a whole number. Give a whole number."}} {
		before := v.js(fmt.Sprintf(`document.getElementById(%q).value`, c[0]))
		v.set(c[0], c[1])
		v.await(fmt.Sprintf("a mark at %s of %q", c[0], c[1]), fmt.Sprintf(`document.body.dataset.state === "error" && %s === %q && document.getElementById("means").classList.contains("late") && document.getElementById("gantt").classList.contains("late")`, marked, c[2]))
		if c[1] == "12.5" {
			v.picture("playground-fault")
		}
		v.set(c[0], before)
		v.await("no mark", `document.body.dataset.state === "done" && `+marked+` === "" && !document.querySelector(".fault, .late")`)
	}
	v.js(`(e => { document.body.dataset.state = ""; e.value = -1; e.dispatchEvent(new Event("input")) })(document.querySelector("[data-field='classes.0.share']"))`)
	v.await("a mark at a share", marked+` === "classes.0.share: share: -1 is not positive. Give a number above 0."`)
	for _, text := range []string{`{"servers":2,"load":"much","classes":[{"name":"a","need":1,"share":1,"law":"exponential","mean":1}]}`,
		`{"servers":2,"rate":"much","classes":[{"name":"a","need":1,"share":1,"law":"exponential","mean":1}]}`} {
		if err := v.page.Navigate("about:blank"); err != nil {
			v.t.Fatal(err)
		}
		if err := v.page.Navigate(base + "#" + base64.StdEncoding.EncodeToString([]byte(text))); err != nil {
			v.t.Fatal(err)
		}
		v.await("a mark at the load of a link", marked+` === "load: Give a number."`)
		v.set("load", "0.5")
		v.await("an answer", `document.body.dataset.state === "done" && `+marked+` === ""`)
	}
}

// address is that of the page with a setting.
func address(t *testing.T, site string, s Setting) string {
	t.Helper()
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return site + "#" + base64.StdEncoding.EncodeToString(text)
}

// plays changes things, one after another, of a queue that is sampled and then solved as the
// five classes are, in a third of their time, and with fewer servers at once.
func (v *visitor) plays(base string) {
	if err := v.page.Navigate("about:blank"); err != nil {
		v.t.Fatal(err)
	}
	v.open(address(v.t, base, Setting{Servers: 26, Load: 0.7, Classes: []Class{{Name: "one", Need: 1, Share: 0.6, Law: "exponential", Mean: 1},
		{Name: "two", Need: 2, Share: 0.2, Law: "exponential", Mean: 2}, {Name: "five", Need: 5, Share: 0.2, Law: "exponential", Mean: 1}}}))
	v.await("the exact solution", `document.body.dataset.state === "done" && document.getElementById("method").textContent === "Exact."`)
	v.set("servers", "16")
	v.await("a change of servers", `document.body.dataset.state === "done" && document.getElementById("use").textContent.includes("busy")`)
	v.rates()
	v.set("load", "105")
	v.await("instability", `document.getElementById("verdict").textContent.startsWith("Unstable")`)
	v.set("load", "60")
	v.await("stability", `document.getElementById("verdict").textContent.startsWith("Stable below") && document.body.dataset.state === "done"`)
	v.set("servers", "3")
	v.await("the fault", `document.getElementById("verdict").textContent.includes("exceeds the 3 servers")`)
	v.set("servers", "20")
	v.choose("policy", "First-Fit")
	v.await("another policy", `document.getElementById("verdict").textContent.includes("no policy can take more") && document.getElementById("method").textContent.includes("discrete-event simulation")`)
	link := v.js("location.href")
	if err := v.page.Navigate("about:blank"); err != nil {
		v.t.Fatal(err)
	}
	if !strings.HasPrefix(link, base) {
		v.t.Fatalf("the link is %s", link)
	}
	v.open(link)
	v.await("the shared queue", `document.getElementById("policy").value === "First-Fit" && document.getElementById("servers").value === "20"`)
	var program string
	v.await("the program", `(window.kept ??= new Promise(r => { const b = URL.createObjectURL; URL.createObjectURL = x => (x.text().then(s => window.program = s), b(x)); document.getElementById("program").click(); r(1) }), typeof window.program === "string")`)
	if program = v.js("window.program"); !strings.Contains(program, "mjq.FirstFit()") {
		v.t.Errorf("the program:\n%s", program)
	}
	v.set("room", "0")
	v.await("losses", `document.getElementById("verdict").textContent.startsWith("Stable at any rate, because jobs are turned away") && document.body.dataset.state === "done" && document.querySelector("#waits th:last-child").textContent === "turned away"`)
	v.set("room", "")
	v.set("patience", "2")
	v.await("patience", `document.getElementById("verdict").textContent.startsWith("Stable at any rate, because jobs give up") && document.body.dataset.state === "done" && /^\d.* %$/.test(document.querySelector("#waits tr:last-child td:last-child").textContent)`)
	v.picture("playground-patience")
	v.set("patience", "")
	v.set("node-size", "3")
	v.await("a fault of the nodes", `document.getElementById("verdict").textContent.includes("20 servers cannot be parted into nodes of 3; give 21 servers")`)
	v.set("node-size", "5")
	v.choose("placement", "WorstFit")
	v.await("nodes", `document.body.dataset.state === "done" && setting.placement === "WorstFit" && document.getElementById("load").getAttribute("aria-label") === "Offered load, % of servers" && /they lie on different nodes/.test(document.getElementById("notes").textContent)`)
	v.picture("playground-nodes")
	v.set("node-size", "")
	v.await("one pool", `document.getElementById("placement").disabled && document.getElementById("notes").textContent.indexOf("nodes") < 0 && document.body.dataset.state === "done"`)
	if bare := v.js(`[...document.querySelectorAll("input,select,button")].filter(e => !(e.labels && e.labels.length) && !e.getAttribute("aria-label") && !e.textContent).length`); bare != "0" {
		v.t.Errorf("%s controls have no label", bare)
	}
}

// rates gives the arrivals in jobs a unit of time, looks for the fewest servers and takes
// them; the rate stays. Then a load is given again.
func (v *visitor) rates() {
	v.t.Helper()
	v.choose("unit", "hour")
	v.await("hours", `/Stable below [\d.]+ jobs an hour/.test(document.getElementById("verdict").textContent) && document.body.dataset.state === "done"`)
	v.choose("given", "Jobs an hour")
	v.await("a rate", `document.body.dataset.state === "done" && setting.rate > 0 && !("load" in setting) && document.getElementById("load").value == setting.rate`)
	v.set("load", "1.5")
	v.await("another rate", `document.body.dataset.state === "done" && document.getElementById("verdict").textContent.includes("1.5 arrive")`)
	if table := v.js(`[...document.querySelectorAll("#waits tr")].map(r => r.cells.length + r.cells[0].textContent).join()`); table != "4class,4one,4two,4five,4all" {
		v.t.Errorf("the table of waits is %s", table)
	}
	if bare := v.js(`[...document.querySelectorAll("#waits td")].filter(e => !/^\d/.test(e.textContent)).length`); bare != "0" {
		v.t.Errorf("%s waits are no numbers", bare)
	}
	if shown := v.js(`[interval(61.34, null), interval(0.5, 0), interval(null, null), interval(2, 0.1)]`); shown != "61.3 ± ?,0.5,–,2.00 ± 0.10" {
		v.t.Errorf("numbers of which the interval is not known, exact, not known and sampled: %s", shown)
	}
	v.choose("goal", "0.99")
	v.set("most", "0")
	v.js(`document.getElementById("find").click()`)
	v.await("a fault of the target", `document.getElementById("sized").textContent.includes("give a positive time")`)
	v.set("most", "2")
	v.js(`document.getElementById("find").click()`)
	v.await("the fewest servers", `/^\d+ servers are the fewest with which 99 % of jobs wait at most 2 hours, at 1.5 jobs an hour/.test(document.getElementById("sized").textContent)`)
	v.picture("playground-fewest")
	v.js(`(document.body.dataset.state = "", document.getElementById("take").click())`)
	v.await("as many servers", `document.body.dataset.state === "done" && document.getElementById("servers").value === String(setting.servers) && setting.servers !== 16 && shown.rate === 1.5 && shown.all.p99 <= 2.2`)
	v.set("servers", "16")
	v.await("the servers as before", `document.body.dataset.state === "done" && document.getElementById("sized").textContent === ""`)
	v.choose("given", "Load, % of the limit")
	v.await("a load", `document.body.dataset.state === "done" && setting.load > 0.1 && !("rate" in setting) && Math.abs(shown.rate - 1.5) < 0.001`)
}

// visitor is somebody in front of the page.
type visitor struct {
	t    *testing.T
	page *rod.Page
	dir  string
}

func browser(t *testing.T) *rod.Browser {
	t.Helper()
	path, ok := launcher.LookPath()
	if !ok {
		t.Fatal("no Chromium: docker/setup.sh browser")
	}
	l := launcher.New().Bin(path).Leakless(false).Headless(true).NoSandbox(os.Getuid() == 0).Set("disable-gpu").Set("disable-dev-shm-usage")
	at, err := l.Launch()
	if err != nil {
		t.Fatal(err)
	}
	b := rod.New().ControlURL(at)
	if err := b.Connect(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		b.Close()
		l.Cleanup()
	})
	return b
}

func (v *visitor) resize(width, height int, theme string) {
	v.t.Helper()
	if err := v.page.SetViewport(&proto.EmulationSetDeviceMetricsOverride{Width: width, Height: height, DeviceScaleFactor: 1}); err != nil {
		v.t.Fatal(err)
	}
	media := proto.EmulationSetEmulatedMedia{Features: []*proto.EmulationMediaFeature{{Name: "prefers-color-scheme", Value: theme}}}
	if err := media.Call(v.page); err != nil {
		v.t.Fatal(err)
	}
}

// open waits for the first picture.
func (v *visitor) open(url string) {
	v.t.Helper()
	if err := v.page.Navigate(url); err != nil {
		v.t.Fatal(err)
	}
	v.await("a first picture", `document.querySelectorAll("#gantt rect").length > 20`)
}

// js evaluates an expression of the page.
func (v *visitor) js(expression string) string {
	r, err := v.page.Eval("() => String(" + expression + ")")
	if err != nil {
		return ""
	}
	return r.Value.Str()
}

// await waits until an expression of the page is true.
func (v *visitor) await(what, expression string) {
	v.t.Helper()
	for until := time.Now().Add(5 * time.Minute); time.Now().Before(until); time.Sleep(30 * time.Millisecond) {
		if v.js(expression) == "true" {
			return
		}
	}
	v.picture("playground-failed")
	v.t.Fatalf("no sign of %s; the page says %s", what, v.js(`document.getElementById("verdict").textContent`))
}

// set types a value into a field, and choose chooses one of a list.
func (v *visitor) set(id, value string) { v.fire(id, value, "input") }

func (v *visitor) choose(id, value string) { v.fire(id, value, "change") }

func (v *visitor) fire(id, value, event string) {
	v.t.Helper()
	quoted, _ := json.Marshal(value)
	v.js(fmt.Sprintf(`(e => { document.body.dataset.state = ""; e.value = %s; e.dispatchEvent(new Event("%s", {bubbles: true})) })(document.getElementById("%s"))`, quoted, event, id))
}

func (v *visitor) picture(name string) {
	shot, err := v.page.Screenshot(true, nil)
	if err == nil {
		err = os.WriteFile(filepath.Join(v.dir, name+".png"), shot, 0o644)
	}
	if err != nil {
		v.t.Error(err)
	}
}
