package figure

import (
	"bytes"
	"compress/zlib"
	"flag"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot"
)

var update = flag.Bool("update", false, "rewrite the golden figures")

// gallery is one figure of every kind.
func gallery() map[string]picture {
	var rate, t1, t15, half, lo, hi, exact, heavy []float64
	for k := 1; k <= 9; k++ {
		x := 0.2 * float64(k)
		w := 0.6 * x / (1.8009 - x)
		rate = append(rate, x)
		t1, t15 = append(t1, w), append(t15, 2*w+0.5)
		half = append(half, 0.08*w+0.02)
		lo, hi = append(lo, 1.7*w), append(hi, 2.4*w+1)
		exact, heavy = append(exact, 1.02*w), append(heavy, 1.1/(1.8009-x))
	}
	t1[8], t15[8] = math.Inf(1), math.Inf(1)
	rate[8] = 1.95
	edges, density := []float64{0}, []float64{}
	var sx, sy []float64
	for i := 0; i < 40; i++ {
		edges = append(edges, float64(i+1)/4)
		density = append(density, math.Exp(-float64(i)/8))
		sx, sy = append(sx, float64(i)/4), append(sy, math.Exp(-float64(i)/8))
	}
	waiting := New("Waiting grows without bound near the limit").
		X("arrival rate λ (jobs per unit of time)").Y("mean waiting time").LogY().
		Caption("five classes on 20 servers; 95 % intervals; seed 7").
		Points("T1", rate, t1, half).Theory("T1", rate[:8], exact[:8]).Points("T15", rate, t15, half).
		Asymptotic("heavy traffic", rate[:8], heavy[:8]).Paper("printed", rate[:8], t1[:8]).
		Stability(1.8009, "λ_{c} = 1.801")
	bandFigure := New("A band around a curve").X("load").Y("waiting").Band("T15", rate[:8], t15[:8], lo[:8], hi[:8]).
		Stability(1.8009, "limit")
	survival := New("A tail on logarithmic axes").X("x").Y("P(W > x)").LogX().LogY().
		Steps("class 1", sx, sy).Steps("class 2", sx[:30], sy[10:])
	histogram := New("A density").X("waiting time").Y("density").Histogram("T1", edges, density)
	labels := New("Labels: W_{max} of λ_{c}, 10^{−6} & <x>").X("x in 10^{3} steps").Y("P(W_{q} > x^{2})").LogX().LogY().
		Caption("a_{b}^{c} at 3·10^{8} rates").Stability(300, "n^{*}_{c} = 3·10^{2}").
		Theory("class c_{1}", []float64{1e-3, 1e6}, []float64{1, 1e-8}).Asymptotic("x^{−2} decay", []float64{1e-3, 1e6}, []float64{1, 1e-12}).
		Theory("class c_{2}", []float64{1e-3, 1e6}, []float64{1e-1, 1e-11})
	ribbon := New("Quantiles fan out").X("arrival rate λ").Y("waiting time").Ribbon("quantiles", rate[:8], lo[:8], t1[:8], exact[:8], t15[:8], hi[:8]).
		Points("mean", rate, t1, half).Points("another", rate, t15, half)
	return map[string]picture{
		"labels": labels, "ribbon": ribbon,
		"waiting": waiting, "band": bandFigure, "survival": survival, "histogram": histogram,
		"panels": Grid(2, waiting, survival, histogram),
		"looks":  looks(),
		"empty":  New("Nothing yet").X("x").Y("y"),
	}
}

// TestGolden compares every kind of figure with its committed SVG. Run with
// -update after a change that was looked at.
func TestGolden(t *testing.T) {
	for name, p := range gallery() {
		got, err := svg(p)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) > 60_000 {
			t.Errorf("%s: %d bytes, more than 60 kB", name, len(got))
		}
		path := filepath.Join("testdata", name+".svg")
		if *update {
			if err := os.WriteFile(path, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s differs from %s; look at it and run with -update", name, path)
		}
	}
}

// TestNeverPanics draws what newcomers and unstable models produce: every data with every label,
// and both on axes of every kind.
func TestNeverPanics(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	data := map[string][2][]float64{
		"nothing": {}, "one point": {{1}, {1}}, "zeros": {{0, 0}, {0, 0}}, "NaN": {{1, nan}, {nan, nan}},
		"infinite": {{1, 2}, {inf, inf}}, "negative": {{-1, -2}, {-3, -4}}, "huge": {{1e-300, 1e300}, {1e300, 1e-300}},
		"minus infinity": {{1, 2}, {-inf, 1}}, "constant": {{1, 2, 3}, {5, 5, 5}},
	}
	labels := []string{"", "E[W]", "x^", "_{", "a_b", "10^{-3}", "λ_{c", "^{}", "\n", "两", strings.Repeat("long ", 40)}
	for k, name := range slices.Sorted(maps.Keys(data)) {
		d := data[name]
		for i, label := range labels {
			half := make([]float64, len(d[0]))
			for j := range half {
				half[j] = []float64{0.1, nan, inf, 1e9}[(i+j)%4]
			}
			form := (i + k) % 4
			f := New(label).X(label).Y(label).Caption(label).Stability(1, label)
			if form&1 != 0 {
				f.LogX()
			}
			if form&2 != 0 {
				f.LogY()
			}
			f.Points(label, d[0], d[1], half).Theory("t", d[0], d[1]).Steps("s", d[0], d[1]).Band("b", d[0], d[1], d[1], d[1]).Ribbon("r", d[0], d[1], d[1], d[1])
			for _, draw := range []func() ([]byte, error){f.SVG, f.PDF} {
				if out, err := draw(); err != nil || len(out) == 0 {
					t.Errorf("%s with label %q: %d bytes, %v", name, label, len(out), err)
				}
			}
		}
	}
	if out, err := New("").PNG(); err != nil || !bytes.HasPrefix(out, []byte("\x89PNG")) {
		t.Errorf("PNG: %v", err)
	}
}

func TestFaultsNameTheSeries(t *testing.T) {
	_, err := New("").Points("T1", []float64{1, 2}, []float64{1}, nil).Points("T2", []float64{1}, []float64{1}, []float64{1, 2}).
		Band("T3", []float64{1}, []float64{1}, nil, []float64{1}).SVG()
	for _, text := range []string{`"T1" has 2 x values and 1 y`, `"T2" has 2 half-widths for 1`, `"T3" has a band of 0 and 1`} {
		if err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%v does not mention %s", err, text)
		}
	}
	if _, err := Grid(2).SVG(); err == nil {
		t.Error("a grid of nothing is drawn")
	}
	if err := New("").Save("x.bmp"); err == nil || !strings.Contains(err.Error(), ".bmp") {
		t.Errorf("saving as .bmp: %v", err)
	}
}

// TestTicks asks for two to twelve labels, all different and inside the range,
// on any range.
func TestTicks(t *testing.T) {
	ranges := [][2]float64{{2, 8}, {0.05, 2}, {1, 10}, {0.9, 1.1}, {1e-9, 1e9}, {3, 3.5}, {120, 90000}, {0.004, 0.02},
		{12000, 95000}, {123456.1, 123456.9}, {1.0000001, 1.0000002}, {1e6, 1.0009e6}, {99999, 100001}, {3e-9, 3.1e-9}}
	for i := range 2000 {
		lo := math.Pow(10, 12*math.Mod(float64(i)*0.618034, 1)-6)
		ranges = append(ranges, [2]float64{lo, lo * (1 + math.Pow(10, 9*math.Mod(float64(i)*0.414214, 1)-4))})
	}
	for _, r := range ranges {
		for name, ticker := range map[string]labelled{"linear": {linear{}}, "log": {logarithmic{}}} {
			got := ticker.labels(r[0], r[1])
			if distinct := slices.Compact(slices.Clone(got)); len(got) < 2 || len(got) > 12 || len(distinct) < len(got) {
				t.Errorf("%s ticks on %v: %q", name, r, got)
			}
		}
	}
	if got := (labelled{logarithmic{}}).labels(0.05, 2); !strings.Contains(strings.Join(got, " "), "0.1") {
		t.Errorf("labels on [0.05, 2]: %q", got)
	}
	for v, want := range map[float64]string{3e-7: "3·10^{−7}", 1e6: "10^{6}", -2e-4: "−2·10^{−4}", 0.001: "0.001", 1500: "1500", 0: "0"} {
		if got := number(v); got != want {
			t.Errorf("%v is labelled %q, want %q", v, got, want)
		}
	}
}

type labelled struct {
	ticker interface {
		Ticks(lo, hi float64) []plot.Tick
	}
}

func (l labelled) labels(lo, hi float64) (out []string) {
	for _, t := range l.ticker.Ticks(lo, hi) {
		if t.Value < lo-1e-9*(hi-lo) || t.Value > hi*(1+1e-9) {
			return []string{fmt.Sprintf("%v outside", t.Value)}
		}
		if t.Label != "" {
			out = append(out, t.Label)
		}
	}
	return out
}

func TestLongCurvesAreThinned(t *testing.T) {
	x, y := make([]float64, 100_000), make([]float64, 100_000)
	for i := range x {
		x[i], y[i] = float64(i), math.Sin(float64(i)/5000)
	}
	out, err := New("").Theory("sine", x, y).SVG()
	if err != nil || len(out) > 60_000 {
		t.Errorf("%d bytes for 100,000 points, %v", len(out), err)
	}
}

// TestLabelsTakeNoRoomFromTheFrame: on logarithmic axes too, the frame does not
// shrink with the length of the labels in the middle of its sides.
func TestLabelsTakeNoRoomFromTheFrame(t *testing.T) {
	paths := func(label string) (out []string) {
		svg, err := New("t").X(label).Y(label).LogX().LogY().Theory("a", []float64{1, 900}, []float64{1, 7000}).SVG()
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(string(svg), "\n") {
			if strings.HasPrefix(line, "<path") {
				out = append(out, line)
			}
		}
		return out
	}
	if short, long := paths("x"), paths(strings.Repeat("long ", 6)); len(short) < 5 || !slices.Equal(short, long) {
		t.Errorf("%d paths with short labels and %d with long ones, or elsewhere", len(short), len(long))
	}
}

// TestTextIsOneElement: a label with raised and lowered parts is one element,
// which says how wide the layout took it to be; nothing else is written.
func TestTextIsOneElement(t *testing.T) {
	svg, err := New("λ_{c} & 10^{−6}\x01 <x>").SVG()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`λ<tspan dy="2.8" font-size="10.08">c</tspan><tspan dy="-2.8"> &amp; 10</tspan>`, `>−6</tspan><tspan dy="5.04">\x01 &lt;x&gt;</tspan></text>`, `text-anchor="middle"`} {
		if !strings.Contains(string(svg), want) {
			t.Errorf("no %s in %s", want, svg)
		}
	}
	if n, w := strings.Count(string(svg), "<text"), strings.Count(string(svg), "textLength"); n != w {
		t.Errorf("%d texts, %d of them of known width", n, w)
	}
}

// TestPDFText: letters that a PDF's font lacks are shapes, all others text.
func TestPDFText(t *testing.T) {
	page := func(label string) string {
		out, err := New(label).PDF()
		if err != nil {
			t.Fatal(err)
		}
		var all strings.Builder
		for _, part := range bytes.Split(out, []byte("stream\n"))[1:] {
			if r, err := zlib.NewReader(bytes.NewReader(part)); err == nil {
				text, _ := io.ReadAll(r)
				if bytes.Contains(text, []byte("BT")) {
					all.Write(text)
				}
			}
		}
		return all.String()
	}
	latin, greek := page("at 10^{6} é"), page("at 10^{6} éλ−")
	for _, text := range []string{"(at 10)Tj", "(6)Tj", "( \xe9)Tj"} {
		if !strings.Contains(latin, text) || !strings.Contains(greek, text) {
			t.Errorf("the text %q is missing", text)
		}
	}
	if strings.Contains(greek, "\xce\xbb") {
		t.Error("a Greek letter is written in the wrong alphabet")
	}
	// λ has two arms and a minus is a bar: together some dozens of segments.
	if more := len(greek) - len(latin); more < 500 {
		t.Errorf("the Greek letter and the minus are drawn in %d bytes", more)
	}
}
