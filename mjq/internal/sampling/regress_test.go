package sampling

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"math"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A seed gives the same samples for ever. After a change that is meant to alter
// them, say so in CHANGELOG.md and write the new ones by
//
//	go test ./mjq/internal/sampling -run Pinned -update
var update = flag.Bool("update", false, "write the pinned samples of testdata anew")

// TestPinnedSamples takes few samples of small queues by every sampler. What is
// pinned are averages of the samples, not the intervals made of them.
func TestPinnedSamples(t *testing.T) {
	ctx := context.Background()
	var lines []string
	line := func(name string, counts []int64, values ...float64) {
		texts := make([]string, len(values))
		for i, x := range values {
			texts[i] = strconv.FormatFloat(x, 'x', -1, 64)
		}
		lines = append(lines, fmt.Sprintf("%s: counts %v values %s", name, counts, strings.Join(texts, " ")))
	}
	samples := func(name string, r *BackwardResult) {
		values := []float64{r.MeanWait(0.9).Value, r.HOL.X}
		for _, c := range r.Classes {
			values = append(values, c.Waiting.X, c.Waiting.Y)
		}
		line(name, []int64{int64(r.Done), int64(r.Unsettled), r.Steps, r.MinWindow, r.MaxWindow}, values...)
	}
	all := variants(2)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		samples(name+", backward", (&Backward{System: *all[name], Samples: 40, Window: 64, MaxWindow: 4096, Batch: 4}).Run(ctx, nil))
		f := (&Forward{System: *all[name], Replications: 4, WarmUp: 100, Jobs: 1000, Level: 0.9}).Run(ctx, nil)
		values := []float64{f.HOL.Value}
		var moments []Moments
		for c := range f.Classes {
			moments = append(moments, f.Classes[c].Moments)
		}
		for _, c := range append(moments, f.All.Moments) {
			values = append(values, c.MeanW.Value, c.VarianceW.Value)
		}
		line(name+", forward", []int64{int64(f.Done), f.Steps}, values...)
	}
	plain, majorant := *small(2), Majorant{Theta: 0.3, Block: 64}
	samples("certified", (&Certified{System: plain, Majorant: majorant, Samples: 40, Window: 128, Eps: 1e-6}).Run(ctx, nil))
	samples("certified, followed", (&Certified{System: plain, Majorant: majorant, Samples: 10, Window: 128, Follow: 500, Eps: 1e-6}).Run(ctx, nil))
	d := threeClasses(0.7, 2)
	d.Samples = 40
	samples("dominated", d.Run(ctx, nil))
	for _, follow := range []int64{0, 500} {
		u := (&Unbiased{System: plain, Samples: 40, Window: 64, Follow: follow}).Run(ctx, nil)
		values := []float64{u.MeanWait(0.9).Value, u.HOL.X}
		for _, c := range u.Classes {
			values = append(values, c.X, c.Y)
		}
		line(fmt.Sprintf("unbiased, followed for %d", follow), []int64{int64(u.Done), u.Steps, u.MaxWindow}, values...)
	}
	p := (&Pile{System: plain, MeanWork: []float64{1, 3, 3.5}, Replications: 4, WarmUp: 20, Jobs: 500, MaxJobs: 1 << 20, RelErr: 0.02, Level: 0.9}).Run(ctx, nil)
	line("pile", []int64{p.Steps}, p.Gamma.Value)
	pinned(t, "testdata/samples.txt", lines)
}

// pinned holds lines against those of a file. Sums of many numbers end in other
// bits on processors that round a product and a sum together.
func pinned(t *testing.T, file string, lines []string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	if len(want) != len(lines) {
		t.Errorf("%s has %d lines, and there are %d", file, len(want), len(lines))
	}
	for i := range min(len(want), len(lines)) {
		same := lines[i] == want[i]
		if runtime.GOARCH != "amd64" {
			same = slices.EqualFunc(strings.Fields(lines[i]), strings.Fields(want[i]), func(a, b string) bool {
				x, errX := strconv.ParseFloat(a, 64)
				y, errY := strconv.ParseFloat(b, 64)
				return a == b || errX == nil && errY == nil && math.Abs(x-y) <= 1e-9*math.Abs(y)
			})
		}
		if !same {
			t.Errorf("now:    %s\npinned: %s", lines[i], want[i])
		}
	}
}
