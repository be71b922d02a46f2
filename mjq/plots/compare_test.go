package plots

import (
	"math"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq/result"
)

// TestYardsticks: the caption has the capacity and the lower bound where they are known.
func TestYardsticks(t *testing.T) {
	of := func(response float64) *result.Result {
		c := result.ClassResult{Name: "one", Need: 1}
		c.Waiting.Mean, c.Response.Mean = result.Exact(response-1, "exact"), result.Exact(response, "exact")
		return &result.Result{Stable: true, Classes: []result.ClassResult{c}, All: c}
	}
	c := &result.Comparison{Title: "multiserver-job queue: 4 servers, 2 job classes, Poisson arrivals of rate 2 (offered load 0.600)", Rate: 2, Policies: []string{"a", "b"}, Results: []*result.Result{of(3), of(2.5)}}
	svg, err := Compare(c).SVG()
	if err != nil || strings.Contains(string(svg), "capacity") || strings.Contains(string(svg), "bound") {
		t.Errorf("%v: yardsticks that are not known", err)
	}
	c.Capacity, c.Bound = 2.5, result.LowerBound{Response: result.Exact(2, "exact"), Source: "one server"}
	if got := yardsticks(c); got != "; at 0.8 of the capacity; shortest mean response: 1.25 times the lower bound" {
		t.Error(got)
	}
	if svg, err := Compare(c).SVG(); err != nil || !strings.Contains(string(svg), "capacity") {
		t.Errorf("the caption lacks the capacity: %v", err)
	}
	c.Results[0].All.Response.Mean.Value, c.Results[1].All.Response.Mean.Value = math.Inf(1), math.Inf(1)
	if got := yardsticks(c); got != "; at 0.8 of the capacity" {
		t.Error(got)
	}
}
