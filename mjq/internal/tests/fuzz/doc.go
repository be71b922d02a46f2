// Package fuzz gives the library models, laws, files and settings that nobody would write:
// each is answered or refused with a remedy. It has tests only.
package fuzz
