package main

import (
	"bytes"
	"encoding/xml"
	"os"
	"testing"
)

// moving is what of the picture moves, and from when on.
type moving struct {
	Defs struct {
		Group struct {
			Rects []struct{} `xml:"rect"`
		} `xml:"g"`
		Clip struct {
			Rect struct {
				Width   string    `xml:"width,attr"`
				Animate animation `xml:"animate"`
			} `xml:"rect"`
		} `xml:"clipPath"`
	} `xml:"defs"`
	Uses []use `xml:"use"`
	Line struct {
		Transform string    `xml:"transform,attr"`
		Animate   animation `xml:"animateTransform"`
	} `xml:"path"`
}

type animation struct {
	Begin string `xml:"begin,attr"`
}

type use struct {
	Href string `xml:"href,attr"`
	Clip string `xml:"clip-path,attr"`
}

// TestPicture: the file of the site is what the command draws. It begins with the
// finished picture, and while that is drawn anew what is to come is pale, not empty.
func TestPicture(t *testing.T) {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile("../docs/queue.svg")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(file, b.Bytes()) {
		t.Error("site/docs/queue.svg is another one: go run ./site/picture > site/docs/queue.svg")
	}
	var m moving
	if err := xml.Unmarshal(file, &m); err != nil {
		t.Fatal(err)
	}
	if n := len(m.Defs.Group.Rects); n < 100 {
		t.Errorf("%d bars", n)
	}
	if r := m.Defs.Clip.Rect; r.Width != "900" || r.Animate.Begin != "2s" || m.Line.Animate.Begin != "2s" || m.Line.Transform != "translate(900)" {
		t.Errorf("the picture begins %s wide, %+v, the line %+v", r.Width, r.Animate, m.Line)
	}
	if len(m.Uses) != 2 || m.Uses[0].Clip != "" || m.Uses[1].Clip == "" || m.Uses[0].Href != m.Uses[1].Href {
		t.Errorf("of the bars there are %+v", m.Uses)
	}
}
