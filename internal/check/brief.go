package check

import (
	"fmt"
	"regexp"
	"strconv"
)

var number = regexp.MustCompile(`\d+\.\d+(e[-+]\d+)?`)

// Brief is the text with no more than five digits of each number: fitted parameters have
// seventeen, which nobody reads. Written models keep them all.
func Brief(text string) string {
	return number.ReplaceAllStringFunc(text, func(digits string) string {
		v, err := strconv.ParseFloat(digits, 64)
		if short := fmt.Sprintf("%.5g", v); err == nil && len(short) < len(digits) {
			return short
		}
		return digits
	})
}
