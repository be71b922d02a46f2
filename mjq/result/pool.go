package result

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"time"
)

// Pool returns one result of independent replications of the same point, in their order;
// nil of none. It pools every field: estimates by their numbers of observations,
// distributions by theirs; plain numbers are averaged, counts of Run are added. A number
// that one of the replications does not know is unknown, and so is a curve on which they
// do not agree.
//
// If some replications are stable and others are not, nobody knows whether the queue is:
// then Stable is false, every estimate is unknown, and a note says so.
func Pool(rs []*Result) *Result {
	if len(rs) < 2 {
		if len(rs) == 0 {
			return nil
		}
		return rs[0]
	}
	all := make([]reflect.Value, len(rs))
	stable := 0
	for i, r := range rs {
		all[i] = reflect.ValueOf(r).Elem()
		if r.Stable {
			stable++
		}
	}
	out := pooled(all).Interface().(Result)
	if stable > 0 && stable < len(rs) {
		out.forget()
		out.Notes = append(out.Notes, undecided(stable, len(rs)))
	}
	return &out
}

// pooled is one value of those of all replications, by its type. What has no rule of its
// own is pooled field by field.
func pooled(vs []reflect.Value) reflect.Value {
	switch vs[0].Interface().(type) {
	case Estimate:
		return reflect.ValueOf(poolEstimates(each[Estimate](vs)))
	case Metric:
		return reflect.ValueOf(poolMetrics(each[Metric](vs), fields(vs).Interface().(Metric)))
	case Distribution:
		return reflect.ValueOf(poolDistributions(each[Distribution](vs)))
	case Precision:
		return reflect.ValueOf(poolPrecisions(each[Precision](vs)))
	case Stability:
		return reflect.ValueOf(poolLimits(each[Stability](vs), fields(vs).Interface().(Stability)))
	case Run:
		return reflect.ValueOf(poolRuns(each[Run](vs), fields(vs).Interface().(Run)))
	case Curve, time.Time:
		if agree(vs) {
			return vs[0]
		}
		return reflect.Zero(vs[0].Type())
	case []string:
		return reflect.ValueOf(union(slices.Concat(each[[]string](vs)...)))
	case uint64: // a seed: that of the first
		return vs[0]
	}
	switch vs[0].Kind() {
	case reflect.Struct:
		return fields(vs)
	case reflect.Slice:
		return elements(vs)
	}
	return poolPlain(vs)
}

// each are the values with their type.
func each[T any](vs []reflect.Value) []T {
	out := make([]T, len(vs))
	for i, v := range vs {
		out[i] = v.Interface().(T)
	}
	return out
}

// agree reports whether all are the same, to the bit.
func agree(vs []reflect.Value) bool {
	return !slices.ContainsFunc(vs, func(v reflect.Value) bool { return !reflect.DeepEqual(v.Interface(), vs[0].Interface()) })
}

// fields pools a struct field by field.
func fields(vs []reflect.Value) reflect.Value {
	out := reflect.New(vs[0].Type()).Elem()
	at := make([]reflect.Value, len(vs))
	for k := range out.NumField() {
		for i, v := range vs {
			at[i] = v.Field(k)
		}
		out.Field(k).Set(pooled(at))
	}
	return out
}

// elements pools a list element by element; lists of different lengths leave none.
func elements(vs []reflect.Value) reflect.Value {
	n := vs[0].Len()
	if vs[0].IsNil() || slices.ContainsFunc(vs, func(v reflect.Value) bool { return v.Len() != n }) {
		return reflect.Zero(vs[0].Type())
	}
	out := reflect.MakeSlice(vs[0].Type(), n, n)
	at := make([]reflect.Value, len(vs))
	for k := range n {
		for i, v := range vs {
			at[i] = v.Index(k)
		}
		out.Index(k).Set(pooled(at))
	}
	return out
}

// poolPlain pools names, numbers without an interval, and yes or no: where not all agree
// the names one after the other, the mean, and yes if all say so.
func poolPlain(vs []reflect.Value) reflect.Value {
	if agree(vs) {
		return vs[0]
	}
	out, sum, every := reflect.New(vs[0].Type()).Elem(), 0.0, true
	var names []string
	for _, v := range vs {
		switch v.Kind() {
		case reflect.String:
			names = append(names, v.String())
		case reflect.Bool:
			every = every && v.Bool()
		case reflect.Float64:
			sum += v.Float()
		default:
			sum += float64(v.Int())
		}
	}
	switch out.Kind() {
	case reflect.String:
		out.SetString(strings.Join(union(names), "; "))
	case reflect.Bool:
		out.SetBool(every)
	case reflect.Float64:
		out.SetFloat(sum / float64(len(vs)))
	default:
		out.SetInt(int64(math.Round(sum / float64(len(vs)))))
	}
	return out
}

// union is each text once, in the order in which they come first.
func union(texts []string) (out []string) {
	for _, text := range texts {
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}
