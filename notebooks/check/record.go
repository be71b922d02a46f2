package check

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
)

// Record is what the report of all notebooks keeps of one List.
type Record struct {
	Paper string   `json:"paper,omitempty"`
	Items []string `json:"items,omitempty"`
	Rows  []Row    `json:"rows"`
}

// Row is one comparison of a Record, with its numbers as the reader sees them.
type Row struct {
	What     string `json:"what"`
	Ours     string `json:"ours,omitempty"`
	Expected string `json:"expected,omitempty"`
	Allowed  string `json:"allowed"`
	// Share is the difference as a part of the allowed one, so that rows of
	// different units compare; nil for a claim and where there is no number.
	Share *float64 `json:"share,omitempty"`
	OK    bool     `json:"ok"`
}

// Against is an empty list whose comparisons reproduce items of a paper, such
// as Against("MJSRE", "Table 2", "Figure 3"). The names stand in
// notebooks/course.toml, where the items list this notebook.
// A comparison whose text begins "Figure 3:" or "Figure 3," counts for that item
// alone, any other for all of them.
func Against(paper string, items ...string) List {
	return List{paper: paper, items: items}
}

// share is the difference as a part of the allowed one.
func share(difference, allowed float64) *float64 {
	s := math.Abs(difference) / allowed
	if difference == 0 {
		s = 0 // also when nothing is allowed
	}
	if math.IsNaN(s) || math.IsInf(s, 0) {
		return nil
	}
	return &s
}

// record appends the list to the file that MJQ_CHECKS names, a line of JSON for
// each list. Without the variable it does nothing.
func (l *List) record() error {
	path := os.Getenv("MJQ_CHECKS")
	if path == "" {
		return nil
	}
	r := Record{Paper: l.paper, Items: l.items, Rows: make([]Row, len(l.what))}
	for i := range r.Rows {
		row := Row{What: l.what[i], Allowed: l.allowed[i], Share: l.share[i], OK: l.verdict[i] == pass}
		if !math.IsNaN(l.expected[i]) {
			row.Ours, row.Expected = l.got[i].String(), fmt.Sprintf("%.6g", l.expected[i])
		}
		r.Rows[i] = row
	}
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o644)
	if err != nil {
		return err
	}
	if _, err := file.Write(append(line, '\n')); err != nil {
		file.Close()
		return err
	}
	return file.Close()
}
