package mjq

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

const module = "github.com/mjqueue/mjq/"

// rooms says which packages of the module, and which modules besides the
// standard library, each room may import. "gonum" is gonum.org/v1/gonum,
// "plot" gonum.org/v1/plot. An empty list allows the standard library only.
var rooms = map[string][]string{
	"mjq":                    {"internal/panics", "internal/check", "mjq/special", "mjq/arrival", "mjq/policy", "mjq/result", "mjq/spec", "mjq/law", "mjq/mam", "mjq/internal", "gonum"},
	"mjq/law":                {"internal/check", "gonum"},
	"mjq/mam":                {"internal/panics", "gonum"},
	"mjq/arrival":            {"internal/check", "mjq/law", "mjq/mam", "gonum"},
	"mjq/figure":             {"internal/palette", "gonum", "plot"},
	"mjq/result":             {"gonum"},
	"mjq/spec":               {"internal/check", "internal/panics", "mjq/law", "mjq/arrival", "mjq/policy", "mjq/result"},
	"mjq/internal/method":    {"mjq/arrival", "internal/check", "internal/panics", "mjq/result", "mjq/spec", "mjq/law", "mjq/mam", "mjq/internal", "gonum"},
	"mjq/policy":             {"internal/ranks"},
	"mjq/special":            {"internal/check", "internal/panics", "mjq/spec", "mjq/result", "mjq/law", "gonum"},
	"mjq/plots":              {"mjq/result", "mjq/figure"},
	"mjq/internal/stream":    {"internal/panics", "mjq/law", "mjq/arrival"},
	"mjq/internal/workload":  {"mjq/internal/stream"},
	"mjq/internal/replicate": {"mjq/result", "internal/panics", "mjq/internal/estimate"},
	"mjq/internal/sampling":  {"mjq/result", "internal/panics", "mjq/internal/replicate", "mjq/internal/stream", "mjq/internal/workload", "mjq/internal/estimate"},
	"mjq/internal/states":    {"mjq/law"},
	"mjq/internal/saturated": {"mjq/internal/states", "mjq/law", "mjq/mam", "mjq/internal/num", "gonum"},
	"mjq/internal/open":      {"mjq/result", "internal/panics", "mjq/internal/estimate", "mjq/internal/states", "mjq/law", "mjq/mam", "mjq/internal/num", "gonum"},
	"mjq/internal/events":    {"mjq/result", "mjq/policy", "internal/ranks", "mjq/internal/replicate", "mjq/internal/stream", "mjq/internal/estimate"},
	"internal/ranks":         {},
	"mjq/internal/estimate":  {"mjq/result", "gonum"},
	"mjq/internal/num":       {"gonum"},
	"mjq/internal/tails":     {},
	"mjq/trace":              {"mjq/arrival", "internal/check", "internal/panics", "mjq/law", "mjq/mam", "mjq/result", "mjq/spec", "mjq/internal/estimate", "mjq/internal/replicate", "mjq/internal/stream", "mjq/internal/workload", "github.com/pelletier/go-toml"},
	"mjq/internal/gpu":       {"internal/panics", "mjq/law", "mjq/internal/stream", "mjq/internal/sampling", "kernels", "gorgonia.org/cu"},
	"internal/check":         {},
	"internal/palette":       {},
	"internal/panics":        {},
	"docker/rehearse":        {},
	"kernels/cuda":           {},
	"kernels/cuda/emulate":   {"kernels/cuda"},
	"kernels/jupyter":        {},
	"widgets":                {"mjq/result", "internal/palette", "github.com/janpfeifer/gonb"},
	"widgets/explorer":       {"internal/panics", "mjq/result", "mjq", "mjq/figure", "github.com/janpfeifer/gonb"},
	"notebooks/check":        {"mjq/result", "mjq", "github.com/janpfeifer/gonb"},
	"notebooks/papers":       {},
	"notebooks/run":          {"notebooks/check"},
}

type listed struct {
	ImportPath        string
	Imports, CgoFiles []string
}

// TestRooms lists the real imports and fails on an arrow that the table above
// does not allow, on a room that it does not know, and on cgo outside gpu.
func TestRooms(t *testing.T) {
	_, file, _, _ := runtime.Caller(0)
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports,CgoFiles", "./...")
	cmd.Dir = filepath.Dir(filepath.Dir(file))
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; seen++ {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		room := strings.TrimPrefix(p.ImportPath, module)
		for _, fault := range arrows(room, p) {
			t.Error(fault)
		}
	}
	if seen < 5 {
		t.Errorf("only %d packages were looked at", seen)
	}
	if len(arrows("mjq/law", listed{Imports: []string{module + "mjq"}})) == 0 {
		t.Error("an arrow from law to mjq goes unnoticed")
	}
}

func arrows(room string, p listed) (faults []string) {
	allowed, known := rooms[room]
	if !known {
		return []string{room + ": a room that the design does not know"}
	}
	if len(p.CgoFiles) > 0 && room != "mjq/internal/gpu" {
		faults = append(faults, room+": cgo is for gpu alone")
	}
	for _, imp := range p.Imports {
		target := imp
		switch {
		case strings.HasPrefix(imp, module):
			target = strings.TrimPrefix(imp, module)
		case strings.HasPrefix(imp, "gonum.org/v1/gonum"):
			target = "gonum"
		case strings.HasPrefix(imp, "gonum.org/v1/plot"):
			target = "plot"
		case !strings.Contains(strings.Split(imp, "/")[0], "."):
			continue // the standard library
		}
		if !mayImport(allowed, target) {
			faults = append(faults, room+" imports "+imp)
		}
	}
	return faults
}

func mayImport(allowed []string, target string) bool {
	for _, a := range allowed {
		if target == a || strings.HasPrefix(target, a+"/") && a != "mjq" {
			return true
		}
	}
	return false
}
