package widgets

import (
	"context"
	"errors"
	"fmt"
	"reflect"

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
	p := picture(x)
	if p == nil || !gonbui.IsNotebook {
		return []any{x}
	}
	if _, isPath := x.(*result.Path); isPath {
		return []any{p}
	}
	return []any{x, p}
}
