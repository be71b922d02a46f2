package fairshare

import (
	"cmp"
	"encoding/json"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
)

// value is an independent value of fair_values.json.
type value struct {
	ID    string
	Model struct {
		Tree  json.RawMessage
		Usage map[string]float64
		Jobs  []struct {
			Need, Start, End float64
		}
		Now      float64
		HalfLife float64 `json:"half_life"`
	}
	Value, Tolerance float64
}

func values(t *testing.T) (list []value) {
	data, err := os.ReadFile("../../mjq/testdata/fair_values.json")
	if err == nil {
		err = json.Unmarshal(data, &list)
	}
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// nodes reads ["name", shares, [children]].
func nodes(t *testing.T, raw json.RawMessage) (n Node) {
	var parts []json.RawMessage
	if err := json.Unmarshal(raw, &parts); err != nil {
		t.Fatal(err)
	}
	_ = json.Unmarshal(parts[0], &n.Name)
	_ = json.Unmarshal(parts[1], &n.Shares)
	if n.Account = len(parts) == 3; n.Account {
		var children []json.RawMessage
		_ = json.Unmarshal(parts[2], &children)
		for _, c := range children {
			n.Children = append(n.Children, nodes(t, c))
		}
	}
	return n
}

func tree(t *testing.T, list []Node) *Tree {
	t.Helper()
	flat, err := NewTree(list)
	if err != nil {
		t.Fatal(err)
	}
	return flat
}

// TestFactors holds both factors against independent values.
func TestFactors(t *testing.T) {
	seen := 0
	for _, v := range values(t) {
		name, isFair := strings.CutPrefix(v.ID[strings.Index(v.ID[5:], "-")+6:], "tree-")
		name, isClassic := strings.CutPrefix(name, "classic-")
		if v.Model.Usage == nil || !isFair && !isClassic {
			continue
		}
		seen++
		flat := tree(t, nodes(t, v.Model.Tree).Children)
		usage, factor := make([]float64, len(flat.Users)), make([]float64, len(flat.Users))
		for i, u := range flat.Users {
			usage[i] = v.Model.Usage[u.Name]
		}
		if isFair {
			flat.Fair(usage, factor)
		} else {
			flat.Classic(usage, factor, 1)
		}
		u, err := flat.Find(User{"", name})
		if err != nil || !(math.Abs(factor[u]-v.Value) <= v.Tolerance) {
			t.Errorf("%s: %v (%v), want %v", v.ID, factor[u], err, v.Value)
		}
	}
	if seen < 20 {
		t.Errorf("%d values", seen)
	}
}

// TestUsages holds decayed usage against independent values.
func TestUsages(t *testing.T) {
	seen := 0
	for _, v := range values(t) {
		if v.Model.Now == 0 {
			continue
		}
		seen++
		u := Continuous(1, v.Model.HalfLife)
		if strings.HasSuffix(v.ID, "stepped") {
			u = Stepped(1, v.Model.HalfLife, 300)
		}
		if got := usageOf(u, v); !(math.Abs(got-v.Value) <= v.Tolerance) {
			t.Errorf("%s: %v, want %v", v.ID, got, v.Value)
		}
	}
	if seen != 4 {
		t.Errorf("%d values", seen)
	}
}

func usageOf(u Usage, v value) float64 {
	type event struct {
		at  float64
		end bool
		job int
	}
	var events []event
	for i, j := range v.Model.Jobs {
		events = append(events, event{j.Start, false, i}, event{j.End, true, i})
	}
	slices.SortFunc(events, func(a, b event) int { return cmp.Compare(a.at, b.at) })
	moved := 0.0
	for k, e := range events {
		if k == 2 {
			moved = 700 // the origin of time does not matter
			u.Shift(moved)
		}
		if j := v.Model.Jobs[e.job]; e.end {
			u.End(0, j.Need, j.Start-moved, e.at-moved)
		} else {
			u.Begin(0, j.Need, e.at-moved)
		}
	}
	dst := make([]float64, 1)
	u.At(v.Model.Now-moved, dst)
	return dst[0] / u.Scale(v.Model.Now-moved)
}

// TestStepsShrink: the shorter the period, the closer steps are to continuous usage with the half-life
// that they round, ln 2 being 0.693 and d a difference in place of an exponential.
func TestStepsShrink(t *testing.T) {
	v := values(t)[slices.IndexFunc(values(t), func(v value) bool { return v.ID == "fair-usage-many" })]
	rounded := math.Ln2 / -math.Log1p(-0.693/v.Model.HalfLife)
	want, last := usageOf(Continuous(1, rounded), v), math.Inf(1)
	for _, period := range []float64{10_000, 1000, 100, 10, 1} {
		far := math.Abs(usageOf(Stepped(1, v.Model.HalfLife, period), v)/want - 1)
		if far > last/5 || far > period/v.Model.HalfLife {
			t.Errorf("period %v: relative difference %v after %v", period, far, last)
		}
		last = far
	}
	if exact := usageOf(Continuous(1, v.Model.HalfLife), v); math.Abs(want/exact-1) > 1e-4 {
		t.Errorf("half-life %v instead of %v: usage %v, %v", rounded, v.Model.HalfLife, want, exact)
	}
}

// TestFairSlowly holds Fair Tree against exact fractions and groups of ties, on random trees with many
// ties, each with several usages in turn, so that the order is kept and lost.
func TestFairSlowly(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for n := range 10_000 {
		list := randomNodes(rng, 2, new(int))
		flat := tree(t, list)
		usage, factor := make([]float64, len(flat.Users)), make([]float64, len(flat.Users))
		for turn := range 2 {
			for i := range usage {
				if turn == 0 || rng.IntN(4) == 0 {
					usage[i] = float64(rng.IntN(4)) * 3
				}
			}
			flat.Fair(usage, factor)
			if want := slowFair(flat, usage); !slices.Equal(factor, want) {
				t.Fatalf("tree %d, %s with %v: factors %v, want %v", n, Format(list), usage, factor, want)
			}
		}
	}
}

func randomNodes(rng *rand.Rand, depth int, named *int) (list []Node) {
	for range 1 + rng.IntN(4) {
		*named++
		n := Node{Name: "n" + string(rune('a'+*named%26)) + strings.Repeat("'", *named/26), Shares: float64(rng.IntN(4))}
		if n.Account = depth > 0 && rng.IntN(2) == 0; n.Account {
			n.Children = randomNodes(rng, depth-1, named)
		}
		list = append(list, n)
	}
	return list
}

// slowFair is Fair Tree as groups of users that tie.
func slowFair(t *Tree, usage []float64) (factor []float64) {
	used := make([]*big.Rat, len(t.nodes))
	for i := len(t.nodes) - 1; i >= 0; i-- {
		used[i] = new(big.Rat)
		if u := t.nodes[i].user; u >= 0 {
			used[i].SetFloat64(usage[u])
		}
		for _, c := range t.nodes[i].children {
			used[i].Add(used[i], used[c])
		}
	}
	level := func(i int) (x *big.Rat, infinite bool) {
		n, sum := t.nodes[i], new(big.Rat)
		for _, c := range t.nodes[n.parent].children {
			sum.Add(sum, new(big.Rat).SetFloat64(t.nodes[c].shares))
		}
		switch x = new(big.Rat).SetFloat64(n.shares); {
		case n.shares == 0:
			return x, false
		case used[i].Sign() == 0:
			return x, true
		}
		return x.Mul(x.Quo(x, sum), new(big.Rat).Quo(used[n.parent], used[i])), false
	}
	levels, infinite := make([]*big.Rat, len(t.nodes)), make([]bool, len(t.nodes))
	for i := 1; i < len(t.nodes); i++ {
		levels[i], infinite[i] = level(i)
	}
	compare := func(a, b int) int {
		x, more := levels[a], infinite[a]
		y, also := levels[b], infinite[b]
		switch {
		case more && also:
			return 0
		case more:
			return -1
		case also:
			return 1
		}
		return y.Cmp(x)
	}
	var groups func(list []int) [][]int
	groups = func(list []int) (out [][]int) {
		for len(list) > 0 {
			best := slices.MinFunc(list, compare)
			var users, below, rest []int
			for _, i := range list {
				switch n := t.nodes[i]; {
				case compare(i, best) != 0:
					rest = append(rest, i)
				case n.user >= 0:
					users = append(users, n.user)
				default:
					below = append(below, n.children...)
				}
			}
			inner := groups(below)
			if len(users) > 0 && len(inner) > 0 {
				inner[0] = append(inner[0], users...)
			} else if len(users) > 0 {
				inner = [][]int{users}
			}
			out, list = append(out, inner...), rest
		}
		return out
	}
	factor = make([]float64, len(t.Users))
	left := len(t.Users)
	for _, g := range groups(t.nodes[0].children) {
		for _, u := range g {
			factor[u] = float64(left) / float64(len(t.Users))
		}
		left -= len(g)
	}
	return factor
}

// TestParse: trees are written as they are read, and each fault has its message.
func TestParse(t *testing.T) {
	for _, text := range []string{"physics=3(ann=1,bob=1) biology=1(cy=2,dee=1)", `"a b"=0.5("=x"=1,deep=2(y=1)) z=1`, "a=1()", ""} {
		list, err := Parse(text)
		if err != nil || Format(list) != text {
			t.Errorf("%q: %q, %v", text, Format(list), err)
		}
	}
	for text, want := range map[string]string{"a=x": "no number of shares", "a=1(b": "not closed", "a=1)": "closes no account", "=1": "a name is missing", `"a`: "quotes",
		"a=-1": "give a finite number", "a(b) a(c)": "stands twice", "a(b,b)": "stands twice", strings.Repeat("a(", 200): "more than 100"} {
		list, err := Parse(text)
		if err == nil {
			_, err = NewTree(list)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	flat := tree(t, []Node{{Name: "A", Shares: 1, Account: true, Children: []Node{{Name: "u", Shares: 1}}}, {Name: "B", Shares: 1, Account: true, Children: []Node{{Name: "u", Shares: 1}}}})
	if _, err := flat.Find(User{"", "u"}); err == nil || !strings.Contains(err.Error(), "accounts A and B") {
		t.Error(err)
	}
	if u, err := flat.Find(User{"B", "u"}); err != nil || u != 1 {
		t.Error(u, err)
	}
}
