package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mjqueue/mjq/internal/escape"
	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/figure"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/trace"
)

// advising is the verb that says what a log tells an operator.
var advising = logQuestion(verb{
	name: "advise", short: "Say on one page what a cluster's log shows, and what would shorten waits",
	long: `Write one page, with findings first, about a log of several days: how far a replay agrees with
the waits of the log, load and waits by the hour and by size, and what would have changed under
other policies, on a tenth more servers, with jobs of at most 24 hours, and with a fifth more load.
Intervals are over the days of the log. Times must be in seconds. The page needs no other file.
Without --policy the site's own policy is taken to be EASY backfilling, by the time limits of the
log where it has them.`,
	example: "mjq advise quarter.txt.gz --nodes 4 --gpus 8 --only Partition=gpu -o gpus.html\n" +
		"mjq advise quarter.txt.gz --need gres/gpu --only Partition=gpu --servers 32",
}, advices, func(c *call) askingLog[*advice] {
	policyFlag(c.cmd, policies.one(&c.models.policy), policyUsage)
	c.system.add(c)
	c.set.some(c.cmd)
	return advise
})

// advices is the form of such a page.
var advices = form[*advice]{
	title: "Findings from the log", page: true, parts: (*advice).parts, table: func(a *advice) *result.Table { return a.Outlook.Table() },
	pictures: []picture[*advice]{apiece("hours", (*advice).byHour), apiece("sizes", (*advice).bySize), apiece("changes", (*advice).changes)},
}

// advice is what was found in a log.
type advice struct {
	Findings []string
	Outlook  *trace.Outlook
	Report   trace.Report

	servers int
	model   *trace.Fitted
	busy    [24]float64 // servers that the jobs of an hour of the day would keep busy
}

// dayCap is the longest service time of the scenario with shorter jobs: a day.
const dayCap = trace.Day

// advise asks all that the page says.
func advise(t *trace.Trace, ctx context.Context, how trace.Replay, opts ...mjq.Option) (*advice, error) {
	own := how.Policy
	if how.NoEstimate = longest(t); own == nil {
		own = policy.EASY()
		if slices.ContainsFunc(t.Jobs, func(j trace.Job) bool { return j.Estimate > 0 }) {
			own = policy.EASY().Estimates(policy.Given())
		}
	}
	if how.Classes == trace.ByNeed {
		how.Classes = trace.PowersOfTwo
	}
	if how.Servers == 0 {
		how.Servers = t.Report.Servers
	}
	with := func(p mjq.Policy, servers int) trace.Replay {
		x := how
		x.Policy, x.Servers = p, servers
		return x
	}
	more := how.Servers + max(1, how.Servers/10)
	o, err := t.WhatIf(ctx, with(own, how.Servers), []trace.Scenario{
		{Name: "no backfilling (FCFS)", Replay: with(policy.FCFS{}, how.Servers)},
		{Name: "First-Fit, no reservations", Replay: with(policy.FirstFit{}, how.Servers)},
		{Name: fmt.Sprintf("%d servers", more), Replay: with(own, more)},
		{Name: "jobs of at most 24 h, in chains", Log: t.CapService(dayCap, trace.Chain), Replay: with(own, how.Servers)},
		{Name: "a fifth more load", Log: t.Scale(1.2, 1), Replay: with(own, how.Servers)},
	}, opts...)
	if o == nil {
		return nil, err
	}
	o.Base.Name = "as it was: " + own.String()
	a := &advice{Outlook: o, Report: t.Report, servers: how.Servers}
	if fit, wrong := t.Fit(ctx, trace.Fit{Servers: how.Servers, Classes: trace.PowersOfTwo, Moments: 2}, opts...); wrong == nil {
		a.model = fit
	}
	for i := range t.Jobs {
		j := &t.Jobs[i]
		a.busy[int(math.Mod(j.Arrival, trace.Day)/3600)] += float64(j.Need) * j.Service / 3600 / float64(o.Days)
	}
	a.find(t)
	return a, err
}

// longest is the longest estimate or service time of a log, for jobs without an estimate.
func longest(t *trace.Trace) (most float64) {
	for i := range t.Jobs {
		most = max(most, t.Jobs[i].Service, t.Jobs[i].Estimate)
	}
	return most
}

// find puts the findings into sentences.
func (a *advice) find(t *trace.Trace) {
	add := func(format string, args ...any) { a.Findings = append(a.Findings, fmt.Sprintf(format, args...)) }
	base := &a.Outlook.Base
	add("In %d days, %d jobs kept %.0f %% of %d servers busy.", a.Outlook.Days, len(t.Jobs), 100*base.Result.Utilization.Value, a.servers)
	if v := a.Outlook.Logged; v != nil {
		add("Jobs waited %s on average. The replay says %s (%s). %s", span(v.All.Logged), span(v.All.Replayed), interval(base.Waiting), v.Verdict)
	} else {
		add("The replay says that jobs wait %s on average (%s). The log has no waits to check this against.", span(base.Waiting.Value), interval(base.Waiting))
	}
	add("%.0f server-hours stood idle while jobs waited, of %.0f idle server-hours in all.", base.BlockedHours, base.IdleHours)
	if worst := slices.MaxFunc(base.Result.Classes, func(x, y result.ClassResult) int { return int(x.Waiting.Mean.Value) - int(y.Waiting.Mean.Value) }); worst.Waiting.Mean.Known() {
		add("Jobs of class %s wait longest: %s on average.", worst.Name, span(worst.Waiting.Mean.Value))
	}
	for _, s := range a.Outlook.Scenarios {
		d := s.All.Waiting
		switch {
		case math.IsNaN(d.HalfWidth):
			add("With %s the mean wait would have changed by %s. This log gives no interval.", s.Name, signed(d.Value))
		case s.Low <= 0 && 0 <= s.High:
			add("With %s there is no clear change of the mean wait: %s (%s).", s.Name, signed(d.Value), between(d.Level, s.Low, s.High))
		default:
			add("With %s the mean wait would have changed by %s (%s). %d of %d users would wait longer, %d less long.",
				s.Name, signed(d.Value), between(d.Level, s.Low, s.High), s.Worse, s.Users, s.Better)
		}
	}
}

// span writes a time in the unit that suits it.
func span(seconds float64) string {
	switch x := math.Abs(seconds); {
	case x < 120:
		return fmt.Sprintf("%.0f s", seconds)
	case x < 7200:
		return fmt.Sprintf("%.0f min", seconds/60)
	default:
		return fmt.Sprintf("%.1f h", seconds/3600)
	}
}

// signed is a change, with its sign.
func signed(seconds float64) string {
	if seconds > 0 {
		return "+" + span(seconds)
	}
	return span(seconds)
}

// interval writes a confidence interval.
func interval(e result.Estimate) string {
	if math.IsNaN(e.HalfWidth) {
		return "no interval"
	}
	return between(e.Level, max(0, e.Lo()), e.Hi())
}

// between writes the ends of a confidence interval.
func between(level, low, high float64) string {
	return fmt.Sprintf("%.0f %% confidence interval %s to %s", 100*level, span(low), span(high))
}

// parts are the parts of the page, findings first.
func (a *advice) parts() []section {
	var list strings.Builder
	for _, text := range a.Findings {
		list.WriteString("<li>" + escape.HTML(text) + "</li>")
	}
	parts := []section{{heading: "Findings", html: "<ol>" + list.String() + "</ol>", picture: a.changes()},
		{heading: "What if", html: a.Outlook.Table().HTML() + a.Outlook.ByClass().HTML()},
		{heading: "By the hour of the day", picture: a.byHour()}, {heading: "By size", picture: a.bySize()}}
	if v := a.Outlook.Logged; v != nil {
		parts = append(parts, section{heading: "How far the replay can be trusted", html: v.Table().HTML()})
	}
	if a.model != nil {
		parts = append(parts, section{heading: "A model of the log", html: a.model.Model.HTML() + a.model.Table().HTML()})
	}
	return append(parts, section{heading: "Every line of the log", html: "<pre>" + escape.HTMLLines(a.Report.String()) + "</pre>"})
}

// changes has the change of the mean wait by scenario.
func (a *advice) changes() *figure.Figure {
	var names []string
	var at, change, low, high []float64
	for i, s := range a.Outlook.Scenarios {
		names = append(names, fmt.Sprintf("%d: %s", i+1, s.Name))
		at, change = append(at, float64(i+1)), append(change, s.All.Waiting.Value/3600)
		low, high = append(low, s.Low/3600), append(high, s.High/3600)
	}
	return figure.New("Change of the mean wait").X("scenario").Y("hours").Between("change", at, change, low, high).
		Caption("Below 0 jobs wait less long. Bars are 95 % confidence intervals over the days of the log. " + strings.Join(names, "; ") + ".")
}

// byHour has the load that arrives and the waits, by the hour of the day.
func (a *advice) byHour() *figure.Figure {
	var hours, busy []float64
	for h, x := range a.busy {
		hours, busy = append(hours, float64(h)), append(busy, x/float64(a.servers))
	}
	f := figure.New("Load and waits by the hour of arrival").X("hour of the day").Y("load / servers; wait / mean wait").Steps("work that arrives / servers", hours, busy)
	if v := a.Outlook.Logged; v != nil {
		logged, replayed := relative(v.ByHour, v.All)
		f.Scatter("wait in the log", index(len(logged)), logged).Scatter("wait in the replay", index(len(replayed)), replayed)
	}
	return f
}

// bySize has the waits by need.
func (a *advice) bySize() *figure.Figure {
	f := figure.New("Mean wait by size").X("servers needed").Y("hours").LogX()
	var need, wait, half []float64
	for _, c := range a.Outlook.Base.Result.Classes {
		need, wait, half = append(need, float64(c.Need)), append(wait, c.Waiting.Mean.Value/3600), append(half, c.Waiting.Mean.HalfWidth/3600)
	}
	return f.Points("replay", need, wait, half)
}

// relative are mean waits of the log and of the replay over their means of all jobs.
func relative(rows []trace.Validated, all trace.Validated) (logged, replayed []float64) {
	for _, v := range rows {
		logged, replayed = append(logged, v.Logged/all.Logged), append(replayed, v.Replayed/all.Replayed)
	}
	return logged, replayed
}

// index are the numbers from 0.
func index(n int) (list []float64) {
	for i := range n {
		list = append(list, float64(i))
	}
	return list
}
