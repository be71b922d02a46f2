package browser

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/launcher"
	"github.com/go-rod/rod/lib/proto"
)

// app is a front end of Jupyter and the path at which it opens notebooks.
type app struct{ name, path string }

var lab, notebook = app{"lab", "/lab/tree/"}, app{"notebook", "/notebooks/"}

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
	file string // the notebook
	dir  string // of notebooks; pictures are beside it
}

const patience = 3 * time.Minute

// open opens a notebook, or whatever else the path names, in a page of its own.
func open(t *testing.T, browser *rod.Browser, base, dir string, app app, file string) *reader {
	t.Helper()
	page := browser.MustPage()
	leaveWhenAsked(page)
	r := &reader{t: t, page: page, base: base, app: app, file: file, dir: dir}
	t.Cleanup(func() {
		if t.Failed() {
			r.picture("failed")
		}
	})
	r.size(1300, 1100)
	if err := page.Navigate(base + app.path + file + "?token=" + token); err != nil {
		t.Fatal(err)
	}
	return r
}

func (r *reader) size(width, height int) {
	r.t.Helper()
	if err := r.page.SetViewport(&proto.EmulationSetDeviceMetricsOverride{Width: width, Height: height, DeviceScaleFactor: 1}); err != nil {
		r.t.Fatal(err)
	}
}

// idle waits until the kernel has nothing left to do.
func (r *reader) idle(what string) {
	r.t.Helper()
	until(r.t, 4*patience, what, func() bool { return kernelState(r.base, r.file) == "idle" })
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
	until(r.t, patience, "its kernel is at rest", func() bool { return kernelState(r.base, r.file) != "busy" })
}

func (r *reader) restart() {
	r.t.Helper()
	if _, err := r.page.Eval(`() => { jupyterapp.commands.execute("notebook:restart-kernel").then(() => { window.restarted = true }) }`); err != nil {
		r.t.Fatal(err)
	}
	r.await("the dialog asks", `!!document.querySelector(".jp-Dialog .jp-mod-accept")`)
	if _, err := r.page.Eval(`() => document.querySelector(".jp-Dialog .jp-mod-accept").click()`); err != nil {
		r.t.Fatal(err)
	}
	r.await("the dialog is gone", `!document.querySelector(".jp-Dialog")`)
	r.await("the kernel has started anew", `window.restarted`)
	r.ready()
}

// reload saves the notebook and loads the page anew while the cell runs: the
// cell must end by itself.
func (r *reader) reload() {
	r.t.Helper()
	r.do("docmanager:save")
	r.await("the notebook is saved", `!jupyterapp.shell.currentWidget.context.model.dirty`)
	// The page answers before it goes.
	if _, err := r.page.Eval(`() => { window.beforeReload = true; setTimeout(() => location.reload(), 50) }`); err != nil {
		r.t.Fatal(err)
	}
	r.await("the page is a new one", `!window.beforeReload && !!window.jupyterapp?.shell?.currentWidget?.sessionContext`)
}

// picture keeps what the page looks like.
func (r *reader) picture(name string) {
	data, err := r.page.Screenshot(false, nil)
	if err == nil {
		err = os.WriteFile(r.dir+"-"+strings.TrimSuffix(r.file, ".ipynb")+"-"+name+".png", data, 0o644)
	}
	if err != nil {
		r.t.Errorf("screenshot %s: %v", name, err)
	}
}
