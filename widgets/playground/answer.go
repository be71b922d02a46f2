package playground

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/result"
)

// Number is a number in an answer: unknown and infinite ones are null.
type Number float64

// MarshalJSON writes the number.
func (n Number) MarshalJSON() ([]byte, error) {
	if x := float64(n); math.IsNaN(x) || math.IsInf(x, 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(n))
}

// Answer is one of the answers to a setting, which come one after another, each with
// more than the last.
type Answer struct {
	Error   string `json:"error,omitempty"`
	Faults  Faults `json:"faults,omitempty"` // those of fields, of which Error is the first
	Done    bool   `json:"done"`             // the last one
	Verdict string `json:"verdict"`          // in a sentence
	Stable  bool   `json:"stable"`
	Rate    Number `json:"rate"`
	Limit   Number `json:"limit"` // stability limit; null where it is not known
	Ideal   Number `json:"ideal"` // without blocking

	Method  string   `json:"method,omitempty"` // how the waits were found
	Classes []Waits  `json:"classes,omitempty"`
	All     *Waits   `json:"all,omitempty"`
	Grid    []Number `json:"grid,omitempty"` // times of Tail
	Servers *Use     `json:"use,omitempty"`
	Path    *Path    `json:"path,omitempty"`
	Notes   []string `json:"notes,omitempty"`

	Sampled bool      `json:"sampled,omitempty"` // distributions are sampled although the means are exact
	Whole   []Measure `json:"whole,omitempty"`   // mean numbers of servers that fail or sleep
}

// Waits are the waits of a class: the mean and what 90 and 99 % of its jobs wait at most,
// each with the half-width of its 95 % interval, which is 0 where it is exact.
type Waits struct {
	Name    string   `json:"name"`
	Need    int      `json:"need"`
	Mean    Number   `json:"mean"`
	Half    Number   `json:"half"`
	P90     Number   `json:"p90"`
	P90Half Number   `json:"p90Half"`
	P99     Number   `json:"p99"`
	P99Half Number   `json:"p99Half"`
	Tail    []Number `json:"tail"` // P(W > t) on the grid

	Blocked *Share `json:"blocked,omitempty"` // of the jobs, turned away
	Left    *Share `json:"left,omitempty"`    // of the jobs, give up

	More []Measure `json:"more,omitempty"`
}

// Share is a share of the jobs with the half-width of its interval.
type Share struct {
	Value Number `json:"value"`
	Half  Number `json:"half"`
}

// Use are mean numbers of servers.
type Use struct {
	Busy   Number `json:"busy"`
	Wasted Number `json:"wasted"` // idle though somebody waits
	Idle   Number `json:"idle"`   // otherwise
}

// Path is a stretch of the life of the queue, for a Gantt chart.
type Path struct {
	Servers int       `json:"servers"`
	From    Number    `json:"from"`
	To      Number    `json:"to"`
	Runs    []Run     `json:"runs"`
	Blocked []Blocked `json:"blocked"`
}

// Run is a time in which a job holds servers.
type Run struct {
	Class   int    `json:"class"`
	Job     int64  `json:"job"`
	Arrival Number `json:"arrival"`
	From    Number `json:"from"`
	To      Number `json:"to"`
	Servers []int  `json:"servers"`
}

// Blocked is a time in which a server stands idle while the head of the line waits.
type Blocked struct {
	Server int    `json:"server"`
	From   Number `json:"from"`
	To     Number `json:"to"`
}

// quickFlops is what a browser solves in a second or two, slowFlops in ten.
const quickFlops, slowFlops = 1e9, 8e9

// Ask answers, by steps: the limit, a Gantt chart, waits from ever longer runs, and exact
// ones where they can be had in some seconds. A setting that makes no sense gives one
// answer with its Error.
func Ask(ctx context.Context, s Setting, tell func(Answer)) {
	m, err := s.Model()
	if err != nil {
		tell(Answer{Error: plain(err), Done: true})
		return
	}
	if m, err = s.resolved(ctx, m); err != nil {
		tell(Answer{Error: plain(err), Done: true})
		return
	}
	a, err := s.begin(ctx, m)
	if err != nil {
		tell(Answer{Error: plain(err), Done: true})
		return
	}
	if p, err := m.Path(ctx, 200, 200+pathJobs(m), mjq.Seed(s.Seed)); err == nil {
		a.Path = drawn(p)
	}
	if a.Done = !a.Stable; a.Done {
		tell(a)
		return
	}
	tell(a)
	if s.beyond() {
		a.beyond(ctx, m, &s, tell)
		return
	}
	if !s.turns() {
		a = a.limited(ctx, m, s.per())
	}
	if a.Done = !a.Stable; a.Done {
		tell(a)
		return
	}
	a.waits(ctx, m, s.Seed, tell)
}

// resolved is the model at its rate, under the policy of the setting.
func (s *Setting) resolved(ctx context.Context, m mjq.Model) (mjq.Model, error) {
	m, err := m.Resolve(ctx)
	if err != nil {
		return m, err
	}
	if p, err := s.rule(); err == nil && p != nil {
		m = m.Policy(p)
	}
	return m, m.Err()
}

// limited is the answer with the limit under the policy, if that is known without a
// simulation.
func (a Answer) limited(ctx context.Context, m mjq.Model, per string) Answer {
	if m.Spec().FirstCome() {
		return a
	}
	if size, err := (mjq.Exact{}).Size(m); m.Spec().OnNodes() && (err != nil || size.Flops > quickFlops) {
		return a
	}
	st, err := m.Stability(ctx, mjq.Exact{})
	if err != nil {
		return a
	}
	b := judged(m, st, per)
	b.Path = a.Path
	return b
}

// waits adds the waits.
func (a Answer) waits(ctx context.Context, m mjq.Model, seed uint64, tell func(Answer)) {
	size, err := mjq.Exact{}.Size(m)
	solvable := err == nil && size.Cut == 0 && size.Flops < slowFlops // how far a chain has to be cut shows only later
	if m.Spec().OnNodes() {
		solvable = false // a solution has no distributions of waits
	}
	if turns := m.Spec().Turns(); turns && !m.Spec().FirstCome() {
		solvable = solvable && m.Spec().Room != nil && *m.Spec().Room == 0 // else a solution has no waits
	}
	if solvable && size.Flops < quickFlops {
		if r, err := m.Solve(ctx, mjq.Exact{}); err == nil {
			a.Done = true
			tell(a.with(r))
			return
		}
	}
	runs := []int{2_000, 20_000, 150_000}
	if solvable {
		runs = runs[:2]
	}
	for _, jobs := range runs {
		r, err := sampled(ctx, m, jobs, seed)
		if err != nil {
			a.Error, a.Done = plain(err), true
			tell(a)
			return
		}
		a = a.with(r)
		a.Done = jobs == 150_000 && !solvable
		tell(a)
	}
	if solvable {
		r, err := m.Solve(ctx, mjq.Exact{}, mjq.Progress(func(s mjq.Step) {
			if s.Result != nil {
				tell(a.exactMeans(s.Result))
			}
		}))
		if err == nil {
			a = a.with(r)
		}
		a.Done = true
		tell(a)
	}
}

// exactMeans is the answer with the means of an exact result that has no distributions
// yet: tails and quantiles stay those of the sample.
func (a Answer) exactMeans(r *result.Result) Answer {
	a.Classes = slices.Clone(a.Classes)
	for i := range r.Classes {
		a.Classes[i].Mean, a.Classes[i].Half, a.Classes[i].More = Number(r.Classes[i].Waiting.Mean.Value), 0, more(&r.Classes[i])
	}
	all := *a.All
	all.Mean, all.Half, all.More = Number(r.All.Waiting.Mean.Value), 0, more(&r.All)
	a.All, a.Servers, a.Whole = &all, used(r), whole(r)
	return a
}

// sampled are the waits of eight replications.
func sampled(ctx context.Context, m mjq.Model, jobs int, seed uint64) (*result.Result, error) {
	if m.Spec().FirstCome() && !m.Spec().Turns() {
		return m.Solve(ctx, mjq.Forward{Jobs: jobs, Replications: 8}, mjq.Seed(seed+1))
	}
	return m.Solve(ctx, mjq.Simulation{Jobs: jobs/4 + 500, Replications: 8}, mjq.Seed(seed+1))
}

// begin is an answer with the limit.
func (s *Setting) begin(ctx context.Context, m mjq.Model) (Answer, error) {
	if s.turns() && !s.sent() {
		return s.limitless(m), nil
	}
	if s.beyond() {
		return s.opening(ctx, m), nil
	}
	per := s.per()
	if m.Spec().FirstCome() {
		st, err := m.Stability(ctx)
		if err != nil {
			return Answer{}, err
		}
		return judged(m, st, per), nil
	}
	a := Answer{Rate: Number(m.Rate()), Ideal: Number(m.IdealRate()), Limit: Number(math.NaN()), Stable: m.OfferedLoad() < 1}
	a.Verdict = fmt.Sprintf("%.4g jobs %s arrive; no policy can take more than %.4g.", m.Rate(), per, m.IdealRate())
	return a, nil
}

// judged is the verdict first come first served.
func judged(m mjq.Model, st *result.Stability, per string) Answer {
	a := Answer{Rate: Number(m.Rate()), Limit: Number(st.Rate), Ideal: Number(m.IdealRate()), Stable: !(m.Rate() >= st.Rate+st.HalfWidth)}
	if !a.Stable {
		a.Verdict = fmt.Sprintf("Unstable: %.4g jobs %s arrive, and the queue can take %.4g.", m.Rate(), per, st.Rate)
	} else {
		a.Verdict = fmt.Sprintf("Stable below %.4g jobs %s; %.4g arrive, %.0f %% of that. Blocking costs %.0f %% of the %.4g that the servers could do.",
			st.Rate, per, m.Rate(), 100*m.Rate()/st.Rate, 100*(1-st.Rate/m.IdealRate()), m.IdealRate())
	}
	return a
}

// pathJobs is how many jobs fill a picture.
func pathJobs(m mjq.Model) int { return max(40, min(400, 3*m.Spec().Servers)) }

// with is the answer with the waits of a result.
func (a Answer) with(r *result.Result) Answer {
	a.Method, a.Notes = r.Solver, nil
	for _, n := range r.Notes {
		a.Notes = append(a.Notes, here(n))
	}
	if held := r.Fragmentation.Held; held.Known() {
		a.Notes = append([]string{fmt.Sprintf("The head of the queue waits %.2g %% of the time although as many servers are free as it needs: they lie on different nodes.", 100*held.Value)}, a.Notes...)
	}
	top := 0.0
	for i := range r.Classes {
		top = math.Max(top, r.Classes[i].Waiting.Quantile(0.995).Value)
	}
	if !(top > 0) || math.IsInf(top, 1) {
		top = 1
	}
	a.Grid, a.Classes = nil, nil
	for k := range 61 {
		a.Grid = append(a.Grid, Number(top*float64(k)/60))
	}
	for i := range r.Classes {
		a.Classes = append(a.Classes, waitsOf(&r.Classes[i], a.Grid))
	}
	all := waitsOf(&r.All, a.Grid)
	a.All = &all
	a.Servers, a.Whole = used(r), whole(r)
	return a
}

func used(r *result.Result) *Use {
	wasted := r.WastedHOL.Value
	if math.IsNaN(wasted) {
		return &Use{Busy: Number(r.Utilization.Value * servers(r)), Wasted: Number(wasted), Idle: Number(r.Idle.Value)}
	}
	return &Use{Busy: Number(r.Utilization.Value * servers(r)), Wasted: Number(wasted), Idle: Number(r.Idle.Value - wasted)}
}

// servers are all, busy and idle.
func servers(r *result.Result) float64 {
	if u := r.Utilization.Value; u < 1 {
		return r.Idle.Value / (1 - u)
	}
	return math.NaN()
}

func waitsOf(c *result.ClassResult, grid []Number) Waits {
	mean, p90, p99 := c.Waiting.Mean, c.Waiting.Quantile(0.9), c.Waiting.Quantile(0.99)
	w := Waits{Name: c.Name, Need: c.Need, Mean: Number(mean.Value), Half: Number(mean.HalfWidth),
		P90: Number(p90.Value), P90Half: Number(p90.HalfWidth), P99: Number(p99.Value), P99Half: Number(p99.HalfWidth)}
	for _, t := range grid {
		w.Tail = append(w.Tail, Number(1-c.Waiting.CDF(float64(t)).Value))
	}
	w.unserved(c)
	w.More = more(c)
	return w
}

// mostRows is how many servers a chart shows.
const mostRows = 256

// drawn is what a chart shows of a path.
func drawn(p *result.Path) *Path {
	if p.Servers > mostRows {
		return nil
	}
	out := &Path{Servers: p.Servers, From: Number(p.From), To: Number(p.To), Runs: []Run{}, Blocked: []Blocked{}}
	for _, j := range p.Jobs {
		for _, s := range j.Served() {
			out.Runs = append(out.Runs, Run{Class: j.Class, Job: j.Number, Arrival: Number(j.Arrival), From: Number(s.From), To: Number(s.To), Servers: s.Seized})
		}
	}
	for _, b := range p.Blocked() {
		out.Blocked = append(out.Blocked, Blocked{b.Server, Number(b.From), Number(b.To)})
	}
	return out
}

// plain is an error without the name of the package, which the page has in its title.
func plain(err error) string { return here(strings.ReplaceAll(err.Error(), "mjq: ", "")) }

// advice is a sentence, or the end of one, that tells to give a setting of package mjq.
var advice = regexp.MustCompile(`(^|[.;] )(?:[Ss]et|[Rr]aise|[Ll]ower|[Gg]ive) [A-Z]\w+\b(?:[^.]|\.\S)*(?:\.|$)`)

// here is a text with advice that can be followed on the page, which has no such settings.
func here(text string) string {
	return advice.ReplaceAllStringFunc(text, func(found string) string {
		if strings.HasPrefix(found, ";") || strings.HasPrefix(found, ".") {
			return ". " + longer
		}
		return longer
	})
}

const longer = "Save the Go program for a longer run."
