package nodes

import (
	"context"
	"encoding/binary"
	"errors"
	"slices"

	"github.com/mjqueue/mjq/mjq/internal/chain"
	"github.com/mjqueue/mjq/mjq/internal/queue"
)

// config is a configuration: what is on all nodes.
type config struct {
	at      []uint16 // jobs on whole nodes by phase, then the contents of shared nodes, ascending
	jobs    int
	free    int     // units of the system
	empty   int     // nodes
	fits    []bool  // by kind
	refused float64 // probability that a job does not fit
	placed  [][]share
	served  bool // the following are known
	ends    []share
	moves   []share
}

// share is a configuration with a probability or a rate.
type share = queue.Share

// mostConfigs is how many configurations are listed.
const mostConfigs = 2_000_000

// number is the number of a configuration, which is entered if it is new.
func (c *cluster) number(at []uint16) int32 {
	slices.Sort(at[c.wholes:])
	key := make([]byte, 0, 2*len(at))
	for _, v := range at {
		key = binary.LittleEndian.AppendUint16(key, v)
	}
	n, known := c.known[string(key)]
	if !known {
		n = int32(len(c.configs))
		c.known[string(key)] = n
		c.configs = append(c.configs, c.describe(slices.Clone(at)))
	}
	return n
}

// Empty is the number of the configuration without jobs.
func (c *cluster) Empty() int32 { return c.number(make([]uint16, c.wholes)) }

// describe finds what follows from the jobs alone.
func (c *cluster) describe(at []uint16) *config {
	x := &config{at: at, empty: c.Nodes - len(at) + c.wholes, fits: make([]bool, len(c.kinds))}
	x.free = c.Nodes * c.Units
	for k := range c.kinds {
		kind := &c.kinds[k]
		for j := kind.Lo; j < kind.Hi && kind.span > 0; j++ {
			n := int(at[c.place[j]])
			x.jobs += n
			x.empty -= n * kind.span
			x.free -= n * kind.units
		}
	}
	most := 0
	if x.empty > 0 {
		most = c.units
	}
	for _, content := range at[c.wholes:] {
		most = max(most, c.contents.free[content])
		x.free -= (c.units - c.contents.free[content]) * c.plan.Unit
		for _, n := range c.contents.counts[content] {
			x.jobs += int(n)
		}
	}
	for k := range c.kinds {
		kind := &c.kinds[k]
		if x.fits[k] = kind.span > 0 && kind.span <= x.empty || kind.span == 0 && kind.Need <= most; !x.fits[k] {
			x.refused += kind.Prob
		}
	}
	x.placed = make([][]share, len(c.kinds))
	return x
}

// runs calls f with every content on shared nodes and how many nodes hold it, the empty ones
// last.
func (c *cluster) runs(x *config, f func(content uint16, nodes int)) {
	shared := x.at[c.wholes:]
	for i := 0; i < len(shared); {
		j := i
		for j < len(shared) && shared[j] == shared[i] {
			j++
		}
		f(shared[i], j-i)
		i = j
	}
	if x.empty > 0 {
		f(0, x.empty)
	}
}

// exchange is the configuration in which a node holds one content in place of another.
func (c *cluster) exchange(x *config, was, is uint16) int32 {
	at := make([]uint16, 0, len(x.at)+1)
	at = append(at, x.at[:c.wholes]...)
	gone := was == 0
	for _, v := range x.at[c.wholes:] {
		if v == was && !gone {
			gone = true
			continue
		}
		at = append(at, v)
	}
	if is != 0 {
		at = append(at, is)
	}
	return c.number(at)
}

// change is the configuration with other numbers of jobs on whole nodes in two phases; a
// place of -1 is none.
func (c *cluster) change(x *config, less, more int) int32 {
	at := slices.Clone(x.at)
	if less >= 0 {
		at[less]--
	}
	if more >= 0 {
		at[more]++
	}
	return c.number(at)
}

// all lists the configurations that can be reached from the empty cluster.
func (c *cluster) all(ctx context.Context) error {
	_, err := chain.Explore(ctx, chain.Rule[int32, int32]{Key: func(at int32) int32 { return at },
		Moves: func(_ context.Context, at int32, to func(int32, float64)) {
			for k, fits := range c.configs[at].fits {
				if fits {
					for _, p := range c.Starts(at, k) {
						to(p.To, p.Rate)
					}
				}
			}
			ends, moves := c.Services(at)
			for _, list := range [][]share{ends, moves} {
				for _, m := range list {
					to(m.To, m.Rate)
				}
			}
		}}, chain.Limits{States: mostConfigs}, c.Empty())
	if large := new(chain.TooLarge); errors.As(err, &large) {
		return tooMany("configurations", mostConfigs)
	}
	return err
}
