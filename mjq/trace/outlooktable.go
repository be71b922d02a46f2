package trace

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mjqueue/mjq/mjq/result"
)

// Table has a row for each scenario, the base first. A row has the mean wait, its change with the ends of its interval, and
// the server-hours that stand idle, in all and while a job waits. Then it says for how many users it gets worse or better.
func (o *Outlook) Table() *result.Table {
	t := result.NewTable(o.Title).In(o.Unit).Text("scenario").Estimates("mean wait").Time(1).Numbers("change").Time(1).
		Numbers("change from").Time(1).Numbers("to").Time(1)
	responds := responds(o.Scenarios)
	if responds {
		t.Numbers("change of the response").Time(1).Numbers("response from").Time(1).Numbers("to ").Time(1)
	}
	t.Numbers("idle server-hours").Numbers("of them while a job waits").Numbers("users worse off").Numbers("better off")
	for i, x := range append([]Outcome{o.Base}, o.Scenarios...) {
		none := math.NaN()
		changes, users := []any{x.All.Waiting.Value, x.Low, x.High}, []any{x.Worse, x.Better}
		if i == 0 {
			changes, users = []any{none, none, none}, []any{none, none}
		}
		switch {
		case responds && i > 0 && x.All.Response.Known():
			changes = append(changes, x.All.Response.Value, x.LowResponse, x.HighResponse)
		case responds:
			changes = append(changes, none, none, none)
		}
		t.Row(slices.Concat([]any{x.Name, x.Waiting}, changes, []any{x.IdleHours, x.BlockedHours}, users)...)
	}
	t.Note = strings.Join(o.notes(), " ")
	return t
}

// notes are those of the table.
func (o *Outlook) notes() (notes []string) {
	if o.Logged != nil {
		notes = append(notes, fmt.Sprintf("In the log the mean wait is %s. %s", o.Unit.Text(o.Logged.All.Logged), o.Logged.Verdict))
	}
	return append(notes, o.Notes...)
}

// ByClass has the change of the mean wait of every class, by scenario.
func (o *Outlook) ByClass() *result.Table {
	return o.by("class", func(x *Outcome) []result.Change { return x.Classes })
}

// ByAccount has the change of the mean wait of every account, by scenario.
func (o *Outlook) ByAccount() *result.Table {
	return o.by("account", func(x *Outcome) []result.Change { return x.Accounts })
}

func (o *Outlook) by(what string, list func(x *Outcome) []result.Change) *result.Table {
	t := result.NewTable("Change of the mean wait by " + what).In(o.Unit).Text("scenario").Text(what).Estimates("change").Time(1)
	var responses []result.Estimate
	for i := range o.Scenarios {
		for _, c := range list(&o.Scenarios[i]) {
			t.Row(o.Scenarios[i].Name, c.Name, c.Waiting)
			responses = append(responses, c.Response)
		}
	}
	if slices.ContainsFunc(responses, result.Estimate.Known) {
		t.Estimates("change of the response", responses...).Time(1)
	}
	return t
}

// responds reports whether changes of responses are known, which are other than those of waits.
func responds(scenarios []Outcome) bool {
	return slices.ContainsFunc(scenarios, func(x Outcome) bool { return x.All.Response.Known() })
}

// String returns the table as text.
func (o *Outlook) String() string { return o.Table().String() }

// HTML returns the table as HTML, for a notebook.
func (o *Outlook) HTML() string { return o.Table().HTML() }

// Table has the waits of the log and those of the replay, by hour of the day and by need.
func (v *Validation) Table() *result.Table {
	t := result.NewTable("Mean waits in the log and in the replay").In(result.Seconds).Text("jobs of").Numbers("jobs").
		Numbers("log").Time(1).Numbers("replay").Time(1).Estimates("difference").Time(1)
	for _, x := range append(append([]Validated{v.All}, v.ByHour...), v.BySize...) {
		t.Row(x.Name, x.Jobs, x.Logged, x.Replayed, x.Difference)
	}
	t.Note = v.Verdict
	return t
}
