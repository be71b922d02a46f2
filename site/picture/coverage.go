package main

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/mjqueue/mjq/mjq/figure"
)

// coverage draws, for each kind of quantity, the fraction of measured coverages up to x.
func coverage(root string) ([]byte, error) {
	file, err := os.Open(filepath.Join(root, "site/docs/measured/coverage.csv"))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	reader := csv.NewReader(file)
	reader.Comment = '#'
	rows, err := reader.ReadAll()
	if err != nil {
		return nil, err
	}
	f := figure.New("Measured coverage of 95 % intervals").X("coverage").Y("fraction of models and methods")
	for _, kind := range []struct {
		name    string
		columns []string
	}{{"means", []string{"mean"}}, {"variances", []string{"variance"}}, {"wasted servers", []string{"wasted servers"}}, {"quantiles", []string{"0.5", "0.9", "0.99"}}} {
		values, err := numbers(rows, kind.columns)
		if err != nil {
			return nil, err
		}
		fractions := make([]float64, len(values))
		for i := range values {
			fractions[i] = float64(i+1) / float64(len(values))
		}
		f.Steps(kind.name, values, fractions)
	}
	return f.Stability(0.95, "nominal level").SVG()
}

// numbers are the sorted coverages of some columns, without the cells that have none.
func numbers(rows [][]string, columns []string) ([]float64, error) {
	var values []float64
	for i, name := range rows[0] {
		if !slices.Contains(columns, name) {
			continue
		}
		for _, row := range rows[1:] {
			cell := strings.TrimSuffix(row[i], "*")
			if cell == "-" || cell == "" {
				continue
			}
			v, err := strconv.ParseFloat(cell, 64)
			if err != nil {
				return nil, fmt.Errorf("coverage.csv, column %s: %w", name, err)
			}
			values = append(values, v)
		}
	}
	slices.Sort(values)
	return values, nil
}
