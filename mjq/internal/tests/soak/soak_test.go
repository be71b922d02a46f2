package soak

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/result"
)

var background = context.Background()

// rival is one way to the same numbers.
type rival struct {
	name  string
	run   func(m mjq.Model, seed uint64) (*result.Result, error)
	every int // 1 for all models; the certified sampler's proof is for long soaks only
}

// rivals are compared with the exact solution, or with the first of them where
// there is none. Certified aside, they take a fraction of a second a
// model together.
var rivals = []rival{
	{"forward", func(m mjq.Model, seed uint64) (*result.Result, error) {
		return m.Solve(background, mjq.Forward{Jobs: 16_000}, mjq.Seed(seed))
	}, 1},
	{"event list", func(m mjq.Model, seed uint64) (*result.Result, error) {
		return m.Solve(background, mjq.Simulation{Jobs: 16_000}, mjq.Seed(seed+1<<32))
	}, 1},
	{"backward", func(m mjq.Model, seed uint64) (*result.Result, error) {
		return m.Solve(background, mjq.Backward{Samples: 1024, Window: 400}, mjq.Seed(seed+2<<32))
	}, 1},
	{"certified", func(m mjq.Model, seed uint64) (*result.Result, error) {
		return m.Solve(background, mjq.Certified{Samples: 500}, mjq.Seed(seed+3<<32))
	}, 200},
}

// The bound on a disagreement: two looks with independent seeds that both lie
// more than soakErrors standard errors off, to the same side. Student's t with
// 31 degrees of freedom does that once in 10^4 for one look, so about once in
// 2·10^8 for both: rarer than an hour's comparisons.
const soakErrors = 4.5

// off is how many standard errors a is from b, and what they are worth saying.
func off(a, b result.Estimate) float64 {
	se := math.Hypot(a.HalfWidth, b.HalfWidth) / 1.96
	// The tail of a mean of few waits is not Student's; and rounding is no fault.
	if small := 1e-9 * (1 + math.Abs(b.Value)); math.Abs(a.Value-b.Value) <= small || se > 0.1*math.Abs(b.Value) && se > 0 {
		return 0
	}
	return (a.Value - b.Value) / se
}

// measures are what all methods give.
func measures(r *result.Result) (names []string, values []result.Estimate) {
	for i := range r.Classes {
		names = append(names, "mean waiting time of "+r.Classes[i].Name)
		values = append(values, r.Classes[i].Waiting.Mean)
	}
	return append(names, "mean waiting time of all", "servers wasted", "servers idle"), append(values, r.All.Waiting.Mean, r.WastedHOL, r.Idle)
}

// looked is every measure's distance for one seed.
func looked(v rival, m mjq.Model, truth *result.Result, seed uint64) (names []string, z []float64, err error) {
	r, err := v.run(m, seed)
	if err != nil {
		return nil, nil, err
	}
	names, ours := measures(r)
	_, theirs := measures(truth)
	for i := range ours {
		if known := !math.IsNaN(ours[i].Value) && !math.IsNaN(theirs[i].Value); known {
			z = append(z, off(ours[i], theirs[i]))
		} else {
			z = append(z, 0)
		}
	}
	return names, z, nil
}

// disagreement says in which measure a rival is off twice, or nothing.
func disagreement(v rival, m mjq.Model, truth func(seed uint64) (*result.Result, error), seed uint64) (string, error) {
	var first []float64
	for look := range uint64(2) {
		want, err := truth(seed + 100*look)
		if err != nil {
			return "", err
		}
		names, z, err := looked(v, m, want, seed+100*look)
		if err != nil {
			return "", err
		}
		again := false
		for i := range z {
			if look == 1 && math.Abs(z[i]) > soakErrors && z[i]*first[i] > soakErrors*soakErrors {
				return fmt.Sprintf("%s against %s: %s is %.1f and %.1f standard errors off", v.name, want.Solver, names[i], first[i], z[i]), nil
			}
			again = again || math.Abs(z[i]) > soakErrors
		}
		if first = z; !again {
			return "", nil
		}
	}
	return "", nil
}

// compare takes a model through the methods and says where two of them differ.
func compare(t trial, number int, seed uint64, rivals []rival) string {
	m, err := t.model()
	if err != nil {
		return err.Error()
	}
	if fault := compareLimits(m, t, seed); fault != "" {
		return fault
	}
	if fault := compareJobByJob(m, seed); fault != "" {
		return fault
	}
	truth := func(seed uint64) (*result.Result, error) { return rivals[0].run(m, seed+50) }
	if t.exact() {
		if size, err := (mjq.Exact{}).Size(m); err == nil && size.Phases <= 60 {
			r, err := m.Solve(background, mjq.Exact{MomentsOnly: true})
			truth = func(uint64) (*result.Result, error) { return r, err }
		}
	}
	for _, v := range rivals {
		if number%v.every != v.every-1 {
			continue
		}
		fault, err := disagreement(v, m, truth, seed)
		if err != nil && !strings.Contains(err.Error(), "certified") { // it may refuse, with the reason
			return fmt.Sprintf("%s: %v", v.name, err)
		}
		if fault != "" {
			return fault
		}
	}
	return ""
}

// compareLimits has the pile confirm the exact stability limit.
func compareLimits(m mjq.Model, t trial, seed uint64) string {
	if !t.exact() {
		return ""
	}
	exact, err := m.Stability(background, mjq.Exact{})
	if err != nil {
		return err.Error()
	}
	for look := range uint64(2) {
		pile, err := m.Stability(background, mjq.Pile{}, mjq.RelErr(0.02), mjq.Seed(seed+look))
		if err != nil {
			return err.Error()
		}
		z := off(pile.Estimate(), exact.Estimate())
		if math.Abs(z) <= soakErrors {
			return ""
		}
		if look == 1 {
			return fmt.Sprintf("limit %v by the pile, %v by the %s", pile.Estimate(), exact.Estimate(), exact.Method)
		}
	}
	return ""
}

// compareJobByJob: the recurrence and the event list on the same jobs have no
// chance in common, only the answer.
func compareJobByJob(m mjq.Model, seed uint64) string {
	a, err := m.Solve(background, mjq.Forward{Jobs: 2000, Replications: 4}, mjq.Seed(seed))
	if err != nil {
		return err.Error()
	}
	b, err := m.Solve(background, mjq.Simulation{Jobs: 2000, Replications: 4}, mjq.Seed(seed))
	if err != nil {
		return err.Error()
	}
	for i := range a.Classes {
		x, y := a.Classes[i].Waiting.Mean.Value, b.Classes[i].Waiting.Mean.Value
		if !(math.Abs(x-y) <= 1e-9*(1+y)) {
			return fmt.Sprintf("%s on the same jobs: mean waiting time %v by the recurrence, %v by the event list", a.Classes[i].Name, x, y)
		}
	}
	return ""
}

// TestSoak compares all methods on random models: for a second, ten with
// MJQ_LONG, or as long as MJQ_SOAK says (MJQ_SOAK=10m go test -run Soak -timeout 20m ./mjq). A model
// on which two of them disagree is printed as small as it can be made.
func TestSoak(t *testing.T) {
	if testing.Short() {
		t.Skip("random models take seconds")
	}
	lasting := time.Duration(oracle.Sized(1, 10)) * time.Second
	if text := os.Getenv("MJQ_SOAK"); text != "" {
		var err error
		if lasting, err = time.ParseDuration(text); err != nil {
			t.Fatalf("MJQ_SOAK: %v", err)
		}
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	exact, number := 0, 0
	for started := time.Now(); time.Since(started) < lasting || number < 3; number++ {
		tr, seed := randomTrial(rnd), uint64(number)
		if tr.exact() {
			exact++
		}
		if compare(tr, number, seed, rivals) != "" {
			small, why := shrink(tr, 200, func(tr trial) string { return compare(tr, number, seed, rivals) })
			t.Errorf("model %d, %v\nsmallest: %v\n%s", number, tr, small, why)
		}
	}
	t.Logf("%d models, %d of them with an exact solution", number, exact)
}

// TestSoakFindsAWrongSolver: a method that counts every need of three as two is
// found, and on a model that cannot be made simpler.
func TestSoakFindsAWrongSolver(t *testing.T) {
	wrong := rival{"wrong", func(m mjq.Model, _ uint64) (*result.Result, error) {
		classes := m.Spec().Classes
		for i := range classes {
			if classes[i].Need == 3 {
				classes[i].Need = 2
			}
		}
		c := mjq.Servers(m.Spec().Servers).Process(m.Spec().Arrivals).Classes(classes...)
		return c.Solve(background, mjq.Exact{MomentsOnly: true})
	}, 1}
	disagree := func(tr trial) string {
		m, err := tr.model()
		if err != nil {
			return ""
		}
		why, err := disagreement(wrong, m, func(uint64) (*result.Result, error) { return m.Solve(background, mjq.Exact{MomentsOnly: true}) }, 1)
		if err != nil {
			t.Fatal(err)
		}
		return why
	}
	big := trial{Servers: 7, Load: 0.6, Classes: []trialClass{{1, 3, 1, 0.5}, {3, 2, 2, 2}, {5, 1, 0, 3}}}
	small, why := shrink(big, 1000, disagree)
	t.Log(small, why)
	if why == "" || len(small.Classes) > 2 || small.Servers > 4 || small.Load != 0.5 {
		t.Errorf("shrunk to %v (%s)", small, why)
	}
	for _, c := range small.Classes {
		if c.Law != 0 || c.Mean != 1 || c.Weight != 1 {
			t.Errorf("%v can be simpler", small)
		}
	}
	for _, s := range small.smaller() {
		if disagree(s) != "" {
			t.Errorf("%v is not the smallest: %v", small, s)
		}
	}
}
