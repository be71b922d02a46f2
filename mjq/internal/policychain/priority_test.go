package policychain

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/states"
	"github.com/mjqueue/mjq/mjq/policy"
)

// levelValue is an entry of priority_values.json.
type levelValue struct {
	ID    string
	Model struct {
		Servers int
		Classes []struct {
			Need, Level int
			Rate        float64
			Service     string
		}
		Policy   string
		RateOfC0 float64 `json:"rate_of_c0"`
	}
	Quantity         string
	Value, Tolerance float64
}

func levelValues(t *testing.T) (list []levelValue) {
	t.Helper()
	data, err := os.ReadFile("../../testdata/priority_values.json")
	if err == nil {
		err = json.Unmarshal(data, &list)
	}
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// exponential reports whether all services are, as the chains here need them.
func (v levelValue) exponential() bool {
	for _, c := range v.Model.Classes {
		if !strings.HasPrefix(c.Service, "ExpMean(") {
			return false
		}
	}
	return true
}

func (v levelValue) system() (s System) {
	s.Servers = v.Model.Servers
	for _, c := range v.Model.Classes {
		s.Rate += c.Rate
	}
	for _, c := range v.Model.Classes {
		var mean float64
		fmt.Sscanf(c.Service, "ExpMean(%g)", &mean)
		s.Classes = append(s.Classes, exponential(c.Need, c.Rate/s.Rate, 1/mean))
	}
	return s
}

// byIndex has class n, by its index, in level n.
func byIndex(n int) (p policy.Priority) {
	for i := range n {
		p.Levels = append(p.Levels, []string{fmt.Sprint(i)})
	}
	return p
}

func (v levelValue) policy() policy.Policy {
	p := byIndex(len(v.Model.Classes))
	if strings.Contains(v.Model.Policy, "preemptive resume") {
		p = p.Preemptive(policy.Resume)
	}
	if strings.Contains(v.Model.Policy, "passing") {
		p = p.Passing()
	}
	return p
}

// TestLevelValues holds chains of priorities against values of chains that share no code. Those
// of which the proof takes long are solved at one cut, far beyond what the values need.
func TestLevelValues(t *testing.T) {
	solved, n := map[string]*Measures{}, 0
	far := map[string]int{"priority-pre_two": 230, "priority-non_wide_first": 130}
	for _, v := range levelValues(t) {
		name := v.ID[:strings.LastIndex(v.ID, "-")]
		if !v.exponential() || strings.Contains(v.ID, "limit") || strings.Contains(v.ID, "restart") {
			continue
		}
		m := solved[name]
		if m == nil {
			var err error
			q := prepare(t, v.system(), v.policy())
			if cut := far[name]; cut > 0 {
				_, m = solvedAt(t, q, cut)
			} else if m, err = q.SolveWithin(context.Background(), Options{Tolerance: 1e-9}); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			solved[name] = m
		}
		class := int(v.ID[len(v.ID)-1] - '0')
		c := m.Classes[class]
		got := c.Wait
		if strings.Contains(v.Quantity, "at once") {
			if got = c.NoWait; math.IsNaN(got) {
				got = c.AtOnce
			}
		}
		if !(math.Abs(got-v.Value) <= v.Tolerance+1e-9) {
			t.Errorf("%s: %.14g, want %.14g ± %.1g (error %.1g)", v.ID, got, v.Value, v.Tolerance, m.Error)
		}
		n++
	}
	if n != 39 {
		t.Errorf("%d values", n)
	}
}

// TestLevelLimits: the largest rate of the second level, that of the first being kept.
func TestLevelLimits(t *testing.T) {
	n := 0
	for _, v := range levelValues(t) {
		if !strings.HasSuffix(v.ID, "limit1") || strings.Contains(v.ID, "restart") {
			continue
		}
		v.Model.Classes[0].Rate, v.Model.Classes[1].Rate = v.Model.RateOfC0, 0.01
		got, err := prepare(t, v.system(), v.policy()).LevelLimit(context.Background(), 1, 1e9)
		if !(math.Abs(got-v.Value) <= v.Tolerance) || err != nil {
			t.Errorf("%s: %.14g, want %.14g ± %.1g; %v", v.ID, got, v.Value, v.Tolerance, err)
		}
		n++
	}
	if n != 6 {
		t.Errorf("%d limits", n)
	}
	// Small jobs that never run out starve a large one above them where they may pass it.
	s := System{Servers: 6, Rate: 1.3, Classes: []states.Class{exponential(4, 0.1/1.3, 0.5), exponential(1, 1.2/1.3, 1)}}
	p := byIndex(2)
	var open *Undetermined
	if got, err := prepare(t, s, p.Passing()).LevelLimit(context.Background(), 1, 1e9); !errors.As(err, &open) {
		t.Errorf("the second level may pass: limit %v, %v", got, err)
	}
}

// TestOver: the first level of several needs is the queue of its jobs alone, with one need it
// is that of the chain of counts, and jobs of one server and one mean are M/M/c in all.
func TestOver(t *testing.T) {
	top := []states.Class{exponential(1, 0.5, 1), exponential(3, 0.5, 0.8)}
	s := System{Servers: 4, Rate: 0.6, Classes: []states.Class{exponential(1, 0.3, 1), exponential(3, 0.3, 0.8), exponential(2, 0.4, 1.5)}}
	p := policy.Priority{Levels: [][]string{{"0", "1"}}}.Preemptive(policy.Resume)
	got, alone := solve(t, s, p), solve(t, System{Servers: 4, Rate: 0.36, Classes: top}, policy.FCFS{})
	for i := range top {
		if math.Abs(got.Classes[i].Wait-alone.Classes[i].Wait) > 1e-8 || math.Abs(got.Classes[i].AtOnce-alone.Classes[i].NoWait) > 1e-9 {
			t.Errorf("class %d: %+v, alone %+v", i, got.Classes[i], alone.Classes[i])
		}
	}
	same := System{Servers: 4, Rate: 1, Classes: []states.Class{exponential(2, 0.25, 1), exponential(2, 0.25, 1.0000000001), exponential(2, 0.5, 2)}}
	two := solve(t, same, p) // one need in the first level: counts
	over, err := New(same, p)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := over.rule.(inOrder); !ok || over.plan.belowOne() != 1 {
		t.Errorf("two kinds by %T", over.rule)
	}
	over.rule = newOver(over.plan, 1)
	forced, err := over.Solve(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for i := range two.Classes {
		if math.Abs(two.Classes[i].Wait-forced.Classes[i].Wait) > 1e-7 || math.Abs(two.Classes[i].AtOnce-forced.Classes[i].AtOnce) > 1e-8 {
			t.Errorf("class %d: by the line %+v, by counts %+v", i, forced.Classes[i], two.Classes[i])
		}
	}
	work := 0.0
	for i, c := range s.Classes {
		work += s.Rate * c.Prob * float64(c.Need) * (got.Classes[i].Response - got.Classes[i].Wait)
	}
	if math.Abs(got.Utilisation*4-work) > 1e-8 {
		t.Errorf("%v servers are busy, %v by the work", got.Utilisation*4, work)
	}
}

// TestLevelOrders: of a level with several needs the order of jobs is not kept, unless the
// largest come first.
func TestLevelOrders(t *testing.T) {
	s := System{Servers: 6, Rate: 0.5, Classes: []states.Class{exponential(1, 0.3, 1), exponential(2, 0.3, 1), exponential(3, 0.4, 0.7)}}
	p := policy.Priority{Levels: [][]string{{"2"}, {"0", "1"}}}
	for _, p := range []policy.Priority{p, p.Preemptive(policy.Resume), p.Within(policy.EASY()), p.Preemptive(policy.Restart), p.Preemptive(policy.Resume).Exempt(1)} {
		if _, err := New(s, p); err == nil || !strings.Contains(err.Error(), "Priority(2;0,1)") {
			t.Errorf("%v: %v", p, err)
		}
	}
	// With everything in one level the largest first are the policy of that name, at any cut.
	one := policy.Priority{}
	for _, c := range []struct {
		of   policy.Priority
		want policy.Policy
	}{{one.Within(policy.MostServersFirst{}), policy.MostServersFirst{}}, {one.Within(policy.MostServersFirst{}).Preemptive(policy.Resume), policy.PreemptiveMostServersFirst{}}} {
		_, got := solvedAt(t, prepare(t, s, c.of), 16)
		_, want := solvedAt(t, prepare(t, s, c.want), 16)
		for i := range got.Classes {
			if math.Abs(got.Classes[i].Wait-want.Classes[i].Wait) > 1e-8 {
				t.Errorf("%v, class %d: waits %v, want %v", c.of, i, got.Classes[i].Wait, want.Classes[i].Wait)
			}
		}
	}
}
