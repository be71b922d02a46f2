package law

import "reflect"

// ask returns a law as the optional interface T, if it implements it by itself.
//
// A law that embeds another one has the methods of that one too, and they describe
// the embedded law: a struct{ law.Exponential } with a Sample of its own is not
// memoryless, although it has the method Rate. An interface that an embedded field
// implements is therefore ignored. A law that is built around another and wants to
// implement the interface keeps the other in a named field.
func ask[T any](l Law) (answer T, ok bool) {
	if answer, ok = l.(T); !ok {
		return answer, false
	}
	t := reflect.TypeOf(l)
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return answer, true
	}
	question := reflect.TypeFor[T]()
	for i := range t.NumField() {
		if f := t.Field(i); f.Anonymous && (f.Type.Implements(question) || reflect.PointerTo(f.Type).Implements(question)) {
			return answer, false
		}
	}
	return answer, true
}
