package result

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"
)

// every has a value of every exported type that is a struct; TestEveryTypeInJSONAndGob
// misses none.
var every = []any{ArrivalFit{}, ArrivalCandidate{}, Arriving{}, Capacity{}, CapacityNeed{}, CapacitySchedule{}, Change{}, Checkpoints{}, CheckpointInterval{}, ClassCheckpoints{}, ClassKeep{}, ClassPrice{}, ClassResult{}, Column{}, Comparison{},
	Count{}, Transient{}, Curve{}, Decisions{}, Difference{}, Distribution{}, Estimate{}, Exceedance{}, HeavyTraffic{}, Idle{}, LevelLimit{}, LineCount{}, Log{}, LowerBound{}, Metric{},
	Optimum{}, OptimumClass{}, Part{}, PartClass{}, Path{}, PathJob{}, Precision{}, Prices{}, Reservation{}, ResourceLimit{}, ResourceResult{}, Fragmentation{}, Energy{}, Result{}, Run{}, SaturatedState{},
	Sensitivities{}, Series{}, Sizing{}, SizingPoint{}, Stability{}, Stretch{}, Sweep{}, SweepPoint{}, SweepJob{}, ExactSize{}, Table{}, Units{}, Window{}}

// filler sets all fields of a value, lists to two elements, so that no leaf is zero.
type filler struct {
	n    int                 // numbers given out so far
	real func(n int) float64 // the n-th that stands in a float64
}

func (f *filler) fill(v reflect.Value) {
	f.n++
	switch v.Kind() {
	case reflect.Float64:
		v.SetFloat(f.real(f.n))
	case reflect.Int, reflect.Int32, reflect.Int64:
		v.SetInt(int64(f.n))
	case reflect.Uint8, reflect.Uint64:
		v.SetUint(uint64(f.n % 256))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.String:
		v.SetString(fmt.Sprint("text ", f.n))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		f.fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		f.fill(v.Index(0))
		f.fill(v.Index(1))
	case reflect.Struct:
		if _, ok := v.Interface().(time.Time); ok {
			v.Set(reflect.ValueOf(time.Unix(int64(f.n), 0).UTC()))
			return
		}
		for i := range v.NumField() {
			f.fill(v.Field(i))
		}
	default:
		panic("no rule for " + v.Type().String())
	}
}

// TestEveryTypeInJSONAndGob: every exported type, with NaN, infinities and numbers in its
// fields, is read as it was written, by itself and in a list.
func TestEveryTypeInJSONAndGob(t *testing.T) {
	missed := exported(t)
	delete(missed, "Step")  // a message, which is not kept
	delete(missed, "Scale") // what a table is shown in
	for _, zero := range every {
		of := reflect.TypeOf(zero)
		delete(missed, of.Name())
		for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1.0 / 3} {
			list := reflect.New(reflect.SliceOf(of))
			(&filler{real: func(int) float64 { return x }}).fill(list.Elem())
			want := fmt.Sprintf("%#v", dereferenced(list.Elem()))
			text, err := json.Marshal(list.Interface())
			back := reflect.New(list.Type().Elem())
			if err == nil {
				err = json.Unmarshal(text, back.Interface())
			}
			if err != nil {
				t.Errorf("%v with %v in JSON: %v", of, x, err)
			} else if got := fmt.Sprintf("%#v", dereferenced(back.Elem())); got != want {
				t.Errorf("%v with %v in JSON is read as\n%.600s\nwant\n%.600s", of, x, got, want)
			}
			var wire bytes.Buffer
			back = reflect.New(list.Type().Elem())
			if err := gob.NewEncoder(&wire).Encode(list.Interface()); err != nil {
				t.Errorf("%v with %v in gob: %v", of, x, err)
			} else if err := gob.NewDecoder(&wire).Decode(back.Interface()); err != nil || fmt.Sprintf("%#v", dereferenced(back.Elem())) != want {
				t.Errorf("%v with %v in gob is read with %v as\n%.600s\nwant\n%.600s", of, x, err, fmt.Sprintf("%#v", back.Elem()), want)
			}
		}
	}
	for name := range missed {
		t.Errorf("the type %s is not among those tried; add it to every", name)
	}
}

// dereferenced is v with results in place of pointers to them.
func dereferenced(v reflect.Value) any {
	var all []any
	switch list := v.Interface().(type) {
	case []Comparison:
		for _, c := range list {
			for _, r := range c.Results {
				all = append(all, *r)
			}
			c.Results = nil
			all = append(all, c)
		}
	case []Sweep:
		for _, s := range list {
			for _, j := range s.Jobs {
				all = append(all, j.Point, j.Replication, *j.Result)
			}
			s.Jobs = nil
			all = append(all, s)
		}
	case []SweepJob:
		for _, j := range list {
			all = append(all, j.Point, j.Replication, *j.Result)
		}
	default:
		return list
	}
	return all
}

// exported are the names of the exported structs of this package.
func exported(t *testing.T) map[string]bool {
	names := map[string]bool{}
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		tree, err := parser.ParseFile(token.NewFileSet(), f.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			if x, ok := n.(*ast.TypeSpec); ok && x.Name.IsExported() {
				if _, ok := x.Type.(*ast.StructType); ok {
					names[x.Name.Name] = true
				}
			}
			return true
		})
	}
	return names
}
