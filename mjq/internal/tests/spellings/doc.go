// Package spellings holds the test that queues which are the same have the same exact answers,
// however they are spelled.
package spellings
