package product

import (
	"math"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/result"
)

// stationary is the law of a small chain, by elimination (Grassmann, Taksar and Heyman, 1985).
func stationary[S comparable](first S, moves func(s S, to func(next S, rate float64))) map[S]float64 {
	index, states := map[S]int{first: 0}, []S{first}
	var rates []map[int]float64
	for i := 0; i < len(states); i++ {
		row := map[int]float64{}
		moves(states[i], func(next S, rate float64) {
			if rate <= 0 {
				return
			}
			k, known := index[next]
			if !known {
				k = len(states)
				index[next] = k
				states = append(states, next)
			}
			if k != i {
				row[k] += rate
			}
		})
		rates = append(rates, row)
	}
	n := len(states)
	for k := n - 1; k > 0; k-- {
		out := 0.0
		for j, r := range rates[k] {
			if j < k {
				out += r
			}
		}
		for i := range k {
			if in := rates[i][k]; in > 0 {
				rates[i][k] = in / out
				for j, r := range rates[k] {
					if j < k && j != i {
						rates[i][j] += in / out * r
					}
				}
			}
		}
	}
	p, sum := make([]float64, n), 1.0
	p[0] = 1
	for k := 1; k < n; k++ {
		for i := range k {
			p[k] += p[i] * rates[i][k]
		}
		sum += p[k]
	}
	law := map[S]float64{}
	for i, s := range states {
		law[s] = p[i] / sum
	}
	return law
}

// mean is that of a function of the state.
func mean[S comparable](law map[S]float64, of func(s S) float64) (sum float64) {
	for s, p := range law {
		sum += p * of(s)
	}
	return sum
}

// simulated is the result of a run whose intervals are compared with small chains: of 64 replications,
// since the scatter of 16 makes one interval in some ten thousand half as wide as it should be.
func simulated(t *testing.T, m mjq.Model) *result.Result {
	t.Helper()
	r, err := m.Solve(background, mjq.Simulation{Jobs: oracle.Sized(2_500, 25_000), Replications: 64})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestUsersOfServersThatFail: four users of two servers that fail, whose jobs resume or leave.
func TestUsersOfServersThatFail(t *testing.T) {
	type state struct{ jobs, down int }
	const users, servers, think, fails, repaired = 4, 2, 0.5, 0.25, 1.0
	for _, leave := range []bool{false, true} {
		law := stationary(state{}, func(s state, to func(state, float64)) {
			up := servers - s.down
			busy := min(s.jobs, up)
			to(state{s.jobs + 1, s.down}, float64(users-s.jobs)*think)
			to(state{s.jobs - 1, s.down}, float64(busy))
			to(state{s.jobs, s.down - 1}, float64(s.down)*repaired)
			lost := s.jobs
			if leave {
				lost--
			}
			if s.down < servers {
				to(state{lost, s.down + 1}, float64(busy)*fails)
				to(state{s.jobs, s.down + 1}, float64(up-busy)*fails)
			}
		})
		after := mjq.Resume
		if leave {
			after = mjq.Drop
		}
		m := mjq.Servers(servers).Class("one", 1, 0, mjq.ExpMean(1)).Users("one", users, mjq.ExpMean(1/think)).
			Failures("hardware", mjq.ExpMean(1/fails), mjq.ExpMean(1/repaired)).After(after)
		r := simulated(t, m)
		jobs := mean(law, func(s state) float64 { return float64(s.jobs) })
		oracle.Agrees(t, "jobs", r.MeanJobs, jobs)
		oracle.Agrees(t, "users who think", r.All.Thinking, users-jobs)
		oracle.Agrees(t, "servers that are up", r.Up, servers-mean(law, func(s state) float64 { return float64(s.down) }))
	}
	plain := mjq.Servers(2).Class("one", 1, 0, mjq.ExpMean(1)).Users("one", 4, mjq.ExpMean(2))
	want := mjq.Must(plain.Solve(background, mjq.Exact{})).All.Waiting.Mean.Value
	oracle.Agrees(t, "interruptions without a loss", simulated(t, plain.Failures("glitch", mjq.ExpMean(4), mjq.Deterministic(0)).After(mjq.Resume)).All.Waiting.Mean, want)
}

// TestUsersOfServersThatSleep: five users of three servers, of which one stays awake.
func TestUsersOfServersThatSleep(t *testing.T) {
	type state struct{ jobs, on int }
	const users, servers, awake, think, setup = 5, 3, 1, 0.5, 0.8
	law := stationary(state{0, awake}, func(s state, to func(state, float64)) {
		needed := func(jobs int) int { return max(awake, min(jobs, servers)) }
		to(state{s.jobs + 1, s.on}, float64(users-s.jobs)*think)
		if busy := min(s.jobs, s.on); busy > 0 {
			to(state{s.jobs - 1, min(s.on, needed(s.jobs-1))}, float64(busy))
		}
		to(state{s.jobs, s.on + 1}, float64(max(0, needed(s.jobs)-s.on))*setup)
	})
	r := simulated(t, mjq.Servers(servers).Class("one", 1, 0, mjq.ExpMean(1)).Users("one", users, mjq.ExpMean(1/think)).
		Sleep(mjq.Deterministic(0), mjq.ExpMean(1/setup)).Awake(awake))
	oracle.Agrees(t, "jobs", r.MeanJobs, mean(law, func(s state) float64 { return float64(s.jobs) }))
	oracle.Agrees(t, "servers that are on", r.Energy.On, mean(law, func(s state) float64 { return float64(s.on) }))
}

// TestUsersOnNodes: users of single units and of whole nodes, on two nodes of two units. The narrow ones go
// where least is free.
func TestUsersOnNodes(t *testing.T) {
	const ones, twos, think = 3, 2, 0.7
	type state struct {
		a, b string // what runs on each node: "", "1", "11" or "2"
		line string
	}
	free := func(node string) int { return 2 - len(node) - strings.Count(node, "2") }
	start := func(s state) state {
		for s.line != "" {
			need := int(s.line[0] - '0')
			if free(s.a) > free(s.b) {
				s.a, s.b = s.b, s.a
			}
			switch {
			case free(s.a) >= need:
				s.a += s.line[:1]
			case free(s.b) >= need:
				s.b += s.line[:1]
			default:
				return s
			}
			s.line = s.line[1:]
		}
		return s
	}
	law := stationary(state{}, func(s state, to func(state, float64)) {
		all := s.a + s.b + s.line
		to(start(state{s.a, s.b, s.line + "1"}), float64(ones-strings.Count(all, "1"))*think)
		to(start(state{s.a, s.b, s.line + "2"}), float64(twos-strings.Count(all, "2"))*think)
		if s.a != "" {
			to(start(state{s.a[1:], s.b, s.line}), float64(len(s.a)))
		}
		if s.b != "" {
			to(start(state{s.a, s.b[1:], s.line}), float64(len(s.b)))
		}
	})
	r := simulated(t, mjq.Nodes(2, 2).Class("one", 1, 0, mjq.ExpMean(1)).Class("two", 2, 0, mjq.ExpMean(1)).OnNodes("two", 1, 2).
		Users("one", ones, mjq.ExpMean(1/think)).Users("two", twos, mjq.ExpMean(1/think)))
	for k, users := range []float64{ones, twos} {
		here := mean(law, func(s state) float64 { return float64(strings.Count(s.a+s.b+s.line, string(rune('1'+k)))) })
		oracle.Agrees(t, "users who think", r.Classes[k].Thinking, users-here)
	}
}

// TestUsersOfTypes: users of processors and of a processor with the only accelerator.
func TestUsersOfTypes(t *testing.T) {
	const plain, fast, think = 3, 2, 0.7
	type state struct {
		plain, fast int
		line        string
	}
	start := func(s state) state {
		for s.line != "" && s.plain+s.fast < 3 && (s.line[0] == 'p' || s.fast == 0) {
			if s.line[0] == 'p' {
				s.plain++
			} else {
				s.fast++
			}
			s.line = s.line[1:]
		}
		return s
	}
	law := stationary(state{}, func(s state, to func(state, float64)) {
		to(start(state{s.plain, s.fast, s.line + "p"}), float64(plain-s.plain-strings.Count(s.line, "p"))*think)
		to(start(state{s.plain, s.fast, s.line + "f"}), float64(fast-s.fast-strings.Count(s.line, "f"))*think)
		to(start(state{s.plain - 1, s.fast, s.line}), float64(s.plain))
		to(start(state{s.plain, s.fast - 1, s.line}), 2*float64(s.fast))
	})
	r := simulated(t, mjq.Resources("cpu", 3).Resources("gpu", 1).Needing("plain", mjq.Needs{"cpu": 1}, 0, mjq.ExpMean(1)).Needing("fast", mjq.Needs{"cpu": 1, "gpu": 1}, 0, mjq.ExpMean(0.5)).
		Users("plain", plain, mjq.ExpMean(1/think)).Users("fast", fast, mjq.ExpMean(1/think)))
	oracle.Agrees(t, "plain users who think", r.Classes[0].Thinking, plain-mean(law, func(s state) float64 { return float64(s.plain + strings.Count(s.line, "p")) }))
	oracle.Agrees(t, "fast users who think", r.Classes[1].Thinking, fast-mean(law, func(s state) float64 { return float64(s.fast + strings.Count(s.line, "f")) }))
}

// TestPrioritiesOfSlurmTogether: by class they are levels, for users and on a server that sleeps. There the
// wait of a level is R/((1 - σ')(1 - σ)), with the loads σ' above it and σ with it, and R what is left
// of a service or of a setup that an arriving job meets, (1 - ρ)(W of first come, first served).
func TestPrioritiesOfSlurmTogether(t *testing.T) {
	first := mjq.Multifactor{Class: 1000, Factors: map[string]float64{"low": 0, "high": 1}}
	type state struct{ low, high, serving int } // 1: low, 2: high
	const users, think = 3, 0.6
	law := stationary(state{}, func(s state, to func(state, float64)) {
		start := func(s state) state {
			switch {
			case s.high > 0:
				s.serving = 2
			case s.low > 0:
				s.serving = 1
			default:
				s.serving = 0
			}
			return s
		}
		come := func(next state) state {
			if s.serving == 0 {
				return start(next)
			}
			return next
		}
		to(come(state{s.low + 1, s.high, s.serving}), float64(users-s.low)*think)
		to(come(state{s.low, s.high + 1, s.serving}), float64(users-s.high)*think)
		switch s.serving {
		case 1:
			to(start(state{s.low - 1, s.high, 0}), 1)
		case 2:
			to(start(state{s.low, s.high - 1, 0}), 2)
		}
	})
	m := mjq.Servers(1).Class("low", 1, 0, mjq.ExpMean(1)).Class("high", 1, 0, mjq.ExpMean(0.5)).Policy(first)
	r := simulated(t, m.Users("low", users, mjq.ExpMean(1/think)).Users("high", users, mjq.ExpMean(1/think)))
	oracle.Agrees(t, "low users who think", r.Classes[0].Thinking, users-mean(law, func(s state) float64 { return float64(s.low) }))
	oracle.Agrees(t, "high users who think", r.Classes[1].Thinking, users-mean(law, func(s state) float64 { return float64(s.high) }))

	const low, high, setup = 0.3, 0.6, 2.0
	sleeping := mjq.Servers(1).Poisson(low+high).Class("low", 1, low/(low+high), mjq.ExpMean(1)).Class("high", 1, high/(low+high), mjq.ExpMean(0.5)).
		Policy(first).Sleep(mjq.Deterministic(0), mjq.ExpMean(setup))
	r = simulated(t, sleeping)
	loads := low*1 + high*0.5
	left := (low*2+high*2*0.25)/2 + (1-loads)*setup
	oracle.Agrees(t, "high waits", r.Classes[1].Waiting.Mean, left/(1-high*0.5))
	oracle.Agrees(t, "low waits", r.Classes[0].Waiting.Mean, left/(1-high*0.5)/(1-loads))
	if math.IsNaN(r.Energy.On.Value) {
		t.Error("servers that are on are not counted")
	}
}
