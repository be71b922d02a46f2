// Package coverage measures how often the intervals of all methods hold what they are for, on
// models whose truth is known. It has tests only; site/docs/measured says how to run them.
package coverage
