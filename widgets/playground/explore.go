package playground

import (
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"

	"github.com/mjqueue/mjq/internal/escape"
	"github.com/mjqueue/mjq/mjq"
)

//go:embed explore.js
var script string

// Explorer is the page in the output of a cell; see Explore.
type Explorer struct {
	m mjq.Model
	s Setting

	err error
}

// Explore is the page with a queue, to be shown in the output of a cell:
//
//	widgets.Show(playground.Explore(m))
//
// The cell ends at once, because the page computes by itself. Its sliders also move in pages
// made of the notebook: on the site, and wherever the files of "make playground" are found (see
// [Explorer.HTML]). In their absence the model is described in words. If a page cannot show the
// model, a text says so: it is for identical servers.
func Explore(m mjq.Model) *Explorer {
	s, err := Of(m)
	return &Explorer{m, s, err}
}

// String is the model in words, for where there is no page.
func (e *Explorer) String() string { return e.m.String() }

// HTML is the place of the page, with the model in words until it is there. The page is sought
// in three places. The first is where JupyterLab has it if "make lab" started it. The second is
// next to the folder of the page that shows the output, as on the site; the third is the
// address in the metadata element mjq-playground of the notebook.
func (e *Explorer) HTML() string {
	switch {
	case e.m.Err() != nil:
		return e.m.HTML() // which lists the faults
	case e.err != nil:
		return "<p>" + escape.HTML(plain(e.err)) + "</p>" + e.m.HTML()
	}
	return e.s.Embed(e.m.HTML())
}

// Embed is HTML that shows the page with the setting, and something else until it is
// found. It holds no more than the setting and a script of two kilobytes.
func (s *Setting) Embed(otherwise string) string {
	text, err := json.Marshal(s)
	if err != nil {
		return otherwise // a form that is no JSON, which Of does not make
	}
	return fmt.Sprintf(`<div class="mjq-playground" data-queue="%s"><div>%s</div></div><script>%s</script>`,
		base64.StdEncoding.EncodeToString(text), otherwise, script)
}
