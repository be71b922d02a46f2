package widgets

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/janpfeifer/gonb/gonbui"

	"github.com/mjqueue/mjq/mjq/result"
)

// Last shows what the last expression of a cell gives, with all its results, as the kernel
// calls it: Last(m.Solve(ctx)). An answer that has a picture comes with it. An error that comes after an answer ends the cell and
// takes its place, but what an interrupt leaves is shown. Nothing is shown for nothing: nil,
// a nil pointer, a nil error. A lone error is shown as the value that it is.
func Last(results ...any) {
	if n := len(results); n > 1 {
		if err, ok := results[n-1].(error); ok || results[n-1] == nil {
			results = results[:n-1]
			if err != nil && !left(results, err) {
				panic(err)
			}
		}
	}
	for _, r := range results {
		if !isNothing(r) {
			Show(shown(r)...)
		}
	}
}

// left reports whether an error is the end of a context, which has left an answer.
func left(results []any, err error) bool {
	ended := errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
	return ended && !isNothing(results[0])
}

// isNothing reports whether there is nothing to see of a value.
func isNothing(x any) bool {
	if x == nil {
		return true
	}
	v := reflect.ValueOf(x)
	switch v.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Slice, reflect.Func, reflect.Interface, reflect.Chan:
		return v.IsNil()
	case reflect.Struct:
		return v.NumField() == 0 && v.NumMethod() == 0
	}
	return false
}

// shown is a value as it is displayed: in a notebook with its picture, which is all that there is
// to see of a path. A function says what it is instead of where it lies.
func shown(x any) []any {
	if v := reflect.ValueOf(x); v.Kind() == reflect.Func {
		return []any{fmt.Sprintf("a function, %T: call it with its arguments in parentheses", x)}
	}
	x = abridged(x)
	p := picture(x)
	if p == nil || !gonbui.IsNotebook {
		return []any{x}
	}
	if _, isPath := x.(*result.Path); isPath {
		return []any{p}
	}
	return []any{x, p}
}

// mostShown and mostText are how many elements of a slice, and how many bytes of a value's text, are
// shown: a page takes long over more, and nobody reads it.
const mostShown, mostText = 1000, 20_000

// abridged is a value that is shown as text, or the beginning of that if it is long.
func abridged(x any) any {
	switch x.(type) {
	case fmt.Stringer, hyper, drawer, titled, nil:
		return x
	}
	if v := reflect.ValueOf(x); v.Kind() == reflect.Slice && v.Len() > mostShown {
		start := strings.TrimSuffix(fmt.Sprint(v.Slice(0, mostShown).Interface()), "]")
		return fmt.Sprintf("%s ... and %d more]", cut(start), v.Len()-mostShown)
	}
	text := fmt.Sprint(x)
	if start := cut(text); len(start) < len(text) {
		return fmt.Sprintf("%s ... and %d more bytes", start, len(text)-len(start))
	}
	return x
}

// cut is the beginning of a long text.
func cut(text string) string { return strings.ToValidUTF8(text[:min(len(text), mostText)], "") }
