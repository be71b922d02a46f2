package figure

import "testing"

// CheckText and CheckMarks are for tests of the pictures that other packages draw.
func CheckText(t *testing.T, name string, svg []byte) { t.Helper(); legibleText(t, name, svg) }

// CheckMarks fails if a line or an area leaves the picture.
func CheckMarks(t *testing.T, name string, svg []byte) { t.Helper(); marksInside(t, name, svg) }
