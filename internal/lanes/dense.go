package lanes

// Abreast is how many queues stand side by side.
const Abreast = 4

// MostServers is how many servers a queue of Rows can have, and Block how many jobs
// lie between the first of one queue and the first of the next.
const (
	MostServers = 64
	Block       = 256
	rowLen      = 2*MostServers + 8
)

// Rows are queues side by side: of each, in absolute time and ascending, when its
// servers become free, +Inf beyond the last, up to twice their number and more.
type Rows [Abreast][rowLen]float64

// State is what else is known of each queue: when the next job arrives, when the last
// began, and how long servers have stood idle for jobs that waited for others, in four
// sums, of every fourth server from the first, second, third and fourth on.
type State struct {
	Now, Front [Abreast]float64
	Idle       [Abreast][4]float64
}
