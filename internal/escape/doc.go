// Package escape writes text that somebody else chose, such as the name of a class in a file
// or of a user in a log, into what mjq makes: lines for a terminal, HTML, SVG, comma-separated
// values, JSON and commands of a shell. Each form has one function here, and no package
// escapes by itself. Go source is written by package playground alone, which quotes what it is given.
package escape
