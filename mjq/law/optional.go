package law

import "reflect"

// ask is what a law says of itself beyond the methods of [Law]: it, as the optional
// interface T; ok is false if it has nothing to say.
//
// A law that embeds another has the methods of that too, and they speak of the
// other. struct{ law.Exponential } with a Sample of its own is not memoryless, for
// all that its Rate says. So a law is not asked what one that it embeds would
// answer; a law that is built around another, and wants to answer, has it in a
// named field.
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
