package cells

import (
	"slices"
	"strings"
)

// Program is the cell as plain GoNB runs it, with what the rules add written out: imports,
// ctx, main below %%. Gives is whether the last expression gives something to be shown.
func (c *Cell) Program(gives bool) string {
	if len(c.edits) == 0 {
		return c.Text
	}
	shown := c.shownPiece()
	whole := slices.ContainsFunc(c.pieces, func(p piece) bool { return p.start >= c.body[1] }) // a function comes after main
	var edits []edit
	for _, e := range c.edits {
		switch {
		case !gives && shown >= 0 && (e.at == c.pieces[shown].start && strings.HasSuffix(e.text, "(") || e.at == c.pieces[shown].end && e.text == ")"):
			continue
		case strings.HasPrefix(e.text, "import ") || strings.HasPrefix(e.text, "var ctx "):
			e.text = strings.ReplaceAll(e.text, "; ", "\n")
		case strings.HasPrefix(e.text, "func main() {") && !whole:
			e.text = "%%\n"
			if e.drop > 0 { // it stands on the line of %% itself
				e.text = "%%"
			}
		case strings.HasPrefix(e.text, "func main() {"):
			e.text = "func main() {\n"
		case e.text == " }" && e.at == c.body[1]:
			e.text = "\n}"
			if !whole {
				e.text = ""
			}
		}
		edits = append(edits, e)
	}
	return applied(c.Text, edits)
}

// Shown is the part of the cell whose results are shown, which is a call that may give none;
// empty if nothing is shown or it is no call.
func (c *Cell) Shown() string {
	if i := c.shownPiece(); i >= 0 && strings.HasSuffix(c.Text[c.pieces[i].start:c.pieces[i].end], ")") {
		return c.Text[c.pieces[i].start:c.pieces[i].end]
	}
	return ""
}
