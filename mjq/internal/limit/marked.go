package limit

import (
	"context"
	"fmt"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/internal/open"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/states"
	"github.com/mjqueue/mjq/mjq/result"
)

// Where arrivals mark classes, the stability limit depends on the order in which these
// come: wide jobs in a row waste less than wide and small ones in turn. Arrivals that
// keep their shape keep their order, so that all rates and loads share one limit.

// mostMarked and autoMarked are the most states of an age process whose drift is
// computed: some minutes, and some seconds without being told to.
const mostMarked, autoMarked = 6000, 1500

// AgeLimit is the limit at which the load of the age process, which grows as the rate of
// the arrivals does, is 1.
func AgeLimit(p *problem.Problem, load float64) *result.Stability {
	st := StabilityAt(p, p.Arrivals.Rate()/load, 0, "age process", "the mean drift of the age of the job at the head of the line")
	st.Notes = append(st.Notes, "The limit holds for the order in which these arrivals bring the classes; another order has another limit. Compare with Poisson arrivals to see the effect.")
	return st
}

// markedLimit is the limit of arrivals that mark classes, by an age process of at most so
// many states.
func markedLimit(ctx context.Context, p *problem.Problem, most int) (*result.Stability, error) {
	s := *p.Spec
	if day, is := s.Arrivals.(arrival.Profile); is && day.Of != nil {
		s.Arrivals = day.Of // the same order at other times
	}
	if _, ok := arrival.AsMarkov(s.Arrivals); !ok {
		return nil, fmt.Errorf("the order of the classes of arrivals %v is that of no chain of few phases", s.ArrivalName())
	}
	q := p.WithArrivals(&s)
	index, err := q.OpenIndex()
	if err != nil {
		return nil, err
	}
	arrivals := *states.Matrices(q.Compiled())
	if size := open.SizeOfAges(index, arrivals); size.Phases > most {
		return nil, fmt.Errorf("the age process has up to %d states, more than %d", size.Phases, most)
	}
	load, err := open.AgeLoad(ctx, index, s.Servers, arrivals)
	if err != nil {
		return nil, err
	}
	return AgeLimit(q, load), nil
}

// orderedLimit is Find for arrivals that mark classes: by the drift of the age
// process, or by the pile, which draws its jobs from the arrivals themselves.
func orderedLimit(ctx context.Context, p *problem.Problem, by Way, pile *pile) (*result.Stability, error) {
	most := autoMarked
	if by.Exact {
		most = mostMarked
	}
	st, err := markedLimit(ctx, p, most)
	if err == nil || ctx.Err() != nil {
		return st, err
	}
	if by.Exact {
		return nil, fmt.Errorf("no exact limit: %w", err)
	}
	grown, failed := pile.run(ctx)
	if grown != nil {
		grown.Notes = append(grown.Notes, fmt.Sprintf("The limit has an interval and is not exact: %s.", check.First(err)))
	}
	return grown, failed
}
