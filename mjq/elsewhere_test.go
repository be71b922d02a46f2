package mjq_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
)

// TestProbabilitiesOfJobsFromElsewhere: one rule for users and marked arrivals. A class whose jobs
// come from there may have the probability 0; where the class of no job is drawn, any number is
// as good; otherwise probabilities sum to 1. Answers do not depend on what does not matter.
func TestProbabilitiesOfJobsFromElsewhere(t *testing.T) {
	marks := func(of ...string) mjq.Model {
		d := map[string][][]float64{}
		for _, name := range of {
			d[name] = [][]float64{{1}}
		}
		return mjq.Servers(6).MarkedMAP([][]float64{{-float64(len(of))}}, d)
	}
	users := func(m mjq.Model, classes ...string) mjq.Model {
		for _, c := range classes {
			m = m.Users(c, 3, mjq.ExpMean(2))
		}
		return m.Loss()
	}
	for _, c := range []struct {
		name    string
		begin   mjq.Model
		users   []string
		right   [][2]float64 // probabilities of a and b
		wrong   [][2]float64
		problem string
	}{
		{"all are users", mjq.Servers(6), []string{"a", "b"}, [][2]float64{{0, 0}, {0.5, 0.5}, {1, 0}, {0.2, 0.1}}, [][2]float64{{-1, 0}}, "probability -1"},
		{"some are users", mjq.Servers(6).Poisson(1), []string{"b"}, [][2]float64{{1, 0}}, [][2]float64{{0.7, 0.3}, {0.7, 0}}, "prob"},
		{"all are marked", marks("a", "b"), nil, [][2]float64{{0, 0}, {0.5, 0.5}, {1, 0}, {0.2, 0.1}}, [][2]float64{{-1, 0}, {2, 0}}, "probability"},
		{"some are marked", marks("", "b"), nil, [][2]float64{{1, 0}}, [][2]float64{{0.5, 0}, {0, 0}, {0, 1}}, "prob"},
		{"none is", mjq.Servers(6).Poisson(1), nil, [][2]float64{{0.5, 0.5}}, [][2]float64{{1, 0}, {0, 0}}, "drop a class that never arrives"},
	} {
		of := func(p [2]float64) mjq.Model {
			return users(c.begin.Class("a", 1, p[0], mjq.ExpMean(1)).Class("b", 2, p[1], mjq.ExpMean(1)), c.users...)
		}
		first := ""
		for _, p := range c.right {
			m := of(p)
			r, err := m.Solve(t.Context(), mjq.Exact{})
			if err != nil {
				t.Errorf("%s, %v: %v", c.name, p, err)
				continue
			}
			text := fmt.Sprint(r.Class("a").Blocked, r.Class("b").Blocked, r.Class("a").Prob, r.Class("b").Prob, r.Rate)
			if first == "" {
				first = text
			}
			var back mjq.Model
			written, err := json.Marshal(m)
			if err == nil {
				err = json.Unmarshal(written, &back)
			}
			if err != nil || text != first || fmt.Sprint(mjq.Must(back.Solve(t.Context(), mjq.Exact{})).Class("b").Prob) != fmt.Sprint(r.Class("b").Prob) {
				t.Errorf("%s, %v: %v; %s, and before %s", c.name, p, err, text, first)
			}
		}
		for _, p := range c.wrong {
			if err := of(p).Err(); err == nil || !strings.Contains(err.Error(), c.problem) {
				t.Errorf("%s, %v: %v", c.name, p, err)
			}
		}
	}
}
