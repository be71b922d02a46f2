package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/mjqueue/mjq/internal/escape"
	"github.com/mjqueue/mjq/internal/panics"
	"github.com/mjqueue/mjq/mjq/internal/cache"
	"github.com/mjqueue/mjq/mjq/result"
)

// whole puts the parts together.
func (d *division) whole() error {
	s, err := d.described()
	if err != nil {
		return err
	}
	g, err := panics.Until(d.ctx(), func() (cache.Gathered, error) { return cache.Gather(d.dir, cache.SweepKey(s.text), d.merge) })
	if err != nil {
		return err
	}
	if len(g.Parts) == 0 {
		return fmt.Errorf("%s has no part of this sweep in %d%s", d.dir, d.merge, instead(d.dir, s.text))
	}
	if lack := missing(g, d.dir); lack != "" {
		if !d.partial {
			return errors.New(lack + ", or add --partial for an answer without them")
		}
		fmt.Fprintln(d.notes, "mjq:", lack)
	}
	all, err := cache.MergeParts(g.Parts...)
	if err != nil {
		return err
	}
	for _, text := range all.Mixed() {
		fmt.Fprintln(d.notes, "mjq:", text)
	}
	if len(all.Result.Jobs) == 0 {
		return all.Failure()
	}
	return finish(d.call, sweeps, []section{{heading: "Model", html: s.model.HTML()}}, []*result.Sweep{&all.Result}, all.Failure())
}

// missing says which parts are missing; "" if none is.
func missing(g cache.Gathered, dir string) string {
	if len(g.Missing) == 0 {
		return ""
	}
	text := fmt.Sprintf("%d of %d parts are not in %s", len(g.Missing), g.N, dir)
	if len(g.Torn) > 0 {
		text += fmt.Sprintf(" (torn: %s)", cache.Ranges(g.Torn))
	}
	return text + "; compute them by sbatch --array=" + cache.Ranges(g.Missing)
}

// instead says what a directory has instead of the parts of a sweep.
func instead(dir string, sweep []byte) string {
	files, err := cache.ListParts(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return "; there is no such directory"
	}
	byKey := map[string]cache.PartFile{}
	for _, f := range files {
		if f.K < f.N {
			byKey[f.Key] = f
		}
	}
	if f, is := byKey[cache.SweepKey(sweep)]; is {
		return fmt.Sprintf("; it has parts of it in %d: give --merge %d", f.N, f.N)
	}
	var texts []string
	for _, key := range slices.Sorted(maps.Keys(byKey)) {
		f := byKey[key]
		if p, err := cache.RecallPart(dir, fmt.Sprintf("%s-%d-of-%d", f.Key, f.K, f.N)); err == nil {
			texts = append(texts, fmt.Sprintf("; %.8s-%d-of-%d is of a sweep with another %s", f.Key, f.K, f.N, difference(p.Sweep, sweep)))
		}
	}
	if len(texts) == 0 {
		return "; it has no parts of any sweep"
	}
	return strings.Join(texts, "") + "; give --merge the flags with which the parts were computed"
}

// difference names what two sweeps differ in.
func difference(a, b []byte) string {
	var x, y map[string]json.RawMessage
	if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil {
		return "program"
	}
	var names []string
	for name := range y {
		if string(x[name]) != string(y[name]) {
			names = append(names, name)
		}
	}
	for name := range x {
		if y[name] == nil {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return "version of mjq"
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

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
