package trace

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/mjqueue/mjq/mjq"
)

// exported is the output of sacct -S -E on a cluster with a job every ten minutes that runs for
// minutes to hours, from day 0 on: the jobs that are alive between two days.
func exported(from, to float64) string {
	r := rand.New(rand.NewPCG(7, 1))
	stamp := func(day float64) string {
		return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(day*86400) * time.Second).Format("2006-01-02T15:04:05")
	}
	var b strings.Builder
	b.WriteString(head)
	row := func(id int, arrival, wait, service float64) {
		if start, end := arrival+wait, arrival+wait+service; end >= from && arrival < to {
			fmt.Fprintf(&b, "%d|u|p|COMPLETED|%s|%s|%s|%s|%s|40-00:00:00|cpu=1\n", id, stamp(arrival), stamp(arrival), stamp(start), stamp(end), clockOf(service))
		}
	}
	row(1, 0.5, 0, 39) // a long one, which runs all the time
	for i := range 60 * 144 {
		row(i+2, float64(i)/144+r.Float64()/300, r.ExpFloat64()/24, r.ExpFloat64()/12)
	}
	return b.String()
}

// clockOf writes days as sacct does.
func clockOf(days float64) string {
	s := int(math.Round(days * 86400))
	return fmt.Sprintf("%d-%02d:%02d:%02d", s/86400, s/3600%24, s/60%60, s%60)
}

// TestWindowOfAnExport: an export that begins in the middle begins with its first end, whatever long
// job runs into it; its replay starts with what was there, and knows who waits since earlier.
func TestWindowOfAnExport(t *testing.T) {
	log, err := ReadSacct("x", strings.NewReader(exported(30, 44)), Sacct{})
	if err != nil {
		t.Fatal(err)
	}
	w := log.Window()
	if days := w.Length() / Day; !w.Shown || days < 13.9 || days > 14 || w.From.Day() != 31 {
		t.Fatalf("%v (%v days)", w, days)
	}
	r := mjq.Must(log.Replay(t.Context(), Replay{Servers: 40}))
	if r.Log.Begin < 5 || r.Log.Jobs+r.Log.Begin != len(log.Jobs)-1 || !strings.Contains(r.String(), "Note: The window is 31 Jan 2026") {
		t.Errorf("%+v\n%s", r.Log, r)
	}
	accountedAll(t, &r.Log)
	whole := mjq.Must(log.Replay(t.Context(), Replay{Servers: 40, Since: mjq.None}))
	given := mjq.Must(log.Replay(t.Context(), Replay{Servers: 40, Since: 35 * Day, Until: 40 * Day}))
	if whole.Log.Jobs != len(log.Jobs) || given.Log.Jobs < 5*140 || given.Log.Jobs > 5*148 || given.Log.Window.Why != "Since and Until say so" {
		t.Errorf("%+v\n%+v", whole.Log, given.Log)
	}
	f := mjq.Must(log.Fit(t.Context(), Fit{Servers: 40, Moments: 1}))
	if rate := f.Model.Rate() * Day; math.Abs(rate-144) > 3 || f.Log.Begin != r.Log.Begin {
		t.Errorf("%v jobs a day, %+v", rate, f.Log)
	}
	if _, err := log.Replay(t.Context(), Replay{Servers: 40, Since: 9, Until: 3}); err == nil || !strings.Contains(err.Error(), "give the earlier first") {
		t.Error(err)
	}
}

// A log that begins with its first arrival keeps all of it: one of a few jobs, one of long jobs that
// came at once, and a month whose cluster was empty before.
func TestWindowOfAWholeLog(t *testing.T) {
	burst := head
	for i := range 300 {
		burst += fmt.Sprintf("%d|u|p|COMPLETED|2026-03-02T%02d:%02d:00|2026-03-02T%02d:%02d:00|2026-03-02T%02d:%02d:00|2026-03-05T%02d:%02d:00|3-00:00:00|7-00:00:00|cpu=1\n",
			i+1, i/60, i%60, i/60, i%60, i/60, i%60, i/60, i%60)
	}
	for name, text := range map[string]string{"burst": burst, "a few": head + strings.Join(strings.Split(exported(30, 31), "\n")[1:6], "\n"), "month": strings.Join(append([]string{strings.TrimSpace(head)}, strings.Split(exported(0, 30), "\n")[2:]...), "\n")} {
		log, err := ReadSacct(name, strings.NewReader(text), Sacct{})
		if err != nil || log.Window().Shown || log.Windowed() != log {
			t.Errorf("%s: %v, %v", name, log.Window(), err)
		}
	}
}
