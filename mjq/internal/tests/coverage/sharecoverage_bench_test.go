package coverage

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"strings"
	"testing"
)

// BenchmarkShares prints how often intervals of shares, of counts of rare events and of ratios of
// them hold the exact value, at level 0.95: a line a queue, a method and a number, with the exact
// value, the runs, and the intervals that were given and held. A run has 16,000 jobs, so that an
// event of probability 1e-4 happens once or twice. At its end is the table of the site, a line a
// number and a method. The environment chooses as for BenchmarkCoverage.
//
//	MJQ_COVERAGE_RUNS=200 go test ./mjq/internal/tests/coverage -run xx -bench Shares -benchtime 1x -timeout 0
func BenchmarkShares(b *testing.B) {
	runs, first := coverageNumber(b, "RUNS", 200), coverageNumber(b, "SEED", 1)
	models := regexp.MustCompile(os.Getenv("MJQ_COVERAGE_MODELS"))
	methods := regexp.MustCompile(os.Getenv("MJQ_COVERAGE_METHODS"))
	var table shareTable
	for range b.N {
		for _, q := range rareEventQueues() {
			if !models.MatchString(q.name) {
				continue
			}
			exact := q.exact()
			for _, method := range q.methods() {
				if !methods.MatchString(method.name) {
					continue
				}
				for i, t := range q.coverage(method, exact, first, runs) {
					if t.runs == 0 {
						continue
					}
					truth := q.told[i].exactly(exact)
					table.add(q.told[i].name, method.name, truth, &t)
					fmt.Printf("%s,%s,%s,%.3g,%.0f,%.3f,%.3f\n", q.name, method.name, q.told[i].name, truth, t.runs, t.given/t.runs, t.held/t.given)
				}
			}
		}
	}
	table.print()
}

// shareTable has a line for each number and method, in the order in which they come, and one of all.
type shareTable struct {
	lines []*shareLine
	all   shareLine
}

type shareLine struct {
	number, method     string
	least, most, worst float64 // exact values, and the coverage of a queue
	sum                tallied
}

func (t *shareTable) add(number, method string, truth float64, one *tallied) {
	number = strings.TrimSuffix(number, " of a class")
	at := 0
	for at < len(t.lines) && (t.lines[at].number != number || t.lines[at].method != method) {
		at++
	}
	if at == len(t.lines) {
		t.lines = append(t.lines, &shareLine{number: number, method: method, least: math.Inf(1), worst: 1})
	}
	if truth > 0.5 && truth <= 1 {
		truth = 1 - truth // the rest of a share is what is rare
	}
	l := t.lines[at]
	l.least, l.most = min(l.least, truth), max(l.most, truth)
	if one.given > 0 {
		l.worst = min(l.worst, one.held/one.given)
	}
	l.sum.add(one)
	t.all.sum.add(one)
}

func (t *shareTable) print() {
	fmt.Println("number,method,exact values,intervals given,coverage,lowest of a queue")
	for _, l := range t.lines {
		fmt.Printf("%s,%s,%.0e to %.0e,%.0f %%,%.3f,%.3f\n", l.number, l.method, l.least, l.most, 100*l.sum.given/l.sum.runs, l.sum.held/l.sum.given, l.worst)
	}
	all := t.all.sum
	fmt.Printf("all,,,%.0f %%,%.3f,\n", 100*all.given/all.runs, all.held/all.given)
}
