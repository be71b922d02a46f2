package trace

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// typeNames are the names of the types.
func (o *CSV) typeNames() (names []string) {
	for _, t := range o.Types {
		names = append(names, t.Name)
	}
	return names
}

// columns finds the columns in the header, or by their numbers.
func (in *csvReader) columns(header [][]byte) error {
	o := &in.options
	for k, field := range csvFields {
		needed := k == arrivalColumn || k == serversColumn && len(o.Types) == 0 || k == serviceColumn && o.End == ""
		name, names := field.given(o), field.usual
		if name != "" {
			names = []string{name}
		}
		at, err := o.find(header, names, needed || name != "", k, field.holds)
		if err != nil {
			return err
		}
		in.at[k] = at
	}
	for _, t := range o.Types {
		at, err := o.find(header, []string{cmp.Or(t.Column, t.Name)}, true, columns, "amount of "+t.Name)
		if err != nil {
			return err
		}
		in.amounts = append(in.amounts, at)
	}
	var missing error
	in.sieve.of(func(name string) int {
		at, err := o.find(header, []string{name}, true, columns, "filter")
		for k := range csvFields {
			if err != nil && strings.EqualFold(csvFields[k].name, name) && in.at[k] >= 0 {
				return in.at[k]
			}
		}
		missing = cmp.Or(missing, err)
		return at
	})
	return missing
}

// find finds a column, -1 if there is none and there need not be. Without a header names are
// numbers, and the first three columns have their own.
func (o *CSV) find(header [][]byte, names []string, needed bool, k int, holds string) (at int, err error) {
	if !o.NoHeader {
		at = slices.IndexFunc(header, func(h []byte) bool {
			return slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, string(h)) })
		})
		if at < 0 && needed {
			return at, fmt.Errorf("the header %.80q has no column %s for the %s", bytes.Join(header, []byte{','}), strings.Join(names, " or "), holds)
		}
		return at, nil
	}
	switch {
	case !needed:
		return -1, nil
	case k < 3 && slices.Equal(names, csvFields[k].usual):
		names = []string{strconv.Itoa(k + 1)}
	}
	n, err := strconv.Atoi(names[0])
	if err != nil || n < 1 || n > len(header) {
		return -1, fmt.Errorf("no column %q for the %s: without a header give a number from 1 to %d", names[0], holds, len(header))
	}
	return n - 1, nil
}

// cell is that of a column, empty where there is none.
func (in *csvReader) cell(column int) []byte {
	if in.at[column] < 0 {
		return nil
	}
	return in.cells[in.at[column]]
}

// label is the text of a column, one string for all jobs that share it.
func (in *csvReader) label(column int) string {
	cell := in.cell(column)
	label, known := in.names[string(cell)]
	if !known {
		label = utf8Of(cell)
		in.names[string(cell)] = label
	}
	return label
}
