package compiled

import "github.com/mjqueue/mjq/mjq/policy"

// Failing is servers that fail, or nodes where units lie on nodes, and what becomes of the jobs.
type Failing struct {
	Servers  int                 // that fail
	Usable   int                 // servers, or units of nodes, that jobs hold together at most
	Crews    int                 // repairs that go on at once
	Kinds    []FailureKind       // of failures at random
	Given    []Outage            // failures at given times, in order
	After    []policy.Checkpoint // by class
	Bookings []Booking           // servers that are reserved at times
	Work     []Sampler           // by class, from which another service is drawn
}

// FailureKind is a kind of failure. Rate is that of an exponential law of the time up, and 0 for others.
type FailureKind struct {
	Rate       float64
	Up, Repair Sampler
	WhileBusy  bool    // the clock runs while a job holds the server
	Notice     float64 // of the failure
	Lemons     int     // servers that fail Factor times as often
	Factor     float64
}

// Outage is a failure of a server, numbered from 0, and how long its repair takes.
type Outage struct {
	Time   float64
	Server int
	Repair float64
}

// Booking reserves servers for a time, once or every period. Hard stops the jobs that are in its way,
// and without it a job starts only if it is expected to leave these servers free.
type Booking struct {
	Start, Length, Every float64 // Every 0: once
	Servers              int
	Hard                 bool
}
