package failing

import (
	"errors"
	"math"
)

// Endless are jobs that never end, such as the training of one model over weeks.
type Endless struct {
	Servers
	Need   int // servers of a job
	Jobs   int // 0: one
	Spares int // servers that jobs leave idle
	After
}

// ErrDetection says that a detection keeps servers from jobs that could run.
var ErrDetection = errors.New("the share of time is known without detection only")

// Share is what is known of the share of time.
type Share struct {
	Running float64 // mean jobs that run
	ETTR    float64 // share of time in which a job does work that is kept
}

// Share finds it. Because a try ends at the rate φ whatever the number of servers that are up,
// the share of the time that a job runs and the part of it that is kept multiply.
func (e Endless) Share() (Share, error) {
	jobs := max(1, e.Jobs)
	running, err := e.Servers.Running(e.Need, jobs, e.Spares)
	if err != nil {
		return Share{}, err
	}
	kept, err := e.Kept()
	return Share{running, running / float64(jobs) * kept}, err
}

// Kept is the part of the time that a job runs in which it does work that is kept.
func (e Endless) Kept() (float64, error) {
	if e.Detection > 0 {
		return 0, ErrDetection
	}
	h := e.After.hits(float64(e.Need) * e.Servers.Rate())
	switch e.How {
	case Checkpoint:
		return 1 / h.Stretched(e.Every, e.Cost), nil
	case Resume:
		return math.Exp(-h.Rate * h.Recovery), nil
	case Migrate:
		return 1, nil
	}
	return 0, nil // work that is never done is lost with the first hit
}
