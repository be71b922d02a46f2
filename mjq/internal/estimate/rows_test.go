package estimate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync/atomic"
	"testing"
)

// TestRow holds rows against histograms and spreads, to the bit.
func TestRow(t *testing.T) {
	gs := groupsOf(rand.New(rand.NewPCG(2, 9)))
	gs[3].x[0], gs[5].x[0], gs[7].x[0] = math.Inf(1), 5e-324, math.MaxFloat64
	const quantities = 3
	var all Histogram
	var histograms [quantities]Histogram
	var spreads [quantities]Spread
	var rows [quantities]Row
	var total, counted Spread
	for _, g := range gs {
		var one [quantities]Histogram
		var l, more Log
		for i, x := range g.x {
			of := i % quantities
			one[of].Add(x)
			all.Add(x)
			if i%5 == 0 {
				more.Add(of, x)
			} else {
				l.Add(of, x)
			}
		}
		more.MoveTo(&l)
		l.Settle()
		for k, alone := range Distributions(l.Of(1, quantities, new(Buffer)), 1, quantities) { // of the last two, and of one that has none
			want := new(Histogram)
			if k+1 < quantities {
				want = &one[k+1]
			}
			if got, want := fmt.Sprintf("%#v", alone), fmt.Sprintf("%#v", want.Distribution()); got != want {
				t.Errorf("quantity %d of one group: distribution\n%s\nwant\n%s", k+1, got, want)
			}
		}
		for counts := l.Counts(); len(counts) > 0; {
			n := 1
			for n < len(counts) && counts[n].Of() == counts[0].Of() {
				n++
			}
			rows[counts[0].Of()].AddGroup(counts[:n])
			counted.TakeCounts(counts[:n], 1)
			counts = counts[n:]
		}
		for k := range one {
			spreads[k].Take(&one[k], 1)
			total.Take(&one[k], 1)
			spreads[k].Close()
			histograms[k].Merge(&one[k])
		}
		total.Close()
		counted.Close()
	}
	for k := range rows {
		if got, want := fmt.Sprintf("%#v", rows[k].Distribution()), fmt.Sprintf("%#v", histograms[k].Distribution()); got != want {
			t.Errorf("quantity %d: distribution\n%s\nwant\n%s", k, got, want)
		}
		if got, want := fmt.Sprintf("%#v", rows[k].Precision()), fmt.Sprintf("%#v", spreads[k].Precision()); got != want {
			t.Errorf("quantity %d: precision\n%s\nwant\n%s", k, got, want)
		}
	}
	if got, want := fmt.Sprint(counted.Precision()), fmt.Sprint(total.Precision()); got != want {
		t.Errorf("of all: precision %s, want %s", got, want)
	}
	var empty Row
	if got := fmt.Sprintf("%#v %#v", empty.Distribution(), empty.Precision()); got != fmt.Sprintf("%#v %#v", new(Histogram).Distribution(), new(Spread).Precision()) {
		t.Errorf("of nothing: %s", got)
	}
}

// TestRowAddsBriefly: a row whose last group was added briefly has the same distribution, and takes no
// memory for edges.
func TestRowAddsBriefly(t *testing.T) {
	var whole, brief Row
	gs := groupsOf(rand.New(rand.NewPCG(2, 10)))
	for i, g := range gs {
		var l Log
		for _, x := range g.x {
			l.Add(0, x)
		}
		whole.AddGroup(l.Counts())
		if i+1 < len(gs) {
			brief.AddGroup(l.Counts())
			continue
		}
		edges := len(brief.edges)
		if brief.AddBriefly(l.Counts()); len(brief.edges) != edges || len(brief.cells) <= edges-1 {
			t.Errorf("%d cells and %d edges, before %d", len(brief.cells), len(brief.edges), edges)
		}
		var alone Row
		if alone.AddBriefly(l.Counts()); alone.Distribution().Total != float64(len(g.x)) {
			t.Errorf("one group has the distribution %v", alone.Distribution())
		}
	}
	if got, want := fmt.Sprintf("%#v", brief.Distribution()), fmt.Sprintf("%#v", whole.Distribution()); got != want {
		t.Errorf("distribution\n%s\nwant\n%s", got, want)
	}
	brief.AddBriefly(nil)
	if got, want := brief.groups, whole.groups; got != want {
		t.Errorf("%d groups, want %d", got, want)
	}
}

// TestLogStops: a log that was stopped merges nothing but what is asked for, and tells the same.
func TestLogStops(t *testing.T) {
	var stop atomic.Bool
	stop.Store(true)
	l, stopped := Log{}, Log{Stop: &stop}
	rng := rand.New(rand.NewPCG(4, 5))
	for range 40 {
		for range 100 {
			of, x := int(rng.Int32N(100)), math.Exp(rng.NormFloat64())
			l.Add(of, x)
			stopped.Add(of, x)
		}
		l.Settle()
		stopped.Settle()
	}
	if len(stopped.runs) != 40 || len(l.runs) > 10 {
		t.Errorf("%d runs, and %d without a stop", len(stopped.runs), len(l.runs))
	}
	var one, other Buffer
	for from := 0; from < 100; from += 30 {
		if got, want := fmt.Sprint(stopped.Of(from, 30, &one)), fmt.Sprint(l.Of(from, 30, &other)); got != want {
			t.Errorf("from %d on\n%s\nwant\n%s", from, got, want)
		}
	}
	if got := testing.AllocsPerRun(10, func() { l.Of(0, 100, &one) }); got > 0 {
		t.Errorf("%v allocations for counts in a room", got)
	}
}

// TestLogSortsLittle: however much has been logged, no more than so many keys are sorted at once, for
// an interrupted run is to end soon. A row copies nothing to tell its distribution.
func TestLogSortsLittle(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	var l Log
	var want Histogram
	for range 10 * logAtOnce {
		x := math.Exp(8 * rng.NormFloat64())
		want.Add(x)
		if l.Add(int(rng.Int32N(1000)), x); len(l.fresh) >= logAtOnce {
			t.Fatalf("%d keys wait to be sorted", len(l.fresh))
		}
	}
	if n := len(l.runs); n > 5 {
		t.Errorf("%d runs", n)
	}
	total := 0
	for _, c := range l.Counts() {
		total += int(c.N)
	}
	if total != 10*logAtOnce {
		t.Errorf("%d observations were counted, want %d", total, 10*logAtOnce)
	}
	var r Row
	r.AddGroup(want.MoveTo(nil))
	if got := testing.AllocsPerRun(10, func() { r.Distribution() }); got > 0 || r.Distribution().Total != float64(total) {
		t.Errorf("%v allocations for a distribution of %v", got, r.Distribution().Total)
	}
}
