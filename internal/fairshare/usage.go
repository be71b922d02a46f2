package fairshare

import "math"

// Usage is the decayed usage of users, in servers times time. Times do not descend.
type Usage interface {
	// Begin has a job of a user hold servers from now on.
	Begin(user int, servers, now float64)
	// End has it hold them no longer; it began at a time.
	End(user int, servers, began, now float64)
	// At writes the usages as of when they changed, all times a factor that is the same for all users.
	At(now float64, dst []float64)
	// Scale is that factor now.
	Scale(now float64) float64
	// Shift moves the origin of time: all times become less.
	Shift(by float64)
	// Changed is when the usages that At writes last changed: now, but for steps.
	Changed(now float64) float64
}

// Continuous is usage that halves every half-life, which may be infinite. The servers that a user
// holds add to it at once. The usages of all decay alike, so that each is kept as it would weigh at one time of
// reference: it grows while jobs run, by the same integral for all, and stands still otherwise.
func Continuous(users int, halfLife float64) Usage {
	return &continuous{half: halfLife, value: make([]float64, users), servers: make([]float64, users), since: make([]float64, users)}
}

type continuous struct {
	half, origin          float64   // the time of reference
	value, servers, since []float64 // by user: the usage as of the integral since, and what it holds
}

// longest is after how many half-lives the time of reference moves.
const longest = 32

// grown is the integral of the weights from the time of reference until now.
func (c *continuous) grown(now float64) float64 {
	if math.IsInf(c.half, 1) {
		return now - c.origin
	}
	if now-c.origin > longest*c.half {
		c.move(now)
	}
	return math.Expm1((now-c.origin)/c.half*math.Ln2) * c.half / math.Ln2
}

// move makes now the time of reference.
func (c *continuous) move(now float64) {
	decay := math.Exp2(-(now - c.origin) / c.half)
	all := (1 - decay) * c.half / math.Ln2 // the integral, as it weighs now
	for u := range c.value {
		c.value[u] = c.value[u]*decay + c.servers[u]*(all-c.since[u]*decay)
		c.since[u] = 0
	}
	c.origin = now
}

func (c *continuous) hold(user int, servers, now float64) {
	g := c.grown(now)
	c.value[user] += c.servers[user] * (g - c.since[user])
	c.since[user] = g
	c.servers[user] += servers
}

func (c *continuous) Begin(user int, servers, now float64) { c.hold(user, servers, now) }

func (c *continuous) End(user int, servers, _, now float64) { c.hold(user, -servers, now) }

func (c *continuous) At(now float64, dst []float64) {
	g := c.grown(now)
	for u := range dst {
		dst[u] = c.value[u]
		if c.servers[u] != 0 {
			dst[u] += c.servers[u] * (g - c.since[u])
		}
	}
}

func (c *continuous) Scale(now float64) float64 {
	if math.IsInf(c.half, 1) {
		return 1
	}
	return math.Exp2((now - c.origin) / c.half)
}

func (c *continuous) Shift(by float64) { c.origin -= by }

func (c *continuous) Changed(now float64) float64 { return now }

// Stepped is usage in the steps of slurmctld: every period it is multiplied by d^period, and then each
// job that ran for dt of it adds dt d^dt per server, with d = 1 - 0.693/half-life; a job that ends adds
// the rest in this way. The unit of time is the second, as d is by second.
func Stepped(users int, halfLife, period float64) Usage {
	return &stepped{rate: math.Log1p(-0.693 / halfLife), period: period, value: make([]float64, users), servers: make([]float64, users), shown: make([]float64, users)}
}

type stepped struct {
	rate, period, last float64   // rate: the logarithm of d; last: the last step
	value, servers     []float64 // by user: the usage, and what jobs hold that ran at the last step
	shown              []float64 // by user, the usage at the last step
	fresh              []started // later ones
}

type started struct {
	user          int
	servers, from float64
}

// adds is what a server adds that was held for a time.
func (s *stepped) adds(dt float64) float64 { return dt * math.Exp(s.rate*dt) }

// to takes the steps until now.
func (s *stepped) to(now float64) {
	if !(now-s.last >= s.period) {
		return
	}
	s.steps(1)
	for _, x := range s.fresh {
		s.value[x.user] += x.servers * s.adds(s.last-x.from)
		s.servers[x.user] += x.servers
	}
	s.fresh = s.fresh[:0]
	if n := math.Floor((now - s.last) / s.period); n >= 1 {
		s.steps(n)
	}
	copy(s.shown, s.value)
}

// steps takes as many steps at once, in which no job begins or ends.
func (s *stepped) steps(n float64) {
	decay := math.Exp(s.rate * s.period)
	all, terms := math.Pow(decay, n), n
	if decay < 1 {
		terms = (1 - all) / (1 - decay)
	}
	adds := s.adds(s.period)
	for u := range s.value {
		s.value[u] = s.value[u]*all + s.servers[u]*adds*terms
	}
	s.last += n * s.period
}

func (s *stepped) Begin(user int, servers, now float64) {
	s.to(now)
	s.fresh = append(s.fresh, started{user, servers, now})
}

func (s *stepped) End(user int, servers, began, now float64) {
	s.to(now)
	for i, x := range s.fresh {
		if x == (started{user, servers, began}) {
			s.fresh = append(s.fresh[:i], s.fresh[i+1:]...)
			s.value[user] += servers * s.adds(now-began)
			return
		}
	}
	s.servers[user] -= servers
	s.value[user] += servers * s.adds(now-s.last)
}

func (s *stepped) At(now float64, dst []float64) {
	s.to(now)
	copy(dst, s.shown)
}

func (s *stepped) Scale(float64) float64 { return 1 }

func (s *stepped) Shift(by float64) {
	s.last -= by
	for i := range s.fresh {
		s.fresh[i].from -= by
	}
}

func (s *stepped) Changed(now float64) float64 {
	s.to(now)
	return s.last
}
