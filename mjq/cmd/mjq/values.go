package main

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
)

// kind is a kind of values that flags have.
type kind[T any] struct {
	name, example string // in the help, and in what is said of a wrong one
	read          func(text string) (T, error)
}

// The kinds of values, numbers in any notation.
var (
	numbers = kind[float64]{"number", "0.5", readNumber}
	shares  = kind[float64]{"number", "0.05 or 5%", readShare}
	wholes  = kind[int]{"int", "20000 or 2e4", readWhole}
	seeds   = kind[uint64]{"uint", "7", readSeed}
	bools   = kind[bool]{"bool", "true", strconv.ParseBool}
	pairs   = kind[map[string]float64]{"name=number,...", "cpu=0.5,gpu=3", readPairs}
	names   = kind[string]{"string", "big", func(text string) (string, error) { return text, nil }}
)

// notNegative is a kind of numbers from 0 on.
func notNegative[T int | float64](k kind[T]) kind[T] {
	read := k.read
	k.read = func(text string) (T, error) {
		x, err := read(text)
		if err == nil && !(x >= 0) {
			err = fmt.Errorf("%v is not allowed; give a number from 0 on", x)
		}
		return x, err
	}
	return k
}

// one is a flag that holds a value, by default the one that stands there.
func (k kind[T]) one(into *T) pflag.Value {
	return &value[T]{kind: k, keep: func(x T) { *into = x }, text: func() string {
		if reflect.ValueOf(into).Elem().IsZero() {
			return ""
		}
		return fmt.Sprint(*into)
	}}
}

// then is a flag that hands on what it is given, each time.
func (k kind[T]) then(keep func(T)) pflag.Value { return k.each("", keep) }

// list is a flag that holds values with a separator between them, and can be repeated.
func (k kind[T]) list(into *[]T, separator string) pflag.Value {
	return k.each(separator, func(x T) { *into = append(*into, x) })
}

// each is a flag that hands on values with a separator between them. It takes the whole text for one
// where there is no separator.
func (k kind[T]) each(separator string, keep func(T)) pflag.Value {
	return &value[T]{kind: k, separator: separator, keep: keep, text: func() string { return "" }}
}

// value is a flag.
type value[T any] struct {
	kind[T]
	separator string
	keep      func(T)
	text      func() string
}

// Set reads the flag. Bytes that are not UTF-8 become U+FFFD, as in names of models in JSON.
func (v *value[T]) Set(text string) error {
	text = string([]rune(text))
	for _, part := range apart(text, v.separator) {
		x, err := v.read(part)
		if err != nil {
			return err
		}
		v.keep(x)
	}
	return nil
}

// apart cuts a list at its separators, but not within brackets or quotes: the levels of a
// priority have semicolons between them, too.
func apart(text, separator string) (parts []string) {
	depth, quoted, from := 0, false, 0
	for i := range len(text) {
		switch c := text[i]; {
		case c == '"' && (i == 0 || text[i-1] != '\\'):
			quoted = !quoted
		case quoted:
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case strings.IndexByte(")]}", c) >= 0:
			depth--
		case depth == 0 && separator != "" && c == separator[0]:
			parts, from = append(parts, text[from:i]), i+1
		}
	}
	return append(parts, text[from:])
}

// String is the value.
func (v *value[T]) String() string { return v.text() }

// Type is what help calls the value.
func (v *value[T]) Type() string { return v.name }

func (v *value[T]) instance() string { return v.example }

// define defines a flag that holds a value.
func define[T any](flags *pflag.FlagSet, k kind[T], name string, usual T, usage string) *T {
	flags.Var(k.one(&usual), name, usage)
	return &usual
}

// readNumber reads a number.
func readNumber(text string) (float64, error) {
	x, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil {
		return 0, fmt.Errorf("%q is not a number; give one as 0.5", text)
	}
	return x, nil
}

// readShare reads a number that may be in percent.
func readShare(text string) (float64, error) {
	digits, percent := strings.CutSuffix(strings.TrimSpace(text), "%")
	x, err := strconv.ParseFloat(strings.TrimSpace(digits), 64)
	switch {
	case err != nil:
		return 0, fmt.Errorf("%q is not a number; give one as 0.05 or 5%%", text)
	case percent:
		return x / 100, nil
	}
	return x, nil
}

// mostExactly is below which all whole numbers are floating-point numbers.
const mostExactly = 1 << 53

// readWhole reads a whole number, an exponent included.
func readWhole(text string) (int, error) {
	if n, err := strconv.Atoi(text); err == nil {
		return n, nil
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || x != math.Trunc(x) || math.Abs(x) > mostExactly {
		return 0, fmt.Errorf("%q is not a whole number; give one as 20000 or 2e4", text)
	}
	return int(x), nil
}

// readSeed reads a seed.
func readSeed(text string) (uint64, error) {
	n, err := strconv.ParseUint(text, 0, 64)
	if errors.Is(err, strconv.ErrRange) {
		return 0, fmt.Errorf("%q is not a seed; give a whole number of at most 64 bits", text)
	}
	if err != nil {
		return 0, fmt.Errorf("%q is not a seed; give a whole number from 0 on", text)
	}
	return n, nil
}

// readPairs reads names with numbers.
func readPairs(text string) (map[string]float64, error) {
	all := map[string]float64{}
	for _, part := range strings.Split(text, ",") {
		name, number, both := strings.Cut(part, "=")
		x, err := readNumber(number)
		if !both || err != nil {
			return nil, fmt.Errorf("%q is not a name with its number; give it as cpu=0.5", part)
		}
		all[strings.TrimSpace(name)] = x
	}
	return all, nil
}

// readShard reads a part of several, from 0.
func readShard(text string) (part [2]int, err error) {
	if _, err = fmt.Sscanf(text+";", "%d/%d;", &part[0], &part[1]); err != nil {
		err = fmt.Errorf("%q is not a part; give the first of three as 0/3", text)
	}
	return part, err
}

// readParts reads numbers with colons between them, of which some may be in percent, and
// what stands behind them. The form says what they are.
func readParts(text, form string, each ...kind[float64]) (x []float64, rest []string, err error) {
	parts := strings.SplitN(text, ":", len(each)+1)
	if len(parts) < len(each) {
		return nil, nil, fmt.Errorf("%q has %d of %d numbers; put a colon between them, as %s", text, len(parts), len(each), form)
	}
	for i, k := range each {
		v, err := k.read(parts[i])
		if err != nil {
			return nil, nil, err
		}
		x = append(x, v)
	}
	return x, parts[len(each):], nil
}
