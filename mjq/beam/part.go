package beam

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/cache"
	"github.com/mjqueue/mjq/mjq/result"
)

func init() {
	register.DoFn3x1[context.Context, int, func(cache.Part), error](&partFn{})
	register.Emitter1[cache.Part]()
	register.Combiner1[cache.Part](&mergeFn{})
	register.DoFn2x1[context.Context, cache.Part, error](&keepFn{})
	beam.RegisterCoder(reflect.TypeFor[cache.Part](), cache.Part.Encode, cache.DecodePart)
}

// partFn computes parts of a sweep, given by their numbers.
type partFn struct {
	Sweep   []byte // as JSON
	Parts   int
	Workers int    // goroutines
	Dir     string // of the parts done
	Probe   string // file of the client there, which says whether the job goes on; "" if it has none
	Version string // of mjq that the client has

	sweep Sweep
}

// Setup reads the sweep, once for many parts, and looks whether version and directory are those of
// the client.
func (f *partFn) Setup(ctx context.Context) error {
	host, _ := os.Hostname()
	if f.Version != result.Version {
		return fmt.Errorf("beam: the worker on %s is mjq %s, and the client mjq %s; put one program on all machines", host, result.Version, f.Version)
	}
	if f.Probe != "" {
		if _, err := read(ctx, f.Dir, f.Probe); err != nil {
			return fmt.Errorf("beam: the worker on %s does not see what the client has written to %s; give a directory that all machines share: %w", host, f.Dir, err)
		}
	}
	return json.Unmarshal(f.Sweep, &f.sweep)
}

// ProcessElement emits part k, computed unless it is kept. It emits nothing once the client has
// cancelled the job, which then soon ends: an error would have the engine try again.
func (f *partFn) ProcessElement(ctx context.Context, k int, emit func(cache.Part)) error {
	name := cache.PartName(f.Sweep, k, f.Parts)
	p, known := recall(ctx, f.Dir, name)
	if !known {
		watched, stop := unlessWithdrawn(ctx, f.Dir, f.Probe)
		defer stop()
		var err error
		if p, err = f.compute(watched, k); err != nil {
			if withdrawn(ctx, f.Dir, f.Probe) {
				return nil
			}
			return err
		}
		if err := keep(ctx, f.Dir, name, p); err != nil {
			return fmt.Errorf("beam: part %d of %d: %w", k, f.Parts, err)
		}
	}
	emit(p)
	return nil
}

// compute tells failures of a point, which are a result, from failures of the
// whole. A verb that panics asks for another attempt, so that is one of the whole.
func (f *partFn) compute(ctx context.Context, k int) (p cache.Part, err error) {
	began := time.Now()
	res, err := f.sweep.Run(ctx, mjq.Workers(f.Workers), mjq.Shard(k, f.Parts))
	if again := (*mjq.Panic)(nil); res == nil || ctx.Err() != nil || errors.As(err, &again) {
		return p, errors.Join(fmt.Errorf("beam: part %d of %d", k, f.Parts), err)
	}
	return cache.PartOf(f.Sweep, res, err, time.Since(began)), nil
}

// mergeFn combines parts.
type mergeFn struct{}

// CreateAccumulator is no part.
func (*mergeFn) CreateAccumulator() cache.Part { return cache.Part{} }

// AddInput is MergeAccumulators, parts being accumulators themselves.
func (f *mergeFn) AddInput(a, b cache.Part) (cache.Part, error) { return f.MergeAccumulators(a, b) }

// MergeAccumulators merges what both have, in any order.
func (*mergeFn) MergeAccumulators(a, b cache.Part) (cache.Part, error) { return cache.MergeParts(a, b) }

// keepFn writes the whole sweep to a file.
type keepFn struct{ Dir, Name, Probe string }

// ProcessElement writes it, unless the client has cancelled the job, which then lacks parts.
func (f *keepFn) ProcessElement(ctx context.Context, p cache.Part) error {
	if withdrawn(ctx, f.Dir, f.Probe) {
		return nil
	}
	return keep(ctx, f.Dir, f.Name, p)
}
