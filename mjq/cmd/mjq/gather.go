package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

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
