package trace_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/trace"
)

// The classes of a trace each get the moments of their sample, or a word on why
// not, in the fit and in the notes of a result.
func TestTraceModelThreeMoments(t *testing.T) {
	var jobs []trace.Job
	for i := range 400 {
		at := float64(i) + 0.3*math.Sin(float64(i)) + float64(i%7)
		jobs = append(jobs, trace.Job{Arrival: at, Need: 1, Service: -math.Log((float64(i*263%400) + 0.5) / 400)})
		jobs = append(jobs, trace.Job{Arrival: at, Need: 2, Service: 3})
		jobs = append(jobs, trace.Job{Arrival: at, Need: 3, Service: float64(i%2) * 2})     // third moment too small
		jobs = append(jobs, trace.Job{Arrival: at, Need: 4, Service: 1 + 0.1*float64(i%2)}) // nearly equal
	}
	fitted := mjq.Must(trace.New("made", jobs).Fit(background, trace.Fit{Servers: 20, Moments: 3}))
	fits := append([]trace.LawFit{*fitted.Gaps}, fitted.Classes...)
	names, notes := "", map[string]string{"T3": "E[X³] = 4 E[X]³", "T4": "c² = 0.002268 is below 1/50"}
	for _, f := range fits {
		names += f.Class + " "
		if want := notes[f.Class]; want != "" {
			if f.Matched != 2 || !strings.HasPrefix(f.Note, want) || math.Abs(law.SCV(f.Law)+1-f.Moments[1]/f.Moments[0]/f.Moments[0]) > 1e-9 {
				t.Errorf("%+v; want two moments and %q", f, want)
			}
			continue
		}
		for k := range 3 {
			got := law.Moment(f.Law, k+1)
			if !(math.Abs(got/f.Moments[k]-1) < 1e-9) {
				t.Errorf("%s: moment %d is %v, the sample has %v", f.Class, k+1, got, f.Moments[k])
			}
		}
		if f.Matched != 3 || f.Note != "" {
			t.Errorf("%+v; want three moments", f)
		}
	}
	if names != "arrivals T1 T2 T3 T4 " || fits[1].N != 400 {
		t.Errorf("fits of %s, %d of the second", names, fits[1].N)
	}
	if text := fitted.String(); !strings.Contains(text, "c² = 0.002268 is below 1/50") || !strings.Contains(text, "arrivals") {
		t.Errorf("shown:\n%s", text)
	}
	m := fitted.Model
	for i, c := range m.Spec().Classes {
		if c.Service.String() != fits[i+1].Law.String() {
			t.Errorf("class %+v, fit %+v", c, fits[i+1])
		}
	}
	r := mjq.Must(m.AtRate(0.1).Solve(background, mjq.Backward{Samples: 50}))
	if len(r.Notes) == 0 || !strings.Contains(r.Notes[0], "two moments instead of three: T3, T4.") {
		t.Errorf("notes %q", r.Notes)
	}
	swept := mjq.Must(mjq.Sweep(background, m, mjq.Grid{Servers: []int{20, 30}, Rates: []float64{0.1}}, mjq.Backward{Samples: 50}))
	for _, r := range swept.Results() {
		if len(r.Notes) == 0 || r.Notes[0] != m.Spec().Notes[0] {
			t.Errorf("swept: notes %q", r.Notes)
		}
	}
	if two := mjq.Must(trace.New("made", jobs).Fit(background, trace.Fit{Servers: 20, Moments: 2})).Model.Spec(); two.Notes != nil {
		t.Errorf("two moments were asked for, and noted: %q", two.Notes)
	}
}

func TestTraceModelFitsKinds(t *testing.T) {
	tr := trace.New("t", []trace.Job{{Arrival: 0, Need: 1, Service: 1}, {Arrival: 1, Need: 1, Service: 3}, {Arrival: 3, Need: 2, Service: 5}})
	for _, c := range []struct {
		how  trace.Fit
		want string
	}{
		{trace.Fit{}, "arrivals 2 Empirical([]float64{1, 2}) 3; T1 2 Empirical([]float64{1, 3}) 3; T2 1 Empirical([]float64{5}) 3; "},
		{trace.Fit{Moments: 1}, "arrivals 2 ExpMean(1.5) 1; T1 2 ExpMean(2) 1; T2 1 ExpMean(5) 1; "},
		{trace.Fit{Moments: 2, Arrivals: trace.PoissonOnly}, "T1 2 ErlangMeanPhases(2, 4) 2; T2 1 Deterministic(5) 2; "},
	} {
		got := ""
		c.how.Servers = 2
		fitted := mjq.Must(tr.Fit(background, c.how))
		fits := fitted.Classes
		if fitted.Gaps != nil {
			fits = append([]trace.LawFit{*fitted.Gaps}, fits...)
		}
		for _, f := range fits {
			got += fmt.Sprintf("%s %d %v %d; ", f.Class, f.N, f.Law, f.Matched)
		}
		if got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
	zero := trace.New("z", []trace.Job{{Need: 1}, {Arrival: 1, Need: 1}, {Arrival: 2, Need: 9, Service: 1}})
	_, err := zero.Fit(background, trace.Fit{Servers: 4, Moments: 3})
	for _, part := range []string{`class "T1": the mean of its 2 times is 0`, "leave these jobs out", "take 9 servers"} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("error %v does not say %q", err, part)
		}
	}
}
