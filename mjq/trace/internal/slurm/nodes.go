package slurm

import (
	"bytes"
	"fmt"
	"math"
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

// Amount is how much of a resource a string of trackable resources says.
type Amount struct {
	N      int  // units; MiB of memory, rounded up
	Given  bool // the resource is named
	Slices bool // parts of GPUs are counted as one each
}

// AmountOf reads the amount of one resource from a string of trackable resources such as
// cpu=16,mem=62.50G,node=1,gres/gpu:a100=2,gres/gpu=2. The total of a generic resource counts
// alone, as its types are the same units again; types without a total are added up.
func AmountOf(resources []byte, key string) (a Amount, err error) {
	typed, total := 0, false
	for len(resources) > 0 {
		var pair []byte
		pair, resources = next(resources)
		name, value, given := bytes.Cut(pair, []byte{'='})
		if at := bytes.LastIndexByte(pair, ':'); !given && at > 0 { // as a request has it: gres/gpu:a100:4
			name, value = pair[:at], pair[at+1:]
		}
		whole := string(name) == key
		if !whole && !isType(name, key) {
			continue
		}
		n, err := units(name, value)
		if err != nil {
			return Amount{}, err
		}
		a.Given = true
		if a.Slices = a.Slices || isSlice(name); whole {
			a.N, total = n, true
		} else {
			typed += n
		}
	}
	if !total {
		a.N = typed
	}
	return a, nil
}

// next takes the first pair off a list: a spreadsheet may have put semicolons for commas.
func next(list []byte) (pair, rest []byte) {
	for i, c := range list {
		if c == ',' || c == ';' {
			return list[:i], list[i+1:]
		}
	}
	return list, nil
}

// isType reports whether a name is that of a type of a resource, as gres/gpu:a100 of gres/gpu.
func isType(name []byte, key string) bool {
	return len(name) > len(key) && name[len(key)] == ':' && string(name[:len(key)]) == key
}

// isSlice reports whether a type of GPUs is a part of one, in any of its spellings: gres/gpu:1g.5gb,
// a100_1g.5gb, nvidia_h100_80gb_hbm3_1g.10gb, a100-3g.20gb.
func isSlice(name []byte) bool {
	for rest := name; ; {
		at := bytes.Index(rest, []byte("g."))
		if at < 0 {
			return false
		}
		head := bytes.TrimRight(rest[:at], "0123456789")
		size := bytes.TrimLeft(rest[at+2:], "0123456789")
		if len(head) < at && (len(head) == 0 || bytes.IndexByte([]byte(":_-"), head[len(head)-1]) >= 0) && len(size) < len(rest)-at-2 && bytes.HasPrefix(size, []byte("gb")) {
			return true
		}
		rest = rest[at+2:]
	}
}

// units reads an amount.
func units(name, value []byte) (int, error) {
	if kind := string(name); kind == "mem" || kind == "vmem" || strings.HasPrefix(kind, "bb/") {
		return mebibytes(value)
	}
	n, ok := whole(value)
	if !ok || n > math.MaxInt32 {
		remedy := ""
		if len(value) > 0 && strings.IndexByte("KMGTP", value[len(value)-1]) >= 0 {
			remedy = "; sacct has rounded it: run it with --noconvert"
		}
		return 0, fmt.Errorf("%.40q of %s is no whole number of units up to %d%s", value, name, math.MaxInt32, remedy)
	}
	return int(n), nil
}

// mebibytes reads an amount of memory, by default in MiB, in whole MiB rounded up.
func mebibytes(value []byte) (int, error) {
	number, unit := value, 1.
	if end := len(value) - 1; end >= 0 {
		if power := strings.IndexByte("KMGTP", value[end]); power >= 0 {
			number, unit = value[:end], math.Pow(1024, float64(power-1))
		}
	}
	x, ok := decimal(number)
	if x = math.Ceil(x * unit); !ok || x > math.MaxInt32 {
		return 0, fmt.Errorf("%.40q is no amount of memory; expected a number with K, M, G, T or P up to 2 PiB", value)
	}
	return int(x), nil
}
