package rules

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/mjqueue/mjq/"

// layers are the packages of the module from the lowest up. A package imports what
// stands in lower layers; in its own only if its line says so, which Go keeps from
// closing a circle.
var layers = [][]string{
	{"internal/check", "internal/escape", "internal/files", "internal/palette", "internal/panics", "internal/ranks", "internal/heap", "internal/ring", "internal/lanes", "internal/fastmath", "internal/fairshare", "kernels/cuda", "kernels/cuda/emulate", "kernels/jupyter/cells", "notebooks/papers"},
	{"mjq/law", "mjq/mam", "mjq/policy", "mjq/placement", "mjq/result", "mjq/figure"},
	{"mjq/arrival", "mjq/plots", "internal/progress"},
	{"mjq/spec"},
	// Tools of the engines: randomness, recurrences, states, statistics, answers kept.
	{"mjq/internal/stream", "mjq/internal/compiled", "mjq/internal/recurrence", "mjq/internal/states", "mjq/internal/chain", "mjq/internal/estimate", "mjq/internal/replicate", "mjq/internal/cache", "mjq/internal/tests/oracle"},
	// First come, first served in front of any place, which engines may be.
	{"mjq/internal/queue"},
	// Engines, none of which knows another: solvers and bounds, then samplers and simulation.
	{"mjq/internal/open", "mjq/internal/saturated", "mjq/internal/policychain", "mjq/internal/optimum", "mjq/internal/classic", "mjq/internal/scarcity", "mjq/internal/loss", "mjq/internal/nodes", "mjq/internal/failing", "mjq/internal/elastic", "mjq/internal/sampling", "mjq/internal/events"},
	{"mjq/internal/gpu"},
	// Methods: the question, what a queue carries, which intervals hold, a method at work, and
	// the methods by what they do; then their list, and what asks several of them.
	{"mjq/internal/problem"},
	{"mjq/internal/limit"},
	{"mjq/internal/interval"},
	{"mjq/internal/run"},
	{"mjq/internal/exact", "mjq/internal/sampler", "mjq/internal/simulation"},
	{"mjq/internal/timecourse", "mjq/internal/methods", "mjq/internal/planning"},
	{"mjq"},
	{"mjq/special", "mjq/trace", "mjq/trace/internal/slurm"},
	{"mjq/trace/foreign"},
	{"mjq/workload"},
	// Tests only.
	{"mjq/internal/tests/coverage", "mjq/internal/tests/messages", "mjq/internal/tests/speed", "mjq/internal/tests/soak", "mjq/internal/tests/spellings", "mjq/internal/tests/fuzz", "mjq/internal/tests/ordinary", "mjq/internal/tests/product"},
	{"widgets", "widgets/explorer", "widgets/playground", "site/picture", "site/gallery", "notebooks/check", "mjq/cmd/mjq"},
}

// imports says which packages of the module, and which modules besides the standard
// library, each package may import. "gonum" is gonum.org/v1/gonum, "plot"
// gonum.org/v1/plot. An empty list allows the standard library only.
var imports = map[string][]string{
	"mjq":                          {"internal/escape", "internal/panics", "internal/check", "internal/progress", "mjq/arrival", "mjq/placement", "mjq/policy", "mjq/result", "mjq/spec", "mjq/law", "mjq/mam", "mjq/internal", "gonum"},
	"mjq/law":                      {"internal/check", "internal/fastmath", "mjq/mam", "gonum"},
	"mjq/mam":                      {"internal/panics", "internal/lanes", "gonum"},
	"mjq/arrival":                  {"internal/check", "mjq/law", "mjq/mam", "gonum"},
	"mjq/figure":                   {"internal/check", "internal/escape", "internal/palette", "gonum", "plot"},
	"mjq/result":                   {"internal/check", "internal/escape", "internal/panics", "gonum"},
	"mjq/spec":                     {"internal/escape", "internal/check", "internal/panics", "mjq/law", "mjq/arrival", "mjq/placement", "mjq/policy", "mjq/result"},
	"mjq/internal/problem":         {"mjq/internal/failing", "mjq/internal/compiled", "internal/check", "internal/panics", "mjq/arrival", "mjq/internal/policychain", "mjq/internal/classic", "mjq/internal/events", "mjq/internal/gpu", "mjq/internal/nodes", "mjq/internal/cache", "mjq/internal/replicate", "mjq/internal/sampling", "mjq/internal/states", "mjq/internal/stream", "mjq/law", "mjq/placement", "mjq/policy", "mjq/result", "mjq/spec"},
	"mjq/internal/limit":           {"mjq/internal/failing", "internal/check", "mjq/internal/classic", "internal/panics", "mjq/arrival", "mjq/internal/policychain", "mjq/internal/events", "mjq/internal/chain", "mjq/internal/elastic", "mjq/internal/open", "mjq/internal/problem", "mjq/internal/cache", "mjq/internal/sampling", "mjq/internal/saturated", "mjq/internal/scarcity", "mjq/internal/states", "mjq/law", "mjq/policy", "mjq/result", "mjq/spec", "gonum"},
	"mjq/internal/interval":        {"internal/check", "internal/panics", "mjq/arrival", "mjq/internal/estimate", "mjq/internal/scarcity", "mjq/internal/limit", "mjq/internal/problem", "mjq/law", "mjq/policy", "mjq/result", "mjq/spec"},
	"mjq/internal/run":             {"mjq/internal/failing", "internal/check", "mjq/internal/estimate", "mjq/internal/events", "mjq/internal/interval", "mjq/internal/limit", "mjq/internal/problem", "mjq/internal/cache", "mjq/internal/replicate", "mjq/internal/sampling", "mjq/policy", "mjq/result", "mjq/spec"},
	"mjq/internal/exact":           {"mjq/internal/elastic", "mjq/internal/failing", "mjq/internal/loss", "mjq/internal/queue", "mjq/internal/chain", "mjq/internal/classic", "internal/check", "mjq/arrival", "mjq/internal/policychain", "mjq/internal/estimate", "mjq/internal/limit", "mjq/internal/nodes", "mjq/internal/open", "mjq/internal/optimum", "mjq/internal/problem", "mjq/internal/cache", "mjq/internal/run", "mjq/internal/states", "mjq/law", "mjq/mam", "mjq/policy", "mjq/result", "mjq/spec", "gonum", "mjq/internal/compiled"},
	"mjq/internal/sampler":         {"internal/check", "internal/fastmath", "mjq/arrival", "mjq/internal/estimate", "mjq/internal/events", "mjq/internal/scarcity", "mjq/internal/interval", "mjq/internal/limit", "mjq/internal/open", "mjq/internal/problem", "mjq/internal/replicate", "mjq/internal/run", "mjq/internal/sampling", "mjq/internal/states", "mjq/internal/stream", "mjq/law", "mjq/policy", "mjq/result", "mjq/spec"},
	"mjq/internal/simulation":      {"mjq/internal/compiled", "internal/check", "mjq/internal/estimate", "mjq/internal/events", "mjq/internal/interval", "mjq/internal/limit", "mjq/internal/problem", "mjq/internal/recurrence", "mjq/internal/cache", "mjq/internal/run", "mjq/internal/stream", "mjq/law", "mjq/placement", "mjq/policy", "mjq/result", "mjq/spec"},
	"mjq/internal/timecourse":      {"internal/check", "internal/fastmath", "mjq/arrival", "mjq/internal/estimate", "mjq/internal/events", "mjq/internal/exact", "mjq/internal/scarcity", "mjq/internal/interval", "mjq/internal/limit", "mjq/internal/problem", "mjq/internal/cache", "mjq/internal/run", "mjq/internal/sampler", "mjq/internal/sampling", "mjq/internal/simulation", "mjq/internal/states", "mjq/internal/queue", "mjq/internal/stream", "mjq/law", "mjq/result", "mjq/spec"},
	"mjq/internal/methods":         {"internal/check", "mjq/internal/exact", "mjq/internal/scarcity", "mjq/internal/limit", "mjq/internal/problem", "mjq/internal/cache", "mjq/internal/run", "mjq/internal/sampler", "mjq/internal/sampling", "mjq/internal/simulation", "mjq/result", "mjq/spec", "gonum"},
	"mjq/internal/planning":        {"mjq/internal/loss", "internal/check", "mjq/internal/exact", "mjq/internal/limit", "mjq/internal/problem", "mjq/internal/cache", "mjq/internal/run", "mjq/internal/sampler", "mjq/internal/simulation", "mjq/law", "mjq/result", "mjq/spec"},
	"mjq/placement":                {"internal/check"},
	"mjq/policy":                   {"internal/check", "internal/fairshare", "mjq/law", "mjq/mam", "gonum", "internal/ranks", "internal/heap", "internal/ring"},
	"mjq/special":                  {"mjq/internal/chain", "internal/escape", "internal/check", "internal/panics", "mjq", "mjq/spec", "mjq/result", "mjq/law", "mjq/internal/cache", "mjq/internal/replicate", "gonum", "mjq/internal/problem"},
	"mjq/workload":                 {"mjq", "mjq/policy", "mjq/special", "mjq/trace", "mjq/trace/foreign"},
	"site/gallery":                 {"mjq", "mjq/figure", "mjq/plots", "mjq/result", "mjq/special", "mjq/trace", "mjq/workload", "widgets"},
	"site/packages":                {},
	"site/picture":                 {"mjq", "mjq/figure", "widgets"},
	"mjq/cmd/mjq":                  {"internal/check", "internal/escape", "internal/files", "internal/panics", "mjq", "mjq/arrival", "mjq/figure", "mjq/internal/cache", "mjq/law", "mjq/plots", "mjq/placement", "mjq/policy", "mjq/result", "mjq/spec", "mjq/trace", "mjq/trace/foreign", "github.com/spf13/cobra", "github.com/spf13/pflag"},
	"mjq/plots":                    {"mjq/result", "mjq/figure"},
	"mjq/internal/stream":          {"internal/fastmath", "internal/panics", "internal/lanes", "mjq/law", "mjq/arrival"},
	"mjq/internal/compiled":        {"mjq/internal/stream", "mjq/placement", "mjq/policy", "mjq/law", "mjq/arrival"},
	"mjq/trace/internal/slurm":     {},
	"mjq/trace/foreign":            {"internal/check", "mjq", "mjq/arrival", "mjq/law", "mjq/spec", "mjq/trace", "github.com/pelletier/go-toml"},
	"mjq/internal/tests/coverage":  {},
	"mjq/internal/tests/messages":  {},
	"mjq/internal/tests/speed":     {},
	"mjq/internal/tests/soak":      {},
	"mjq/internal/tests/spellings": {},
	"mjq/internal/tests/ordinary":  {"mjq", "mjq/result"},
	"mjq/internal/tests/fuzz":      {},
	"mjq/internal/tests/product":   {},
	"mjq/internal/tests/oracle":    {"mjq/result"},
	"mjq/internal/cache":           {"internal/files", "mjq/result"},
	"mjq/internal/recurrence":      {},
	"mjq/internal/replicate":       {"mjq/result", "internal/panics", "mjq/internal/estimate"},
	"mjq/internal/sampling":        {"mjq/internal/compiled", "mjq/law", "mjq/result", "internal/panics", "internal/heap", "mjq/internal/replicate", "mjq/internal/stream", "mjq/internal/recurrence", "mjq/internal/estimate"},
	"mjq/internal/states":          {"mjq/internal/chain", "mjq/law", "mjq/mam", "gonum", "mjq/internal/compiled", "internal/check", "mjq/arrival", "mjq/policy"},
	"mjq/internal/saturated":       {"mjq/internal/states", "mjq/law", "mjq/mam", "gonum"},
	"mjq/internal/open":            {"mjq/result", "mjq/internal/chain", "internal/panics", "mjq/internal/estimate", "mjq/internal/states", "mjq/law", "mjq/mam", "gonum"},
	"mjq/internal/events":          {"internal/heap", "mjq/internal/compiled", "internal/panics", "mjq/result", "mjq/policy", "mjq/placement", "internal/ranks", "internal/ring", "mjq/internal/replicate", "mjq/internal/stream", "mjq/internal/estimate", "mjq/law"},
	"internal/fastmath":            {"internal/lanes"},
	"internal/ranks":               {},
	"internal/fairshare":           {"internal/check"},
	"internal/lanes":               {"golang.org/x/sys"},
	"internal/heap":                {},
	"internal/ring":                {},
	"mjq/internal/estimate":        {"internal/panics", "mjq/result", "gonum"},
	"mjq/internal/scarcity":        {"internal/panics", "mjq/arrival", "mjq/law", "mjq/mam", "mjq/spec", "gonum"},
	"mjq/trace":                    {"internal/fairshare", "mjq/internal/compiled", "gonum", "mjq", "mjq/arrival", "internal/escape", "internal/check", "internal/panics", "mjq/law", "mjq/mam", "mjq/placement", "mjq/policy", "mjq/result", "mjq/spec", "mjq/internal/estimate", "mjq/internal/events", "mjq/internal/cache", "mjq/internal/replicate", "mjq/internal/stream", "mjq/internal/recurrence", "mjq/trace/internal/slurm", "github.com/klauspost/compress", "github.com/ulikunitz/xz", "golang.org/x/text", "mjq/internal/problem"},
	"mjq/internal/gpu":             {"internal/fastmath", "internal/panics", "mjq/law", "mjq/internal/stream", "mjq/internal/sampling", "kernels", "gorgonia.org/cu"},
	"internal/check":               {},
	"internal/escape":              {},
	"internal/files":               {},
	"internal/escape/nasty":        {},
	"internal/rules":               {},
	"internal/prose":               {},
	"internal/palette":             {},
	"internal/panics":              {},
	"internal/progress":            {"mjq/result"},
	"kernels/cuda":                 {},
	"kernels/cuda/emulate":         {"kernels/cuda"},
	"kernels/cuda/answers":         {"mjq", "mjq/result", "mjq/workload", "notebooks/check"},
	"kernels/jupyter":              {},
	"kernels/jupyter/cells":        {},
	"kernels/jupyter/cellgo":       {"kernels/jupyter/cells"},
	"kernels/jupyter/front":        {"internal/check", "internal/panics", "kernels/jupyter/cells"},
	"notebooks/browser":            {},
	"widgets":                      {"internal/check", "internal/escape", "internal/panics", "internal/progress", "mjq/figure", "mjq/plots", "mjq/result", "internal/palette", "github.com/janpfeifer/gonb"},
	"widgets/playground":           {"internal/escape", "mjq", "mjq/arrival", "mjq/law", "mjq/policy", "mjq/result", "mjq/spec"},
	"widgets/playground/wasm":      {"widgets/playground"},
	"widgets/explorer":             {"internal/escape", "internal/panics", "mjq/result", "mjq", "mjq/figure", "widgets/playground", "github.com/janpfeifer/gonb"},
	"notebooks/check":              {"mjq/result", "widgets"},
	"notebooks/papers":             {},

	"mjq/internal/recurrence/fast": {"internal/lanes", "mjq/internal/recurrence", "mjq/internal/stream"},
	"mjq/internal/policychain":     {"internal/check", "mjq/policy", "mjq/internal/chain", "mjq/internal/states", "mjq/mam", "gonum", "mjq/internal/compiled"},
	"mjq/internal/classic":         {"mjq/internal/estimate", "mjq/law", "mjq/mam", "mjq/result", "gonum", "mjq/policy"},
	"mjq/internal/optimum":         {"mjq/internal/chain"},
	"mjq/internal/chain":           {"internal/check", "mjq/mam", "gonum"},
	"mjq/internal/loss":            {"mjq/internal/chain", "mjq/internal/compiled"},
	"mjq/internal/queue":           {"internal/check", "mjq/internal/chain", "mjq/internal/states", "mjq/internal/compiled", "mjq/law"},
	"mjq/internal/nodes":           {"mjq/internal/queue", "mjq/internal/chain", "mjq/internal/states", "mjq/mam", "mjq/result", "gonum", "mjq/internal/compiled", "internal/check", "mjq/placement"},
	"mjq/internal/failing":         {"internal/fastmath", "mjq/internal/chain", "mjq/law", "gonum"},
	"mjq/internal/elastic":         {"mjq/internal/chain", "mjq/internal/compiled", "mjq/internal/queue", "mjq/internal/states", "mjq/law"},
}

type listed struct {
	ImportPath        string
	Imports, CgoFiles []string
}

// TestImports lists the real imports and fails on an arrow that the table above does
// not allow, on one that leads upward, on a package that neither knows, and on cgo
// outside gpu.
func TestImports(t *testing.T) {
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports,CgoFiles", "./...")
	cmd.Dir = ".."
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimPrefix(p.ImportPath, module)
		seen[name] = true
		for _, fault := range wrongImports(name, p) {
			t.Error(fault)
		}
	}
	for name, allowed := range imports {
		if !seen[name] {
			t.Errorf("%s is in the table and nowhere else", name)
		}
		for _, absent := range missing(allowed, seen) {
			t.Errorf("%s may import %s, which does not exist", name, absent)
		}
	}
	for i, packages := range layers {
		for _, absent := range missing(packages, seen) {
			t.Errorf("layer %d names %s, which does not exist", i, absent)
		}
	}
	if absent := missing([]string{"gonum", "github.com/a/b", "mjq/internal", "mjq/law", "mjq/lawn"}, seen); !slices.Equal(absent, []string{"mjq/lawn"}) {
		t.Errorf("of a list with one name that does not exist, %v are missing", absent)
	}
	for from, to := range map[string]string{"mjq/law": "mjq", "mjq/spec": "mjq/internal/problem", "mjq/result": "mjq/law", "mjq/internal/stream": "mjq/internal/methods",
		"mjq/internal/methods": "mjq/internal/planning", "mjq/internal/limit": "mjq/internal/run", "mjq/internal/exact": "mjq/internal/sampler", "mjq/internal/states": "mjq/internal/open", "mjq/internal/open": "mjq/internal/policychain", "mjq/internal/new": "mjq/law"} {
		if len(wrongImports(from, listed{Imports: []string{module + to}})) == 0 {
			t.Errorf("an import of %s by %s goes unnoticed", to, from)
		}
	}
}

// missing are the names in a list of the table that are no package of the module, nor a
// folder of some. Other modules are known by their short names, or by a dot.
func missing(list []string, seen map[string]bool) (absent []string) {
	for _, name := range list {
		exists := name == "gonum" || name == "plot" || strings.Contains(name, ".")
		for p := range seen {
			exists = exists || p == name || strings.HasPrefix(p, name+"/")
		}
		if !exists {
			absent = append(absent, name)
		}
	}
	return absent
}

// wrongImports says what a package may not import.
func wrongImports(name string, p listed) (faults []string) {
	allowed, known := imports[name]
	if !known {
		return []string{name + ": a package that the table does not know"}
	}
	if strings.HasPrefix(name, "mjq/internal/") && layerOf(name) == len(layers) {
		faults = append(faults, name+" stands in no layer")
	}
	if len(p.CgoFiles) > 0 && name != "mjq/internal/gpu" {
		faults = append(faults, name+": cgo is for gpu alone")
	}
	for _, imp := range p.Imports {
		target, ours := strings.CutPrefix(imp, module)
		switch {
		case ours:
			if layerOf(target) > layerOf(name) {
				faults = append(faults, name+" imports "+target+", which stands above it")
			}
		case strings.HasPrefix(imp, "gonum.org/v1/gonum"):
			target = "gonum"
		case strings.HasPrefix(imp, "gonum.org/v1/plot"):
			target = "plot"
		case !strings.Contains(strings.Split(imp, "/")[0], "."):
			continue // the standard library
		}
		if !mayImport(allowed, target) {
			faults = append(faults, name+" imports "+imp)
		}
	}
	return faults
}

// layerOf is the layer of a package, one of mjq/internal standing for what is below it; that
// of none is above all.
func layerOf(name string) int {
	for i, packages := range layers {
		if slices.ContainsFunc(packages, func(p string) bool {
			return name == p || strings.HasPrefix(name, p+"/") && strings.HasPrefix(p, "mjq/internal/")
		}) {
			return i
		}
	}
	return len(layers)
}

func mayImport(allowed []string, target string) bool {
	return slices.ContainsFunc(allowed, func(a string) bool { return target == a || strings.HasPrefix(target, a+"/") && a != "mjq" })
}
