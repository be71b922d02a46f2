// Package widgets shows models, results, tables and figures in a notebook that
// runs on the GoNB kernel. Outside a notebook it prints text, so a program may
// call it anywhere.
package widgets

import (
	"encoding/base64"
	"fmt"
	"io"
	"os"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/protocol"
)

// Show displays each thing in turn, in the richest form it has: a figure as
// SVG, a model, result or table as HTML, anything else as text; the text comes
// along for viewers that take no more. JupyterLab, VS Code, GitHub and nbconvert
// to HTML show all of them. A fault, as in a figure whose series do not fit or in a
// model, is shown in place of the thing.
func Show(things ...any) { show(things, vector) }

// ShowPNG is Show with figures as PNG, for viewers that drop SVG, such as some
// ways from a notebook to PDF or a word processor.
func ShowPNG(things ...any) { show(things, bitmap) }

func show(things []any, draw func(drawer) (protocol.MIMEType, string, error)) {
	for _, t := range things {
		if gonbui.IsNotebook {
			gonbui.SendData(&protocol.DisplayData{Data: bundle(t, draw)})
		} else {
			printText(os.Stdout, t)
		}
	}
	if gonbui.IsNotebook {
		gonbui.Sync()
	}
}

// What a thing may be able to do.
type (
	drawer interface {
		SVG() ([]byte, error)
		PNG() ([]byte, error)
	}
	titled interface{ Title() string }
	hyper  interface{ HTML() string }
)

func vector(d drawer) (protocol.MIMEType, string, error) {
	svg, err := d.SVG()
	return protocol.MIMEImageSVG, string(svg), err
}

func bitmap(d drawer) (protocol.MIMEType, string, error) {
	png, err := d.PNG()
	return protocol.MIMEImagePNG, base64.StdEncoding.EncodeToString(png), err
}

// bundle is the thing in the forms to be sent.
func bundle(t any, draw func(drawer) (protocol.MIMEType, string, error)) map[protocol.MIMEType]any {
	forms := map[protocol.MIMEType]any{protocol.MIMETextPlain: plain(t)}
	switch t := t.(type) {
	case drawer:
		form, data, err := draw(t)
		if err != nil {
			return failed(err)
		}
		forms[form] = data
	case hyper:
		forms[protocol.MIMETextHTML] = t.HTML()
	}
	if t, ok := t.(*GanttChart); ok {
		svg, err := t.SVG()
		if err != nil {
			return failed(err)
		}
		forms[protocol.MIMEImageSVG] = string(svg)
	}
	return forms
}

func failed(err error) map[protocol.MIMEType]any {
	return map[protocol.MIMEType]any{protocol.MIMETextPlain: "cannot be shown: " + err.Error()}
}

// plain is the thing as text.
func plain(t any) string {
	switch t := t.(type) {
	case fmt.Stringer:
		return t.String()
	case titled:
		return fmt.Sprintf("[figure: %s]", t.Title())
	}
	return fmt.Sprint(t)
}

func printText(w io.Writer, t any) { fmt.Fprintln(w, plain(t)) }
