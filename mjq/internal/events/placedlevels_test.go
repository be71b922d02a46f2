package events

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mjqueue/mjq/mjq/placement"
	"github.com/mjqueue/mjq/mjq/policy"
)

// inLevels has a pass see the queue in the order of level and arrival.
func inLevels(level func(class int) int, pass func(t *placedTwin)) func(t *placedTwin) {
	return func(t *placedTwin) {
		slices.SortFunc(t.queue, func(a, b int) int {
			return cmp.Or(level(t.jobs[a].Class)-level(t.jobs[b].Class), a-b)
		})
		pass(t)
	}
}

// byLevel has a pass see the queue of every level alone.
func byLevel(level func(class int) int, pass func(t *placedTwin)) func(t *placedTwin) {
	return inLevels(level, func(t *placedTwin) {
		rest, all := []int(nil), t.queue
		for l := range 3 {
			t.queue = slices.DeleteFunc(slices.Clone(all), func(i int) bool { return level(t.jobs[i].Class) != l })
			pass(t)
			rest = append(rest, t.queue...)
		}
		t.queue = rest
	})
}

// placedPass is the definition of a policy.
func placedPass(p policy.Policy) func(t *placedTwin) {
	for _, twin := range placedTwins {
		if twin.Policy == p {
			return twin.pass
		}
	}
	panic(p.String())
}

// TestPlacedLevelTwins holds priorities on nodes against their definitions, bit for bit.
func TestPlacedLevelTwins(t *testing.T) {
	p, given, waits := policy.Priority{Levels: levelOf}, policy.Given(), 0
	for at, n := range placedSystems() {
		rng := rand.New(rand.NewPCG(uint64(at), 40))
		for _, where := range []placement.Placement{placement.BestFit{}, placement.LowestFit{}} {
			n.Placement, n.Probs = where, make([]float64, len(n.Spans))
			log := placedLog(rng, n, 100, false)
			check := func(p policy.Priority, order func(level func(class int) int, pass func(t *placedTwin)) func(t *placedTwin), pass func(t *placedTwin)) {
				t.Helper()
				waits += twinned(t, fmt.Sprintf("system %d, %v, %v", at, where, p), n, p, nil, order(levelIn(p), pass), log, rng.Uint64())
			}
			check(p, inLevels, placedPass(policy.FCFS{}))
			check(p.Passing(), byLevel, placedPass(policy.FCFS{}))
			check(p.Within(policy.FirstFit{}), inLevels, placedPass(policy.FirstFit{}))
			if !n.Typed {
				check(p.Within(policy.MostServersFirst{}), byLevel, placedPass(policy.MostServersFirst{}))
			}
			if n.Kinds[0].Count < 20 {
				check(p.Within(policy.EASY().Estimates(given)), inLevels, twinPlacedBackfill(1))
				check(p.Within(policy.Conservative().Estimates(given)), inLevels, twinPlacedBackfill(math.MaxInt))
			}
		}
	}
	if waits < 3000 {
		t.Errorf("only %d jobs wait", waits)
	}
}
