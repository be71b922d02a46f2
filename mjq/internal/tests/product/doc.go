// Package product tests questions, methods, options and properties of queues together. Each of
// them has tests of its own in its package; what is wrong mostly lies where two of them meet.
package product
