package product

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"github.com/mjqueue/mjq/mjq"
)

// whateverThePolicy are the questions whose answers are about all policies, or about those that they name.
var whateverThePolicy = []string{"Capacity", "Optimum", "Compare", "ComparePlacements", "Resolve", "Prices", "BestKeep", "Checkpoints", "CheapestMix"}

// TestPolicyCounts: a question refuses another policy, or answers something else under it.
func TestPolicyCounts(t *testing.T) {
	m := mjq.Servers(4).Poisson(0.9).Class("one", 1, 0.7, mjq.ExpMean(1)).Class("three", 3, 0.3, mjq.ExpMean(1))
	day := m.Profile(3, 0.5, 1.2)
	for _, name := range slices.Sorted(maps.Keys(questions)) {
		if slices.Contains(whateverThePolicy, name) {
			continue
		}
		ask := func(p mjq.Policy) (string, error) {
			asked := m.Policy(p)
			if name == "ByTime" {
				asked = day.Policy(p)
			}
			var a any
			var err error
			for _, short := range []mjq.Option{mjq.Simulation{Jobs: 400, Replications: 16}, mjq.MaxJobs(5000), nil} {
				if a, err = questions[name](background, asked, mjq.MeanWait(0.5), mjq.Seed(3), mjq.NoCache(), short); err == nil {
					break
				}
			}
			if err != nil {
				return "", err
			}
			text, err := json.Marshal(a)
			return string(text), err
		}
		first, err := ask(mjq.FCFS())
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if other, err := ask(mjq.EASY()); err == nil && other == first {
			t.Errorf("%s answers the same under FCFS and EASY: %s", name, first)
		}
	}
}
