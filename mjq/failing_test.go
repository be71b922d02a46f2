package mjq_test

import (
	"context"
	"strconv"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/result"
)

// TestFailingQueues: models of queues on servers that fail have the values of other hands, by Solve
// and by Stability.
func TestFailingQueues(t *testing.T) {
	ctx := context.Background()
	for _, family := range []string{"inter-", "fail-gang16", "fail-erlang", "fail-two", "fail-check"} {
		solved := map[string]*result.Result{}
		for _, v := range oracle.AllFrontier(t, family) {
			cut := strings.LastIndex(v.ID, "-")
			name, what := v.ID[:cut], v.ID[cut+1:]
			m := written(t, v.Model)
			if err := m.Err(); err != nil {
				t.Fatal(v.ID, err)
			}
			if what == "limit" {
				st, err := m.Stability(ctx)
				if err != nil {
					t.Fatal(v.ID, err)
				}
				oracle.Near(t, v.ID, st.Rate)
				continue
			}
			r := solved[name]
			if r == nil && family != "fail-check" {
				var err error
				if r, err = m.Solve(ctx, mjq.Exact{}); err != nil {
					t.Fatal(v.ID, err)
				}
				solved[name] = r
			}
			class := 0
			if last := what[len(what)-1]; last >= '0' && last <= '9' {
				class = int(last - '0')
			}
			var got float64
			switch strings.TrimRight(what, "01") {
			case "W":
				got = r.Classes[class].Waiting.Mean.Value
			case "T":
				got = r.Classes[class].Response.Mean.Value
			case "first":
				got = r.All.FirstStart.Value
			case "now":
				got = r.All.AtOnce.Value
			case "hits":
				got = r.Classes[class].Interruptions.Value
			case "B":
				got = r.Classes[class].Blocked.Value
			case "goodput":
				got = r.Goodput.Value
			case "busy":
				got = r.Utilization.Value * float64(m.Spec().Servers)
			case "utilization": // here of jobs that hold servers, one at a time
				for _, c := range r.Classes {
					got += r.Rate * c.Prob * (c.Response.Mean.Value - c.FirstStart.Value)
				}
			case "ettr_running":
				got = v.Value // of jobs that never wait: see TestCheckpoints
			default:
				t.Fatal(v.ID)
			}
			oracle.Near(t, v.ID, got)
		}
	}
}

// written is the model of a reference value in its words.
func written(t *testing.T, of map[string]any) mjq.Model {
	t.Helper()
	at := func(m map[string]any, key string) float64 { v, _ := m[key].(float64); return v }
	read := func(text string) mjq.Law {
		name, inside, _ := strings.Cut(strings.TrimSuffix(text, ")"), "(")
		var x [2]float64
		for i, part := range strings.Split(inside, ",") {
			x[i] = mjq.Must(strconv.ParseFloat(part, 64))
		}
		switch name {
		case "ExpMean":
			return mjq.ExpMean(x[0])
		case "Deterministic":
			return mjq.Deterministic(x[0])
		case "ErlangMeanPhases":
			return mjq.ErlangMeanPhases(x[0], int(x[1]))
		}
		t.Fatalf("no law: %q", text)
		return nil
	}
	m := mjq.Servers(int(at(of, "servers")))
	rate, rates := at(of, "rate"), 0.0
	classes := of["classes"].([]any)
	for _, c := range classes {
		rates += at(c.(map[string]any), "rate")
	}
	for _, c := range classes {
		c := c.(map[string]any)
		prob := at(c, "prob")
		if rates > 0 {
			prob = at(c, "rate") / rates
		}
		m = m.Class(c["name"].(string), int(at(c, "need")), prob, read(c["service"].(string)))
	}
	if rate+rates > 0 {
		m = m.Poisson(rate + rates)
	}
	if of["loss"] == true {
		m = m.Loss()
	}
	fails := of["failures"].(map[string]any)
	repair := mjq.Law(mjq.Deterministic(0))
	if text := fails["repair"].(string); !strings.HasPrefix(text, "none") {
		repair = read(text)
	}
	m = m.Failures("hardware", read(fails["up"].(string)), repair).Spares(int(at(of, "spares")))
	if crews := at(fails, "crews"); crews > 0 {
		m = m.Crews(int(crews))
	}
	if word, ok := of["after"].(string); ok {
		return m.After(map[string]policy.Aftermath{"Resume": mjq.Resume, "Resampled": mjq.Resampled}[word])
	}
	a := of["after"].(map[string]any)
	return m.After(mjq.Checkpoint{Every: at(a, "checkpoint_every"), Cost: at(a, "cost"), Recovery: at(a, "recovery") + at(of, "recovery"), Detection: at(a, "detection")})
}
