package mjq_test

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
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
