package product

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/mjqueue/mjq/mjq/special"
	"github.com/mjqueue/mjq/mjq/trace"
)

// answers have a value of every type with plain numbers in which the packages above mjq answer.
// Package result has a test of its own.
var answers = []any{trace.Outlook{}, trace.Outcome{}, trace.Reaction{}, trace.Validation{}, trace.Validated{}, trace.Bootstrapped{}, trace.Patience{},
	trace.Advice{}, trace.FailureCosts{}, trace.FailureCause{}, trace.Shown{}, trace.Waiters{}, trace.Explained{}, trace.Explanation{}, trace.Recommendation{}, trace.Turns{}, trace.Turn{}, trace.HeadStart{}, trace.BestWeights{}, trace.Weight{}, trace.JudgedGoal{},
	special.Capacity{}, special.ProcessingRate{}, special.WaitingState{}, special.Sojourn{}, special.SojournClass{}, special.Moments{}}

// settings are the types with plain numbers that users fill in, or that hold what a file says.
var settings = map[string]bool{
	"trace.WeightSearch": true, "trace.WeightGoal": true,
	"trace.CSVType": true, "trace.Departure": true, "trace.Elastic": true, "trace.Failure": true, "trace.Fit": true, "trace.Job": true, "trace.LawFit": true, "trace.Replay": true, "trace.Sacct": true, "trace.SWF": true, "trace.Slurm": true,
	"special.BrillGreen": true, "special.DivisibleClass": true, "special.OneAndN": true, "special.ParetoStream": true, "special.UnitAssignment": true,
}

// TestEveryAnswerInJSON: numbers that are unknown or infinite are read as they were written.
func TestEveryAnswerInJSON(t *testing.T) {
	missed := map[string]bool{}
	for _, folder := range []string{"trace", "special", "workload"} {
		for _, name := range numbered(t, filepath.Join("..", "..", "..", folder)) {
			missed[folder+"."+name] = !settings[folder+"."+name]
		}
	}
	for _, zero := range answers {
		of := reflect.TypeOf(zero)
		missed[of.String()] = false
		for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1.0 / 3} {
			v := reflect.New(of)
			fill(v.Elem(), x)
			text, err := json.Marshal(v.Interface())
			back := reflect.New(of)
			if err == nil {
				err = json.Unmarshal(text, back.Interface())
			}
			again, wrong := json.Marshal(back.Interface())
			if err != nil || wrong != nil || string(again) != string(text) {
				t.Errorf("%v with %v in JSON: %v, %v\n%.600s\nis read as\n%.600s", of, x, err, wrong, text, again)
			} else if strings.Contains(string(text), "{}") {
				t.Errorf("%v with %v in JSON lacks something: %s", of, x, text)
			}
		}
	}
	for name, is := range missed {
		if is {
			t.Errorf("%s has plain numbers; add it to answers, with MarshalJSON and UnmarshalJSON, or to settings", name)
		}
	}
}

// fill sets all fields of a value, numbers to x and lists to two elements.
func fill(v reflect.Value, x float64) {
	switch v.Kind() {
	case reflect.Float64:
		v.SetFloat(x)
	case reflect.Int, reflect.Int64:
		v.SetInt(7)
	case reflect.Uint64:
		v.SetUint(7)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.String:
		v.SetString("a text")
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), x)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(v.Index(0), x)
		fill(v.Index(1), x)
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i), x)
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			v.Set(reflect.ValueOf(time.Unix(7, 0).UTC()))
			return
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(v.Field(i), x)
			}
		}
	case reflect.Uint8, reflect.Int32:
	default:
		panic(fmt.Sprint("no rule for ", v.Type()))
	}
}

// numbered are the exported structs of a package that have a field with plain numbers.
func numbered(t *testing.T, folder string) (names []string) {
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatal(folder, err)
	}
	for _, f := range files {
		tree, err := parser.ParseFile(token.NewFileSet(), f, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			x, ok := n.(*ast.TypeSpec)
			if !ok || !x.Name.IsExported() || strings.HasSuffix(f, "_test.go") {
				return true
			}
			if s, ok := x.Type.(*ast.StructType); ok && plain(s) {
				names = append(names, x.Name.Name)
			}
			return true
		})
	}
	return names
}

// plain reports whether a struct has an exported field of floating-point numbers.
func plain(s *ast.StructType) (found bool) {
	for _, f := range s.Fields.List {
		if len(f.Names) > 0 && !f.Names[0].IsExported() {
			continue
		}
		if _, ok := f.Type.(*ast.FuncType); ok {
			continue
		}
		ast.Inspect(f.Type, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			found = found || ok && id.Name == "float64"
			return true
		})
	}
	return found
}
