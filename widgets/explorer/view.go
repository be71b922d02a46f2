package explorer

import (
	"encoding/base64"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/mjqueue/mjq/internal/escape"
	"github.com/mjqueue/mjq/mjq/figure"
	"github.com/mjqueue/mjq/mjq/result"
)

// html is the frame as a notebook shows it: the gauge, the curves, the numbers.
// Pictures are images, which stay when a saved notebook is opened.
func (f *frame) html() string {
	if f.err != nil {
		return "<pre>" + escape.HTMLLines(f.err.Error()) + "</pre>"
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<div class="mjq-explore" data-stage="%d" data-done="%v" data-load="%.4f" data-servers="%d" data-law="%s" style="max-width:960px">`,
		f.stage, f.done, f.setting.Load, f.setting.Servers, escape.HTML(f.setting.Law))
	b.WriteString(f.gauge())
	// Side by side where there is room, else one below the other.
	b.WriteString(`<div style="display:flex;flex-wrap:wrap">`)
	for _, fig := range []*figure.Figure{f.means(), f.beside()} {
		svg, err := fig.SVG()
		if err != nil {
			return "<pre>" + escape.HTMLLines(err.Error()) + "</pre>"
		}
		fmt.Fprintf(&b, `<img class="mjq-curves" style="flex:1 1 340px;min-width:0;max-width:480px" alt="%s" src="data:image/svg+xml;base64,%s"/>`,
			escape.HTML(fig.Title()), base64.StdEncoding.EncodeToString(svg))
	}
	b.WriteString("</div>")
	b.WriteString(f.numbers().HTML())
	fmt.Fprintf(&b, "<small>%s</small></div>", escape.HTML(f.progress()))
	return b.String()
}

// text is the frame for where there is no page.
func (f *frame) text() string {
	if f.err != nil {
		return f.err.Error() + "\n"
	}
	return f.verdict() + "\n" + f.numbers().String() + f.progress() + "\n"
}

// progress says how fine the picture is.
func (f *frame) progress() string {
	state := "refining"
	if f.done {
		state = "done"
	}
	if f.exact {
		return fmt.Sprintf("%s: exact, without simulation, %.1f s", state, time.Since(f.started).Seconds())
	}
	return fmt.Sprintf("%s: picture %d of %d, %d × %d jobs a load, %.1f s; seed %d",
		state, f.stage, f.stages, replications, jobs(f.stage-1), time.Since(f.started).Seconds(), f.chosen.Run.Seed)
}

// offered is the offered load of an arrival rate.
func (f *frame) offered(rate float64) float64 { return rate / f.model.IdealRate() }

// verdict reports whether the setting is stable, and by how much. Percentages of servers
// and of the limit are told apart: the limit, too, keeps only some of the servers busy.
func (f *frame) verdict() string {
	rate := fmt.Sprintf("λ = %.4g jobs per unit of time", f.model.Rate())
	busy := fmt.Sprintf("work for %.1f %% of the %d servers", 100*f.setting.Load, f.setting.Servers)
	if f.limit == nil {
		return rate + ", " + busy + "; finding the stability limit …"
	}
	limit := fmt.Sprintf("λ_c = %v, where %.1f %% of them are busy and blocking idles the rest", f.limit.Estimate(), 100*f.offered(f.limit.Rate))
	share := 100 * f.model.Rate() / f.limit.Rate
	if !f.chosen.Stable {
		return fmt.Sprintf("Unstable: %s, %s, %.0f %% of the limit %s.", rate, busy, share, limit)
	}
	return fmt.Sprintf("Stable: %s, %s, %.0f %% of the limit %s.", rate, busy, share, limit)
}

// lowered sets the index of λ_c below the line, as a page can.
func lowered(text string) string { return strings.ReplaceAll(text, "λ_c", "λ<sub>c</sub>") }

// gauge is a bar of all loads: green as far as stable, with a needle at the
// setting.
func (f *frame) gauge() string {
	top := 100.0
	if f.limit != nil {
		top = 100 * f.offered(f.limit.Rate)
	}
	return fmt.Sprintf(`<div style="position:relative;height:22px;border:1px solid #999;background:linear-gradient(90deg,#5aa57c 0 %.2f%%,#cf7f7f %.2f%% 100%%)">`+
		`<div style="position:absolute;left:%.2f%%;top:-3px;bottom:-3px;width:4px;margin-left:-2px;background:currentColor"></div></div>`+
		`<div class="mjq-verdict" style="margin:3px 0 6px">%s</div>`, top, top, 100*min(1, f.setting.Load), lowered(escape.HTML(f.verdict())))
}

// few are the classes to draw: all if they are few, else the first, the last
// and some between.
func few(r *result.Result) []int {
	const most = 5
	n := len(r.Classes)
	var out []int
	for k := range min(n, most) {
		out = append(out, k*(n-1)/max(1, min(n, most)-1))
	}
	return out
}

// means draws the mean waits against the load, with the bands of their
// intervals.
func (f *frame) means() *figure.Figure {
	fig := figure.New("Mean waiting time").X("offered load, %").Y("mean waiting time").LogY().Size(360, 280)
	if len(f.curve) > 0 {
		for _, k := range few(f.curve[0]) {
			var x, y, lo, hi []float64
			for _, r := range f.curve {
				e := r.Classes[k].Waiting.Mean
				x, y, lo, hi = append(x, 100*f.offered(r.Rate)), append(y, e.Value), append(lo, e.Lo()), append(hi, e.Hi())
			}
			if f.exact {
				fig.Theory(f.curve[0].Classes[k].Name, x, y)
			} else {
				fig.Band(f.curve[0].Classes[k].Name, x, y, lo, hi)
			}
		}
	}
	for _, k := range few(f.chosen) {
		e := f.chosen.Classes[k].Waiting.Mean
		fig.Points(f.chosen.Classes[k].Name, []float64{100 * f.setting.Load}, []float64{e.Value}, []float64{e.HalfWidth})
	}
	return f.marked(fig)
}

// marked adds to a figure over loads the limit and where the setting is.
func (f *frame) marked(fig *figure.Figure) *figure.Figure {
	if f.limit != nil {
		fig.Stability(100*f.offered(f.limit.Rate), "stability limit")
	}
	return fig.Stability(100*f.setting.Load, "you are here")
}

// beside is the right picture: tails at the setting, or, where nobody waits or the line
// only grows, what the servers do.
func (f *frame) beside() *figure.Figure {
	if f.chosen.Stable && f.chosen.All.Waiting.Quantile(0.999).Value > 0 {
		return f.tails()
	}
	return f.idle()
}

// idle draws the servers that idle against the load, and those of them that idle
// because the head of the line waits for more.
func (f *frame) idle() *figure.Figure {
	title := "Few jobs wait: idle servers"
	if !f.chosen.Stable {
		title = "Waits grow without bound: idle servers"
	}
	fig := figure.New(title).X("offered load, %").Y("servers").Size(360, 280)
	for _, what := range []struct {
		name string
		of   func(*result.Result) result.Estimate
	}{
		{"idle", func(r *result.Result) result.Estimate { return r.Idle }},
		{"through blocking", func(r *result.Result) result.Estimate { return r.WastedHOL }},
	} {
		var x, y, lo, hi []float64
		for _, r := range f.curve {
			e := what.of(r)
			x, y, lo, hi = append(x, 100*f.offered(r.Rate)), append(y, e.Value), append(lo, e.Lo()), append(hi, e.Hi())
		}
		if f.exact {
			fig.Theory(what.name, x, y)
		} else if len(x) > 0 {
			fig.Band(what.name, x, y, lo, hi)
		}
	}
	return f.marked(fig)
}

// tails draws P(W > x) at the setting.
func (f *frame) tails() *figure.Figure {
	fig := figure.New(fmt.Sprintf("Waits at load %.1f %%", 100*f.setting.Load)).X("waiting time x").Y("P(W > x)").LogY().YRange(1e-3, 1).Size(360, 280)
	end := f.chosen.All.Waiting.Quantile(0.999).Value
	for _, k := range few(f.chosen) {
		c := &f.chosen.Classes[k]
		if math.IsNaN(c.Waiting.CDF(0).Value) {
			continue
		}
		var x, y []float64
		for i := 0; i <= 120; i++ {
			x = append(x, end*float64(i)/120)
			y = append(y, 1-c.Waiting.CDF(x[i]).Value)
		}
		if f.exact {
			fig.Theory(c.Name, x, y)
		} else {
			fig.Steps(c.Name, x, y)
		}
	}
	return fig
}

// numbers are the table at the setting, for every class and for all jobs.
func (f *frame) numbers() *result.Table {
	r := f.chosen
	rows := append(append([]result.ClassResult(nil), r.Classes...), r.All)
	var names []string
	var needs, shares []float64
	var mean, p50, p90, p99 []result.Estimate
	for i := range rows {
		c := &rows[i]
		names, needs, shares = append(names, c.Name), append(needs, float64(c.Need)), append(shares, 100*c.Prob)
		mean, p50 = append(mean, c.Waiting.Mean), append(p50, c.Waiting.Quantile(0.5))
		p90, p99 = append(p90, c.Waiting.Quantile(0.9)), append(p99, c.Waiting.Quantile(0.99))
	}
	needs[len(needs)-1] = math.NaN()
	t := result.NewTable("").Text("class", names...).Numbers("servers", needs...).Numbers("% of jobs", round(shares)...).
		Estimates("mean wait", mean...).Estimates("median", p50...).Estimates("90 %", p90...).Estimates("99 %", p99...)
	kind := fmt.Sprintf("%g %% intervals", 100*r.Level)
	if f.exact {
		kind = "Exact"
	}
	t.Note = fmt.Sprintf("%s. Servers idle: %v in all, %v of them through head-of-line blocking. Jobs in the system: %v.",
		kind, r.Idle, r.WastedHOL, r.MeanJobs)
	return t
}

// round keeps three digits.
func round(xs []float64) []float64 {
	out := make([]float64, len(xs))
	for i, x := range xs {
		p := math.Pow(10, 2-math.Floor(math.Log10(x)))
		out[i] = math.Round(x*p) / p
	}
	return out
}
