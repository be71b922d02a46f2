// Package soak holds all methods against each other on random models, and every model against
// itself in other units of time. It has tests only.
package soak
