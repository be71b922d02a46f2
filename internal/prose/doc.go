// Package prose checks the English of the project: pages, comments of public packages, notes, errors
// and the text of notebooks. It also checks that cells show the numbers of openings, and that examples
// of pages print what stands below them. It has tests only; make prose runs them. CONTRIBUTING.md has
// the rules in words, exceptions.txt what is allowed against them.
package prose
