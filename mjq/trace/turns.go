package trace

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/mjqueue/mjq/internal/fairshare"
	"github.com/mjqueue/mjq/internal/panics"
	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/result"
)

// Turns is whose turn it was in a replay: by account and by user the share of the servers that was owed and
// that was used, and how long jobs waited. It is plain data.
type Turns struct {
	Title           string
	Unit            result.Unit // of all times
	Accounts, Users []Turn      // by share owed, the largest first
	HeadStarts      []HeadStart // by class; nil for other policies, and without a weight of the age
	Result          *result.Result
	Notes           []string
}

// Turn is what an account or a user had.
type Turn struct {
	Account, User string // User "" of an account
	Jobs          int
	// Owed is the part of all shares; NaN if the policy knows none. Used is the part of the server-time
	// of all jobs, and Waited that of the waiting time of all.
	Owed, Used, Waited float64
	Mean, Worst        float64 // waits
}

// HeadStart is the time by which the factors of a class put a job ahead of one without: it goes as if it
// had come so much earlier, below the age at which all have the whole weight.
type HeadStart struct {
	Class string
	Time  float64
}

// MarshalJSON writes all fields under their names; see result.WriteJSON.
func (t Turns) MarshalJSON() ([]byte, error) { return result.WriteJSON(t) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (t *Turns) UnmarshalJSON(text []byte) error { return result.ReadJSON(text, t) }

// MarshalJSON writes all fields under their names; see result.WriteJSON.
func (t Turn) MarshalJSON() ([]byte, error) { return result.WriteJSON(t) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (t *Turn) UnmarshalJSON(text []byte) error { return result.ReadJSON(text, t) }

// MarshalJSON writes all fields under their names; see result.WriteJSON.
func (h HeadStart) MarshalJSON() ([]byte, error) { return result.WriteJSON(h) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (h *HeadStart) UnmarshalJSON(text []byte) error { return result.ReadJSON(text, h) }

// Turns replays the log and says whose turn it was. Paired differences between policies with their
// intervals, by account, are the Accounts of WhatIf, whatever the classes are.
func (t *Trace) Turns(ctx context.Context, how Replay, opts ...mjq.Option) (_ *Turns, err error) {
	defer panics.Catch(&err)
	t = t.windowed(how.Since, how.Until)
	q := t.replayed(ctx, "Turns", how, opts)
	users, accounts := map[fairshare.User]*Turn{}, map[string]*Turn{}
	var work, waited float64
	q.outcomes = func(n int64, o outcome) {
		if !o.served || n >= int64(len(t.Jobs)) {
			return
		}
		j := &t.Jobs[n]
		u := fairshare.User{Account: j.Account, Name: j.User}
		if users[u] == nil {
			users[u] = &Turn{Account: j.Account, User: j.User, Owed: math.NaN()}
		}
		if accounts[j.Account] == nil {
			accounts[j.Account] = &Turn{Account: j.Account, Owed: math.NaN()}
		}
		w := float64(j.Need) * o.Service
		work, waited = work+w, waited+o.Wait
		for _, x := range []*Turn{users[u], accounts[j.Account]} {
			x.Jobs++
			x.Used, x.Waited, x.Worst = x.Used+w, x.Waited+o.Wait, max(x.Worst, o.Wait)
		}
	}
	r, _, err := q.run(ctx)
	if r == nil {
		return nil, err
	}
	out := &Turns{Title: "Whose turn it was: " + r.Model, Unit: q.unit, Result: r, Notes: r.Notes}
	if p, ok := q.Policy.(interface{ HeadStarts() map[string]float64 }); ok {
		starts := p.HeadStarts()
		for _, class := range slices.Sorted(maps.Keys(starts)) {
			out.HeadStarts = append(out.HeadStarts, HeadStart{class, starts[class]})
		}
	}
	owe(q.Policy, users, accounts)
	for _, list := range []struct {
		from []*Turn
		to   *[]Turn
	}{{slices.Collect(maps.Values(accounts)), &out.Accounts}, {slices.Collect(maps.Values(users)), &out.Users}} {
		for _, x := range list.from {
			if x.Jobs > 0 {
				x.Mean = x.Waited / float64(x.Jobs)
			}
			x.Used, x.Waited = portion(x.Used, work), portion(x.Waited, waited)
			*list.to = append(*list.to, *x)
		}
		slices.SortFunc(*list.to, func(a, b Turn) int {
			return cmp.Or(cmp.Compare(b.Owed, a.Owed), cmp.Compare(a.Account, b.Account), cmp.Compare(a.User, b.User))
		})
	}
	return out, err
}

func portion(x, of float64) float64 {
	if of == 0 {
		return 0
	}
	return x / of
}

// owe finds what the policy owes users and accounts, those without jobs included. Users without shares in
// writing have one each.
func owe(p mjq.Policy, users map[fairshare.User]*Turn, accounts map[string]*Turn) {
	shared, ok := p.(interface{ Owed() map[[2]string]float64 })
	if !ok {
		return
	}
	owed := shared.Owed()
	if owed == nil {
		owed = map[[2]string]float64{}
		for u := range users {
			owed[[2]string{u.Account, u.Name}] = 1 / float64(len(users))
		}
	}
	for who, x := range owed {
		u := fairshare.User{Account: who[0], Name: who[1]}
		if users[u] == nil && users[fairshare.User{Name: u.Name}] != nil {
			u.Account = "" // the log knows no accounts
		}
		if users[u] == nil {
			users[u] = &Turn{Account: u.Account, User: u.Name}
		}
		if accounts[u.Account] == nil {
			accounts[u.Account] = &Turn{Account: u.Account}
		}
		users[u].Owed = x
		if a := accounts[u.Account]; math.IsNaN(a.Owed) {
			a.Owed = x
		} else {
			a.Owed += x
		}
	}
}

// Table has a row for each account.
func (t *Turns) Table() *result.Table { return t.table(t.Title, t.Accounts) }

// ByUser has a row for each user.
func (t *Turns) ByUser() *result.Table { return t.table(t.Title+", by user", t.Users) }

func (t *Turns) table(title string, list []Turn) *result.Table {
	out := result.NewTable(title).In(t.Unit).Text("whose").Numbers("jobs").Numbers("% owed").Numbers("% used").
		Numbers("% of all waiting").Numbers("mean wait").Time(1).Numbers("worst wait").Time(1)
	for _, x := range list {
		name := cmp.Or(x.Account, "no account")
		if x.User != "" {
			name = fmt.Sprintf("%s of %s", x.User, name)
		}
		out.Row(name, x.Jobs, 100*x.Owed, 100*x.Used, 100*x.Waited, x.Mean, x.Worst)
	}
	return out
}

// String returns the table by account, and the head starts.
func (t *Turns) String() string { return t.Table().String() + t.headStarts().String() }

// HTML returns what String does as HTML, for a notebook.
func (t *Turns) HTML() string { return t.Table().HTML() + t.headStarts().HTML() }

// headStarts is the table of the head starts.
func (t *Turns) headStarts() *result.Table {
	out := result.NewTable("Head starts: a job of the class goes as if it had come so much earlier").In(t.Unit).Text("class").Numbers("head start").Time(1)
	for _, h := range t.HeadStarts {
		out.Row(h.Class, h.Time)
	}
	return out
}
