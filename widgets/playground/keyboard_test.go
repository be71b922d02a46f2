package playground

import (
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/go-rod/rod/lib/input"
	"github.com/go-rod/rod/lib/proto"
)

// TestKeyboardInBrowser uses the page without a mouse, on a queue that is solved at once:
// Tab goes through all controls from top to bottom, each of which a screen reader can
// name; arrows move sliders and choose from lists, Enter presses buttons, and nobody
// loses the place. It runs only when asked for: make widgets.
func TestKeyboardInBrowser(t *testing.T) {
	if os.Getenv("MJQ_BROWSER") == "" {
		t.Skip("no browser asked for: make widgets")
	}
	site := httptest.NewServer(http.FileServer(http.Dir("../../build/static/playground")))
	defer site.Close()
	v := &visitor{t: t, page: browser(t).MustPage(), dir: "../../build/browser"}
	v.resize(1000, 900, "light")
	v.open(address(t, site.URL, Setting{Servers: 4, Load: 0.5, Classes: []Class{
		{Name: "one", Need: 1, Share: 0.7, Law: "exponential", Mean: 1}, {Name: "two", Need: 2, Share: 0.3, Law: "constant", Mean: 1}}}))
	v.tabs()
	v.await("all pictures", `document.body.dataset.state === "done"`)
	v.named()
	v.arrows()
	v.enters()
}

// held is the control that has the keyboard, by its label or its text.
const held = `(e => e === document.body ? "nothing" : e.getAttribute("aria-label") || e.labels?.[0]?.textContent || e.textContent)(document.activeElement)`

// tabs goes through the form.
func (v *visitor) tabs() {
	v.t.Helper()
	want := []string{"Begin with", "Servers, slider", "Servers", "Servers on a node", "How arrivals are given", "Load, slider", "Load, % of the limit", "Unit of time", "Policy", "Jobs that may wait", "Mean patience"}
	for _, k := range []string{"1", "2"} {
		for _, field := range []string{"name of", "servers of", "share of", "service time of", "mean service time of", "leave out"} {
			want = append(want, field+" class "+k)
		}
	}
	want = append(want, "Servers that fail, sleep; jobs that stretch; users who wait", "Add a class", "New seed", "Copy link", "Notebook", "Go program", "Target", "Longest wait", "Find")
	for _, name := range want {
		v.press(input.Tab)
		if now := v.js(held); now != name {
			v.t.Errorf("Tab leads to %q instead of %q", now, name)
		}
	}
}

// named looks at the page as a screen reader does.
func (v *visitor) named() {
	v.t.Helper()
	tree, err := proto.AccessibilityGetFullAXTree{}.Call(v.page)
	if err != nil {
		v.t.Fatal(err)
	}
	seen := map[string]int{}
	for _, n := range tree.Nodes {
		if n.Ignored || n.Role == nil || n.Name == nil {
			continue
		}
		role, name := n.Role.Value.Str(), n.Name.Value.Str()
		switch role {
		case "slider", "spinbutton", "textbox", "combobox", "button", "image", "form", "region", "heading":
			if seen[role]++; strings.TrimSpace(name) == "" {
				v.t.Errorf("a %s has no name", role)
			}
		case "status":
			seen[role]++
		}
	}
	if seen["slider"] != 2 || seen["image"] < 4 || seen["status"] < 2 || seen["heading"] == 0 {
		v.t.Errorf("of roles there are %v", seen)
	}
}

// arrows moves sliders and a list, and sees the answer change.
func (v *visitor) arrows() {
	v.t.Helper()
	v.focus("servers-slide", input.ArrowRight)
	v.await("five servers", `document.getElementById("servers").value === "5" && document.body.dataset.state === "done" && document.getElementById("verdict").textContent.includes("of the 3.846 that")`)
	v.focus("load-slide", input.ArrowRight)
	v.await("a load of 51 %", `document.getElementById("load").value === "51" && `+
		`document.body.dataset.state === "done" && document.getElementById("verdict").textContent.includes("51 % of that")`)
	v.js(`document.querySelector("[aria-label='service time of class 2']").focus()`)
	v.press(input.ArrowUp)
	v.await("the law above", `document.querySelector("[aria-label='service time of class 2']").value === "exponential"`)
	if now := v.js(held); now != "service time of class 2" {
		v.t.Errorf("after a choice of a law the keyboard is at %q", now)
	}
}

// enters presses buttons, and Enter where it must do nothing.
func (v *visitor) enters() {
	v.t.Helper()
	v.focus("servers", input.Enter)
	if v.js(`document.querySelectorAll("#classes tr").length`) != "2" {
		v.t.Error("Enter in a field has changed the classes")
	}
	v.focus("add", input.Enter)
	v.await("a third class", `document.querySelectorAll("#classes tr").length === 3`)
	v.js(`document.querySelector("[aria-label='leave out class 2']").focus()`)
	v.press(input.Enter)
	v.await("two classes", `document.querySelectorAll("#classes tr").length === 2`)
	if now := v.js(held); now != "leave out class 2" {
		v.t.Errorf("after a class was left out the keyboard is at %q", now)
	}
	v.press(input.Enter)
	v.await("one class", `document.querySelectorAll("#classes tr").length === 1`)
	if now := v.js(held); now != "Add a class" {
		v.t.Errorf("after the last but one class was left out the keyboard is at %q", now)
	}
	v.await("the answer", `document.body.dataset.state === "done"`)
}

func (v *visitor) focus(id string, key input.Key) {
	v.t.Helper()
	v.js(`(document.body.dataset.state = "", document.getElementById("` + id + `").focus())`)
	v.press(key)
}

func (v *visitor) press(key input.Key) {
	v.t.Helper()
	if err := v.page.Keyboard.Type(key); err != nil {
		v.t.Fatal(err)
	}
}
