package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/mjqueue/mjq/notebooks/check"
)

// The states of a notebook or an item, the worst last.
const (
	passed = "PASS"
	notRun = "not run" // or in part
	open   = "open"    // no notebook reproduces it
	failed = "FAIL"
)

// worse is the state that decides for both.
func worse(a, b string) string {
	order := []string{passed, notRun, open, failed}
	return order[max(slices.Index(order, a), slices.Index(order, b))]
}

// result is what is known of a notebook: its own text and its last run.
type result struct {
	Number             int // in reading order, from 1
	Name, About, Title string
	Declared           []declaration
	Run                *stamp // nil when there was none
	Stale              bool   // the code has changed since
	Records            []check.Record
	HasPage            bool
}

// chapter is a part of the course with the results of its notebooks.
type chapter struct {
	Title   string
	Results []result
}

// collect reads the results of all notebooks, in reading order.
func (at checkout) collect(effort string) ([]chapter, error) {
	paths, err := at.notebooks()
	if err != nil {
		return nil, err
	}
	sourceKey, err := at.sourceKey()
	if err != nil {
		return nil, err
	}
	var chapters []chapter
	number := 0
	for _, p := range inOrder(paths) {
		c := chapter{Title: p.Title}
		for _, l := range p.Lessons {
			r, err := at.result(l, effort, sourceKey)
			if err != nil {
				return nil, err
			}
			number++
			r.Number = number
			c.Results = append(c.Results, r)
		}
		chapters = append(chapters, c)
	}
	return chapters, nil
}

func (at checkout) result(l lesson, effort, sourceKey string) (result, error) {
	r := result{Name: l.Name, About: l.About}
	nb, err := readNotebook(at.path("notebooks/" + l.Name + ".ipynb"))
	if err != nil {
		return r, err
	}
	r.Title = nb.title()
	if r.About == "" {
		r.About = r.Title
	}
	r.Declared, _ = nb.declarations()
	s, ok := readStamp(at.stamp(l.Name, effort))
	if !ok {
		return r, nil
	}
	r.Run, r.Stale = &s, s.Inputs != nb.key(sourceKey, effort)
	_, err = os.Stat(at.page(l.Name, effort))
	r.HasPage = err == nil
	r.Records, err = readRecords(at.checks(l.Name, effort))
	return r, err
}

// readRecords reads a file of MJQ_CHECKS; a notebook without checks has none.
func readRecords(path string) ([]check.Record, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var records []check.Record
	for line := range bytes.Lines(text) {
		var r check.Record
		if err := json.Unmarshal(line, &r); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		records = append(records, r)
	}
	return records, nil
}

// State is the notebook's.
func (r result) State() string {
	switch {
	case r.Run == nil:
		return notRun
	case len(r.Run.Faults) > 0:
		return failed
	}
	return passed
}

// faulty reports whether a cell failed, or the whole run.
func (r result) faulty(cell int) bool {
	return slices.ContainsFunc(r.Run.Faults, func(f fault) bool { return f.Cell == 0 || f.Cell == cell })
}

// tally counts comparisons and keeps the largest difference.
type tally struct {
	Checks, Claims, Failed int
	Worst                  *check.Row // by its share of the allowed; nil when there are only claims
}

func (t *tally) add(rows []check.Row) {
	for _, row := range rows {
		t.Checks++
		switch {
		case !row.OK:
			t.Failed++
		case row.Expected == "":
			t.Claims++
		}
		if row.Expected != "" && (t.Worst == nil || beyond(row.Share, t.Worst.Share)) {
			t.Worst = &row
		}
	}
}

// beyond orders shares; what has none is further than any number.
func beyond(a, b *float64) bool { return b != nil && (a == nil || *a > *b) }

// Tally is over all of the notebook's comparisons.
func (r result) Tally() tally {
	var t tally
	for _, record := range r.Records {
		t.add(record.Rows)
	}
	return t
}

// line is a table or figure of a paper in the matrix.
type line struct {
	Item   string
	State  string
	Places []place
	Tally  tally
	Time   time.Duration // of the notebooks, which do other things too
	Stale  bool
}

// place is where an item is reproduced.
type place struct {
	Notebook, Anchor string
	HasPage          bool
}

// matrix is the lines of a paper.
func matrix(p paper, chapters []chapter) []line {
	var lines []line
	for _, item := range p.Items {
		l := line{Item: item, State: open}
		for _, c := range chapters {
			for _, r := range c.Results {
				l.include(p.Name, r)
			}
		}
		lines = append(lines, l)
	}
	return lines
}

// rowsOf is the comparisons of a record that are about one of its items. A row
// that begins with the name of an item, as "Figure 5: ..." or "Figure 5, ...",
// is about that item alone, the others are about all.
func rowsOf(record check.Record, item string) []check.Row {
	names := func(row check.Row, item string) bool {
		rest, ok := strings.CutPrefix(row.What, item)
		return ok && (strings.HasPrefix(rest, ":") || strings.HasPrefix(rest, ","))
	}
	var rows []check.Row
	for _, row := range record.Rows {
		other := slices.ContainsFunc(record.Items, func(i string) bool { return i != item && names(row, i) })
		if !other {
			rows = append(rows, row)
		}
	}
	return rows
}

// include adds what a notebook has about the item.
func (l *line) include(paper string, r result) {
	about := func(name string, items []string) bool { return name == paper && slices.Contains(items, l.Item) }
	declared := slices.DeleteFunc(slices.Clone(r.Declared), func(d declaration) bool { return !about(d.Paper, d.Items) })
	if len(declared) == 0 {
		return
	}
	state, before := notRun, l.Tally.Failed
	if r.Run != nil {
		state = failed // unless there are comparisons
		for _, record := range r.Records {
			if rows := rowsOf(record, l.Item); about(record.Paper, record.Items) && len(rows) > 0 {
				l.Tally.add(rows)
				state = passed
			}
		}
		if l.Tally.Failed > before || slices.ContainsFunc(declared, func(d declaration) bool { return r.faulty(d.Cell) }) {
			state = failed
		}
		l.Time += r.Run.Duration
		l.Stale = l.Stale || r.Stale
	}
	if len(l.Places) == 0 {
		l.State = passed
	}
	l.State = worse(l.State, state)
	l.Places = append(l.Places, place{r.Name, declared[0].Anchor, r.HasPage})
}
