package spec

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/policy"
)

// two is a queue of two classes, to be changed by tests.
func two() Spec {
	return Spec{Servers: 4, Arrivals: arrival.Poisson(0.5), Classes: []Class{
		{Name: "small", Need: 1, Prob: 0.75, Service: law.ExpMean(2)},
		{Name: "big", Need: 4, Prob: 0.25, Service: law.ErlangMeanPhases(1, 3)},
	}}
}

// kinds are queues of every kind.
func kinds() map[string]Spec {
	plain, load, window, bursty := two(), two(), two(), two()
	half := 0.5
	load.Arrivals, load.Load = nil, &half
	window.Policy = policy.Window{Jobs: 3}
	bursty.Arrivals = arrival.MMPP([]float64{1, 3}, [][]float64{{-1, 1}, {2, -2}})
	typed := two()
	typed.Servers, typed.Resources = 0, []Type{{"cpu", 8}, {"gpu", 2}}
	typed.Classes[0].Units, typed.Classes[1].Units = []int{2, 0}, []int{1, 2}
	named := two()
	named.Classes[0].Pick = &Pick{Named: []int{2}}
	random := *(&plain).WithRandomAssignment()
	return map[string]Spec{"plain": plain, "at a load": load, "window": window, "bursty": bursty, "typed": typed, "named": named, "random": random}
}

// TestRoundTrip: what is written is read as the same queue, with the same words and the
// same fingerprint, which differs between queues.
func TestRoundTrip(t *testing.T) {
	seen := map[string]string{}
	for name, given := range kinds() {
		s, err := given.Checked()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		text, err := json.Marshal(s)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var back Spec
		if err := json.Unmarshal(text, &back); err != nil {
			t.Fatalf("%s: %s: %v", name, text, err)
		}
		if !reflect.DeepEqual(&back, s) || back.String() != s.String() {
			t.Errorf("%s: %+v is read as %+v", name, s, &back)
		}
		hash, _ := s.Hash()
		again, _ := back.Hash()
		if hash != again || seen[hash] != "" || len(hash) != 64 {
			t.Errorf("%s: fingerprints %s and %s; %s has it, too", name, hash, again, seen[hash])
		}
		seen[hash] = name
	}
}

// TestHashIsPinned: a fingerprint keeps its meaning from one version to the next.
func TestHashIsPinned(t *testing.T) {
	s := two()
	const want = "6bb64e080f6edfdd3d035710ac5d82d1c9fea465f7f9de2c877875bff5a99b3d"
	if hash, err := s.Hash(); err != nil || hash != want {
		t.Errorf("fingerprint %s, error %v; pinned is %s", hash, err, want)
	}
}

// TestMoments against sums by hand.
func TestMoments(t *testing.T) {
	s := two()
	typed := kinds()["typed"]
	named := kinds()["named"]
	for what, got := range map[string][2]float64{
		"E[ασ]":            {s.Work(), 0.75*2 + 0.25*4},
		"E[σ]":             {s.MeanService(), 0.75*2 + 0.25},
		"E[σ²]":            {s.SecondMoment(), 0.75*8 + 0.25*(1+1./3)},
		"E[α]":             {s.MeanNeed(), 0.75 + 0.25*4},
		"ideal rate":       {s.IdealRate(), 4 / 2.5},
		"surest rate":      {s.SurestRate(), 1 / 1.75},
		"offered load":     {s.OfferedLoad(), 0.5 * 2.5 / 4},
		"gpu work":         {typed.TypeWork(1), 0.25 * 2},
		"ideal, typed":     {typed.IdealRate(), math.Min(8/(0.75*2*2+0.25), 2/0.5)},
		"surest, typed":    {typed.SurestRate(), 1 / 1.75},
		"ideal, named":     {named.IdealRate(), 1 / 1.5},
		"rate at rate 3":   {s.WithRate(3).Rate(), 3},
		"mean of the laws": {s.WithLaws(func(_ int, l law.Law) law.Law { return law.Deterministic{X: l.Mean()} }).SecondMoment(), 0.75*4 + 0.25},
	} {
		if math.Abs(got[0]-got[1]) > 1e-14*got[1] {
			t.Errorf("%s is %v, want %v", what, got[0], got[1])
		}
	}
	if load := s.WithLoad(0.5); !math.IsNaN(load.Rate()) || !math.IsNaN(load.OfferedLoad()) || !load.Poisson() {
		t.Errorf("a queue at a load has rate %v", load.Rate())
	}
}

// TestFaults: all at once.
func TestFaults(t *testing.T) {
	s := Spec{Servers: 3, Policy: policy.Quickswap{Threshold: 1}, Arrivals: arrival.MAP([][]float64{{-1}}, [][]float64{{2}}), Classes: []Class{
		{Name: "a", Need: 2, Prob: 0.5, Service: law.ExpMean(-1)}, {Name: "a", Need: 5, Prob: 0.2}, {Need: 1, Prob: 2, Service: law.ExpMean(1), Units: []int{1}},
	}}
	_, err := s.Checked()
	for _, part := range []string{"arrivals:", "ExpMean(-1)", "taken by an earlier class", "need 5 exceeds the 3 servers", "no law given", "class 3 has no name",
		"probability 2 is not in (0, 1]", "sum to 2.7", "there are no types", `policy Quickswap(1)`} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%q is not named:\n%v", part, err)
		}
	}
}

// TestCopies: a changed copy leaves the description as it was.
func TestCopies(t *testing.T) {
	s := two()
	before := s.String()
	s.WithRate(1)
	s.WithLoad(0.3)
	s.WithServers(9)
	s.WithPolicy(policy.FirstFit{})
	s.WithPrinted()
	s.WithRandomAssignment().Classes[0].Need = 3
	s.WithLaws(func(int, law.Law) law.Law { return law.ExpMean(9) })
	s.Normalized().Classes[0].Prob = 1
	if s.String() != before || s.Unloaded().Arrivals != nil {
		t.Errorf("%v\nwas\n%v", s.String(), before)
	}
	if plain := s.WithPrinted(); plain.AsPrinted {
		t.Error("the plain queue has a recursion as printed")
	}
}

// TestMarkedShares: a class has its share of all jobs, and of those left open what was
// given, however often the description is copied, normalised and written.
func TestMarkedShares(t *testing.T) {
	s := two()
	s.Arrivals = arrival.Superposition{arrival.Poisson(1), arrival.MarkedMAP([][]float64{{-3}}, map[string][][]float64{"big": {{3}}})}
	m, err := s.Checked()
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	var back Spec
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	again, _ := m.WithRate(2).WithLaws(func(_ int, l law.Law) law.Law { return l }).Checked()
	for name, x := range map[string]*Spec{"built": m, "copied": again, "read": &back} {
		if math.Abs(x.Classes[0].Prob-0.1875) > 1e-15 || math.Abs(x.Classes[1].Prob-0.8125) > 1e-15 || x.OpenProb(0) != 0.75 || x.OpenProb(1) != 0.25 {
			t.Errorf("%s: shares %v and %v, open %v and %v", name, x.Classes[0].Prob, x.Classes[1].Prob, x.OpenProb(0), x.OpenProb(1))
		}
	}
	if bare := m.Unloaded(); bare.OpenProb(1) != m.Classes[1].Prob {
		t.Errorf("without arrivals big jobs have the share %v", bare.OpenProb(1))
	}
}
