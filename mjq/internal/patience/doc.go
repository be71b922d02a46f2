// Package patience solves queues of one need whose jobs give up if they have not started in
// time, with any law of patience (M/M/c+G). Exponential patience is solved by package queue.
package patience
