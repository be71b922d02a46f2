package trace

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mjqueue/mjq/internal/escape"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// Table has a row for each scenario, what shortens waits most first: the change of the mean wait with
// the ends of its interval, of all waits of a day, and who gains and loses.
func (a *Advice) Table() *result.Table {
	t := result.NewTable("Against " + a.Base.Name).Text("scenario").Text("wait of a job")
	responds := responds(a.Scenarios)
	if responds {
		t.Text("response of a job")
	}
	t.Text("of all jobs of a day").Text("who gains").Text("who loses").Text("setting")
	for i := range a.Scenarios {
		o := &a.Scenarios[i]
		changes := []any{o.Name, a.change(o)}
		if responds {
			changes = append(changes, cmp.Or(a.response(o), "–"))
		}
		gain, lose := o.who()
		t.Row(append(changes, signed(a.Unit, o.PerDay), gain, lose, o.Setting)...)
	}
	t.Note = fmt.Sprintf("Ranges are %g %% confidence intervals over the days of the log. \"8 of 8\" counts the parts of the log that show the direction.", 100*a.Level)
	return t
}

// change is that of the mean wait in words, with its interval.
func (a *Advice) change(o *Outcome) string {
	text := signed(a.Unit, o.All.Waiting.Value)
	switch {
	case o.All.Waiting.HalfWidth == 0:
		return text
	case !math.IsNaN(o.Low):
		return a.between(text, o.Low, o.High)
	case o.Shorter >= o.Longer:
		return fmt.Sprintf("%s (%d of %d)", text, o.Shorter, o.Parts)
	}
	return fmt.Sprintf("%s (%d of %d)", text, o.Longer, o.Parts)
}

// between is a change with the ends of its interval.
func (a *Advice) between(text string, low, high float64) string {
	return fmt.Sprintf("%s (%s to %s)", text, signed(a.Unit, low), signed(a.Unit, high))
}

// response is the change of the mean response in words, which with elastic jobs is another than that of the
// wait; else "".
func (a *Advice) response(o *Outcome) string {
	if !o.All.Response.Known() {
		return ""
	}
	text := signed(a.Unit, o.All.Response.Value)
	if math.IsNaN(o.LowResponse) {
		return text
	}
	return a.between(text, o.LowResponse, o.HighResponse)
}

// who gains and who loses: classes whose mean wait changes by more than a minute and a twentieth of the
// change of all, and the number of users.
func (o *Outcome) who() (gains, loses string) {
	var up, down []string
	least := max(60, math.Abs(o.All.Waiting.Value)/20)
	for _, c := range o.Classes {
		switch {
		case c.Waiting.Value < -least:
			up = append(up, c.Name)
		case c.Waiting.Value > least:
			down = append(down, c.Name)
		}
	}
	users := func(list []string, n int) string {
		text := strings.Join(list, ", ")
		if o.Users > 1 && n > 0 {
			if text != "" {
				text += "; "
			}
			text += fmt.Sprintf("%d of %d users", n, o.Users)
		}
		if text == "" {
			return "nobody"
		}
		return text
	}
	return users(up, o.Better), users(down, o.Worse)
}

// shows are the sentences on what the log shows.
func (a *Advice) shows() (list []string) {
	s, text := &a.Shown, a.Unit.Text
	window := fmt.Sprintf("%s in %s", spec.Count(s.Jobs, "job"), text(s.Span))
	if !s.From.IsZero() && !a.Log.Window.Known() {
		window += fmt.Sprintf(", from %s to %s", s.From.Format("2 January 2006"), s.To.Format("2 January 2006"))
	}
	list = append(list, fmt.Sprintf("The log has %s. They kept %.0f %% of %d servers busy.", window, 100*s.Busy, s.Servers))
	if a.Log.Window.Known() {
		list = append(list, a.Log.Window.String())
	}
	subject := "Jobs waited"
	if s.Waits != "log" {
		subject = "The log has no waits. In the replay jobs wait"
	}
	list = append(list, fmt.Sprintf("%s %s on average. Half of them waited at most %s, nine tenths at most %s; %.0f %% waited for more than an hour.",
		subject, text(s.Mean), text(s.Median), text(s.P90), 100*s.Hour))
	if !math.IsNaN(s.BlockedHours) && s.IdleHours > 0 {
		list = append(list, fmt.Sprintf("%s server-hours stood idle while jobs waited, %.0f %% of all idle ones.", grouped(s.BlockedHours), 100*s.BlockedHours/s.IdleHours))
	}
	return list
}

// grouped is a large number with commas.
func grouped(x float64) string {
	text := fmt.Sprintf("%.0f", x)
	for i := len(text) - 3; i > 0 && text[i-1] != '-'; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// skipped are the sentences on the lines that are no job of the replay, and on clusters that are one in it.
func (a *Advice) skipped() (list []string) {
	if a.Log.File == "" { // the log was made, not read
		return nil
	}
	log := a.Log
	log.Window = result.Window{} // which the page has above
	return log.Notes()
}

// waiters is a table of those who wait.
func (a *Advice) waiters(of string, list []Waiters) *result.Table {
	t := result.NewTable("").In(a.Unit).Text(of).Numbers("jobs").Numbers("mean wait").Time(1).
		Numbers("90 % wait at most").Time(1).Numbers("% of all waiting").Digits(2)
	for _, w := range list {
		t.Row(w.Name, w.Jobs, w.Mean, w.P90, 100*w.Share)
	}
	return t
}

// policies is a table of the mean waits of the replays below that of the log.
func (a *Advice) policies() *result.Table {
	t := result.NewTable("").In(a.Unit).Text("policy").Numbers("mean wait").Time(1).Numbers("jobs differ by, %").Digits(2)
	for i, c := range a.Explained.Candidates {
		if i == 0 {
			t.Row("the log itself", c.Logged, math.NaN())
		}
		t.Row(c.Name, c.Replayed, 100*c.Apart)
	}
	return t
}

// nearest is a table of the nearest policy beside the log, by class or by hour.
func (a *Advice) nearest(of string, list []Validated) *result.Table {
	t := result.NewTable("").In(a.Unit).Text(of).Numbers("jobs").Numbers("log").Time(1).Numbers("replay").Time(1)
	for _, v := range list {
		t.Row(v.Name, v.Jobs, v.Logged, v.Replayed)
	}
	return t
}

// String is the page as text.
func (a *Advice) String() string {
	var b strings.Builder
	part := func(heading string, sentences ...string) {
		fmt.Fprintf(&b, "\n%s\n", heading)
		for _, s := range sentences {
			fmt.Fprintf(&b, "%s\n", escape.Line(s))
		}
	}
	b.WriteString(escape.Line(a.Title) + "\n")
	part(headings[0], a.shows()...)
	b.WriteString(a.waiters("class", a.Shown.Classes).String())
	part(headings[1], a.Explained.Text)
	b.WriteString(a.policies().String())
	part(headings[2])
	b.WriteString(a.Table().String())
	if a.Failures != nil {
		part(failuresHeading, a.Failures.lines(a)...)
	}
	part(headings[3], a.Recommend.lines()...)
	part(headings[4], slices.Concat(a.Unknown, a.Notes, a.skipped())...)
	return b.String()
}

// lines are the recommendation in sentences.
func (r *Recommendation) lines() []string {
	list := []string{r.Answer}
	if r.Setting != "" {
		list = append(list, "Setting: "+r.Setting+".")
	}
	if r.Scenario != "" {
		costs := r.Costs
		if costs == "" {
			costs = "nothing but the change of the setting"
		}
		list = append(list, "It costs: "+costs+".")
	}
	for _, u := range r.Unless {
		list = append(list, "The verdict would change "+u+".")
	}
	return list
}
