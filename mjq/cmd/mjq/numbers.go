package main

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
)

// readNumber reads a number; a share also in percent.
func readNumber(text string, share bool) (float64, error) {
	digits, percent := strings.CutSuffix(strings.TrimSpace(text), "%")
	x, err := strconv.ParseFloat(strings.TrimSpace(digits), 64)
	switch {
	case err != nil || percent && !share:
		return 0, fmt.Errorf("%q is not a number; give one as %s", text, exampleOf(share))
	case percent:
		return x / 100, nil
	}
	return x, nil
}

func exampleOf(share bool) string {
	if share {
		return "0.05 or 5%"
	}
	return "0.5"
}

// number is a flag that holds a number.
type number struct {
	value *float64
	share bool // which may be given in percent
}

func numberFlag(flags *pflag.FlagSet, name string, usual float64, usage string) *float64 {
	flags.Var(&number{value: &usual}, name, usage)
	return &usual
}

func shareFlag(flags *pflag.FlagSet, name string, usual float64, usage string) *float64 {
	flags.Var(&number{value: &usual, share: true}, name, usage)
	return &usual
}

// Set reads the flag.
func (n *number) Set(text string) (err error) {
	*n.value, err = readNumber(text, n.share)
	return err
}

// String is the number.
func (n *number) String() string { return strconv.FormatFloat(*n.value, 'g', -1, 64) }

// Type is what help calls the value.
func (n *number) Type() string { return "number" }

func (n *number) example() string { return exampleOf(n.share) }

// numberList is a flag that holds numbers with commas between them, and can be repeated.
type numberList struct {
	values *[]float64
	share  bool
}

// Set reads more numbers.
func (l *numberList) Set(text string) error {
	for _, part := range strings.Split(text, ",") {
		x, err := readNumber(part, l.share)
		if err != nil {
			return err
		}
		*l.values = append(*l.values, x)
	}
	return nil
}

// String is the numbers, of which none is set by default.
func (l *numberList) String() string { return strings.Trim(fmt.Sprint(*l.values), "[]") }

// Type is what help calls the values.
func (l *numberList) Type() string { return "numbers" }

func (l *numberList) example() string { return exampleOf(l.share) }

// whole is a flag that holds a whole number.
type whole int

func wholeFlag(flags *pflag.FlagSet, name string, usual int, usage string) *int {
	flags.Var((*whole)(&usual), name, usage)
	return &usual
}

// mostExactly is below which all whole numbers are floating-point numbers.
const mostExactly = 1 << 53

// Set reads the flag, an exponent included.
func (w *whole) Set(text string) error {
	if n, err := strconv.Atoi(text); err == nil {
		*w = whole(n)
		return nil
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || x != math.Trunc(x) || math.Abs(x) > mostExactly {
		return fmt.Errorf("%q is not a whole number; give one as %s", text, w.example())
	}
	*w = whole(x)
	return nil
}

// String is the number.
func (w *whole) String() string { return strconv.Itoa(int(*w)) }

// Type is what help calls the value.
func (w *whole) Type() string { return "int" }

func (w *whole) example() string { return "20000 or 2e4" }

// seed is a flag that holds a seed.
type seed uint64

func seedFlag(flags *pflag.FlagSet, usual uint64, usage string) *uint64 {
	flags.Var((*seed)(&usual), "seed", usage)
	return &usual
}

// Set reads the flag.
func (s *seed) Set(text string) error {
	n, err := strconv.ParseUint(text, 0, 64)
	if errors.Is(err, strconv.ErrRange) {
		return fmt.Errorf("%q is not a seed; give a whole number of at most 64 bits", text)
	}
	if err != nil {
		return fmt.Errorf("%q is not a seed; give a whole number from 0 on", text)
	}
	*s = seed(n)
	return nil
}

// String is the seed.
func (s *seed) String() string { return strconv.FormatUint(uint64(*s), 10) }

// Type is what help calls the value.
func (s *seed) Type() string { return "uint" }

func (s *seed) example() string { return "7" }
