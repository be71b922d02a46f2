package problem

import (
	"fmt"
	"math"
	"reflect"
	"slices"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/sampling"
)

// None is the setting for none at all, where 0 is the default.
const None = -1

// Controls are the control variates of a run.
type Controls string

// The control variates: none by default.
const (
	PlainControls Controls = "plain"
	CloseControls Controls = "close" // with closer observations, and with squares
)

// Count is a setting that counts, or its default.
func Count(given int, standard int64) int64 {
	switch given {
	case 0:
		return standard
	case None:
		return 0
	}
	return int64(given)
}

// Counted is the setting that has a count: None for 0.
func Counted(n int64) int {
	if n == 0 {
		return None
	}
	return int(n)
}

// Length is how long the runs of a method are, as its settings say.
type Length struct{ Jobs, WarmUp, Replications int }

// Of is the length in jobs, those that are left out first, where a number of jobs is the default.
func (l Length) Of(standard int64) (jobs, warm int64) {
	jobs = Count(l.Jobs, standard)
	return jobs, Count(l.WarmUp, jobs/5)
}

// UsualBytes is the memory that a solution takes without being told.
const UsualBytes = 1e9

// CertifiedEps is the error probability of a certified sample by default.
const CertifiedEps = 1e-6

// Bounds of what is counted: replications are numbered in 40 bits, and a run of more
// jobs would not end in a lifetime.
const (
	mostSamples = 1 << 40
	mostJobs    = 1 << 50
	mostWindow  = 1 << 40 // it is doubled again and again
	mostWorkers = 4096
)

// counts are the bounds of settings that count, by name, and what to say below the least.
var counts = map[string]struct {
	least, most int64
	below       string
}{
	"Samples":      {1, mostSamples, "at least one sample is needed"},
	"Jobs":         {1, mostJobs, "at least one job is needed"},
	"WarmUp":       {None, mostJobs, "must not be negative; mjq.None leaves out no job"},
	"Replications": {math.MinInt64, mostSamples, ""},
	"Window":       {1, mostWindow, "at least one job is needed"},
	"MaxWindow":    {math.MinInt64, mostJobs, ""},
	"PathLength": {sampling.Closest, mostJobs,
		fmt.Sprintf("give at least %d jobs, the least distance between two observations, or leave it out", sampling.Closest)},
}

// Settings goes over the fields of a struct of settings that are not their defaults: the one walk
// by which methods become JSON, text and faults.
func Settings(of any, each func(name string, value any)) {
	v := reflect.Indirect(reflect.ValueOf(of))
	for i := range v.NumField() {
		if f := v.Type().Field(i); f.IsExported() && !v.Field(i).IsZero() {
			each(f.Name, v.Field(i).Interface())
		}
	}
}

// SettingFaults says what is wrong with the settings of a method, a struct, whatever the queue.
func SettingFaults(f *check.Faults, settings any) {
	Settings(settings, func(name string, value any) {
		switch x := value.(type) {
		case int:
			b, bounded := counts[name]
			if !bounded || x == None && name == "PathLength" {
				return
			}
			f.That(int64(x) >= b.least, "%s %d: %s", name, x, b.below)
			f.AtMost(name, int64(x), b.most)
		case float64:
			if name == "SlowdownThreshold" || name == "Within" {
				f.That(x >= 0 && !math.IsInf(x, 1), "%s %v: give a finite time, not negative", name, x)
			}
		case Controls:
			f.That(slices.Contains([]Controls{"", PlainControls, CloseControls}, x), "Controls %q: use mjq.PlainControls or mjq.CloseControls, or leave them out", string(x))
		case Processor:
			f.That(slices.Contains([]Processor{CPU, GPU, Auto}, x), "Device %q: use mjq.CPU, mjq.GPU or mjq.Auto", string(x))
		}
	})
}
