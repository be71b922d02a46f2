package queue

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/chain"
	"github.com/mjqueue/mjq/mjq/internal/loss"
	"github.com/mjqueue/mjq/mjq/internal/states"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
)

var limits = chain.Limits{States: 1_000_000, Bytes: 1e9, Flops: 1e11}

// exponential is a class with exponential services of that mean.
func exponential(need int, prob, mean float64) Class {
	return Class{Class: states.Class{Need: need, Prob: prob, Alpha: []float64{1}, A: [][]float64{{-1 / mean}}}}
}

func solved(t testing.TB, s System) *Solution {
	t.Helper()
	x, err := s.Solve(context.Background(), limits)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// small is the queue of most values.
func small(room int) System {
	return System{Servers: 6, Rate: 2.5, Room: room, Classes: []Class{exponential(1, 0.8, 1), exponential(4, 0.2, 2)}}
}

// TestRooms: what other programs found of rooms.
func TestRooms(t *testing.T) {
	for _, room := range []int{0, 1, 5, 20} {
		s := small(room)
		x := solved(t, s)
		for k, b := range x.Blocked {
			oracle.Near(t, fmt.Sprintf("loss-room%d-B%d", room, k), b)
			if room > 0 {
				oracle.Near(t, fmt.Sprintf("loss-room%d-W%d", room, k), x.Queue[k]/(x.Arrived[k]*(1-b)))
			}
		}
	}
}

// TestKeep: what another program found of servers that are kept free.
func TestKeep(t *testing.T) {
	s := System{Servers: 12, Rate: 4.8, Classes: []Class{exponential(1, 4/4.8, 1), exponential(4, 0.8/4.8, 1.5)}}
	s.Classes[0].Keep = 3
	x := solved(t, s)
	for k, b := range x.Blocked {
		oracle.Near(t, fmt.Sprintf("loss-keep-B%d", k), b)
	}
}

// TestUsers: what another program found of users, who see other shares than time has.
func TestUsers(t *testing.T) {
	s := System{Servers: 8, Classes: []Class{exponential(1, 0, 1), exponential(4, 0, 1.25)}}
	s.Classes[0].Users, s.Classes[0].Think = 12, 0.4
	s.Classes[1].Users, s.Classes[1].Think = 3, 0.3
	x := solved(t, s)
	for k := range x.Blocked {
		oracle.Near(t, fmt.Sprintf("loss-users-call%d", k), x.Blocked[k])
		oracle.Near(t, fmt.Sprintf("loss-users-time%d", k), x.BlockedTime[k])
	}
}

// TestPatience: what another program found of jobs that give up at one rate.
func TestPatience(t *testing.T) {
	three := []Class{exponential(1, 0.7, 1), exponential(3, 0.2, 1.25), exponential(8, 0.1, 5./6)}
	for name, s := range map[string]System{
		"erlangA":      {Servers: 5, Rate: 6, Leave: 0.5, Classes: []Class{exponential(1, 1, 1)}},
		"erlangA_over": {Servers: 5, Rate: 4, Leave: 0.2, Classes: []Class{exponential(2, 1, 1)}},
		"two":          {Servers: 6, Rate: 2.5, Leave: 0.3, Classes: small(0).Classes},
		"over":         {Servers: 6, Rate: 5, Leave: 0.5, Classes: small(0).Classes},
		"three":        {Servers: 8, Rate: 3, Leave: 0.4, Classes: three},
		"impatient":    {Servers: 6, Rate: 2.5, Leave: 1e6, Classes: small(0).Classes},
		"patient":      {Servers: 6, Rate: 1, Leave: 1e-3, Classes: small(0).Classes},
	} {
		s.Room = Cut(s.Rate, s.Leave)
		x := solved(t, s)
		for k, left := range x.Left {
			oracle.Near(t, fmt.Sprintf("patience-%s-leave%d", name, k), left)
			if name == "two" || name == "over" || name == "three" {
				oracle.Near(t, fmt.Sprintf("patience-%s-time%d", name, k), x.Queue[k]/x.Arrived[k])
			}
			// Those who do not leave are served.
			if served := x.Arrived[k] * (1 - left) * -1 / s.Classes[k].A[0][0]; math.Abs(served-x.Served[k]) > 1e-10 {
				t.Errorf("%s: %v of class %d in service, and %v by what starts", name, x.Served[k], k, served)
			}
		}
		oracle.Near(t, "patience-"+name+"-busy", x.Busy)
	}
}

// TestPhases: without room only the means of services matter, so that Erlang and
// hyperexponential services give what the recursion gives.
func TestPhases(t *testing.T) {
	erlang := Class{Class: states.Class{Need: 1, Prob: 0.8, Alpha: []float64{1, 0}, A: [][]float64{{-2, 2}, {0, -2}}}}
	hyper := Class{Class: states.Class{Need: 4, Prob: 0.2, Alpha: []float64{0.75, 0.25}, A: [][]float64{{-1, 0}, {0, -0.2}}}}
	x := solved(t, System{Servers: 6, Rate: 2.5, Classes: []Class{erlang, hyper}})
	l, err := (&loss.System{Units: []int{6}, Classes: []loss.Class{{Needs: []int{1}, Load: 2}, {Needs: []int{4}, Load: 1}}}).Solve()
	if err != nil {
		t.Fatal(err)
	}
	for k, b := range x.Blocked {
		if want := l.Blocked(k); math.Abs(b-want) > 1e-12 {
			t.Errorf("class %d: %v, by the recursion %v", k, b, want)
		}
	}
	if math.Abs(x.Busy-l.BusyUnits(0)) > 1e-11 {
		t.Errorf("busy %v, by the recursion %v", x.Busy, l.BusyUnits(0))
	}
}

// TestArrivals: batches that mark their class are those of the recursion, and a process of
// two phases that are alike is Poisson.
func TestArrivals(t *testing.T) {
	var events []states.Event
	for c, rate := range []float64{1.5, 0.4} {
		p := 0.6
		for size := 1; p > 1e-12; size++ {
			events = append(events, states.Event{Rates: [][]float64{{rate * p}}, Size: size, Class: c})
			p *= 0.4
		}
	}
	s := System{Servers: 10, Classes: []Class{exponential(1, 0.5, 1), exponential(3, 0.5, 1/0.7)},
		Arrives: &states.Arrivals{D0: [][]float64{{0}}, Events: events}}
	for k, b := range solved(t, s).Blocked {
		if v := oracle.Extended(t, fmt.Sprintf("loss-batch-B%d", k)); math.Abs(b-v.Value) > 1e-10 {
			t.Errorf("batches of class %d: %v, want %v", k, b, v.Value)
		}
	}
	r := small(5)
	r.Arrives = &states.Arrivals{D0: [][]float64{{0, 1}, {0.5, 0}}, Events: []states.Event{{Rates: [][]float64{{2.5, 0}, {1, 1.5}}, Size: 1, Class: states.Open}}}
	for k, b := range solved(t, r).Blocked {
		oracle.Near(t, fmt.Sprintf("loss-room5-B%d", k), b)
	}
}

// TestErlang: needs of one, and then M/M/s/s+n by its birth and death rates.
func TestErlang(t *testing.T) {
	const servers, room, rate = 4, 7, 5.
	p, total := 1.0, 1.0
	for n := 1; n <= servers+room; n++ {
		p *= rate / float64(min(n, servers))
		total += p
	}
	x := solved(t, System{Servers: servers, Room: room, Rate: rate, Classes: []Class{exponential(1, 1, 1)}})
	if want := p / total; math.Abs(x.Blocked[0]-want) > 1e-14 {
		t.Errorf("blocked %v, want %v", x.Blocked[0], want)
	}
}

// TestRefused: classes must not follow from the arrivals where jobs wait, chains have a
// most, and a context that has ended ends them.
func TestRefused(t *testing.T) {
	s := small(3)
	s.Classes[0].Users = 3
	if _, err := s.Solve(context.Background(), limits); err != ErrMarked {
		t.Errorf("users who wait: %v", err)
	}
	s = small(1000)
	if _, err := s.Solve(context.Background(), chain.Limits{States: 100, Bytes: 1e9, Flops: 1e9}); err == nil {
		t.Error("a chain of more than 100 states is solved")
	}
	if _, err := s.Solve(context.Background(), chain.Limits{States: 1e6, Bytes: 1e9, Flops: 1e3}); err == nil {
		t.Error("a chain of more than 1000 operations is solved")
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := s.Solve(ctx, limits); err != context.Canceled {
		t.Errorf("stopped: %v", err)
	}
}

// TestWaits: two ways to who gives up, and to the time in line, agree; the survival function
// has the mean as its integral.
func TestWaits(t *testing.T) {
	erlang := Class{Class: states.Class{Need: 4, Prob: 0.2, Alpha: []float64{1, 0}, A: [][]float64{{-1, 1}, {0.2, -1.2}}}}
	for name, s := range map[string]System{
		"room":     {Servers: 6, Rate: 2.5, Room: 5, Classes: small(0).Classes},
		"patience": {Servers: 6, Rate: 2.5, Room: Cut(2.5, 0.3), Leave: 0.3, Classes: small(0).Classes},
		"both":     {Servers: 6, Rate: 2.5, Room: 4, Leave: 0.3, Classes: []Class{small(0).Classes[0], erlang}},
	} {
		x := solved(t, s)
		for k := range x.Left {
			w, err := x.Wait(context.Background(), k, 1e9)
			if err != nil {
				t.Fatal(err)
			}
			if joins := 1 - x.Blocked[k] - x.AtOnce[k]; math.Abs(w.Joins-joins) > 1e-12 {
				t.Errorf("%s: %v of class %d join, want %v", name, w.Joins, k, joins)
			}
			if left := w.Joins * (1 - w.Starts); math.Abs(left-x.Left[k]) > 1e-12 {
				t.Errorf("%s: %v of class %d leave by their waits, %v by the queue", name, left, k, x.Left[k])
			}
			if s.Leave == 0 {
				if mean := x.Queue[k] / x.Arrived[k] / w.Joins; math.Abs(w.Mean-mean) > 1e-11 {
					t.Errorf("%s: mean wait of class %d %v, by Little's law %v", name, k, w.Mean, mean)
				}
			}
			const step = 0.05
			mean, second := 0.0, 0.0
			for i := range 1200 {
				at := (float64(i) + 0.5) * step
				p := w.Survival(context.Background(), at)
				mean += step * p
				second += 2 * at * step * p
			}
			if math.Abs(mean-w.Mean) > 1e-3*mean || math.Abs(second-w.Second) > 5e-3*second {
				t.Errorf("%s: class %d: moments %v, %v, by the survival function %v, %v", name, k, w.Mean, w.Second, mean, second)
			}
		}
	}
}

// TestCyclingPhases: services whose phases are passed again and again, which exponential laws
// are in other words, have the waits of these.
func TestCyclingPhases(t *testing.T) {
	moments := func(cycles float64) (out []float64) {
		s := small(5)
		for i := range s.Classes {
			if k := &s.Classes[i]; cycles > 0 {
				exit := -k.A[0][0]
				turn := cycles * exit
				k.Alpha, k.A = []float64{0.5, 0.5}, [][]float64{{-exit - turn, turn}, {turn, -exit - turn}}
			}
		}
		x := solved(t, s)
		for k := range x.Blocked {
			w, err := x.Wait(context.Background(), k, 1e9)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, x.Blocked[k], w.Joins, w.Starts, w.Mean, w.Second)
		}
		return out
	}
	want := moments(0)
	for _, cycles := range []float64{2e3, 1e4, 1e5} {
		for i, v := range moments(cycles) {
			if math.Abs(v/want[i]-1) > 1e-9 {
				t.Errorf("%v cycles: value %d is %v, want %v", cycles, i, v, want[i])
			}
		}
	}
}

// TestBatches: batches are followed by the states that they lead to, not by the orders in
// which their classes can come, and jobs that are turned away come back to the same state.
func TestBatches(t *testing.T) {
	for _, room := range []int{0, 3} {
		s := small(room)
		s.Arrives = &states.Arrivals{D0: [][]float64{{-0.25}}, Events: []states.Event{{Rates: [][]float64{{0.25}}, Size: 1000, Class: states.Open}}}
		x := solved(t, s)
		for k, c := range s.Classes {
			if want := 250 * c.Prob; math.Abs(x.Arrived[k]-want) > 1e-9 {
				t.Errorf("class %d arrives at the rate %v, want %v", k, x.Arrived[k], want)
			}
			served := x.Arrived[k] * (1 - x.Blocked[k]) * -1 / c.A[0][0]
			if math.Abs(x.Served[k]-served) > 1e-9*served {
				t.Errorf("room %d: %v of class %d in service, by Little's law %v", room, x.Served[k], k, served)
			}
		}
	}
}

// TestManyStart: jobs that start together are followed by their numbers, not by their orders.
func TestManyStart(t *testing.T) {
	s := System{Servers: 40, Rate: 1, Room: 60, Classes: []Class{exponential(1, 0.3, 1), exponential(1, 0.3, 2), exponential(40, 0.4, 3)}}
	c := s.compile()
	x := State{at: c.place.(*pool).changed(c.place.Empty(), -1, 2), drawn: 60}
	found := 0
	c.services(x, func(State, float64) { found++ })
	if found > 2000 {
		t.Errorf("%d states follow", found)
	}
}

// TestCut: the room that ends a chain is found for any patience, and one beyond all chains is
// refused at once.
func TestCut(t *testing.T) {
	if n := Cut(2, 1); n < 15 || n > 40 {
		t.Errorf("two wait on average: a room of %d", n)
	}
	if n := Cut(1, 1e-300); n < 1e9 {
		t.Errorf("endless patience: a room of %d", n)
	}
	s := small(1 << 30)
	var large *chain.TooLarge
	if _, err := s.Solve(context.Background(), limits); !errors.As(err, &large) {
		t.Errorf("a room of 2^30: %v", err)
	}
}
