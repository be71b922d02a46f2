// Package papers holds what notebooks compare with: the digits that the papers print, as
// comma-separated files with their provenance in the first line, and Markov chains written down
// from the rules of a paper, without a solver of mjq.
package papers

import (
	"embed"
	"encoding/csv"
	"fmt"
	"math"
	"strconv"
	"strings"
)

//go:embed *.csv
var files embed.FS

// Sheet is one table of digits.
type Sheet struct {
	Source string // where the digits come from
	header []string
	rows   [][]string
}

// Load reads a table by its file name without ending. A name that does not
// exist is a mistake of the notebook and panics.
func Load(name string) *Sheet {
	data, err := files.ReadFile(name + ".csv")
	if err != nil {
		panic(fmt.Sprintf("papers: no table %q: %v", name, err))
	}
	source, body, _ := strings.Cut(string(data), "\n")
	rows, err := csv.NewReader(strings.NewReader(body)).ReadAll()
	if err != nil {
		panic(fmt.Sprintf("papers: table %q: %v", name, err))
	}
	return &Sheet{Source: strings.TrimPrefix(source, "# "), header: rows[0], rows: rows[1:]}
}

// Len is the number of rows.
func (s *Sheet) Len() int { return len(s.rows) }

// Text is a column as text. An unknown column panics with those that exist.
func (s *Sheet) Text(column string) []string {
	for i, h := range s.header {
		if h == column {
			out := make([]string, len(s.rows))
			for r := range s.rows {
				out[r] = s.rows[r][i]
			}
			return out
		}
	}
	panic(fmt.Sprintf("papers: no column %q; there are %s", column, strings.Join(s.header, ", ")))
}

// Numbers is a column as numbers; what the paper leaves empty is NaN.
func (s *Sheet) Numbers(column string) []float64 {
	text := s.Text(column)
	out := make([]float64, len(text))
	for i, cell := range text {
		v, err := strconv.ParseFloat(cell, 64)
		if err != nil {
			v = math.NaN()
		}
		out[i] = v
	}
	return out
}

// Row is the named columns of one row as numbers.
func (s *Sheet) Row(row int, columns ...string) []float64 {
	out := make([]float64, len(columns))
	for i, c := range columns {
		out[i] = s.Numbers(c)[row]
	}
	return out
}
