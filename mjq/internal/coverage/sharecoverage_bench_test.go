package coverage

import (
	"fmt"
	"os"
	"regexp"
	"testing"

	"github.com/mjqueue/mjq/mjq"
)

// BenchmarkShares prints how often intervals of shares and of counts of rare events hold the exact
// value, at level 0.95: a line a queue, a method and a number, with the exact value, the runs, and
// the intervals that were given and held. A run has 16,000 jobs, so that an event of probability
// 1e-4 happens once or twice. The environment chooses as for BenchmarkCoverage.
//
//	MJQ_COVERAGE_RUNS=300 go test -run xx -bench Shares -benchtime 1x -timeout 0 ./mjq/internal/coverage
func BenchmarkShares(b *testing.B) {
	runs, first := coverageNumber(b, "RUNS", 300), coverageNumber(b, "SEED", 1)
	models := regexp.MustCompile(os.Getenv("MJQ_COVERAGE_MODELS"))
	methods := regexp.MustCompile(os.Getenv("MJQ_COVERAGE_METHODS"))
	var all tallied
	for range b.N {
		for _, q := range rareEventQueues() {
			if !models.MatchString(q.name) {
				continue
			}
			exact := mjq.Must(q.m.Solve(background, mjq.Exact{}))
			for _, method := range q.methods() {
				if !methods.MatchString(method.name) {
					continue
				}
				for i, t := range q.coverage(method, exact, first, runs) {
					if t.runs == 0 {
						continue
					}
					all.add(&t)
					fmt.Printf("%s,%s,%s,%.3g,%.0f,%.3f,%.3f\n", q.name, method.name, q.told[i].name, q.told[i].of(exact).Value, t.runs, t.given/t.runs, t.held/t.given)
				}
			}
		}
	}
	fmt.Printf("all,,,,%.0f,%.3f,%.4f\n", all.runs, all.given/all.runs, all.held/all.given)
}
