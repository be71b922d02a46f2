package trace

import (
	"fmt"
	"math"
	"strings"

	"github.com/mjqueue/mjq/internal/escape"
)

// pageStyle fits the page on a sheet of A4 and on the screen of a telephone, by day and by night.
const pageStyle = `<style>
.mjq-advice { --ink: #1b1b1b; --soft: #5a5a5a; --line: #c9c9c9; --card: #f3f6fa; --good: #1b6ca8; --bad: #b2452c; color: var(--ink); font-variant-numeric: tabular-nums; }
@media (prefers-color-scheme: dark) { .mjq-advice { --ink: #e8e8e8; --soft: #a8a8a8; --line: #555; --card: #22303d; --good: #79b8e8; --bad: #f09a83; } }
.mjq-advice .do { background: var(--card); border-left: 4px solid var(--good); padding: .6rem 1rem; margin: 1rem 0; }
.mjq-advice .do p { margin: .3rem 0; } .mjq-advice .do p:first-child { font-size: 1.15em; font-weight: 600; }
.mjq-advice code { overflow-wrap: anywhere; } .mjq-advice small { color: var(--soft); }
.mjq-advice .rows { border-top: 1px solid var(--line); }
.mjq-advice .row { display: grid; grid-template-columns: minmax(0, 4fr) minmax(0, 3fr) minmax(0, 7fr); gap: 0 1rem; padding: .35rem 0; border-bottom: 1px solid var(--line); break-inside: avoid; }
.mjq-advice .row svg { width: 100%; height: 1.4em; overflow: visible; } .mjq-advice .row b { font-weight: 600; }
@media (max-width: 34rem) { .mjq-advice .row { grid-template-columns: 1fr; } }
@media print { .mjq-advice { font-size: 7.5pt; line-height: 1.25; } .mjq-advice details { display: none; } .mjq-advice h3 { margin: .4rem 0 .1rem; } .mjq-advice p { margin: .1rem 0; } .mjq-advice td, .mjq-advice th { padding: 0 .8rem 0 0; } .mjq-advice .row { padding: .1rem 0; } .mjq-advice .do { margin: .3rem 0; } }
</style>
`

// HTML is the page: what to do, what the log shows, which policy explains it, what would have changed the
// waits, and what a replay cannot know.
func (a *Advice) HTML() string {
	var b strings.Builder
	b.WriteString(pageStyle + `<div class="mjq-advice">`)
	a.doing(&b)
	head := func(text string) { fmt.Fprintf(&b, "<h3>%s</h3>", escape.HTML(text)) }
	sentences := func(list []string) {
		for _, s := range list {
			fmt.Fprintf(&b, "<p>%s</p>", escape.HTML(s))
		}
	}
	folded := func(summary, html string) {
		fmt.Fprintf(&b, "<details><summary>%s</summary>%s</details>", escape.HTML(summary), html)
	}
	head("The log shows")
	sentences(a.shows())
	b.WriteString(a.waiters("class", a.Shown.Classes).HTML())
	if len(a.Shown.Users) > 1 {
		folded("The users who waited longest", a.waiters("user", a.Shown.Users).HTML())
	}
	head("The policy that explains it")
	sentences([]string{a.Explained.Text})
	if len(a.Explained.Candidates) > 0 {
		near := &a.Explained.Candidates[0]
		b.WriteString(a.policies().HTML())
		folded("The nearest policy by class and hour", a.nearest("class", near.ByClass).HTML()+a.nearest("hour", near.ByHour).HTML())
	}
	head("Scenarios")
	a.rows(&b)
	head("Limits of this page")
	sentences(append(append([]string{}, a.Unknown...), a.Notes...))
	sentences(a.skipped())
	if a.Log.File != "" {
		folded("Every line of the log", "<pre>"+escape.HTMLLines(a.Log.String())+"</pre>")
	}
	b.WriteString("</div>")
	return b.String()
}

// doing is the recommendation.
func (a *Advice) doing(b *strings.Builder) {
	r := &a.Recommend
	b.WriteString(`<div class="do">`)
	fmt.Fprintf(b, "<p>%s</p>", escape.HTML(r.Answer))
	if r.Setting != "" {
		fmt.Fprintf(b, "<p>Setting: <code>%s</code></p>", escape.HTML(r.Setting))
	}
	if r.Scenario != "" {
		costs := "nothing but the change of the setting"
		if r.Costs != "" {
			costs = r.Costs
		}
		fmt.Fprintf(b, "<p>It costs %s.</p>", escape.HTML(costs))
	}
	if len(r.Unless) > 0 {
		fmt.Fprintf(b, "<p><small>The verdict would change %s.</small></p>", escape.HTML(strings.Join(r.Unless, "; ")))
	}
	b.WriteString("</div>")
}

// rows are the scenarios with a dot and an interval each, on one axis.
func (a *Advice) rows(b *strings.Builder) {
	least, most := 0., 0.
	for i := range a.Scenarios {
		for _, x := range []float64{a.Scenarios[i].All.Waiting.Value, a.Scenarios[i].Low, a.Scenarios[i].High} {
			if !math.IsNaN(x) {
				least, most = min(least, x), max(most, x)
			}
		}
	}
	// Few scenarios far out, such as a tenth more jobs near the limit, must not flatten the others.
	if wait := a.Base.Waiting.Value; wait > 0 {
		least, most = max(least, -1.5*wait), min(most, 1.5*wait)
	}
	place := func(x float64) float64 {
		if most <= least {
			return 50
		}
		return 100 * (min(max(x, least), most) - least) / (most - least)
	}
	fmt.Fprintf(b, `<p><small>Change of the mean wait against %s. Left of the line jobs wait less long; grey is unclear. Bars are %g %% confidence intervals. Without one, “7 of 8” parts of the log show the direction.</small></p><div class="rows">`,
		escape.HTML(a.Base.Name), 100*a.Level)
	for i := range a.Scenarios {
		o := &a.Scenarios[i]
		value := o.All.Waiting.Value
		colour := "var(--good)"
		switch {
		case !o.Clear():
			colour = "var(--soft)"
		case value > 0:
			colour = "var(--bad)"
		}
		bar := ""
		if !math.IsNaN(o.Low) {
			bar = fmt.Sprintf(`<line x1="%.1f%%" x2="%.1f%%" y1="50%%" y2="50%%" stroke="%s" stroke-width="2"/>`, place(o.Low), place(o.High), colour)
		}
		gain, lose := o.who()
		fmt.Fprintf(b, `<div class="row"><div><b>%s</b></div><div><svg role="img" aria-label="%s"><line x1="%.1f%%" x2="%.1f%%" y1="0" y2="100%%" stroke="var(--line)"/>%s<circle cx="%.1f%%" cy="50%%" r="4" fill="%s"/></svg></div>`,
			escape.HTML(o.Name), escape.HTML(a.change(o)), place(0), place(0), bar, place(value), colour)
		fmt.Fprintf(b, `<div>%s a job, %s a day in all<br><small>gains: %s · loses: %s</small></div></div>`,
			escape.HTML(a.change(o)), escape.HTML(signed(a.Unit, o.PerDay)), escape.HTML(gain), escape.HTML(lose))
	}
	b.WriteString("</div>")
}
