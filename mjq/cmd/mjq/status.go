package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"time"

	"github.com/mjqueue/mjq/internal/escape"
	"github.com/mjqueue/mjq/internal/panics"
	"github.com/mjqueue/mjq/mjq/internal/cache"
)

// every is the time between two reports of --watch.
const every = 5 * time.Second

// report says what the directory has, with --watch until it has all.
func (d *division) report() error {
	began, last := time.Now(), ""
	for {
		divided, err := panics.Until(d.ctx(), func() ([]cache.Gathered, error) { return dividedIn(d.dir) })
		if err != nil && !(d.watch && errors.Is(err, fs.ErrNotExist)) { // the first task makes the directory
			return err
		}
		if len(divided) == 0 && !d.watch {
			return fmt.Errorf("%s has no part of a sweep; compute one by mjq sweep MODEL ... --part 0/20 --dir %s", d.dir, escape.Shell(d.dir))
		}
		text, all := "", len(divided) > 0
		if !all {
			text = d.dir + " has no part yet\n"
		}
		for _, g := range divided {
			text += standing(g, d.dir)
			all = all && len(g.Missing) == 0
		}
		if text != last {
			if d.watch {
				d.say("after %s:", time.Since(began).Round(time.Second))
			}
			d.say("%s", text[:max(len(text)-1, 0)])
			last = text
		}
		if !d.watch || all {
			return nil
		}
		select {
		case <-time.After(every):
		case <-d.ctx().Done():
			return failure{interrupted, errors.New("interrupted; the tasks go on")}
		}
	}
}

// cut is a sweep in a number of parts.
type cut struct {
	key string
	n   int
}

// dividedIn are the sweeps of which a directory has parts.
func dividedIn(dir string) (all []cache.Gathered, err error) {
	files, err := cache.ListParts(dir)
	if err != nil {
		return nil, fmt.Errorf("--dir: %w", err)
	}
	cuts := map[cut]bool{}
	for _, f := range files {
		if f.K < f.N {
			cuts[cut{f.Key, f.N}] = true
		}
	}
	for _, c := range slices.SortedFunc(maps.Keys(cuts), func(a, b cut) int {
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.n, b.n))
	}) {
		g, err := cache.Gather(dir, c.key, c.n)
		if err != nil {
			return nil, err
		}
		all = append(all, g)
	}
	return all, nil
}

// standing is what the directory has of a sweep, in words.
func standing(g cache.Gathered, dir string) string {
	text := fmt.Sprintf("sweep %.8s", g.Key)
	if all, err := cache.MergeParts(g.Parts...); err == nil && len(g.Parts) > 0 {
		r := &all.Result
		text += fmt.Sprintf(" (%s; seed %d): %d of %d parts, %d of %d jobs, the longest part %s", r.Method, r.Seed,
			len(g.Parts), g.N, len(r.Jobs), len(r.Points)*r.Replications, all.Took.Round(time.Millisecond))
		if len(all.Failed) > 0 {
			text += "; points without a result: see --merge"
		}
	}
	if lack := missing(g, dir); lack != "" {
		text += "\n" + lack
	}
	return text + "\n"
}
