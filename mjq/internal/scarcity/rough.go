package scarcity

import "github.com/mjqueue/mjq/mjq/law"

// Rough is the law, or one near it that answers at once where the law has one: plans ask for thousands
// of values, and need no digit of them.
func Rough(l law.Law) law.Law {
	if r, ok := l.(interface{ Rough() law.Law }); ok {
		return r.Rough()
	}
	return l
}
