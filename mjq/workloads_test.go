package mjq

import (
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"slices"
	"strconv"
)

var background = context.Background()

// The models of package workload, which stands above this one, from the same tables.

func FiveClassExponential() Model {
	return published(20, "five-classes-20.csv", func(at func(string) float64) Law { return ExpMean(at("mean_service")) })
}

func FiveClassBoundedPareto() Model {
	return published(20, "five-classes-20.csv", func(at func(string) float64) Law {
		return BoundedPareto(at("bounded_pareto_min"), at("bounded_pareto_max"), 1.4)
	})
}

func BorgCellB() Model {
	return published(2048, "borg-cell-b-17.csv", func(at func(string) float64) Law { return ExpMean(at("mean_service_seconds")) })
}

// published is a table of package workload, with the service law that a line has.
func published(servers int, name string, service func(at func(column string) float64) Law) Model {
	file := Must(os.Open("workload/data/" + name))
	defer file.Close()
	in := csv.NewReader(file)
	in.TrimLeadingSpace = true
	lines := Must(in.ReadAll())
	m := Servers(servers)
	for _, line := range lines[1:] {
		at := func(column string) float64 {
			return Must(strconv.ParseFloat(line[slices.Index(lines[0], column)], 64))
		}
		need := int(at("servers"))
		m = m.Class(fmt.Sprintf("T%d", need), need, at("probability"), service(at))
	}
	return m
}
