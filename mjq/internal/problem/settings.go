package problem

import (
	"math/bits"
	"slices"
	"strings"
)

// Setting is a set of settings of a query, one bit each.
type Setting uint32

// The settings of all methods and questions.
const (
	Samples Setting = 1 << iota
	Jobs
	WarmUp
	Replications
	BatchMeans
	Window
	MaxWindow
	AgreeTogether
	PathLength
	Controls
	RelErr
	HalfWidth
	Device
	MaxJobs
	MaxBytes
	MomentsOnly
	SlowdownThreshold
	Within
	Overtaking
	Wait
	Eps
	settings // one beyond the last
	counted  = iota - 1
)

// CloseControls is the setting of Controls that has looks closer and knows squares.
const CloseControls = 2

// settingNames are the names of fields of the methods, and of options.
var settingNames = [...]string{"Samples", "Jobs", "WarmUp", "Replications", "BatchMeans", "Window", "MaxWindow", "AgreeTogether",
	"PathLength", "Controls", "RelErr", "HalfWidth", "Device", "MaxJobs", "MaxBytes", "MomentsOnly", "SlowdownThreshold", "Within", "Overtaking", "Wait", "Eps"}

var _ [counted]string = settingNames // as many as there are settings

// SettingOf is the setting of a name.
func SettingOf(name string) (Setting, bool) {
	i := slices.Index(settingNames[:], name)
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

// taken is which settings each method takes, in the order in which faults name them.
var taken []struct {
	by       string
	settings Setting
}

// Taken notes which settings a method takes, for the faults that say who takes one.
func Taken(by string, settings Setting) {
	taken = append(taken, struct {
		by       string
		settings Setting
	}{by, settings})
}

// Takers says which methods take a setting, as "Forward, Simulation do".
func Takers(s Setting) string {
	var names []string
	for _, m := range taken {
		if m.settings&s != 0 {
			names = append(names, m.by)
		}
	}
	if len(names) == 0 {
		return "Stability and Path do"
	}
	if len(names) == 1 {
		return names[0] + " does"
	}
	return strings.Join(names, ", ") + " do"
}
