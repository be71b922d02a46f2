package trace

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/mjqueue/mjq/mjq/trace/internal/slurm"
)

// held reads what a job held; false if it is no job.
func (in *sacctReader) held(no int) bool {
	c := &in.columns
	column := c.allocated
	if column < 0 || len(in.cells[column]) == 0 {
		column = -1
		if c.requested >= 0 && len(in.cells[c.requested]) > 0 && c.allocated >= 0 {
			in.adjust(asRequested, no)
			column = c.requested
		}
	}
	if !in.resources(no, column, column) {
		return false
	}
	if slices.Max(in.amounts) == 0 {
		in.skip(in.needless(), no)
		return false
	}
	return true
}

// needless is the reason of a line that needs none of what counts.
func (in *sacctReader) needless() string { return holdsNone + in.keys[0] + others(len(in.keys)-1) }

// others is what stands for the rest of a list.
func others(n int) string {
	if n == 0 {
		return ""
	}
	return " and " + strconv.Itoa(n) + " more"
}

// resources reads the amounts of a column; false if one cannot be read. Where the column does
// not say, CPUs and nodes have columns of their own.
func (in *sacctReader) resources(no, column, remarked int) bool {
	c := &in.columns
	for k, key := range in.keys {
		a, err := slurm.AmountOf(cell(in.cells, column), key)
		if own := map[string]int{"cpu": c.allocCPUs, "node": c.nNodes}; err == nil && !a.Given && (key == "cpu" || key == "node") && own[key] >= 0 && len(in.cells[own[key]]) > 0 {
			a, err = slurm.AmountOf(append([]byte(key+"="), in.cells[own[key]]...), key)
		}
		if err != nil {
			in.malformed(no, noAmount, err.Error())
			return false
		}
		if a.N > math.MaxInt32 {
			in.malformed(no, numberTooLarge, fmt.Sprintf("%d units of %s are more than %d", a.N, key, math.MaxInt32))
			return false
		}
		if a.Slices && remarked >= 0 {
			in.adjust(asSlices, no)
		}
		in.amounts[k] = a.N
	}
	return true
}

// class numbers the label of the line.
func (in *sacctReader) class() int32 {
	in.label = in.label[:0]
	for i, at := range in.columns.class {
		text := in.cells[at]
		if at == in.columns.state {
			if s, known := slurm.StateOf(text); known {
				text = []byte(s.Name)
			}
		}
		if i > 0 {
			in.label = append(in.label, '+')
		}
		in.label = append(in.label, text...)
	}
	return in.classes.of(in.label)
}

// labelled numbers the labels of the line.
func (in *sacctReader) labelled() int32 {
	l := labels{class: in.class(), user: in.users.of(cell(in.cells, in.columns.user)), account: in.accounts.of(cell(in.cells, in.columns.account)), cluster: in.clusters.of(cell(in.cells, in.columns.cluster)), raw: in.isRaw()}
	if len(in.options.Types) > 0 {
		l.units = in.vector()
	}
	return in.share(l)
}

// share numbers labels.
func (in *sacctReader) share(l labels) int32 {
	k, known := in.sharing[l]
	if !known {
		k = int32(len(in.shared))
		in.shared, in.sharing[l] = append(in.shared, l), k
	}
	return k
}

// vector numbers the amounts of the line.
func (in *sacctReader) vector() int32 {
	in.label = in.label[:0]
	for _, n := range in.amounts {
		in.label = append(strconv.AppendInt(in.label, int64(n), 10), ' ')
	}
	k := in.vectors.of(in.label)
	if int(k) == len(in.units) {
		in.units = append(in.units, slices.Clone(in.amounts))
	}
	return k
}
