package explorer_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/input"
	"github.com/go-rod/rod/lib/launcher"
	"github.com/go-rod/rod/lib/proto"
)

// TestExploreInBrowser plays with the explorer notebook as a reader would, in
// JupyterLab and in Notebook 7: first picture, a slider moved by the keyboard,
// stop, a restart of the kernel, a reload of the page. It needs what set-up
// installs, so it runs only when asked for: make widgets.
func TestExploreInBrowser(t *testing.T) {
	if os.Getenv("MJQ_BROWSER") == "" {
		t.Skip("no browser asked for: make widgets")
	}
	dir := filepath.Join(checkout(), "build", "browser")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	base := startJupyter(t, dir)
	browser := startBrowser(t)
	for _, app := range apps {
		t.Run(app.name, func(t *testing.T) {
			page := browser.MustPage()
			leaveWhenAsked(page)
			r := &reader{t: t, page: page, base: base, app: app, dir: dir}
			t.Cleanup(func() {
				if t.Failed() {
					r.picture("failed")
				}
			})
			r.visit()
		})
	}
}

// app is a front end of Jupyter and the path at which it opens notebooks.
type app struct{ name, path string }

var apps = []app{{"lab", "/lab/tree/"}, {"notebook", "/notebooks/"}}

func (a app) file() string { return "explorer-" + a.name + ".ipynb" }

func startBrowser(t *testing.T) *rod.Browser {
	t.Helper()
	path, ok := launcher.LookPath()
	if !ok {
		t.Fatal("no Chromium: docker/setup.sh browser")
	}
	l := launcher.New().Bin(path).Leakless(false).Headless(true).NoSandbox(os.Getuid() == 0).
		Set("disable-gpu").Set("disable-dev-shm-usage")
	at, err := l.Launch()
	if err != nil {
		t.Fatal(err)
	}
	browser := rod.New().ControlURL(at)
	if err := browser.Connect(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		browser.Close()
		l.Cleanup()
	})
	return browser
}

// leaveWhenAsked presses Leave whenever the page asks whether to go although
// something is not saved: output that keeps coming is never saved.
func leaveWhenAsked(page *rod.Page) {
	go page.EachEvent(func(*proto.PageJavascriptDialogOpening) {
		// Once the browser is gone nobody asks.
		_ = proto.PageHandleJavaScriptDialog{Accept: true}.Call(page)
	})()
}

// reader is somebody in front of one page.
type reader struct {
	t    *testing.T
	page *rod.Page
	base string // of the server
	app  app
	dir  string // for pictures
}

const patience = 60 * time.Second

// visit is the whole play.
func (r *reader) visit() {
	if err := r.page.SetViewport(&proto.EmulationSetDeviceMetricsOverride{Width: 1300, Height: 1100, DeviceScaleFactor: 1}); err != nil {
		r.t.Fatal(err)
	}
	if err := r.page.Navigate(r.base + r.app.path + r.app.file() + "?token=" + token); err != nil {
		r.t.Fatal(err)
	}
	r.ready()
	r.runAll()
	r.move("1-first", "2-moved")
	r.stop("3-stopped")
	r.restart()
	r.runAll()
	r.move("4-restarted", "5-moved")
	r.reload()
	r.ready()
	r.picture("6-reloaded")
	r.runAll()
	r.move("7-again", "8-moved")
	r.stop("9-stopped")
}

// js evaluates an expression of the page.
func (r *reader) js(expression string) string {
	v, err := r.page.Timeout(patience).Eval("() => String(" + expression + ")")
	if err != nil {
		return "" // the page is on its way
	}
	return v.Value.Str()
}

// await waits until an expression of the page is true.
func (r *reader) await(what, expression string) {
	r.t.Helper()
	until(r.t, patience, what, func() bool { return r.js(expression) == "true" })
}

// do has the application carry out one of its commands, as its menu would.
func (r *reader) do(command string) {
	r.t.Helper()
	if _, err := r.page.Eval(`(command) => { jupyterapp.commands.execute(command) }`, command); err != nil {
		r.t.Fatal(err)
	}
}

// ready waits until the notebook is open and no cell runs. The page itself does
// not know the latter after a reload, but the server does.
func (r *reader) ready() {
	r.t.Helper()
	r.await("the notebook is open", `jupyterapp.shell.currentWidget.sessionContext.session?.kernel?.connectionStatus === "connected"`)
	until(r.t, patience, "its kernel is at rest", func() bool { return kernelState(r.base, r.app.file()) != "busy" })
}

func (r *reader) runAll() {
	r.t.Helper()
	// What an earlier run left must not be taken for the new picture.
	r.do("notebook:clear-all-cell-outputs")
	r.await("the outputs are gone", `!document.querySelector(".mjq-explore")`)
	r.do("notebook:run-all-cells")
	r.await("the first picture is there", `!!document.querySelector(".mjq-explore[data-stage] img.mjq-curves")?.complete`)
	r.await("the controls are connected", `document.querySelector(".mjq-note")?.textContent === ""`)
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
	load, curves, numbers := r.js(`document.querySelector(".mjq-load").value`), r.curves(), r.numbers()
	slider, err := r.page.Timeout(patience).Element(".mjq-load")
	if err != nil {
		r.t.Fatal(err)
	}
	if err := slider.Focus(); err != nil {
		r.t.Fatal(err)
	}
	for range 20 {
		if err := r.page.Keyboard.Type(input.ArrowRight); err != nil {
			r.t.Fatal(err)
		}
	}
	if now := r.js(`document.querySelector(".mjq-load").value`); now == load || now == "" {
		r.t.Fatalf("the slider stays at %s", now)
	}
	r.await("the picture is of the load of the slider",
		`Math.abs(document.querySelector(".mjq-explore")?.dataset.load - document.querySelector(".mjq-load").value) < 1e-3`)
	if r.curves() == curves || r.numbers() == numbers {
		r.t.Error("the load has moved, but not the curves and the numbers")
	}
	curves, numbers = r.curves(), r.numbers()
	until(r.t, patience, "the picture is refined", func() bool { return r.curves() != curves && r.numbers() != numbers })
	r.await("the picture is drawn", `document.querySelector("img.mjq-curves").naturalWidth > 100`)
	r.picture(after)
}

func (r *reader) stop(name string) {
	r.t.Helper()
	button, err := r.page.Timeout(patience).Element(".mjq-stop")
	if err != nil {
		r.t.Fatal(err)
	}
	if err := button.Click(proto.InputMouseButtonLeft, 1); err != nil {
		r.t.Fatal(err)
	}
	r.await("the controls are gone", `!document.querySelector(".mjq-stop")`)
	until(r.t, patience, "the cell has ended", func() bool { return kernelState(r.base, r.app.file()) == "idle" })
	r.await("the last picture has stayed", `!!document.querySelector(".mjq-explore img.mjq-curves")`)
	r.picture(name)
}

func (r *reader) restart() {
	r.t.Helper()
	r.do("notebook:restart-kernel")
	r.await("the dialog asks", `!!document.querySelector(".jp-Dialog .jp-mod-accept")`)
	if _, err := r.page.Eval(`() => document.querySelector(".jp-Dialog .jp-mod-accept").click()`); err != nil {
		r.t.Fatal(err)
	}
	r.await("the dialog is gone", `!document.querySelector(".jp-Dialog")`)
	r.ready()
}

// reload saves the notebook and loads the page anew while the cell runs: the
// cell must end by itself.
func (r *reader) reload() {
	r.t.Helper()
	r.do("docmanager:save")
	r.await("the notebook is saved", `!jupyterapp.shell.currentWidget.context.model.dirty`)
	if _, err := r.page.Eval(`() => { window.beforeReload = true; location.reload() }`); err != nil {
		r.t.Fatal(err)
	}
	r.await("the page is a new one", `!window.beforeReload && !!window.jupyterapp?.shell?.currentWidget?.sessionContext`)
}

// picture keeps what the page looks like.
func (r *reader) picture(name string) {
	r.js(`document.querySelector(".mjq-panel, .mjq-explore").scrollIntoView()`)
	data, err := r.page.Screenshot(false, nil)
	if err == nil {
		err = os.WriteFile(filepath.Join(r.dir, r.app.name+"-"+name+".png"), data, 0o644)
	}
	if err != nil {
		r.t.Errorf("screenshot %s: %v", name, err)
	}
}
