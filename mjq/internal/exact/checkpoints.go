package exact

import (
	"context"
	"fmt"
	"math"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/failing"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/result"
)

// Checkpoints finds how often jobs of each class should write a checkpoint.
func Checkpoints(ctx context.Context, p *problem.Problem) (*result.Checkpoints, error) {
	var f check.Faults
	servers, needs, err := problem.FailingServers(p.Spec)
	f.That(p.Fails(), "no server fails, so that the best is no checkpoint; add Failures")
	f.Join(err)
	if err := f.Err("Checkpoints"); err != nil {
		return nil, err
	}
	c := &result.Checkpoints{Model: p.Headline(), Unit: p.Unit}
	for i := range p.Classes {
		after := problem.AfterHit(p.Spec, i)
		if after.How != failing.Checkpoint {
			continue
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		c.Classes = append(c.Classes, checkpointsOf(p, i, failing.Endless{Servers: servers, Need: needs[i], Jobs: max(1, p.Classes[i].Users), Spares: p.Spares, After: after}, c))
	}
	f.That(len(c.Classes) > 0, "no class writes checkpoints; add After(Checkpoint(every, cost)) with the time that one takes")
	return c, f.Err("Checkpoints")
}

// checkpointsOf is what holds of a class.
func checkpointsOf(p *problem.Problem, class int, e failing.Endless, c *result.Checkpoints) result.ClassCheckpoints {
	rate := float64(e.Need) * e.Rate()
	own, spec := e.After, &p.Classes[class]
	k := result.ClassCheckpoints{Name: spec.Name, Hits: rate, Cost: own.Cost, Running: math.NaN(),
		Best: failing.BestInterval(rate, own.Cost), Young: failing.YoungInterval(rate, own.Cost)}
	if running, err := e.Running(e.Need, e.Jobs, e.Spares); err == nil && own.Detection == 0 {
		k.Running = running / float64(e.Jobs)
	} else {
		c.Notes = append(c.Notes, fmt.Sprintf("The share of the time in which servers for class %q are up is not known in a formula, nor its ETTR: that takes repairs that each have a crew or that are all exponential, and no detection. Use Solve.", spec.Name))
	}
	hits := failing.Hits{Rate: rate, Recovery: own.Recovery, Detection: own.Detection}
	best := hits.Stretched(k.Best, own.Cost)
	for _, x := range []struct {
		name  string
		every float64
	}{{"half the best", k.Best / 2}, {"best", k.Best}, {"twice the best", 2 * k.Best}, {"Young", k.Young}, {"own", own.Every}} {
		at := own
		at.Every = x.every
		stretched := hits.Stretched(x.every, own.Cost)
		row := result.CheckpointInterval{Name: x.name, Every: x.every, Kept: 1 / stretched, ETTR: k.Running / stretched, More: stretched/best - 1, Held: math.NaN()}
		if x.every > 0 {
			row.Held = at.Held(spec.Service, rate).Mean
		}
		k.Intervals = append(k.Intervals, row)
	}
	if spec.Service.Mean() < k.Best {
		c.Notes = append(c.Notes, fmt.Sprintf("The mean service time of class %q, %.4g, is below the best interval of a long job: most of its jobs need no checkpoint.", spec.Name, spec.Service.Mean()))
	}
	return k
}
