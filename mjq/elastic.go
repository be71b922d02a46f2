package mjq

import "github.com/mjqueue/mjq/mjq/spec"

// Elastic lets the jobs of a class run on least to most servers, which changes at every event. A job
// starts as soon as least servers are free, counting those that elastic jobs hold beyond their least.
// Servers that are free after that go to running elastic jobs, one at a time to the smallest; Oldest
// changes that. The service time of the class stays that on its need: on k servers it takes the speed
// of the need over the speed of k times as long. The speed may also restrict the sizes and give a time
// to resize, as Power(0.8).Sizes(2, 4, 8, 16).Resize(0.1).
func (m Model) Elastic(class string, least, most int, speed spec.Speed) Model {
	return m.setting("Elastic", []string{class}, func(c *Class) { c.Elastic = &spec.Elastic{Least: least, Most: most, Speed: speed} })
}

// Partial lets the jobs of a class start on fewer servers than they need: each takes what is free, from
// least to its need, and keeps it.
func (m Model) Partial(class string, least int, speed spec.Speed) Model {
	return m.setting("Partial", []string{class}, func(c *Class) { c.Elastic = &spec.Elastic{Partial: true, Least: least, Speed: speed} })
}

// Oldest gives free servers to running elastic jobs in the order of their starts, to each as many as it
// may hold, in place of one at a time to the smallest.
func (m Model) Oldest() Model {
	return m.structured(func(d *description) { d.said.Oldest = true })
}

// Linear is the speed of jobs that run twice as fast on twice the servers.
func Linear() spec.Speed { return spec.Speed{Law: spec.LinearSpeed} }

// Power is a speed of k to an exponent, at most 1, on k servers.
func Power(exponent float64) spec.Speed { return spec.Speed{Law: spec.PowerSpeed, X: exponent} }

// Amdahl is the speed of jobs of which that share of the work is spread over all servers, and the rest is
// done on one: 1/(1 - share + share/k).
func Amdahl(share float64) spec.Speed { return spec.Speed{Law: spec.AmdahlSpeed, X: share} }

// Speeds is a measured speed: on 1, 2, ... servers.
func Speeds(on ...float64) spec.Speed { return spec.Speed{Law: spec.TableSpeed, Table: on} }
