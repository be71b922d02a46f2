// Package messages prints notes and errors from real runs side by side, so that a reader
// can compare their words. It has tests only.
package messages
