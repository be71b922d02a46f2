package method

import (
	"fmt"
	"math"
	"math/bits"
	"runtime"
	"strings"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/events"
	"github.com/mjqueue/mjq/mjq/internal/sampling"
	"github.com/mjqueue/mjq/mjq/result"
)

// Setting is a set of settings of a query, one bit each.
type Setting uint32

// The settings, named as the methods of the queries are.
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
	settings // one beyond the last
)

var settingNames = []string{"N", "Jobs", "WarmUp", "Replications", "BatchMeans", "Window", "MaxWindow", "AgreeTogether",
	"PathLength", "ControlVariates", "RelErr", "HalfWidth", "Device", "MaxJobs", "MaxBytes", "MomentsOnly", "SlowdownThreshold", "InTime", "Overtaking", "Rare"}

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
	Moments  func(*result.Result) // told an exact result before its distributions, if not nil

	Eps    float64   // error probability of a certified sample
	Device Processor // where samples are drawn
	Fresh  bool      // compute, even if the answer is remembered

	seen   func(*events.Result) // told what a simulation has measured, if not nil
	seeded bool
	given  Setting
	whole  [20]int64 // by setting
	real   [20]float64
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
		text += fmt.Sprintf(" to %g", o.Eps)
	}
	told := Setting(0)
	if m.Takes&N != 0 && !o.targeted() {
		text += fmt.Sprintf(", %d samples", o.int(N, m.usual))
		told = N
	}
	for i := range settings.index() {
		if s := Setting(1) << i; o.has(s) && s != told {
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
	f.That(o.int(N, 1) >= 1, "N(%d): at least one sample is needed", o.int(N, 1))
	f.That(o.int(Jobs, 1) >= 1, "Jobs(%d): at least one job is needed", o.int(Jobs, 1))
	f.That(o.int(WarmUp, 0) >= 0, "WarmUp(%d): must not be negative; 0 leaves out no job", o.int(WarmUp, 0))
	f.That(o.int(Window, 1) >= 1, "Window(%d): at least one job is needed", o.int(Window, 1))
	f.AtMost("Window", o.int(Window, 0), mostWindow)
	f.AtMost("MaxWindow", o.int(MaxWindow, 0), mostJobs)
	f.AtMost("PathLength", o.int(PathLength, 0), mostJobs)
	follow := o.int(PathLength, 0)
	f.That(follow == 0 || follow >= sampling.Closest, "PathLength(%d): give at least %d jobs, the least distance between two looks, or 0 to look once", follow, sampling.Closest)
	f.That(o.Device >= CPU && o.Device <= Auto, "Device(%v): use mjq.CPU, mjq.GPU or mjq.Auto", o.Device)
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
