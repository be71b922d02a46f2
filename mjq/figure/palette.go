package figure

import (
	"image/color"

	"github.com/mjqueue/mjq/internal/palette"
)

// Color is the colour of the i-th name of a figure, from 0, for pictures of another kind next
// to one. The colours repeat after seven.
func Color(i int) color.RGBA { return palette.Color(i) }
