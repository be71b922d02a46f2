package fairshare

import "math"

// Standing is continuous usage by account and user, from which the factors of single users follow without a
// walk of the whole tree.
type Standing struct {
	continuous
	t *Tree
}

// Standing is the usage of the users of a tree; see Continuous.
func (t *Tree) Standing(halfLife float64) *Standing {
	n := len(t.nodes)
	return &Standing{continuous{half: halfLife, value: make([]float64, n), servers: make([]float64, n), since: make([]float64, n)}, t}
}

// Begin has a job of a user hold servers from now on.
func (s *Standing) Begin(user int, servers, now float64) {
	for at := s.t.leaf[user]; at > 0; at = s.t.nodes[at].parent {
		s.hold(at, servers, now)
	}
}

// End has it hold them no longer.
func (s *Standing) End(user int, servers, _, now float64) { s.Begin(user, -servers, now) }

// At writes the usages of the users, all times a factor that is the same for all.
func (s *Standing) At(now float64, dst []float64) {
	g := s.grown(now)
	for u, at := range s.t.leaf {
		dst[u] = s.used(at, g)
	}
}

// used is the usage of a node, given the integral of the weights.
func (s *Standing) used(at int, g float64) float64 {
	if s.servers[at] == 0 {
		return s.value[at]
	}
	return s.value[at] + s.servers[at]*(g-s.since[at])
}

// level is the level value of a node, times a factor that is the same for its siblings.
func (s *Standing) level(at int, g float64) float64 {
	if s.t.nodes[at].part == 0 {
		return 0
	}
	u := s.used(at, g)
	if u == 0 {
		return math.Inf(1)
	}
	return s.t.nodes[at].part / u
}

// Factor is the factor of Fair Tree of one user; ok is false where an account ties, so that only the whole
// ranking tells. Cost: O(siblings along the path).
func (s *Standing) Factor(user int, now float64) (factor float64, ok bool) {
	g, ahead := s.grown(now), 0
	for at := s.t.leaf[user]; at > 0; at = s.t.nodes[at].parent {
		mine, alone := s.level(at, g), s.t.nodes[at].user >= 0
		low, high := mine*(1-2*near), mine*(1+2*near) // beyond which levels do not tie
		for _, other := range s.t.nodes[s.t.nodes[at].parent].children {
			n := &s.t.nodes[other]
			if other == at || n.users == 0 {
				continue
			}
			switch level := s.level(other, g); {
			case level > high:
				ahead += n.users
			case level < low:
			case ties(level, mine):
				if !alone || n.user < 0 {
					return 0, false
				}
			case level > mine:
				ahead += n.users
			}
		}
	}
	return float64(len(s.t.Users)-ahead) / float64(len(s.t.Users)), true
}
