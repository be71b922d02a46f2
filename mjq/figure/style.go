package figure

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

var (
	ink         = color.RGBA{40, 40, 40, 255}
	paperGrey   = color.RGBA{130, 130, 130, 255}
	captionGrey = color.RGBA{95, 95, 95, 255}
	gridGrey    = color.RGBA{225, 225, 225, 255}
)

// dashes tell curves apart without colour; the first is solid.
var dashes = [][]vg.Length{{}, {7, 2}, {2, 2}, {7, 2, 2, 2}, {10, 3}, {4, 1}, {1, 1}}

var handler = markup{text.Plain{Fonts: font.DefaultCache}}

// sans is Liberation Sans, whose widths are those of Arial: a browser may put
// that in its place without moving anything.
func sans(size float64) text.Style {
	f := font.Font{Typeface: "Liberation", Variant: "Sans", Size: vg.Points(size)}
	return text.Style{Color: ink, Font: f, Handler: handler}
}

// dress gives an empty plot the style of all figures.
func dress(p *plot.Plot) {
	p.TextHandler = handler
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Tick.Label = sans(tickSize)
		a.LineStyle = draw.LineStyle{Color: ink, Width: vg.Points(0.6)}
		a.Tick.LineStyle = a.LineStyle
		a.Tick.Length = vg.Points(4)
		a.Padding = 0
	}
	p.X.Tick.Label.XAlign, p.X.Tick.Label.YAlign = draw.XCenter, draw.YTop
	p.Y.Tick.Label.XAlign, p.Y.Tick.Label.YAlign = draw.XRight, draw.YCenter
	p.BackgroundColor = color.White
}
