package mjq

import "github.com/mjqueue/mjq/mjq/result"

// What verbs return is defined in package result.
type (
	Estimate       = result.Estimate
	Distribution   = result.Distribution
	Precision      = result.Precision
	Curve          = result.Curve
	Metric         = result.Metric
	ClassResult    = result.ClassResult
	Result         = result.Result
	Run            = result.Run
	Count          = result.Count
	Stability      = result.Stability
	ResourceLimit  = result.ResourceLimit
	ResourceResult = result.ResourceResult
	HeavyTraffic   = result.HeavyTraffic
	SaturatedState = result.SaturatedState
	Path           = result.Path
	PathJob        = result.PathJob
	Idle           = result.Idle
	Table          = result.Table
	Column         = result.Column
)

// NewTable is an empty table with a title, which may be "".
func NewTable(title string) *Table { return result.NewTable(title) }
