package beam

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"

	"github.com/mjqueue/mjq/internal/panics"
	"github.com/mjqueue/mjq/mjq/internal/cache"
)

// job is a sweep that is submitted.
type job struct {
	*Options
	sweep  []byte
	probed string    // file by which the workers know that the job goes on
	log    submitted // of the job on its server
}

// Progress is how far a sweep is, by the parts that its directory has.
type Progress struct {
	Done, Parts int
	Elapsed     time.Duration // since the pipeline was submitted
	Idle        time.Duration // since a part was added
}

// The texts of the file. A client that cancels the job writes the second one, and the workers stop.
// Beam's job server would leave them running on a cluster of Flink.
const (
	goesOn    = "workers of a sweep look for this file\n"
	cancelled = "the sweep is cancelled\n"
)

// probe makes the directory and writes a file that workers on other machines must see.
func (j *job) probe(ctx context.Context) error {
	if onThisMachine(j.Dir) {
		if err := cache.Writable(j.Dir); err != nil {
			return fmt.Errorf("beam: %w", err)
		}
	}
	if !remote() {
		return nil
	}
	j.probed = ".seen-" + strings.ToLower(rand.Text())
	if err := write(ctx, j.Dir, j.probed, []byte(goesOn)); err != nil {
		return fmt.Errorf("beam: %w", err)
	}
	return nil
}

// withdraw tells the workers that the job is cancelled.
func (j *job) withdraw(ctx context.Context) error {
	if j.probed == "" {
		return nil
	}
	return write(ctx, j.Dir, j.probed, []byte(cancelled))
}

// withdrawn reports whether the client has cancelled the job whose file is probe.
func withdrawn(ctx context.Context, dir, probe string) bool {
	if probe == "" {
		return false
	}
	text, err := read(ctx, dir, probe)
	return err == nil && string(text) == cancelled
}

// unlessWithdrawn is ctx until the client cancels the job.
func unlessWithdrawn(ctx context.Context, dir, probe string) (context.Context, func()) {
	if probe == "" {
		return ctx, func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	var g panics.Group
	g.Go(func() {
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for !withdrawn(ctx, dir, probe) {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
		}
		cancel()
	})
	return ctx, func() {
		cancel()
		g.Wait()
	}
}

// done removes the file; workers of a job that goes on would miss it.
func (j *job) done(ctx context.Context) {
	if j.probed == "" {
		return
	}
	if fs, err := filesystem.New(ctx, j.Dir); err == nil {
		if r, can := fs.(filesystem.Remover); can {
			_ = r.Remove(ctx, placed(j.Dir, j.probed)) // it is small, and harms nobody
		}
		fs.Close()
	}
}

// watch reports the progress until ctx ends or the function that it returns is called.
func (j *job) watch(ctx context.Context) (stop func()) {
	if j.Progress == nil || !onThisMachine(j.Dir) {
		return func() {}
	}
	ctx, end := context.WithCancel(ctx)
	var g panics.Group
	g.Go(func() { j.observe(ctx) })
	return func() {
		end()
		g.Wait()
	}
}

// count is the number of parts that a directory of this machine has.
func (j *job) count() (n int, err error) {
	if !onThisMachine(j.Dir) {
		return 0, fmt.Errorf("beam: %s cannot be counted", j.Dir)
	}
	files, err := cache.ListParts(j.Dir)
	for _, f := range files {
		if f.Key == cache.SweepKey(j.sweep) && f.N == j.Parts && f.K < f.N {
			n++
		}
	}
	return n, err
}

// observe reports the number of parts.
func (j *job) observe(ctx context.Context) {
	every := j.Every
	if every == 0 {
		every = 5 * time.Second
	}
	tick := time.NewTicker(every)
	defer tick.Stop()
	began := time.Now()
	last, since := -1, began
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-tick.C:
			n, err := j.count()
			if err != nil {
				continue // perhaps the next time
			}
			if n != last {
				last, since = n, now
			}
			j.Progress(Progress{Done: n, Parts: j.Parts, Elapsed: now.Sub(began), Idle: now.Sub(since)})
		}
	}
}

// ours are the sentences of this package and of package cache in what an engine reports.
var ours = regexp.MustCompile(`beam: [^\n]+`)

// caused puts the cause before what an engine says of it, which begins with the plan of the
// pipeline.
func caused(err error) error {
	text := err.Error()
	if causes := ours.FindAllString(text, -1); len(causes) > 0 {
		return errors.New(causes[0])
	}
	return shortened(text)
}

// shortened is the last of what an engine says.
func shortened(text string) error {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	const most = 3
	return errors.New(strings.Join(lines[max(len(lines)-most, 0):], "\n"))
}
