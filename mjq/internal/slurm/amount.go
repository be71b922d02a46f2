package slurm

import (
	"bytes"
	"fmt"
	"math"
	"strings"
)

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
		pair, resources, _ = bytes.Cut(resources, []byte{','})
		name, value, _ := bytes.Cut(pair, []byte{'='})
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

// isType reports whether a name is that of a type of a resource, as gres/gpu:a100 of gres/gpu.
func isType(name []byte, key string) bool {
	return len(name) > len(key) && name[len(key)] == ':' && string(name[:len(key)]) == key
}

// isSlice reports whether a type of GPUs is a part of one, as gres/gpu:a100_1g.5gb.
func isSlice(name []byte) bool {
	_, kind, _ := bytes.Cut(name, []byte{'_'})
	digits := bytes.TrimLeft(kind, "0123456789")
	return len(digits) < len(kind) && bytes.HasPrefix(digits, []byte("g."))
}

// units reads an amount.
func units(name, value []byte) (int, error) {
	if kind := string(name); kind == "mem" || kind == "vmem" || strings.HasPrefix(kind, "bb/") {
		return mebibytes(value)
	}
	n, ok := whole(value)
	if !ok || n > math.MaxInt32 {
		return 0, fmt.Errorf("%.40q of %s is no whole number of units up to %d", value, name, math.MaxInt32)
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
