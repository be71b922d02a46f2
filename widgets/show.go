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

	"github.com/mjqueue/mjq/mjq/figure"
)

// Show displays each thing in turn, in the richest form it has: a figure as
// SVG with its caption as HTML below it, a model, result or table as HTML, anything else as
// text. The text comes along for viewers that take no more. JupyterLab, VS Code, GitHub and
// nbconvert to HTML show all of them. A fault, as in a figure whose series do not fit or in a
// model, is shown in place of the thing.
func Show(things ...any) { show(things, apart) }

// ShowPNG is Show with figures as PNG, captions included, for viewers that drop SVG, such as some
// ways from a notebook to PDF or a word processor.
func ShowPNG(things ...any) { show(things, whole) }

func show(things []any, bundles func(any) []forms) {
	for _, t := range things {
		if gonbui.IsNotebook {
			for _, f := range bundles(t) {
				gonbui.SendData(&protocol.DisplayData{Data: f})
			}
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
	titled    interface{ Title() string }
	captioned interface {
		Apart() (bare *figure.Figure, text, page string)
	}
	hyper interface{ HTML() string }
)

func vector(d drawer) (protocol.MIMEType, string, error) {
	svg, err := d.SVG()
	return protocol.MIMEImageSVG, string(svg), err
}

func bitmap(d drawer) (protocol.MIMEType, string, error) {
	png, err := d.PNG()
	return protocol.MIMEImagePNG, base64.StdEncoding.EncodeToString(png), err
}

// forms are a thing in what is sent at once, of which a viewer takes the richest that it can.
type forms = map[protocol.MIMEType]any

// apart is a thing with the caption of a figure as text below it, which has the size of the
// page's text on a page of any width.
func apart(t any) []forms {
	f, ok := t.(captioned)
	if !ok {
		return []forms{bundle(t, vector)}
	}
	bare, text, page := f.Apart()
	out := []forms{bundle(bare, vector)}
	if _, drawn := out[0][protocol.MIMEImageSVG]; drawn && text != "" {
		out = append(out, forms{protocol.MIMETextPlain: text, protocol.MIMETextHTML: captionStart + page + "</p>"})
	}
	return out
}

// captionStart begins a caption, as wide as a figure and paler than the text around it.
const captionStart = `<p class="mjq-caption" style="max-width:740px;margin:0 0 12px 6px;font-size:13px;line-height:1.4;opacity:0.8">`

// whole is a thing with figures as images.
func whole(t any) []forms { return []forms{bundle(t, bitmap)} }

// bundle is the thing in the forms to be sent.
func bundle(t any, draw func(drawer) (protocol.MIMEType, string, error)) forms {
	out := forms{protocol.MIMETextPlain: plain(t)}
	switch t := t.(type) {
	case drawer:
		form, data, err := draw(t)
		if err != nil {
			return failed(err)
		}
		out[form] = data
	case hyper:
		out[protocol.MIMETextHTML] = t.HTML()
	}
	if t, ok := t.(*GanttChart); ok {
		svg, err := t.SVG()
		if err != nil {
			return failed(err)
		}
		out[protocol.MIMEImageSVG] = string(svg)
	}
	return out
}

func failed(err error) forms {
	return forms{protocol.MIMETextPlain: "cannot be shown: " + err.Error()}
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
