// Package speed measures what a job and an answer cost: beside programs in C++, beside what
// the planner foresees. It has tests only; site/docs/measured says how to run them.
package speed
