// Package rules has the rules that the project sets itself, as tests: who imports whom, that
// every exported name is documented, shown and one of few, that pages say what is so, and
// that a panic on any goroutine is caught.
package rules
