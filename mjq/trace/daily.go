package trace

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/mjqueue/mjq/mjq/result"
)

const (
	fewestDays   = 28  // for an interval over days: four weeks
	dayBlocks    = 8   // parts of the log whose days stay together
	dayResamples = 999 // of an interval
)

// dayBlock is how many days stay together: an eighth of the log, since near the stability limit a
// busy day is felt for many days.
func dayBlock(days int) int { return max(2, (days+dayBlocks-1)/dayBlocks) }

// resampleDays are the days of each resample, in blocks.
func resampleDays(days int, seed uint64) [][]int {
	list := make([][]int, dayResamples)
	for i := range list {
		list[i] = drawnDays(rand.New(rand.NewPCG(seed, uint64(i))), days, dayBlock(days))
	}
	return list
}

// daily are the waits of a replay by day, of the jobs that a function keeps; nil keeps all.
func (q *whatIf) daily(x *served, keep func(j *Job) bool) []daySum {
	return q.dailyOf(x, x.waits, keep)
}

// dailyOf are times of the jobs of a replay by day.
func (q *whatIf) dailyOf(x *served, times []float64, keep func(j *Job) bool) []daySum {
	out := make([]daySum, q.days)
	for i, w := range times {
		j := &x.log.Jobs[i]
		if math.IsNaN(w) || keep != nil && !keep(j) {
			continue
		}
		d := q.day(j)
		out[d].jobs++
		out[d].sum += w
	}
	return out
}

// dailyByClass are times of the jobs of a replay by the name of the class and by day.
func (q *whatIf) dailyByClass(x *served, times []float64) map[string][]daySum {
	return q.dailyBy(x, times, x.how.Classes)
}

// dailyBy are the same by the names of other classes.
func (q *whatIf) dailyBy(x *served, times []float64, classes Grouping) map[string][]daySum {
	out := map[string][]daySum{}
	for key, list := range byKey(q, x, times, classes.of) {
		out[classes.name(key)] = list
	}
	return out
}

// byKey are times of the jobs of a replay by day, of those that have something in common.
func byKey[K comparable](q *whatIf, x *served, times []float64, key func(j *Job) K) map[K][]daySum {
	out := map[K][]daySum{}
	for i, w := range times {
		if math.IsNaN(w) {
			continue
		}
		j := &x.log.Jobs[i]
		k := key(j)
		list := out[k]
		if list == nil {
			list = make([]daySum, q.days)
			out[k] = list
		}
		d := q.day(j)
		list[d] = list[d].plus(daySum{1, w})
	}
	return out
}

// day is that on which a job arrives, the first and the last for those before and after.
func (q *whatIf) day(j *Job) int {
	return min(q.days-1, max(0, int(math.Floor(j.Arrival/Day)-q.first)))
}

// estimate is the mean wait by the days, less that of others if there are any. It is unknown
// where one of both has no job. The interval is a bootstrap of the studentised mean: resamples say
// how many standard errors of their own they are off, which allows for the skewness of waits. No
// half-width is below that of Student's t for half of the blocks, as neighbours are not independent,
// nor below the error of days that were calm by chance. That error is away from 0; towards 0 the
// interval reaches as far as near, without it.
// Source: Hall, The Bootstrap and Edgeworth Expansion (1992), section 3.6, with blocks of days.
func (q *whatIf) estimate(of, less []daySum, factor float64) (e result.Estimate, near float64) {
	value, se := over(upTo(q.days), of, less, 1)
	if math.IsNaN(value) {
		return result.Unknown(), math.NaN()
	}
	e = result.Estimate{Value: value, HalfWidth: math.NaN(), Level: q.base.level, N: q.days, Method: "block bootstrap over days"}
	if q.days < fewestDays || math.IsNaN(factor) {
		return e, math.NaN()
	}
	var off []float64
	for _, days := range q.resamples {
		if x, own := over(days, of, less, dayBlock(q.days)); own > 0 {
			off = append(off, math.Abs(x-value)/own)
		} else if x == value {
			off = append(off, 0)
		}
	}
	if len(off) < dayResamples/2 {
		return e, math.NaN() // on most draws of days there is no such job
	}
	slices.Sort(off)
	near = se * max(result.StudentT(e.Level, dayBlocks/2-1), off[min(len(off)-1, int(e.Level*float64(len(off))))])
	e.HalfWidth = max(near, math.Abs(value)*(factor-1))
	return e, near
}

// over is the mean wait over some days, less that of others if there are any, with its standard
// error by blocks of days that begin at every so many of them.
func over(days []int, of, less []daySum, every int) (value, se float64) {
	mean, jobs := meanOver(days, of)
	other, others := 0., 1.
	if less != nil {
		other, others = meanOver(days, less)
	}
	n := float64(len(days))
	influence := make([]float64, len(days))
	for i, d := range days {
		influence[i] = (of[d].sum - mean*of[d].jobs) / (jobs / n)
		if less != nil {
			influence[i] -= (less[d].sum - other*less[d].jobs) / (others / n)
		}
	}
	return mean - other, blockError(influence, dayBlock(len(days)), every)
}

// blockError is the standard error of the mean of values about 0, by blocks of them that begin at
// every so many. The last is followed by the first.
func blockError(values []float64, block, every int) float64 {
	squares, blocks := 0., 0.
	for from := 0; from < len(values); from += every {
		sum := 0.
		for k := range block {
			sum += values[(from+k)%len(values)]
		}
		squares += sum * sum
		blocks++
	}
	return math.Sqrt(squares / blocks / float64(block) / float64(len(values)))
}

// meanOver is the mean wait over some days, and the number of jobs.
func meanOver(days []int, sums []daySum) (mean, jobs float64) {
	sum := 0.
	for _, d := range days {
		jobs += sums[d].jobs
		sum += sums[d].sum
	}
	return sum / jobs, jobs
}

// Validation compares the base of an Outlook with the waits in the log.
type Validation struct {
	All    Validated
	ByHour []Validated // of the day, by arrival
	BySize []Validated // by need, from a power of two to the next
	// Verdict says how far the replay can be trusted.
	Verdict string
}

// Validated is a mean wait in the log and in the replay.
type Validated struct {
	Name             string
	Jobs             int
	Logged, Replayed float64
	Difference       result.Estimate // replayed less logged, with an interval over days
}

// validate compares the base with the log.
func (q *whatIf) validate() *Validation {
	x := q.base
	logged, replayed := q.known(x)
	size := func(k group) string {
		if k.need == 0 { // jobs that need units of other types alone
			return ""
		}
		return PowersOfTwo.name(k)
	}
	out := &Validation{All: q.beside("all", q.dailyOf(x, logged, nil), q.dailyOf(x, replayed, nil)), ByHour: q.byHour(x, logged, replayed),
		BySize: besideBy(q, x, logged, replayed, PowersOfTwo.of, group.before, size)}
	out.Verdict = out.All.verdict()
	return out
}

// known are the waits of the log and those of a replay, both NaN where one is not known.
func (q *whatIf) known(x *served) (logged, replayed []float64) {
	logged, replayed = q.waitsOf(true), slices.Clone(x.waits)
	for i := range logged {
		if sum := logged[i] + replayed[i]; math.IsNaN(sum) {
			logged[i], replayed[i] = sum, sum
		}
	}
	return logged, replayed
}

// beside are waits of the log beside those of a replay, which are by day. Once there is a base the difference has an
// interval.
func (q *whatIf) beside(name string, was, is []daySum) Validated {
	v := Validated{Name: name, Difference: result.Unknown()}
	for d := range was {
		v.Jobs += int(was[d].jobs)
		v.Logged += was[d].sum
		v.Replayed += is[d].sum
	}
	v.Logged, v.Replayed = v.Logged/float64(v.Jobs), v.Replayed/float64(v.Jobs)
	if q.base != nil {
		v.Difference, _ = q.estimate(is, was, q.base.calm.factor)
	}
	return v
}

// besideBy are the same of jobs that have something in common, which has a name and an order.
func besideBy[K comparable](q *whatIf, x *served, logged, replayed []float64, key func(j *Job) K, order func(a, b K) int, name func(k K) string) (rows []Validated) {
	was, is := byKey(q, x, logged, key), byKey(q, x, replayed, key)
	for _, k := range slices.SortedFunc(maps.Keys(was), order) {
		if text := name(k); text != "" {
			rows = append(rows, q.beside(text, was[k], is[k]))
		}
	}
	return rows
}

// byHour are the same by the hour of the day.
func (q *whatIf) byHour(x *served, logged, replayed []float64) []Validated {
	hour := func(j *Job) int { return int(math.Mod(j.Arrival, Day) / 3600) }
	return besideBy(q, x, logged, replayed, hour, cmp.Compare[int], func(h int) string { return fmt.Sprintf("%02d:00", h) })
}

// verdict says how far a replay can be trusted that differs so much from the log.
func (v *Validated) verdict() string {
	d := v.Difference
	ratio := v.Replayed / v.Logged
	switch {
	case math.IsNaN(d.HalfWidth):
		return "The days of the log are too few, or too unlike each other, to judge the replay. Read differences as directions."
	case d.HalfWidth > v.Logged/2:
		return "The days of the log vary too much to judge the replay. Read differences as directions."
	case math.Abs(d.Value) <= d.HalfWidth:
		return "The mean wait of the replay does not differ from that of the log by more than its days vary. Differences between scenarios can be read as they stand."
	case ratio > 0.75 && ratio < 1.33:
		return fmt.Sprintf("The replay waits %.0f %% of the time that the log does. Read differences in per cent, not in seconds.", 100*ratio)
	default:
		return fmt.Sprintf("The replay waits %.3g times as long as the log does: the site's policy, its size or its limits are not those of the replay. Read differences as directions alone, and check the number of servers first.", ratio)
	}
}
