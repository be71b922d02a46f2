package playground

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/result"
)

// Target is what the jobs are to wait at most.
type Target struct {
	Share float64 `json:"share,omitempty"` // of the jobs that wait no longer than Most; 0 where Most is for the mean wait
	Most  float64 `json:"most"`
}

// Sized is one of the answers to how many servers are enough: how far the search is and,
// in the last one, what it found.
type Sized struct {
	Error   string `json:"error,omitempty"`
	Field   string `json:"field,omitempty"` // that of the target, "most", where Error is about it
	Done    bool   `json:"done"`
	Tried   int    `json:"tried"`   // numbers of servers so far
	Servers int    `json:"servers"` // the fewest that meet the target; 0 where none was found
	Rate    Number `json:"rate"`    // at which jobs arrive, whatever the number of servers
	Verdict string `json:"verdict"`
}

// mostJobs is what a browser simulates of one number of servers in some seconds.
const mostJobs = 3_000_000

// Fewest finds the fewest servers with which the queue of a setting meets a target. Jobs
// arrive as often as they do with the servers of the setting.
func Fewest(ctx context.Context, s Setting, t Target, tell func(Sized)) {
	m, err := s.Model()
	if err == nil {
		if err = t.fault(); err != nil {
			tell(Sized{Error: plain(err), Field: "most", Done: true})
			return
		}
		m, err = s.resolved(ctx, m)
	}
	if err != nil {
		tell(Sized{Error: plain(err), Done: true})
		return
	}
	goal := mjq.MeanWait(t.Most)
	if t.Share > 0 {
		goal = mjq.WaitQuantile(t.Share, t.Most)
	}
	r, err := m.FewestServers(ctx, goal, mjq.MaxJobs(mostJobs), mjq.Seed(s.Seed+1),
		mjq.Progress(func(at mjq.Step) { tell(Sized{Tried: int(at.Done)}) }))
	if err != nil {
		tell(Sized{Error: plain(err), Done: true})
		return
	}
	a := Sized{Done: true, Tried: len(r.Points), Rate: Number(m.Rate())}
	if math.IsNaN(r.Best) {
		a.Verdict = fmt.Sprintf("No number of servers was found with which %s.", t.words(t.Most, &s))
		tell(a)
		return
	}
	each := max(1, s.NodeSize)
	a.Servers = each * int(r.Best)
	a.Verdict = fmt.Sprintf("%s are the fewest with which %s, at %.4g jobs %s.", s.count(a.Servers), t.words(t.Most, &s), m.Rate(), s.per())
	if here, known := met(r, r.Best); known {
		a.Verdict += fmt.Sprintf(" The time is then %.3g", here)
		if below, known := met(r, r.Best-1); known {
			a.Verdict += fmt.Sprintf("; with %s it is %.3g", s.count(a.Servers-each), below)
		}
		a.Verdict += "."
	}
	if !r.Confirmed {
		a.Verdict += fmt.Sprintf(" Not confirmed: a neighbouring number is undecided after %g million jobs.", mostJobs/1e6)
	}
	tell(a)
}

// met is the time that jobs wait with a number of servers, if that was looked at and the
// queue is stable.
func met(r *result.Sizing, servers float64) (time float64, known bool) {
	at := r.At(servers)
	if at == nil || len(at.Targets) == 0 {
		return 0, false
	}
	time = at.Targets[0].Value
	return time, !math.IsInf(time, 0) && !math.IsNaN(time)
}

// fault is what is wrong with the target.
func (t Target) fault() error {
	switch {
	case !(t.Most > 0):
		return errors.New("how long jobs may wait: give a positive time")
	case !(t.Share >= 0 && t.Share < 1):
		return errors.New("how many of the jobs: give a share between 0 and 1")
	}
	return nil
}

// words say what is met with a time.
func (t Target) words(time float64, s *Setting) string {
	if t.Share > 0 {
		return fmt.Sprintf("%.4g %% of jobs wait at most %.3g %s", 100*t.Share, time, s.times())
	}
	return fmt.Sprintf("the mean wait is at most %.3g %s", time, s.times())
}
