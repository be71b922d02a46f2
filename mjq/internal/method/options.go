package method

import (
	"fmt"
	"math"
	"math/bits"
	"runtime"
	"slices"
	"strings"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/events"
	"github.com/mjqueue/mjq/mjq/internal/sampling"
	"github.com/mjqueue/mjq/mjq/result"
)

// Setting is a set of settings of a query, one bit each.
type Setting uint32

// The settings of all methods and questions.
const (
	N Setting = 1 << iota
	Jobs
	WarmUp
	Replications
	BatchMeans
	Window
	MaxWindow
	AgreeTogether
	PathLength
	ControlVariates
	RelErr
	HalfWidth
	Device
	MaxJobs
	MaxBytes
	MomentsOnly
	SlowdownThreshold
	InTime
	Overtaking
	Beyond
	Eps
	settings // one beyond the last
)

// settingNames are the names of fields of the methods, and of options.
var settingNames = []string{"Samples", "Jobs", "WarmUp", "Replications", "BatchMeans", "Window", "MaxWindow", "AgreeTogether",
	"PathLength", "Controls", "RelErr", "HalfWidth", "Device", "MaxJobs", "MaxBytes", "MomentsOnly", "SlowdownThreshold", "Within", "Overtaking", "Wait", "Eps"}

// SettingOf is the setting of a name.
func SettingOf(name string) (Setting, bool) {
	i := slices.Index(settingNames, name)
	return Setting(1) << max(i, 0), i >= 0
}

// String names the settings of the set.
func (s Setting) String() string {
	var names []string
	for i, name := range settingNames {
		if s>>i&1 != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// index is the place of a single setting.
func (s Setting) index() int { return bits.TrailingZeros32(uint32(s)) }

// Options are the settings of a query. What was not given has the default of the
// method that runs. It is a value: copies are independent.
type Options struct {
	Seed     uint64
	Level    float64
	Workers  int
	Progress func(done, total float64)
	Moments  func(*result.Result)  // told an exact result before its distributions, if not nil
	Interval func(result.Estimate) // told the mean wait of all jobs where a run with a target looks at it, if not nil

	Device Processor // where samples are drawn
	Fresh  bool      // compute, even if the answer is remembered

	seen   func(*events.Result) // told what a simulation has measured, if not nil
	seeded bool
	given  Setting
	whole  [21]int64 // by setting
	real   [21]float64
}

// Defaults are options of which none is given.
func Defaults() Options { return Options{Level: 0.95, Workers: runtime.GOMAXPROCS(0)} }

// SetSeed gives the seed.
func (o *Options) SetSeed(seed uint64) { o.Seed, o.seeded = seed, true }

// Set gives a setting that is a whole number.
func (o *Options) Set(s Setting, n int64) {
	o.given |= s
	o.whole[s.index()] = n
}

// SetReal gives a setting that is a real number.
func (o *Options) SetReal(s Setting, x float64) {
	o.given |= s
	o.real[s.index()] = x
}

// SetDevice chooses the processor.
func (o *Options) SetDevice(d Processor) {
	o.given |= Device
	o.Device = d
}

// Has reports whether a setting was given.
func (o *Options) Has(s Setting) bool { return o.has(s) }

// has reports whether a setting was given.
func (o *Options) has(s Setting) bool { return o.given&s != 0 }

// int is a setting, or its default.
func (o *Options) int(s Setting, standard int64) int64 {
	if o.has(s) {
		return o.whole[s.index()]
	}
	return standard
}

// float is a setting, or its default.
func (o *Options) float(s Setting, standard float64) float64 {
	if o.has(s) {
		return o.real[s.index()]
	}
	return standard
}

// SeedOr is the seed given, or a standard one.
func (o *Options) SeedOr(standard uint64) uint64 { return o.seed(standard) }

// TakeJobs is the budget of jobs, 0 if none is given, and no setting any more.
func (o *Options) TakeJobs() int64 {
	n := o.int(MaxJobs, 0)
	o.given &^= MaxJobs
	o.whole[MaxJobs.index()] = 0
	return n
}

// TakeRelErr is the relative error asked for, 0 if none is, and no setting any more.
func (o *Options) TakeRelErr() float64 {
	x := o.float(RelErr, 0)
	o.given &^= RelErr
	o.real[RelErr.index()] = 0
	return x
}

// eps is the error probability of a certified sample.
func (o *Options) eps() float64 { return o.float(Eps, certifiedEps) }

// bounded keeps a run of replications within the budget of jobs, if there is one: fewer of
// them, and shorter ones where their length was not given.
func (o *Options) bounded(jobs, warm, reps int64) (int64, int64, int64) {
	most := o.int(MaxJobs, 0)
	if most <= 0 {
		return jobs, warm, reps
	}
	if !o.has(Jobs) {
		jobs = max(1, min(jobs, most*5/6/min(reps, usualReplications)))
		warm = o.int(WarmUp, jobs/5)
	}
	return jobs, warm, max(2, min(reps, most/(jobs+warm)))
}

// seed is the one given, or that of the method.
func (o *Options) seed(standard uint64) uint64 {
	if o.seeded {
		return o.Seed
	}
	return standard
}

// Bounds of what is counted: replications are numbered in 40 bits, and a run of more
// jobs would not end in a lifetime.
const (
	mostSamples = 1 << 40
	mostJobs    = 1 << 50
	mostWindow  = 1 << 40 // it is doubled again and again
	mostWorkers = 4096
)

// Share leaves the options of the part-th of several parts that samples are dealt out to,
// one at least to each.
func (o *Options) Share(m *Method, part, parts int) {
	if m.Takes&N == 0 || parts == 1 || o.targeted() && !o.has(N) {
		return
	}
	n := o.int(N, m.usual)
	k := n / int64(parts)
	if int64(part) < n%int64(parts) {
		k++
	}
	o.Set(N, max(1, k))
}

// Describe is the method with all settings that were given, in a few words, by which
// sweeps are told apart.
func (m *Method) Describe(o *Options) string {
	text := strings.ToLower(m.Name)
	if m == Certified {
		text += fmt.Sprintf(" to %g", o.eps())
	}
	told := Eps
	if m.Takes&N != 0 && !o.targeted() {
		text += fmt.Sprintf(", %d samples", o.int(N, m.usual))
		told |= N
	}
	for i := range settings.index() {
		if s := Setting(1) << i; o.has(s) && told&s == 0 {
			text += fmt.Sprintf(", %s %v", s, o.text(s))
		}
	}
	return text
}

// Check says what is wrong with the settings whatever the method.
func (o *Options) Check(f *check.Faults) { o.faults(f) }

// faults says what is wrong with the settings whatever the method.
func (o *Options) faults(f *check.Faults) {
	f.That(o.Level > 0 && o.Level < 1, "Level(%v): the confidence level must lie strictly between 0 and 1", o.Level)
	f.That(o.Workers >= 1, "Workers(%d): at least one goroutine is needed", o.Workers)
	f.AtMost("Workers", int64(o.Workers), mostWorkers)
	for _, s := range []Setting{Jobs, WarmUp} {
		f.AtMost(s.String(), o.int(s, 0), mostJobs)
	}
	for _, s := range []Setting{N, Replications} {
		f.AtMost(s.String(), o.int(s, 0), mostSamples)
	}
	f.That(o.int(N, 1) >= 1, "Samples %d: at least one sample is needed", o.int(N, 1))
	f.That(o.int(Jobs, 1) >= 1, "Jobs %d: at least one job is needed", o.int(Jobs, 1))
	f.That(o.int(WarmUp, 0) >= 0, "WarmUp %d: must not be negative; 0 leaves out no job", o.int(WarmUp, 0))
	f.That(o.int(MaxJobs, 1) >= 1, "MaxJobs(%d): must be positive", o.int(MaxJobs, 1))
	f.AtMost("MaxJobs", o.int(MaxJobs, 0), mostJobs)
	f.That(o.int(Window, 1) >= 1, "Window %d: at least one job is needed", o.int(Window, 1))
	f.AtMost("Window", o.int(Window, 0), mostWindow)
	f.AtMost("MaxWindow", o.int(MaxWindow, 0), mostJobs)
	f.AtMost("PathLength", o.int(PathLength, 0), mostJobs)
	follow := o.int(PathLength, 0)
	f.That(follow == 0 || follow >= sampling.Closest, "PathLength %d: give at least %d jobs, the least distance between two looks, or 0 to look once", follow, sampling.Closest)
	f.That(o.Device >= CPU && o.Device <= Auto, "Device %v: use mjq.CPU, mjq.GPU or mjq.Auto", o.Device)
	for _, s := range []Setting{SlowdownThreshold, InTime} {
		x := o.float(s, 0)
		f.That(x >= 0 && !math.IsInf(x, 1), "%s(%v): give a finite time, not negative", s, x)
	}
	o.targetFaults(f)
}

// drawing is the number of samples or replications to draw at most: those given, else
// the default, which a target lifts.
func (o *Options) drawing(s Setting, standard int64) int64 {
	switch {
	case o.has(s):
		return o.int(s, 0)
	case o.targeted():
		return 1 << 40
	}
	return standard
}

// text is a setting as the user wrote it.
func (o *Options) text(s Setting) any {
	if x := o.real[s.index()]; x != 0 {
		return x
	}
	return o.whole[s.index()]
}
