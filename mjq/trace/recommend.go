package trace

import (
	"fmt"
	"math"
	"strings"

	"github.com/mjqueue/mjq/mjq/result"
)

// Recommendation is the one change that a log speaks for, or why it speaks for none.
type Recommendation struct {
	Decided  bool
	Scenario string // that is recommended; "" if the answer is to change nothing or is open
	Answer   string
	Setting  string   // as in slurm.conf; "" if it is none
	Costs    string   // "" if nothing
	Unless   []string // what would change the verdict
	// DaysNeeded is how long a log would decide it, if it shows the same; NaN where the log decides, or
	// where no length is known to.
	DaysNeeded float64
}

const (
	worthwhile = 0.05 // of the mean wait, of a change that is recommended
	nearly     = 0.8  // of the effect of the best change, of one that is usual
	longestLog = 1460 // days of a log that anybody could give
)

// recommend chooses the change that shortens waits most, first among those that cost nothing.
func (a *Advice) recommend(q *whatIf) {
	r := &a.Recommend
	r.DaysNeeded = math.NaN()
	if a.Base.Waiting.Value < hardlyWaits && a.Shown.Mean < hardlyWaits {
		r.Decided, r.Answer = true, fmt.Sprintf("Change nothing: jobs wait %s on average.", a.Unit.Text(a.Shown.Mean))
		r.Unless = a.fewer()
		return
	}
	best, open := a.choose()
	if best != nil {
		a.decide(best)
		return
	}
	if open == nil {
		r.Decided, r.Answer = true, "Change nothing: no scenario shortens waits by a twentieth without making a class of jobs wait longer."
		return
	}
	r.Answer = fmt.Sprintf("This log does not decide it. The best candidate is: %s (%s a job in this log).", open.Name, signed(a.Unit, open.All.Waiting.Value))
	h := open.All.Waiting.HalfWidth
	switch {
	case a.Days < fewestDays:
		r.DaysNeeded = fewestDays
		r.Answer += fmt.Sprintf(" Give a log of at least %d days.", fewestDays)
	case !math.IsNaN(h) && open.All.Waiting.Value != 0:
		ratio := h / math.Abs(open.All.Waiting.Value)
		if days := math.Ceil(float64(a.Days)*ratio*ratio/10) * 10; days <= longestLog {
			r.DaysNeeded = days
			r.Answer += fmt.Sprintf(" A log of about %.0f days would, if it shows the same.", days)
		} else {
			r.Answer += " The difference is too small for any log to decide."
		}
	default:
		r.Answer += " " + q.noInterval() + " A log of several months may."
	}
}

// common reports whether a change is to what most sites run, which starves nobody.
func common(o *Outcome) bool { return strings.HasPrefix(o.Name, "EASY") }

// choose is the best change that the log decides, and the best that it leaves open; nil without one.
func (a *Advice) choose() (best, open *Outcome) {
	rank := func(o *Outcome) int {
		switch {
		case o.Setting != "" && o.Costs == "":
			return 0
		case o.Setting != "":
			return 1
		}
		return 2
	}
	for i := range a.Scenarios {
		o := &a.Scenarios[i]
		if o.Setting == "" && o.Costs == "" || o.All.Waiting.Value > -worthwhile*a.Base.Waiting.Value || o.harms(a.Base.Waiting.Value) {
			continue
		}
		if !o.Clear() {
			if open == nil || rank(o) < rank(open) {
				open = o
			}
			continue
		}
		if best == nil || rank(o) < rank(best) || rank(o) == rank(best) && common(o) && !common(best) && o.All.Waiting.Value < nearly*best.All.Waiting.Value {
			best = o
		}
	}
	return best, open
}

// Clear reports whether the log shows the direction of the change: its interval leaves out 0, or all
// parts of the log show it.
func (o *Outcome) Clear() bool {
	if o.Low < 0 && o.High < 0 || o.Low > 0 && o.High > 0 {
		return true
	}
	return o.Parts == dayBlocks && (o.Shorter == o.Parts || o.Longer == o.Parts) // by chance in 2 of 256 logs
}

// harms reports whether some jobs pay for the others: a class waits longer by more than a half of the
// mean wait, or more users wait longer than less long.
func (o *Outcome) harms(mean float64) bool {
	for _, c := range o.Classes {
		if c.Waiting.Value > max(mean/2, 600) {
			return true
		}
	}
	return o.Users > 1 && o.Worse > o.Better
}

// decide recommends a change.
func (a *Advice) decide(o *Outcome) {
	r := &a.Recommend
	r.Decided, r.Scenario, r.Setting, r.Costs = true, o.Name, o.Setting, o.Costs
	r.Answer = fmt.Sprintf("Change to: %s. Jobs would have waited %s less on average", o.Name, a.Unit.Text(-o.All.Waiting.Value))
	if !(o.High < 0) {
		r.Answer += fmt.Sprintf(", and less in each of the %d parts of the log. How much less in other months, this log does not say.", o.Parts)
	} else {
		r.Answer += fmt.Sprintf(" (%g %% confidence interval %s to %s).", 100*a.Level, a.Unit.Text(-o.High), a.Unit.Text(-o.Low))
	}
	if len(a.Explained.Also) > 0 {
		r.Unless = append(r.Unless, "if the site does not run "+a.Base.Name+", which this log cannot tell from: "+strings.Join(a.Explained.Also, "; "))
	} else {
		r.Unless = append(r.Unless, "if the site does not run "+a.Base.Name)
	}
	for _, c := range o.Classes {
		if c.Waiting.Value > 60 {
			r.Unless = append(r.Unless, fmt.Sprintf("if jobs of class %s must not wait longer (%s a job)", c.Name, signed(a.Unit, c.Waiting.Value)))
		}
	}
	if o.Worse > 0 {
		r.Unless = append(r.Unless, fmt.Sprintf("if the %d of %d users who would wait longer count for more than the %d who would wait less", o.Worse, o.Users, o.Better))
	}
	r.Unless = append(r.Unless, "if the jobs of other months are unlike these")
}

// fewer is what a cluster on which nobody waits could do without.
func (a *Advice) fewer() (list []string) {
	for i := range a.Scenarios {
		if o := &a.Scenarios[i]; strings.HasSuffix(o.Name, " fewer") && o.Waiting.Value < hardlyWaits {
			list = append(list, fmt.Sprintf("with %s, jobs would still have waited %s", o.Name, a.Unit.Text(o.Waiting.Value)))
		}
	}
	return append(list, "if more jobs come: see the scenario with a tenth more")
}

// signed is a change of a time in words, with its sign.
func signed(u result.Unit, t float64) string {
	if t > 0 {
		return "+" + u.Text(t)
	}
	return u.Text(t)
}
