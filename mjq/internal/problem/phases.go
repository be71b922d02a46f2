package problem

import (
	"fmt"

	"github.com/mjqueue/mjq/mjq/internal/states"
)

// OpenIndex numbers what can be in service. Classes have the probabilities that jobs have whose class
// the arrivals leave open.
func (p *Problem) OpenIndex() (*states.Index, error) {
	q := p.Compiled()
	s, err := states.Of(q)
	if err != nil {
		return nil, err
	}
	for i := range s.Classes {
		s.Classes[i].Prob = q.Open[i]
	}
	x, err := states.NewIndex(s.Compile())
	if err != nil {
		err = fmt.Errorf("Exact: %w", err)
	}
	return x, err
}
