// Package workload has the models that papers measure by, and their classes of jobs as
// they were published. They come without arrivals; give them a rate or a load:
//
//	r, err := workload.FiveClassExponential().AtLoad(0.9).Solve(ctx)
package workload

import (
	"bytes"
	_ "embed"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/special"
	"github.com/mjqueue/mjq/mjq/trace/foreign"
)

//go:embed data/five-classes-20.csv
var fiveClassesCSV []byte

//go:embed data/borg-cell-b-17.csv
var cellB17CSV []byte

//go:embed data/borg-cell-b-26.csv
var cellB26CSV []byte

// embedded is a workload that ships with the package, so reading it cannot fail.
func embedded(servers int, data []byte, service func(foreign.ClassRow) mjq.Law) mjq.Model {
	return mjq.Servers(servers).Classes(mjq.Must(foreign.ReadClasses(bytes.NewReader(data), service))...)
}

// FiveClassExponential is the mix of five classes on 20 servers of Table 2 of Baccelli,
// Olliaro, Ajmone Marsan and Marin with exponential services: T1, T2, T5, T10 and T15.
func FiveClassExponential() mjq.Model { return embedded(20, fiveClassesCSV, nil) }

// FiveClassErlang is the same mix with Erlang services of three phases.
func FiveClassErlang() mjq.Model {
	return embedded(20, fiveClassesCSV, func(row foreign.ClassRow) mjq.Law { return mjq.ErlangMeanPhases(row["mean_service"], 3) })
}

// FiveClassHyperExp is the same mix with hyperexponential services that take a long phase,
// 50 times the mean, with probability 0.01. The short phase is computed to give the mean
// exactly; the table rounds it.
func FiveClassHyperExp() mjq.Model {
	return embedded(20, fiveClassesCSV, func(row foreign.ClassRow) mjq.Law {
		mean := row["mean_service"]
		return mjq.HyperExpMeans(50*mean, mean*0.5/0.99, 0.01)
	})
}

// FiveClassBoundedPareto is the same mix with bounded Pareto services of shape 1.4 between
// the bounds of the authors' published inputs.
func FiveClassBoundedPareto() mjq.Model {
	return embedded(20, fiveClassesCSV, func(row foreign.ClassRow) mjq.Law {
		return mjq.BoundedPareto(row["bounded_pareto_min"], row["bounded_pareto_max"], 1.4)
	})
}

// BorgCellB is Google Borg Cell B with the 17 classes of Figure 7(a) of the same paper, on
// 2048 servers, with exponential services in seconds. The table is an image in the paper;
// these are the 17 of the 26 published classes whose probability is at least 1e-4,
// renormalised.
func BorgCellB() mjq.Model { return embedded(2048, cellB17CSV, nil) }

// BorgCellB26 is the same cell with all 26 published classes.
func BorgCellB26() mjq.Model { return embedded(2048, cellB26CSV, nil) }

// OneOrAll is a queue of n servers whose jobs need one server with probability 1-p and all
// of them with probability p, served at rates mu1 and mun: classes "small" and "big".
// Formulas for it are methods of special.OneAndN.
func OneOrAll(n int, p, mu1, mun float64) mjq.Model {
	return special.OneAndN{N: n, BigProb: p, SmallRate: mu1, BigRate: mun}.Model()
}
