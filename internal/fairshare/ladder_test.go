package fairshare

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestLadder holds factors that are kept up to date against the ranking of the whole tree by usages that
// are kept apart, on random trees, jobs and half-lives, with ties that come and go.
func TestLadder(t *testing.T) {
	rng, whole, kept := rand.New(rand.NewPCG(5, 8)), 0, 0
	for n := range 10_000 {
		list := randomNodes(rng, 2, new(int))
		halfLife := []float64{math.Inf(1), 50, 0.3}[n%3]
		ladder, slow := tree(t, list).Ladder(halfLife), tree(t, list)
		usage := Continuous(len(slow.Users), halfLife)
		used, factor, told := make([]float64, len(slow.Users)), make([]float64, len(slow.Users)), make([]float64, len(slow.Users))
		held := make([][]float64, len(slow.Users))
		now, step := 0.0, []float64{0, 0.5, 1}[n%2+rng.IntN(2)]
		for range 60 {
			u := rng.IntN(len(slow.Users))
			if k := len(held[u]); k > 0 && rng.IntN(2) == 0 {
				ladder.End(u, held[u][k-1], 0, now)
				usage.End(u, held[u][k-1], 0, now)
				held[u] = held[u][:k-1]
			} else {
				servers := float64(1 + rng.IntN(3))
				ladder.Begin(u, servers, now)
				usage.Begin(u, servers, now)
				held[u] = append(held[u], servers)
			}
			now += step * float64(rng.IntN(3))
			if rng.IntN(3) == 0 {
				continue
			}
			if ladder.whole {
				whole++
			} else {
				kept++
			}
			for _, u := range ladder.Rank(now) {
				told[u] = ladder.Factor(u)
			}
			usage.At(now, used)
			slow.Fair(used, factor)
			if !slices.Equal(told, factor) {
				t.Fatalf("tree %d, %s, half-life %v at %v with %v: factors %v, want %v", n, Format(list), halfLife, now, used, told, factor)
			}
		}
	}
	if t.Logf("%d whole, %d kept", whole, kept); kept < 100_000 || whole < 10_000 {
		t.Error("one way is taken too seldom")
	}
}

// TestLadderPut is the same with usages that jump, as in steps.
func TestLadderPut(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 8))
	for n := range 3000 {
		list := randomNodes(rng, 2, new(int))
		ladder, slow := tree(t, list).Ladder(1), tree(t, list)
		used, factor, told := make([]float64, len(slow.Users)), make([]float64, len(slow.Users)), make([]float64, len(slow.Users))
		for range 20 {
			for u := range used {
				switch rng.IntN(4) {
				case 0:
					used[u] += float64(rng.IntN(3))
				case 1:
					used[u] *= 0.5
				}
			}
			ladder.Put(used)
			for _, u := range ladder.Rank(0) {
				told[u] = ladder.Factor(u)
			}
			slow.Fair(used, factor)
			if !slices.Equal(told, factor) {
				t.Fatalf("tree %d, %s with %v: factors %v, want %v", n, Format(list), used, told, factor)
			}
		}
	}
}

// BenchmarkLadder has begins and ends of jobs of 500 users in 40 accounts, each followed by a ranking.
func BenchmarkLadder(b *testing.B) {
	var list []Node
	for a := range 40 {
		n := Node{Name: fmt.Sprint("a", a), Shares: 1, Account: true}
		for u := a; u < 500; u += 40 {
			n.Children = append(n.Children, Node{Name: fmt.Sprint("u", u), Shares: 1})
		}
		list = append(list, n)
	}
	t, err := NewTree(list)
	if err != nil {
		b.Fatal(err)
	}
	rng, now, moved, n := rand.New(rand.NewPCG(5, 8)), 0.0, 0, 0
	ladder := t.Ladder(14 * 86400)
	held := make([]float64, 500)
	for b.Loop() {
		u := int(500 * math.Pow(rng.Float64(), 2))
		ladder.Begin(u, 4-8*held[u], now)
		held[u] = 1 - held[u]
		now += 15 * rng.ExpFloat64()
		n++
		moved += len(ladder.Rank(now))
	}
	b.ReportMetric(float64(moved)/float64(n), "moved/op")
}
