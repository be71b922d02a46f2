package trace

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mjqueue/mjq/internal/escape"
)

// pageStyle fits the page on a sheet of A4 and on the screen of a telephone, by day and by night.
const pageStyle = `<style>
.mjq-advice { --ink: #1b1b1b; --soft: #5a5a5a; --line: #c9c9c9; --card: #f3f6fa; --good: #1b6ca8; --bad: #b2452c; color: var(--ink); font-variant-numeric: tabular-nums; }
@media (prefers-color-scheme: dark) { .mjq-advice { --ink: #e8e8e8; --soft: #a8a8a8; --line: #555; --card: #22303d; --good: #79b8e8; --bad: #f09a83; } }
.mjq-advice section { margin-top: 1.6rem; } .mjq-advice h3 { margin: 0 0 .4rem; } .mjq-advice p { margin: .4rem 0; }
.mjq-advice .do { background: var(--card); border-left: 4px solid var(--good); padding: .6rem 1rem; }
.mjq-advice .do .answer { font-size: 1.1em; font-weight: 600; }
.mjq-advice code { overflow-wrap: anywhere; } .mjq-advice small { color: var(--soft); }
.mjq-advice .rows { border-top: 1px solid var(--line); }
.mjq-advice .row { display: grid; grid-template-columns: minmax(0, 4fr) minmax(0, 3fr) minmax(0, 7fr); gap: 0 1rem; padding: .35rem 0; border-bottom: 1px solid var(--line); break-inside: avoid; }
.mjq-advice .row svg { display: block; width: 100%; height: 1.4em; overflow: visible; } .mjq-advice .row b { font-weight: 600; }
.mjq-advice .row small { display: block; } .mjq-advice .all { display: none; }
@media (max-width: 34rem) {
 .mjq-advice { font-size: .85rem; line-height: 1.35; } .mjq-advice section { margin-top: 1.2rem; } .mjq-advice td, .mjq-advice th { padding: .1rem .5rem .1rem 0; }
 .mjq-advice .row { grid-template-columns: minmax(0, 5fr) minmax(0, 6fr); gap: 0 .4rem; padding: .15rem 0; font-size: .74rem; line-height: 1.2; }
 .mjq-advice .row .what { text-align: right; } .mjq-advice .row .dot { grid-row: 2; grid-column: 1 / -1; } .mjq-advice .row svg { height: .8em; }
 .mjq-advice .all { display: block; } .mjq-advice .row small { display: none; } .mjq-advice section:has(.all input:checked) .row small { display: block; }
}
@media print {
 .mjq-advice { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 0 6mm; font-size: 8pt; line-height: 1.25; }
 .mjq-advice section { margin-top: 2mm; grid-column: 1 / -1; } .mjq-advice .half { grid-column: auto; }
 .mjq-advice details, .mjq-advice .all { display: none; } .mjq-advice h3 { margin: 0; } .mjq-advice p { margin: .4mm 0; } .mjq-advice td, .mjq-advice th { padding: 0 .7rem 0 0; }
 .mjq-advice .row { grid-template-columns: minmax(0, 4fr) minmax(0, 3fr) minmax(0, 10fr); padding: .3mm 0; font-size: 7.5pt; line-height: 1.2; } .mjq-advice .row svg { height: 1.1em; } .mjq-advice .do { padding: 1mm 3mm; }
}
</style>
`

// HTML is the page: what the log shows, which policy explains it, what would have changed the waits, what to
// do, and what a replay cannot know.
func (a *Advice) HTML() string {
	var b strings.Builder
	b.WriteString(pageStyle + `<div class="mjq-advice">`)
	part := func(class, heading string, body ...string) {
		fmt.Fprintf(&b, `<section class="%s"><h3>%s</h3>%s</section>`, class, escape.HTML(heading), strings.Join(body, ""))
	}
	part("half", headings[0], sentences(a.shows()), a.waiters("class", a.Shown.Classes).HTML(), a.longest())
	part("half", headings[1], sentences([]string{a.Explained.Text}), a.candidates())
	part("", headings[2], a.rows())
	if a.Failures != nil {
		part("", failuresHeading, sentences(a.Failures.lines(a)))
	}
	part("do", headings[3], a.doing())
	part("", headings[4], sentences(slices.Concat(a.Unknown, a.Notes, a.skipped())), a.everyLine())
	b.WriteString("</div>")
	return b.String()
}

// headings are those of the page.
var headings = [...]string{"The log shows", "The policy that explains it", "Changes and their effect", "Recommendation", "Unknown to the replay"}

// failuresHeading is that of a log with failures.
const failuresHeading = "What failures cost"

// sentences are paragraphs.
func sentences(list []string) string {
	var b strings.Builder
	for _, s := range list {
		fmt.Fprintf(&b, "<p>%s</p>", escape.HTML(s))
	}
	return b.String()
}

// folded is what a click shows.
func folded(summary, html string) string {
	return fmt.Sprintf("<details><summary>%s</summary>%s</details>", escape.HTML(summary), html)
}

// longest are the users who waited longest together.
func (a *Advice) longest() string {
	if len(a.Shown.Users) < 2 {
		return ""
	}
	return folded("The users who waited longest", a.waiters("user", a.Shown.Users).HTML())
}

// candidates are the policies, and the nearest beside the log.
func (a *Advice) candidates() string {
	if len(a.Explained.Candidates) == 0 {
		return ""
	}
	near := &a.Explained.Candidates[0]
	return a.policies().HTML() + folded("The nearest policy by class and hour", a.nearest("class", near.ByClass).HTML()+a.nearest("hour", near.ByHour).HTML())
}

// everyLine is the account of the lines.
func (a *Advice) everyLine() string {
	if a.Log.File == "" {
		return ""
	}
	return folded("Every line of the log", "<pre>"+escape.HTMLLines(a.Log.String())+"</pre>")
}

// doing is the recommendation.
func (a *Advice) doing() string {
	r := &a.Recommend
	var b strings.Builder
	fmt.Fprintf(&b, `<p class="answer">%s</p>`, escape.HTML(r.Answer))
	if r.Setting != "" {
		fmt.Fprintf(&b, "<p>Setting: <code>%s</code></p>", escape.HTML(r.Setting))
	}
	if r.Scenario != "" {
		costs := "nothing but the change of the setting"
		if r.Costs != "" {
			costs = r.Costs
		}
		fmt.Fprintf(&b, "<p>It costs %s.</p>", escape.HTML(costs))
	}
	if len(r.Unless) > 0 {
		fmt.Fprintf(&b, "<p><small>The verdict would change %s.</small></p>", escape.HTML(strings.Join(r.Unless, "; ")))
	}
	return b.String()
}

// rows are the scenarios with a dot and an interval each, on one axis.
func (a *Advice) rows() string {
	var b strings.Builder
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
	fmt.Fprintf(&b, `<p><small>Change of the mean wait of a job against %s, and of all waits of a day. Left of the line jobs wait less long; grey is unclear. Bars are %g %% confidence intervals. Without one, “7 of 8” parts of the log show the direction.</small></p>`,
		escape.HTML(a.Base.Name), 100*a.Level)
	b.WriteString(`<label class="all"><input type="checkbox"> Who gains and who loses</label><div class="rows">`)
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
		change, response := strings.ReplaceAll(a.change(o), "-", "−"), ""
		if text := a.response(o); text != "" {
			response = "; response " + strings.ReplaceAll(text, "-", "−")
		}
		fmt.Fprintf(&b, `<div class="row"><div><b>%s</b></div><div class="dot"><svg role="img" aria-label="%s"><line x1="%.1f%%" x2="%.1f%%" y1="0" y2="100%%" stroke="var(--line)"/>%s<circle cx="%.1f%%" cy="50%%" r="4" fill="%s"/></svg></div>`,
			escape.HTML(o.Name), escape.HTML(change), place(0), place(0), bar, place(value), colour)
		fmt.Fprintf(&b, `<div class="what">%s, %s a day%s<small>gains: %s · loses: %s</small></div></div>`,
			escape.HTML(change), escape.HTML(strings.ReplaceAll(signed(a.Unit, o.PerDay), "-", "−")), escape.HTML(response), escape.HTML(gain), escape.HTML(lose))
	}
	b.WriteString("</div>")
	return b.String()
}
