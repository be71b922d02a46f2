package classic

import (
	"context"
	"math"
)

// Still is for queues in which no job can wait: those that can be there at once all fit.
var Still = &Form{
	Name: "no waiting", Source: "All jobs that can be there at once fit",
	cost: func(*Queue) (bytes, operations float64) { return 1000, 1000 },
	solve: func(_ context.Context, q *Queue) (*Answer, error) {
		a := &Answer{NoWait: 1, Queue: make([]float64, 4), Decay: math.NaN()}
		if q.Curves {
			a.Waiting = exponentialTail(0, 1, q.mean())
			a.Response, a.Without = responses(q, func(class int, x float64) float64 { return q.Services[class].Survival(x) }, 0)
		}
		return a, nil
	},
}
