// Package methods is the list of the methods, and chooses among them: it foresees what each
// takes for a target. What a method is called, what it takes and how it runs stands in the
// package that computes it.
package methods

import (
	"github.com/mjqueue/mjq/mjq/internal/exact"
	"github.com/mjqueue/mjq/mjq/internal/run"
	"github.com/mjqueue/mjq/mjq/internal/sampler"
	"github.com/mjqueue/mjq/mjq/internal/simulation"
)

// All are the methods, the exact ones first.
var All = []run.Method{exact.Method{}, sampler.Dominated{}, sampler.Certified{}, sampler.Backward{}, sampler.Unbiased{}, sampler.Forward{}, sampler.RareEvent{}, simulation.Method{}}

func init() { run.Methods = All }
