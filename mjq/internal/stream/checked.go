package stream

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"

	"github.com/mjqueue/mjq/internal/panics"
	"github.com/mjqueue/mjq/mjq/law"
)

// Longest is the longest time that a recurrence takes. Its square is finite, and
// so are sums of more times than a run can have.
const Longest = 1e100

// BadSample is the panic of a law whose Sample does not give a time.
type BadSample struct {
	Law   string
	Value float64
}

// Error names the law and what it must give.
func (b *BadSample) Error() string {
	return fmt.Sprintf("the law %s: Sample gave %v; it must give a number from 0 to %g, so fix the law, or choose a longer unit of time", b.Law, b.Value, Longest)
}

// usable reports whether x is a time: not negative, not NaN, and at most Longest.
// As bits, times order like integers, and whatever else is beyond them.
func usable(x float64) bool { return math.Float64bits(x) <= longest }

var longest = math.Float64bits(Longest)

// refuse panics, for x is not a time.
func refuse(l law.Law, x float64) {
	if x != 0 { // -0 is as good as 0
		panic(&BadSample{named(l), x})
	}
}

// ready is the sampler of a law. That of a law from elsewhere says in its panics
// which law it is.
func ready(l law.Law) law.Sampler {
	t := reflect.TypeOf(l)
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.PkgPath() == own {
		return law.Prepare(l)
	}
	return foreign{l, law.Prepare(l)}
}

var own = reflect.TypeFor[law.Law]().PkgPath()

// foreign is a law that is not of package law, and its sampler.
type foreign struct {
	l     law.Law
	ready law.Sampler
}

func (f foreign) Sample(rng rand.Source) float64 {
	defer func() {
		if v := recover(); v != nil {
			panic(panics.From(v, "the Sample of the law "+named(f.l)))
		}
	}()
	return f.ready.Sample(rng)
}

// named is what a law calls itself, if it can.
func named(l law.Law) string {
	name := fmt.Sprintf("%T", l)
	if err := panics.Call(func() { name = l.String() }); err != nil || name == "" {
		name = fmt.Sprintf("%T", l)
	}
	return name
}
