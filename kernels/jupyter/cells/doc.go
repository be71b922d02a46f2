// Package cells makes Go programs of the cells of a notebook and explains in a user's words
// what is wrong with them. It knows GoNB, which runs the cells, and nothing of the packages
// that they use: those are in the Rules of a kernel.
//
// A cell is read by [Rules.Read] after those before it, which a [Book] keeps. What the compiler
// says of it, [Rules.Explain] tells; what a program says that panics, [Rules.Crash].
package cells
