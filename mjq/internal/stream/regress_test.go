package stream

import (
	"flag"
	"fmt"
	"math"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq/law"
)

// A seed gives the same numbers for ever: results that were published with one
// must come out again. After a change that is meant to alter them, say so in
// CHANGELOG.md and write the new ones by
//
//	go test ./mjq/internal/stream -run Pinned -update
var update = flag.Bool("update", false, "write the pinned draws of testdata anew")

// pinnedLaws are all laws, in both ways where they have two: with and without a
// preparation, short and long.
func pinnedLaws() []law.Law {
	return []law.Law{
		law.ExpMean(2), law.ExpRate(4), law.ErlangMeanPhases(2, 1), law.ErlangMeanPhases(0.83, 3), law.ErlangMeanPhases(1, 7),
		law.HyperExpMeans(25, 0.2525, 0.01), law.HyperExpMeanSCV(2, 9), law.Cox2(1, 2, 0.3),
		law.PhaseType([]float64{0.3, 0.5}, [][]float64{{-1, 0.5}, {0.2, -2}}),
		law.PhaseType([]float64{1, 0, 0}, [][]float64{{-3, 3, 0}, {0, -3, 2}, {1, 0, -3}}),
		law.Deterministic{X: 1.5}, law.Uniform{Lo: 0.5, Hi: 2}, law.NewEmpirical([]float64{3, 1, 1, 2.5, 0}),
		law.BoundedPareto{Lo: 0.1492, Hi: 400, Shape: 1.4}, law.BoundedPareto{Lo: 1, Hi: 10, Shape: 1}, law.Lomax{Shape: 2.5, Scale: 1},
		law.LogNormalMeanSCV(3, 4), law.WeibullMeanShape(1, 0.7), law.WeibullMeanShape(0.5, 3),
		law.Spread(law.ExpMean(2)), law.Spread(law.HyperExpMeans(3, 1, 0.25)), law.Spread(law.Uniform{Lo: 1, Hi: 3}),
		law.Spread(law.BoundedPareto{Lo: 0.1, Hi: 7, Shape: 1.3}), law.Spread(law.LogNormalMeanSCV(3, 4)), law.Spread(law.Lomax{Shape: 3.5, Scale: 1}),
		law.Spread(law.WeibullMeanShape(1, 0.7)), law.Spread(law.NewEmpirical([]float64{0.3, 1, 2})), law.Spread(outside{law.Lomax{Shape: 3.5, Scale: 1}}),
	}
}

// outside is a law that is not of package law.
type outside struct{ law.Law }

// TestPinnedLaws draws twenty services and twenty gaps of every law, and what
// Certified draws of it: the tilted law.
func TestPinnedLaws(t *testing.T) {
	var lines []string
	for _, l := range pinnedLaws() {
		all := map[string]law.Law{"": l}
		if tilted, _, ok := law.Tilt(l, 0.05/l.Mean()); ok {
			all["tilted "] = tilted
		}
		for _, which := range []string{"", "tilted "} {
			of, ok := all[which]
			if !ok {
				continue
			}
			services, gaps := make([]string, 20), make([]string, 20)
			jobs := make([]Job, 20)
			New(1, of, []Class{{1, 0.4, of}, {2, 0.6, of}}).Reader(2).Fill(jobs, -7)
			for i, j := range jobs {
				services[i], gaps[i] = hex(j.Service), hex(j.Gap)
			}
			lines = append(lines, fmt.Sprintf("%s%v: services %s", which, l, strings.Join(services, " ")),
				fmt.Sprintf("%s%v: gaps %s", which, l, strings.Join(gaps, " ")))
		}
	}
	pinned(t, "testdata/laws.txt", lines)
}

// TestPinnedJobs reads jobs by seed, replication and index, and what else a
// replication draws: tagged customers, servers at random, a number of its own.
func TestPinnedJobs(t *testing.T) {
	var lines []string
	exponential := mix()
	for i := range exponential {
		exponential[i].Service = law.ExpMean(float64(i + 1))
	}
	for _, in := range []struct {
		name    string
		gap     law.Law
		classes []Class
	}{
		{"exponential", law.ExpMean(2), exponential}, {"mixed", law.ExpMean(2), mix()}, {"renewal", law.WeibullMeanShape(2, 0.7), mix()},
		{"one class", law.Deterministic{X: 1}, []Class{{3, 1, law.Uniform{Lo: 0, Hi: 2}}}},
	} {
		for _, of := range []struct{ seed, rep uint64 }{{0, 0}, {7, 1}, {math.MaxUint64, 1<<40 - 1}} {
			r, chooser := New(of.seed, in.gap, in.classes).Reader(of.rep), NewChooser(9)
			at := fmt.Sprintf("%s, seed %d, replication %d", in.name, of.seed, of.rep)
			lines = append(lines, fmt.Sprintf("%s: uniform %s", at, hex(r.Uniform())))
			for _, job := range []int64{math.MinInt64, -1 << 40, -257, -256, -33, -32, -31, -2, -1, 0, 1, 2, 3, 31, 32, 255, 256, 1 << 20, 1 << 53, math.MaxInt64} {
				var j [1]Job
				r.Fill(j[:], job)
				class := int(j[0].Class)
				lines = append(lines, fmt.Sprintf("%s, job %d: class %d need %d gap %s service %s probe %s servers %v %v", at, job, class, j[0].Need,
					hex(j[0].Gap), hex(j[0].Service), hex(r.Probe(class, job)), chooser.Job(r, job, 2), chooser.Probe(r, class, job, 7)))
			}
		}
	}
	pinned(t, "testdata/jobs.txt", lines)
}

// hex writes all bits of a number.
func hex(x float64) string { return strconv.FormatFloat(x, 'x', -1, 64) }

// pinned holds lines against those of a file.
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
		t.Errorf("%s has %d lines, and %d were drawn", file, len(want), len(lines))
	}
	for i := range min(len(want), len(lines)) {
		if !alike(lines[i], want[i]) {
			t.Errorf("drawn:  %s\npinned: %s", lines[i], want[i])
		}
	}
}

// alike compares lines word by word. Exponentials and what is made of them have the
// same bits everywhere. The mathematical functions of other laws end in other
// bits on processors for which Go has other code.
func alike(a, b string) bool {
	if a == b || runtime.GOARCH == "amd64" {
		return a == b
	}
	as, bs := strings.Fields(a), strings.Fields(b)
	for i := range as {
		if len(as) != len(bs) {
			return false
		}
		x, errX := strconv.ParseFloat(as[i], 64)
		y, errY := strconv.ParseFloat(bs[i], 64)
		if as[i] != bs[i] && (errX != nil || errY != nil || !(math.Abs(x-y) <= 1e-13*math.Abs(y))) {
			return false
		}
	}
	return len(as) == len(bs)
}
