package beam

import (
	"bytes"
	"context"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/result"
)

func init() {
	register.DoFn3x1[context.Context, int, func(outcome), error](&partFn{})
	register.Emitter1[outcome]()
	register.Combiner1[outcome](&mergeFn{})
	register.DoFn2x1[context.Context, outcome, error](&keepFn{})
	beam.RegisterCoder(reflect.TypeFor[outcome](), encode, decode)
}

// outcome is what parts of a sweep have given: results, and the points that
// have none in words.
type outcome struct {
	Result result.Sweep
	Failed []string
}

func encode(o outcome) ([]byte, error) {
	var out bytes.Buffer
	err := gob.NewEncoder(&out).Encode(o)
	return out.Bytes(), err
}

func decode(data []byte) (o outcome, err error) {
	err = gob.NewDecoder(bytes.NewReader(data)).Decode(&o)
	return o, err
}

// partFn computes parts of a sweep, given by their numbers.
type partFn struct {
	Sweep   []byte // as JSON
	Parts   int
	Workers int    // goroutines
	Kept    string // directory of the parts done

	sweep Sweep
}

// Setup reads the sweep, once for many parts.
func (f *partFn) Setup() error { return json.Unmarshal(f.Sweep, &f.sweep) }

// ProcessElement emits the outcome of part k, computed unless it is kept.
func (f *partFn) ProcessElement(ctx context.Context, k int, emit func(outcome)) error {
	place := keptPart(f.Kept, f.Sweep, k, f.Parts)
	o, known := recall(ctx, place)
	if !known {
		var err error
		if o, err = f.compute(ctx, k); err != nil {
			return err
		}
		if err := keep(ctx, place, o); err != nil {
			return err
		}
	}
	emit(o)
	return nil
}

// compute tells failures of a point, which are a result, from failures of the
// whole. A verb that panics asks for another attempt, so that is one of the whole.
func (f *partFn) compute(ctx context.Context, k int) (o outcome, err error) {
	res, err := f.sweep.Run(ctx, mjq.Workers(f.Workers), mjq.Shard(k, f.Parts))
	if again := (*mjq.Panic)(nil); res == nil || ctx.Err() != nil || errors.As(err, &again) {
		return o, errors.Join(fmt.Errorf("beam: part %d of %d", k, f.Parts), err)
	}
	o.Result = *res
	if err != nil {
		o.Failed = []string{err.Error()}
	}
	return o, nil
}

// mergeFn combines outcomes.
type mergeFn struct{}

// CreateAccumulator is the outcome of no part.
func (*mergeFn) CreateAccumulator() outcome { return outcome{} }

// AddInput is MergeAccumulators, outcomes being accumulators themselves.
func (f *mergeFn) AddInput(a, b outcome) (outcome, error) { return f.MergeAccumulators(a, b) }

// MergeAccumulators merges what both have; failures are sorted, for parts come
// in any order.
func (*mergeFn) MergeAccumulators(a, b outcome) (outcome, error) {
	if len(a.Result.Points) == 0 {
		return b, nil
	}
	if len(b.Result.Points) == 0 {
		return a, nil
	}
	merged, err := result.MergeSweeps(&a.Result, &b.Result)
	if err != nil {
		return outcome{}, err
	}
	failed := slices.Concat(a.Failed, b.Failed)
	slices.Sort(failed)
	return outcome{*merged, slices.Compact(failed)}, nil
}

// keepFn writes the outcome of the whole sweep to a file.
type keepFn struct{ Place string }

// ProcessElement writes it.
func (f *keepFn) ProcessElement(ctx context.Context, o outcome) error { return keep(ctx, f.Place, o) }
