package mjq

import (
	"fmt"
	"slices"

	"github.com/mjqueue/mjq/mjq/internal/sampling"
)

// Pick is what a job asks of servers with identities: it holds Any + Random +
// len(Named) servers together.
type Pick struct {
	Any    int   // so many servers, whichever are free soonest
	Random int   // so many drawn at random without regard to the state; not along with Named
	Named  []int // these servers, numbered from 1
}

// SpecificBuilder collects the description of a queue with requests for
// specific servers. It is a value, as Builder is.
type SpecificBuilder struct {
	plain Builder
	picks []Pick // by class; of a plain class, all servers are any
}

// Specific adds a class whose jobs ask for specific servers, drawn at random or
// named, besides any (Baccelli, Olliaro, Ajmone Marsan, Marin: Section 9.1). A
// job starts when all of its servers are free, and no job starts before an
// earlier one; see Cluster.AsPrinted. Of equally free servers a job takes those
// of the lowest numbers.
func (b Builder) Specific(name string, pick Pick, prob float64, service Law) SpecificBuilder {
	var s SpecificBuilder
	s.plain = b
	for _, c := range b.classes {
		s.picks = append(s.picks, Pick{Any: c.Need})
	}
	return s.Specific(name, pick, prob, service)
}

// Specific adds another such class; see Builder.Specific.
func (b SpecificBuilder) Specific(name string, pick Pick, prob float64, service Law) SpecificBuilder {
	b.plain = b.plain.Class(name, 1, prob, service)
	b.picks = append(slices.Clip(b.picks), pick)
	return b
}

// Class adds a class of jobs that need so many servers, whichever.
func (b SpecificBuilder) Class(name string, need int, prob float64, service Law) SpecificBuilder {
	return b.Specific(name, Pick{Any: need}, prob, service)
}

// Poisson lets jobs arrive in a Poisson process of the given rate.
func (b SpecificBuilder) Poisson(rate float64) SpecificBuilder {
	b.plain = b.plain.Poisson(rate)
	return b
}

// Arrivals lets jobs arrive in a renewal process with the given law of the
// time between arrivals.
func (b SpecificBuilder) Arrivals(gap Law) SpecificBuilder {
	b.plain = b.plain.Arrivals(gap)
	return b
}

// Build checks the description and returns the queue. The error names every
// fault at once; see Builder.Build.
func (b SpecificBuilder) Build() (*Cluster, error) {
	plain, v := b.plain, &variant{}
	plain.classes = slices.Clone(plain.classes)
	for i := range plain.classes {
		plain.classes[i].Need = 1 // the picks are checked below
	}
	faults := plain.faults()
	if s := plain.servers; s > mostTold && s <= mostServers {
		faults = append(faults, fmt.Errorf("Servers(%d): servers that are told apart need %.3g GB of memory a goroutine; give at most %d, or a plain queue, which does not tell them apart", s, toldBytes*float64(s)/1e9, mostTold))
	}
	for i, p := range b.picks {
		c := &plain.classes[i]
		faults = append(faults, p.faults(fmt.Sprintf("class %d %q", i+1, c.Name), plain.servers)...)
		c.Need = p.Any + p.Random + len(p.Named)
		pick := sampling.Pick{Any: p.Any, Random: p.Random}
		for _, server := range p.Named {
			pick.Named = append(pick.Named, int32(server-1))
		}
		v.picks = append(v.picks, pick)
	}
	return plain.cluster(v, faults)
}

// Servers that are told apart take memory each, in every chain, of which a
// goroutine has two.
const (
	mostTold  = 10_000_000
	toldBytes = 42
)

func (p Pick) faults(at string, servers int) (faults []error) {
	fault := func(format string, args ...any) { faults = append(faults, fmt.Errorf(at+": "+format, args...)) }
	if p.Any < 0 || p.Random < 0 {
		fault("Pick asks for %d any and %d random servers; a number cannot be negative", p.Any, p.Random)
		return faults
	}
	if p.Random > 0 && len(p.Named) > 0 {
		fault("Pick asks for random servers and for named ones; a class can have one of them")
	}
	if p.Any > mostServers || p.Random > mostServers {
		fault("Pick asks for %d any and %d random servers; more than %d cannot be counted", p.Any, p.Random, mostServers)
		return faults
	}
	for i, server := range p.Named {
		if server < 1 || server > servers {
			fault("Pick names server %d; they are numbered from 1 to %d", server, servers)
		} else if slices.Contains(p.Named[:i], server) {
			fault("Pick names server %d twice; name it once", server)
		}
	}
	if all := p.Any + p.Random + len(p.Named); all > servers && servers >= 1 {
		fault("Pick asks for %d of %d servers; such a job could never start", all, servers)
	} else if all == 0 {
		fault("Pick asks for no server; ask for at least one")
	}
	return faults
}
