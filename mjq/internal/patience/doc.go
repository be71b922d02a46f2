// Package patience solves queues whose jobs give up if they have not started in time: one
// need and any law of patience (M/M/c+G), and classes of different rates behind each other
// with a room. One rate for all is solved by package rooms.
package patience
