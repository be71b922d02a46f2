package playground

import (
	"context"
	"encoding/json"
	"math"
	"strings"
	"testing"
)

// erlangC is the probability that a job waits in M/M/c with a service rate of 1.
func erlangC(c int, rate float64) float64 {
	term, sum := 1.0, 0.0
	for k := range c {
		sum += term
		term *= rate / float64(k+1)
	}
	last := term / (1 - rate/float64(c))
	return last / (sum + last)
}

// sized are the answers to how many servers are enough.
func sized(t *testing.T, s Setting, target Target) (last Sized, steps int) {
	t.Helper()
	Fewest(context.Background(), s, target, func(a Sized) {
		if text, err := json.Marshal(a); err != nil || strings.Contains(string(text), "NaN") {
			t.Fatalf("%s: %v", text, err)
		}
		if last = a; !a.Done {
			steps++
		}
	})
	return last, steps
}

// TestFewestErlang: the fewest servers of M/M/c are those of Erlang's formula, for a mean
// wait and for a share of jobs, and the rate stays what it is whatever their number.
func TestFewestErlang(t *testing.T) {
	s := Setting{Servers: 30, Rate: 8, Unit: "minute", Classes: []Class{{Name: "one", Need: 1, Share: 1, Law: "exponential", Mean: 1}}}
	for target, meets := range map[Target]func(c int) bool{
		{Most: 0.05}:              func(c int) bool { return erlangC(c, 8)/(float64(c)-8) <= 0.05 },
		{Share: 0.99, Most: 0.25}: func(c int) bool { return erlangC(c, 8)*math.Exp(-0.25*(float64(c)-8)) <= 0.01 },
		{Share: 0.9, Most: 2}:     func(c int) bool { return erlangC(c, 8)*math.Exp(-2*(float64(c)-8)) <= 0.1 },
	} {
		want := 9
		for !meets(want) {
			want++
		}
		if a, _ := sized(t, s, target); !a.Done || a.Error != "" || a.Servers != want || math.Abs(float64(a.Rate)-8) > 1e-12 {
			t.Errorf("%+v: %+v, want %d servers", target, a, want)
		}
	}
	a, _ := sized(t, s, Target{Share: 0.99, Most: 0.25})
	for _, part := range []string{"servers are the fewest with which 99 % of jobs wait at most 0.25 minutes, at 8 jobs a minute.", "The time is then 0.2", "; with 13 servers it is 0."} {
		if !strings.Contains(a.Verdict, part) {
			t.Errorf("%q does not say %q", a.Verdict, part)
		}
	}
}

// TestFewestAtLoad: a load is that of the servers that there are, also under a policy. A
// search that simulates tells its steps before it ends.
func TestFewestAtLoad(t *testing.T) {
	s := Presets()["one or all"]
	s.Policy = "First-Fit"
	a, steps := sized(t, s, Target{Most: 2})
	now := asked(t, s)[0]
	if steps == 0 || a.Error != "" || a.Servers < 16 || a.Servers > 40 || math.Abs(float64(a.Rate-now.Rate)) > 1e-9*float64(now.Rate) {
		t.Errorf("%+v after %d steps, where %v arrive", a, steps, now.Rate)
	}
}

// TestFewestFaults: what makes no sense is told once.
func TestFewestFaults(t *testing.T) {
	s := Presets()["five classes"]
	for text, given := range map[string]func() (Setting, Target){
		"give a positive time":         func() (Setting, Target) { return s, Target{Most: 0} },
		"give a share between 0 and 1": func() (Setting, Target) { return s, Target{Share: 99, Most: 1} },
		`there is no "LIFO" here`:      func() (Setting, Target) { b := s; b.Policy = "LIFO"; return b, Target{Most: 1} },
	} {
		b, target := given()
		if a, steps := sized(t, b, target); !a.Done || steps > 0 || !strings.Contains(a.Error, text) {
			t.Errorf("want %q: %+v", text, a)
		}
	}
}

// TestUnits: the verdict and the program name the unit of time, of those that there are.
func TestUnits(t *testing.T) {
	s := Setting{Servers: 1, Rate: 0.5, Classes: []Class{{Name: "one", Need: 1, Share: 1, Law: "exponential", Mean: 1}}}
	for unit, want := range map[string]string{"": "1 jobs a unit of time;", "minute": "1 jobs a minute;", "hour": "1 jobs an hour;", "<b>": "1 jobs a unit of time;"} {
		s.Unit = unit
		if a := asked(t, s)[0]; !strings.Contains(a.Verdict, want) {
			t.Errorf("%q: %s", unit, a.Verdict)
		}
		if named := strings.Contains(s.Program(), "// Times are in "+unit+"s.\n"); named != (unit == "minute" || unit == "hour") {
			t.Errorf("%q:\n%s", unit, s.Program())
		}
	}
	s.Unit, s.Policy = "day", "EASY"
	if a := asked(t, s)[0]; !strings.Contains(a.Verdict, "1 jobs a day; 0.5 arrive") {
		t.Error(a.Verdict)
	}
	s.Servers, s.Classes = 3, append(s.Classes, Class{Name: "two", Need: 2, Share: 1, Law: "lognormal", Mean: 1})
	if a := asked(t, s)[0]; !strings.Contains(a.Verdict, "0.5 jobs a day arrive") { // no formula has the limit
		t.Error(a.Verdict)
	}
	s.Policy, s.Rate = "", 4
	if a := asked(t, s)[0]; !strings.Contains(a.Verdict, "4 jobs a day arrive") {
		t.Error(a.Verdict)
	}
}

// TestQuantiles: those of M/M/1 are exact, ln(ρ/(1-p))/(1-ρ), those of M/G/1 have no
// half-widths either, and the sampled ones of M/G/2 have intervals.
func TestQuantiles(t *testing.T) {
	s := Setting{Servers: 1, Rate: 0.5, Classes: []Class{{Name: "one", Need: 1, Share: 1, Law: "exponential", Mean: 1}}}
	list := asked(t, s)
	all := list[len(list)-1].All
	if want90, want99 := math.Log(0.5/0.1)/0.5, math.Log(0.5/0.01)/0.5; math.Abs(float64(all.P90)-want90) > 1e-6 || math.Abs(float64(all.P99)-want99) > 1e-6 || all.P90Half != 0 || all.P99Half != 0 {
		t.Errorf("%+v, want %v and %v", all, want90, want99)
	}
	s.Classes[0].Law = "lognormal"
	list = asked(t, s)
	if all := list[len(list)-1].All; math.Abs(float64(all.Mean)-2.5) > 1e-9 || all.P90Half != 0 || all.P99Half != 0 || !(all.P99 > all.P90) {
		t.Errorf("M/G/1: %+v", all)
	}
	s.Servers, s.Rate = 2, 1
	list = asked(t, s)
	if all := list[len(list)-1].All; !(all.P90Half > 0 && all.P99Half > 0 && all.P99 > all.P90) {
		t.Errorf("%+v", all)
	}
}
