package problem

import (
	"fmt"
	"math"
	"runtime"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/events"
	"github.com/mjqueue/mjq/mjq/internal/replicate"
	"github.com/mjqueue/mjq/mjq/internal/sampling"
	"github.com/mjqueue/mjq/mjq/result"
)

// Options are the settings of a query. What was not given has the default of the
// method that runs. It is a value: copies are independent.
type Options struct {
	Seed     uint64
	Level    float64
	Workers  int
	Progress func(done, total float64)
	Moments  func(*result.Result)  // told an exact result before its distributions, if not nil
	Interval func(result.Estimate) // told the mean wait of all jobs as far as it is known, if not nil

	Device Processor // where samples are drawn
	Fresh  bool      // compute, even if the answer is remembered

	Seen   func(*events.Result) // told what a simulation has measured, if not nil
	seeded bool
	given  Setting
	whole  [counted]int64 // by setting
	real   [counted]float64
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
func (o *Options) Has(s Setting) bool { return o.given&s != 0 }

// Int is a setting, or its default.
func (o *Options) Int(s Setting, standard int64) int64 {
	if o.Has(s) {
		return o.whole[s.index()]
	}
	return standard
}

// Real is a setting, or its default.
func (o *Options) Real(s Setting, standard float64) float64 {
	if o.Has(s) {
		return o.real[s.index()]
	}
	return standard
}

// TakeJobs is the budget of jobs, 0 if none is given, and no setting any more.
func (o *Options) TakeJobs() int64 {
	n := o.Int(MaxJobs, 0)
	o.given &^= MaxJobs
	o.whole[MaxJobs.index()] = 0
	return n
}

// TakeRelErr is the relative error asked for, 0 if none is, and no setting any more.
func (o *Options) TakeRelErr() float64 {
	x := o.Real(RelErr, 0)
	o.given &^= RelErr
	o.real[RelErr.index()] = 0
	return x
}

// Drop forgets settings.
func (o *Options) Drop(s Setting) {
	for i := range settings.index() {
		if s>>i&1 != 0 {
			o.whole[i], o.real[i] = 0, 0
		}
	}
	o.given &^= s
}

// UsualBytes is the memory that a solution takes without being told.
const UsualBytes = 1e9

// Bytes is how much memory a solution may take.
func (o *Options) Bytes() float64 { return o.Real(MaxBytes, UsualBytes) }

// CertifiedEps is the error probability of a certified sample by default.
const CertifiedEps = 1e-6

// Eps is the error probability of a certified sample.
func (o *Options) Eps() float64 { return o.Real(Eps, CertifiedEps) }

// Bounded keeps a run of replications within the budget of jobs, if there is one: fewer of
// them, and shorter ones where their length was not given.
func (o *Options) Bounded(jobs, warm, reps int64) (int64, int64, int64) {
	most := o.Int(MaxJobs, 0)
	if most <= 0 {
		return jobs, warm, reps
	}
	if !o.Has(Jobs) {
		jobs = max(1, min(jobs, most*5/6/min(reps, UsualReplications)))
		warm = o.Int(WarmUp, jobs/5)
	}
	return jobs, warm, max(2, min(reps, most/(jobs+warm)))
}

// BoundedRun keeps one run in batches within the budget of jobs, if there is one: shorter where
// its length or its warm-up was not given, and at least a job a batch.
func (o *Options) BoundedRun(jobs, warm, batches int64) (int64, int64) {
	most := o.Int(MaxJobs, 0)
	if most <= 0 || jobs+warm <= most {
		return jobs, warm
	}
	if !o.Has(WarmUp) {
		warm = min(warm, most/6)
	}
	return max(batches, min(jobs, most-warm)/batches*batches), warm
}

// Given are the settings given that are not among others.
func (o *Options) Given(but Setting) (list []Setting) {
	for i := range settings.index() {
		if s := Setting(1) << i; o.Has(s) && but&s == 0 {
			list = append(list, s)
		}
	}
	return list
}

// SeedOr is the seed given, or a standard one.
func (o *Options) SeedOr(standard uint64) uint64 {
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

// Check says what is wrong with the settings whatever the method.
func (o *Options) Check(f *check.Faults) { f.Settings(o.faults) }

func (o *Options) faults(f *check.Faults) {
	f.That(o.Level > 0 && o.Level < 1, "Level(%v): the confidence level must lie strictly between 0 and 1", o.Level)
	f.That(o.Workers >= 1, "Workers(%d): at least one goroutine is needed", o.Workers)
	f.AtMost("Workers", int64(o.Workers), mostWorkers)
	for _, s := range []Setting{Jobs, WarmUp} {
		f.AtMost(s.String(), o.Int(s, 0), mostJobs)
	}
	for _, s := range []Setting{Samples, Replications} {
		f.AtMost(s.String(), o.Int(s, 0), mostSamples)
	}
	f.That(o.Int(Samples, 1) >= 1, "Samples %d: at least one sample is needed", o.Int(Samples, 1))
	f.That(o.Int(Jobs, 1) >= 1, "Jobs %d: at least one job is needed", o.Int(Jobs, 1))
	f.That(o.Int(WarmUp, 0) >= 0, "WarmUp %d: must not be negative; mjq.None leaves out no job", o.Int(WarmUp, 0))
	f.That(o.Int(MaxJobs, 1) >= 1, "MaxJobs(%d): must be positive", o.Int(MaxJobs, 1))
	f.AtMost("MaxJobs", o.Int(MaxJobs, 0), mostJobs)
	f.That(o.Int(Window, 1) >= 1, "Window %d: at least one job is needed", o.Int(Window, 1))
	f.AtMost("Window", o.Int(Window, 0), mostWindow)
	f.AtMost("MaxWindow", o.Int(MaxWindow, 0), mostJobs)
	f.AtMost("PathLength", o.Int(PathLength, 0), mostJobs)
	follow := o.Int(PathLength, 0)
	f.That(follow == 0 || follow >= sampling.Closest, "PathLength %d: give at least %d jobs, the least distance between two observations, or leave it out", follow, sampling.Closest)
	f.That(o.Device >= CPU && o.Device <= Auto, "Device %v: use mjq.CPU, mjq.GPU or mjq.Auto", o.Device)
	for _, s := range []Setting{SlowdownThreshold, Within} {
		x := o.Real(s, 0)
		f.That(x >= 0 && !math.IsInf(x, 1), "%s(%v): give a finite time, not negative", s, x)
	}
	o.targetFaults(f)
}

// Drawing is the number of samples or replications to draw at most: those given, else
// the default, which a target lifts.
func (o *Options) Drawing(s Setting, standard int64) int64 {
	switch {
	case o.Has(s):
		return o.Int(s, 0)
	case o.Targeted():
		return 1 << 40
	}
	return standard
}

// Text is a setting as the user wrote it.
func (o *Options) Text(s Setting) any {
	if x := o.real[s.index()]; x != 0 {
		return x
	}
	return o.whole[s.index()]
}

// Said is a setting as it was given: the option RelErr(0.1), or the field Jobs 400.
func (o *Options) Said(s Setting) string {
	if s&(RelErr|HalfWidth|MaxJobs) != 0 {
		return fmt.Sprintf("%s(%v)", s, o.Text(s))
	}
	return fmt.Sprintf("%s %v", s, o.Text(s))
}

// Throttled is the progress callback at no more than 20 calls a second, plus the last
// one; nil without a callback.
func (o *Options) Throttled() func(done, total float64) { return replicate.Throttled(o.Progress) }

// Part is the options of one of several simulations in a row.
func (o *Options) Part(i, of int) Options {
	one := *o
	if report := o.Progress; report != nil {
		one.Progress = func(done, total float64) { report(float64(i)*total+done, float64(of)*total) }
	}
	return one
}
