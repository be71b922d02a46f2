package main

import (
	"path/filepath"
	"slices"
	"strings"
)

// part is a part of the course that the notebooks are, in reading order.
type part struct {
	Title   string
	Lessons []lesson
}

// lesson is a notebook by its file name. About says what it shows; without it,
// the notebook's own title does.
type lesson struct{ Name, About string }

// course is the order to read and to run the notebooks in. A notebook that is
// not in it comes at the end; a name without a notebook is passed over.
var course = []part{
	{"Begin", []lesson{
		{"tutorial", "ten minutes: exact limits and waits, samples, blocking job by job, what if, a newcomer's mistakes"},
		{"explorer", "sliders for load, servers, job mix and service law; curves that refine while one looks"},
		{"gallery", "every kind of picture, with the code that draws it"},
	}},
	{"The queue", []lesson{
		{"mjsre-stability", "where five classes on twenty servers break down, and how long they wait up to there"},
		{"mjsre-waste", "head-of-line blocking job by job; wasted servers by product form, chain and pile, and why they oscillate"},
		{"mjsre-five-classes", "four service laws with the same means: waste, densities, moments and quantiles"},
		{"mjsre-cell-b", "Google Borg Cell B by four programs, and what an answer costs"},
		{"mjsre-extensions", "resources of several types, jobs tied to servers, random assignment"},
	}},
	{"Sampling", []lesson{
		{"sampling-rules", "when may a sample stop? the bias of four rules against exact values"},
		{"mjsre-table1", "forward, backward, unbiased and certified sampling against exact values"},
		{"golovin-exact-sampling", "exact samples by dominated coupling from the past"},
	}},
	{"Exact answers", []lesson{
		{"exact-waiting", "a tour of the exact solver: distributions, quantiles, jobs in system, heavy traffic"},
		{"product-form", "when the saturated system has a product form, and maps of the limit drawn with it"},
		{"capacity", "the capacity of a resource that jobs share by any amounts, and times in the system"},
		{"multilevel-scaling", "jobs that need one server or all: growth with the size of the cluster"},
	}},
	{"Practice", []lesson{
		{"capacity-planning", "how many servers for a waiting target, and what blocking costs"},
		{"your-own-trace", "from a log to a model and back"},
		{"gpu", "the same question on a processor and on a GPU"},
	}},
	{"Research", []lesson{{"open-problems", "a stopping rule that is certain: stationary majorants, tested against exact distributions"}}},
}

func nameOf(path string) string { return strings.TrimSuffix(filepath.Base(path), ".ipynb") }

// inOrder is the course of the notebooks that there are.
func inOrder(paths []string) []part {
	left := map[string]bool{}
	for _, path := range paths {
		left[nameOf(path)] = true
	}
	var parts []part
	for _, p := range course {
		var lessons []lesson
		for _, l := range p.Lessons {
			if left[l.Name] {
				lessons = append(lessons, l)
				delete(left, l.Name)
			}
		}
		if len(lessons) > 0 {
			parts = append(parts, part{p.Title, lessons})
		}
	}
	var more []lesson
	for name := range left {
		more = append(more, lesson{Name: name})
	}
	slices.SortFunc(more, func(a, b lesson) int { return strings.Compare(a.Name, b.Name) })
	if len(more) > 0 {
		parts = append(parts, part{"More", more})
	}
	return parts
}

// notebooks are all notebooks in reading order.
func (at checkout) notebooks() ([]string, error) {
	paths, err := filepath.Glob(at.path("notebooks/*.ipynb"))
	if err != nil {
		return nil, err
	}
	var ordered []string
	for _, p := range inOrder(paths) {
		for _, l := range p.Lessons {
			ordered = append(ordered, at.path("notebooks/"+l.Name+".ipynb"))
		}
	}
	return ordered, nil
}

// title is the notebook's first heading.
func (nb notebook) title() string {
	for _, cell := range nb.cells() {
		if cell["cell_type"] != "markdown" {
			continue
		}
		for line := range strings.Lines(joined(cell["source"])) {
			if heading, ok := strings.CutPrefix(line, "# "); ok {
				return strings.TrimSpace(heading)
			}
		}
	}
	return ""
}
