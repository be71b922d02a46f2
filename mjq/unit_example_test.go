package mjq_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
)

func ExampleModel_Unit() {
	m := mjq.Servers(4).Unit("s").Poisson(0.0002).Class("small", 1, 0.5, mjq.ExpMean(7200)).Class("wide", 4, 0.5, mjq.ExpMean(3600))
	r := mjq.Must(m.Solve(context.Background(), mjq.Exact{MomentsOnly: true}))
	fmt.Println(r.Unit.Text(r.All.Waiting.Mean.Value))
	// Output: 8.5 h
}

// TestUnitIsALabel: a unit of time changes no number of an answer, and a model keeps it in JSON.
func TestUnitIsALabel(t *testing.T) {
	ctx := context.Background()
	bare := mjq.Servers(4).Poisson(0.5).Class("small", 1, 0.5, mjq.ExpMean(2)).Class("wide", 4, 0.5, mjq.ExpMean(1))
	named := bare.Unit("min")
	for _, how := range []mjq.Option{mjq.Exact{}, mjq.Backward{Samples: 200}, mjq.Forward{Jobs: 2000}, mjq.Simulation{Jobs: 2000}} {
		a, b := mjq.Must(bare.Solve(ctx, how, mjq.NoCache())), mjq.Must(named.Solve(ctx, how, mjq.NoCache()))
		if a.Unit != "" || b.Unit != "min" || b.Limit.Unit != "min" || fmt.Sprint(a.Classes) != fmt.Sprint(b.Classes) {
			t.Errorf("%T: units %q and %q, classes\n%v\n%v", how, a.Unit, b.Unit, a.Classes, b.Classes)
		}
	}
	type answer interface{ String() string }
	for name, ask := range map[string]func(m mjq.Model) answer{
		"sizing":   func(m mjq.Model) answer { return mjq.Must(m.FewestServers(ctx, mjq.MeanWait(30), mjq.Exact{})) },
		"rate":     func(m mjq.Model) answer { return mjq.Must(m.LargestRate(ctx, mjq.MeanWait(30), mjq.Exact{})) },
		"optimum":  func(m mjq.Model) answer { return mjq.Must(m.Optimum(ctx)) },
		"capacity": func(m mjq.Model) answer { return mjq.Must(m.Capacity(ctx)) },
		"heavy":    func(m mjq.Model) answer { return mjq.Must(m.HeavyTraffic(ctx)) },
		"prices":   func(m mjq.Model) answer { return mjq.Must(m.Loss().Prices(ctx, nil)) },
		"keep":     func(m mjq.Model) answer { return mjq.Must(m.Loss().BestKeep(ctx, nil)) },
	} {
		plain, inUnit := ask(bare), ask(named)
		if !regexp.MustCompile(`\((1/)?(s|min|h)\)|per (s|min|h)\b`).MatchString(inUnit.String()) || regexp.MustCompile(`\(min\)|per min|unit of time`).MatchString(plain.String()) != strings.Contains(plain.String(), "unit of time") {
			t.Errorf("%s: %s\nand with a unit: %s", name, plain, inUnit)
		}
		a, wrong := json.Marshal(plain)
		b, err := json.Marshal(inUnit)
		if named := []byte(`"unit":"min"`); wrong != nil || err != nil || bytes.Contains(a, named) || !bytes.Contains(b, named) {
			t.Errorf("%s: %v, %v, %.300s\nand with a unit: %.300s", name, wrong, err, a, b)
		}
	}
	text, err := json.Marshal(named)
	var back mjq.Model
	if err == nil {
		err = json.Unmarshal(text, &back)
	}
	if err != nil || !reflect.DeepEqual(back.Spec().Unit, named.Spec().Unit) {
		t.Errorf("%s is read with %v as %q", text, err, back.Spec().Unit)
	}
	if err := bare.Unit(" a unit of time in many words ").Err(); err == nil {
		t.Error("a unit of many words is no fault")
	}
}
