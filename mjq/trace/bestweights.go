package trace

import (
	"fmt"
	"math"
	"strings"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/internal/escape"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// WeightVerdict says what the other half of a log shows of weights.
type WeightVerdict string

// Weights meet a goal if its interval on the other half of the log lies within it, and miss it if it lies
// beyond. Otherwise that half leaves it open. NoWeights is the verdict where none that were tried met all
// goals on the half that chooses.
const (
	WeightsMeet WeightVerdict = "met"
	WeightsMiss WeightVerdict = "missed"
	WeightsOpen WeightVerdict = "open"
	NoWeights   WeightVerdict = "no weights do"
)

// BestWeights is the answer to the question of that name. It is plain data.
type BestWeights struct {
	Title   string
	Unit    result.Unit // of all times
	Level   float64     // of all intervals
	Verdict WeightVerdict
	Weights []Weight
	Policy  string // with these weights, as it is written
	Goals   []JudgedGoal
	Tried   int // weights
	Notes   []string
}

// Weight is a number of the priorities.
type Weight struct {
	Name        string // of the field
	Today, Best float64
	Setting     string // as in slurm.conf
}

// JudgedGoal is a goal with what the weights come to.
type JudgedGoal struct {
	Name   string
	Bound  float64
	Chosen float64 // on the half of the log that chooses
	// Alone is the value there if the class or the account goes before all others: a goal that misses
	// even this is out of reach of weights. NaN for all jobs together.
	Alone       float64
	Judged      result.Estimate // on the other half
	Today       result.Estimate // with today's weights, on the other half
	Verdict     WeightVerdict
	TodayShown  WeightVerdict // the verdict on today's weights
	Unreachable bool
}

// judge says what the other half of the log shows.
func (s *weighing) judge(q *whatIf, today policy.Multifactor, best *weighed) (*BestWeights, error) {
	out := &BestWeights{Title: "Weights of priorities for the log " + q.t.Name, Unit: result.Seconds, Verdict: WeightsMeet, Policy: best.policy.String(), Tried: s.tried}
	var runs [2]*served
	for i, p := range []policy.Multifactor{today, best.policy} {
		how, err := s.how, error(nil)
		how.Policy = p
		if runs[i], err = q.run(Scenario{Name: "weights", Replay: how}); err != nil {
			return nil, err
		}
	}
	q.base = runs[0]
	out.Level, q.resamples = q.base.level, resampleDays(q.days, q.base.seed)
	for k, g := range s.ask.Goals {
		j := JudgedGoal{Name: g.String(), Bound: g.Wait + g.Share, Chosen: best.values[k]}
		j.Judged, j.Today = q.shows(runs[1], g), q.shows(runs[0], g)
		j.Verdict, j.TodayShown = g.shown(j.Judged), g.shown(j.Today)
		var err error
		if j.Alone, err = s.alone(k, today); err != nil {
			return nil, err
		}
		j.Unreachable = !math.IsNaN(j.Alone) && g.excess(j.Alone) > 0
		out.Goals = append(out.Goals, j)
		if j.Verdict == WeightsMiss || j.Verdict == WeightsOpen && out.Verdict == WeightsMeet {
			out.Verdict = j.Verdict
		}
		if j.Unreachable {
			out.Notes = append(out.Notes, fmt.Sprintf("Out of reach: %s. Before all others it comes to %s on the first half of the log.", j.Name, g.text(j.Alone)))
		}
	}
	if best.worst > 0 {
		out.Verdict = NoWeights
		out.Notes = append(out.Notes, fmt.Sprintf("None of the %s that were tried meets all goals on the first half of the log. The best misses its worst goal by %.2g %%.", spec.Count(s.tried, "set of weights"), 100*best.worst))
	}
	for _, x := range s.space {
		w := Weight{Name: x.name, Today: today.Number(x.name), Best: best.policy.Number(x.name)}
		w.Setting = setting(x.name, w.Best)
		out.Weights = append(out.Weights, w)
	}
	for _, r := range runs {
		if why := r.calm.why; why != "" && len(out.Notes) < 4 {
			out.Notes = append(out.Notes, "There are no intervals, because "+why+".")
			break
		}
	}
	if q.days < fewestDays {
		out.Notes = append(out.Notes, fmt.Sprintf("There are no intervals: the half that judges has %s. Give a log of at least %d days.", spec.Count(q.days, "day"), 2*fewestDays))
	}
	return out, nil
}

// shows is the value of a goal in a replay, with its interval over the days.
func (q *whatIf) shows(x *served, g WeightGoal) result.Estimate {
	factor := x.calm.factor
	if g.Share > 0 {
		factor = 1 // calm days have shorter waits and the same shares
	}
	e, _ := q.estimate(q.sums(x, g), nil, factor)
	return e
}

// shown is the verdict of an interval.
func (g WeightGoal) shown(e result.Estimate) WeightVerdict {
	low, high := g.excess(e.Lo()), g.excess(e.Hi())
	if g.Share > 0 {
		low, high = high, low
	}
	switch {
	case math.IsNaN(e.HalfWidth):
		return WeightsOpen
	case high <= 0:
		return WeightsMeet
	case low > 0:
		return WeightsMiss
	}
	return WeightsOpen
}

// text is a value of the goal.
func (g WeightGoal) text(value float64) string {
	if g.Share > 0 {
		return fmt.Sprintf("%.3g", value)
	}
	return result.Seconds.Text(value)
}

// setting is a number as slurm.conf has it.
func setting(name string, value float64) string {
	n := slurmNumbers[name]
	if n.length {
		s := check.Whole(math.Round(value), 0, math.MaxInt64)
		return fmt.Sprintf("%s=%d-%02d:%02d:%02d", n.setting, s/86400, s/3600%24, s/60%60, s%60)
	}
	return fmt.Sprintf("%s=%.0f", n.setting, value)
}

// MarshalJSON writes all fields under their names; see result.WriteJSON.
func (b BestWeights) MarshalJSON() ([]byte, error) { return result.WriteJSON(b) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (b *BestWeights) UnmarshalJSON(text []byte) error { return result.ReadJSON(text, b) }

// MarshalJSON writes all fields under their names; see result.WriteJSON.
func (w Weight) MarshalJSON() ([]byte, error) { return result.WriteJSON(w) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (w *Weight) UnmarshalJSON(text []byte) error { return result.ReadJSON(text, w) }

// MarshalJSON writes all fields under their names; see result.WriteJSON.
func (g JudgedGoal) MarshalJSON() ([]byte, error) { return result.WriteJSON(g) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (g *JudgedGoal) UnmarshalJSON(text []byte) error { return result.ReadJSON(text, g) }

// Table has a row for each goal.
func (b *BestWeights) Table() *result.Table {
	t := result.NewTable(fmt.Sprintf("%s: %s", b.Title, b.Verdict)).Text("goal").Numbers("bound").Numbers("first half").
		Numbers("other half").Numbers("±").Text("verdict").Numbers("today").Text("verdict on today")
	for _, g := range b.Goals {
		t.Row(g.Name, g.Bound, g.Chosen, g.Judged.Value, g.Judged.HalfWidth, string(g.Verdict), g.Today.Value, string(g.TodayShown))
	}
	return t
}

// lines are the weights as slurm.conf has them, and the notes.
func (b *BestWeights) lines() string {
	var out strings.Builder
	for _, w := range b.Weights {
		fmt.Fprintf(&out, "%s  # today %g\n", w.Setting, w.Today)
	}
	for _, n := range b.Notes {
		fmt.Fprintln(&out, n)
	}
	return out.String()
}

// HTML returns the table for a notebook.
func (b *BestWeights) HTML() string {
	return b.Table().HTML() + "<pre>" + escape.HTMLLines(b.lines()) + "</pre>"
}

// String returns the table, the lines of slurm.conf and the notes.
func (b *BestWeights) String() string { return b.Table().String() + b.lines() }
