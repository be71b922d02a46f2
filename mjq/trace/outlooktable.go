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
	var names []string
	var waits []result.Estimate
	var changes, low, high, idle, blocked, worse, better []float64
	for i, x := range append([]Outcome{o.Base}, o.Scenarios...) {
		names, waits = append(names, x.Name), append(waits, x.Waiting)
		idle, blocked = append(idle, x.IdleHours), append(blocked, x.BlockedHours)
		if i == 0 {
			changes, low, high = append(changes, math.NaN()), append(low, math.NaN()), append(high, math.NaN())
			worse, better = append(worse, math.NaN()), append(better, math.NaN())
			continue
		}
		changes, low, high = append(changes, x.All.Waiting.Value), append(low, x.Low), append(high, x.High)
		worse, better = append(worse, float64(x.Worse)), append(better, float64(x.Better))
	}
	t := result.NewTable(o.Title).In(o.Unit).Text("scenario", names...).Estimates("mean wait", waits...).Time(1).Numbers("change", changes...).Time(1).
		Numbers("change from", low...).Time(1).Numbers("to", high...).Time(1)
	if responds(o.Scenarios) {
		responses, low, high := []float64{math.NaN()}, []float64{math.NaN()}, []float64{math.NaN()}
		for _, x := range o.Scenarios {
			from, to := x.LowResponse, x.HighResponse
			if !x.All.Response.Known() {
				from, to = math.NaN(), math.NaN()
			}
			responses, low, high = append(responses, x.All.Response.Value), append(low, from), append(high, to)
		}
		t.Numbers("change of the response", responses...).Time(1).Numbers("response from", low...).Time(1).Numbers("to ", high...).Time(1)
	}
	t.Numbers("idle server-hours", idle...).Numbers("of them while a job waits", blocked...).
		Numbers("users worse off", worse...).Numbers("better off", better...)
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
	var scenarios, names []string
	var changes, responses []result.Estimate
	for i := range o.Scenarios {
		for _, c := range list(&o.Scenarios[i]) {
			scenarios, names, changes = append(scenarios, o.Scenarios[i].Name), append(names, c.Name), append(changes, c.Waiting)
			responses = append(responses, c.Response)
		}
	}
	t := result.NewTable("Change of the mean wait by "+what).In(o.Unit).Text("scenario", scenarios...).Text(what, names...).Estimates("change", changes...).Time(1)
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
	var names []string
	var jobs, logged, replayed []float64
	var differences []result.Estimate
	for _, x := range append(append([]Validated{v.All}, v.ByHour...), v.BySize...) {
		names, jobs = append(names, x.Name), append(jobs, float64(x.Jobs))
		logged, replayed, differences = append(logged, x.Logged), append(replayed, x.Replayed), append(differences, x.Difference)
	}
	t := result.NewTable("Mean waits in the log and in the replay").In(result.Seconds).Text("jobs of", names...).Numbers("jobs", jobs...).
		Numbers("log", logged...).Time(1).Numbers("replay", replayed...).Time(1).Estimates("difference", differences...).Time(1)
	t.Note = v.Verdict
	return t
}
