package trace_test

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq/trace"
)

// TestTraceFaults: every job that is none is named by its place in what was
// given, whatever the trace is asked for, and the list is bounded.
func TestTraceFaults(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	jobs := []trace.Job{{Arrival: 5, Need: 1, Service: 1}, {Arrival: 4, Need: 0, Service: -1, Line: 9}, {Arrival: nan, Need: -4, Service: 1},
		{Arrival: 1, Need: 1, Service: nan}, {Arrival: -2, Need: 1, Service: inf}, {Arrival: 1e200, Need: 1, Service: 1}}
	tr := trace.New("bad", jobs)
	var out bytes.Buffer
	for what, f := range map[string]func() error{
		"Validate": tr.Validate,
		"Replay":   func() error { _, err := tr.Replay(background, trace.Replay{Servers: 1}); return err },
		"Fit":      func() error { _, err := tr.Fit(background, trace.Fit{Servers: 1}); return err },
		"WriteCSV": func() error { return tr.WriteCSV(&out) },
		"WriteSWF": func() error { return tr.WriteSWF(&out, 1) },
		"Faster":   tr.Faster(2).Validate,
	} {
		err := f()
		for _, part := range []string{"job 1 (line 9): need 0", "job 1 (line 9): service -1", "job 2: arrival NaN", "job 2: need -4",
			"job 3: service NaN", "job 4: arrival -2", "job 4: service +Inf", "job 5: arrival 1e+200", "leave the job out"} {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("%s: no word of %q in: %v", what, part, err)
			}
		}
	}
	if out.Len() > 0 {
		t.Error("jobs that are none were written")
	}
	many := trace.New("many", make([]trace.Job, 1000)).Validate() // of need 0
	if many == nil || strings.Count(many.Error(), "need 0") != 10 || !strings.Contains(many.Error(), "and 990 more") {
		t.Errorf("a thousand faults: %v", many)
	}
	good := trace.New("good", []trace.Job{{Arrival: 1, Need: 1, Service: 0}, {Arrival: 0, Need: 2, Service: 1e100}})
	if err := good.Validate(); err != nil {
		t.Error(err)
	}
	for _, c := range []float64{0, -1, nan, inf} {
		if err := good.Faster(c).Validate(); err == nil || !strings.Contains(err.Error(), "Faster(") {
			t.Errorf("Faster(%v): %v", c, err)
		}
	}
	good.Jobs[1].Service = -1 // changed after the check
	if _, err := good.Replay(background, trace.Replay{Servers: 2}); err == nil || !strings.Contains(err.Error(), "job 1: service -1") {
		t.Errorf("a job changed: %v", err)
	}
	log := trace.StreamCSV("log", strings.NewReader("arrival,servers,service\n0,1,1e300\n"), trace.CSV{})
	if _, err := log.Replay(background, trace.Replay{Servers: 2}); err == nil || !strings.Contains(err.Error(), "log:2: service 1e+300") {
		t.Errorf("a stream: %v", err)
	}
}
