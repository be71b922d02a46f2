package slurm

import (
	"bytes"
	"strings"
)

// Node is a line of sinfo -N -h -o "%N|%P|%c|%m|%G|%T".
type Node struct {
	Name, Partition string
	CPUs, MiB, GPUs int
	Usable          bool // not down, drained, failing or in maintenance
}

// nodeColumns is the number of columns of such a line.
const nodeColumns = 6

// NodeOf reads a line.
func NodeOf(text []byte) (n Node, err error) {
	cells := bytes.Split(text, []byte{'|'})
	if len(cells) != nodeColumns {
		return n, wrong("line of sinfo", text, `run sinfo -N -h -o "%N|%P|%c|%m|%G|%T"`)
	}
	n.Name, n.Partition = string(cells[0]), strings.TrimSuffix(string(cells[1]), "*")
	if n.Name == "" {
		return n, wrong("line of sinfo", text, "the name of the node is missing")
	}
	for k, to := range []*int{&n.CPUs, &n.MiB} {
		x, ok := whole(bytes.TrimSuffix(cells[2+k], []byte{'+'}))
		if !ok || x > 1<<31-1 {
			return n, wrong([]string{"number of CPUs", "number of MiB"}[k], cells[2+k], "expected digits alone")
		}
		*to = int(x)
	}
	if n.GPUs, err = gpus(cells[4]); err != nil {
		return n, err
	}
	n.Usable = usable(string(cells[5]))
	return n, nil
}

// gpus counts those of generic resources such as gpu:a100:8(S:0-1),shard:4.
func gpus(text []byte) (sum int, err error) {
	if string(text) == "(null)" || len(text) == 0 {
		return 0, nil
	}
	depth := 0
	each := bytes.FieldsFunc(text, func(r rune) bool {
		switch r {
		case '(':
			depth++
		case ')':
			depth--
		}
		return r == ',' && depth == 0
	})
	for _, one := range each {
		one, _, _ = bytes.Cut(one, []byte{'('})
		parts := bytes.Split(one, []byte{':'})
		if string(parts[0]) != "gpu" {
			continue
		}
		n, ok := whole(parts[len(parts)-1])
		if !ok || n > 1<<20 {
			return 0, wrong("number of GPUs", text, "expected gpu:TYPE:NUMBER")
		}
		sum += int(n)
	}
	return sum, nil
}

// usable reports whether a node in such a state runs jobs. Flags of one character at the end of
// a state do not count, but for *, which says that the node does not respond.
func usable(state string) bool {
	if strings.HasSuffix(state, "*") {
		return false
	}
	for _, part := range strings.Split(strings.ToLower(strings.TrimRight(state, "~#!%$@^-")), "+") {
		switch part {
		case "down", "drain", "drained", "draining", "fail", "failing", "maint", "unknown", "future", "powered_down", "error", "inval":
			return false
		}
	}
	return true
}
