package failing

import (
	"errors"
	"math"

	"github.com/mjqueue/mjq/mjq/law"
)

// Kind is a kind of failure.
type Kind struct {
	Rate   float64 // of one server
	Repair law.Law // of mean 0: the server is back at once
}

// Servers are servers that fail.
type Servers struct {
	All   int
	Kinds []Kind
	Crews int  // 0: as many as servers
	Busy  bool // whether only servers that a job holds fail
}

// ErrRepairs says that the law of the servers that are up is not known.
var ErrRepairs = errors.New("with fewer crews than servers all repairs must have one exponential law")

// Rate is that of all kinds of failures of one server.
func (s Servers) Rate() (f float64) {
	for _, k := range s.Kinds {
		f += k.Rate
	}
	return f
}

// lasting are the kinds after which a server is down, as their rate, and the failures a server
// brings to the crews: rate times mean repair.
func (s Servers) lasting() (rate, work float64) {
	for _, k := range s.Kinds {
		if m := k.Repair.Mean(); m > 0 {
			rate += k.Rate
			work += k.Rate * m
		}
	}
	return rate, work
}

// crews is how many there are.
func (s Servers) crews() int {
	if s.Crews == 0 || s.Crews > s.All {
		return s.All
	}
	return s.Crews
}

// known says why the law of the servers that are up is not known. With a crew for each server it
// depends on the mean repairs only.
func (s Servers) known() error {
	if s.crews() == s.All {
		return nil
	}
	mean := 0.0
	for _, k := range s.Kinds {
		m := k.Repair.Mean()
		if m == 0 {
			continue
		}
		if rate, ok := law.MemorylessRate(k.Repair); !ok || math.Abs(rate*m-1) > 1e-9 || mean > 0 && m != mean {
			return ErrRepairs
		}
		mean = m
	}
	return nil
}

// Up is the law of the servers that are up: Up[u] is the share of time with u of them. While
// some are down with the failures of Busy servers, at most h jobs run, each on b servers.
func (s Servers) Up(b, h int) ([]float64, error) {
	if err := s.known(); err != nil {
		return nil, err
	}
	rate, work := s.lasting()
	up := make([]float64, s.All+1)
	up[s.All] = 1
	if rate == 0 {
		return up, nil
	}
	// The number that is down is a birth and death process, for any laws of repair if each has
	// a crew. Its states are weighed relative to the largest so far.
	repair := rate / work
	most, sum := 0.0, 1.0
	logs := make([]float64, s.All+1)
	for down := 1; down <= s.All; down++ {
		ages := s.All - down + 1
		if s.Busy {
			ages = b * min(h, ages/b)
		}
		logs[down] = logs[down-1] + math.Log(float64(ages)*rate/(float64(min(down, s.crews()))*repair))
		most = max(most, logs[down])
	}
	sum = 0
	for down, l := range logs {
		up[s.All-down] = math.Exp(l - most)
		sum += up[s.All-down]
	}
	for u := range up {
		up[u] /= sum
	}
	return up, nil
}

// Running is the mean number of jobs of b servers that run, of h that never end, when jobs
// together hold all servers but some spare ones at most. An h of 0 is any number.
func (s Servers) Running(b, h, spares int) (float64, error) {
	fit := (s.All - spares) / b
	if h == 0 || h > fit {
		h = fit
	}
	up, err := s.Up(b, h)
	mean := 0.0
	for u, p := range up {
		mean += p * float64(min(h, u/b))
	}
	return mean, err
}
