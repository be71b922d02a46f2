// Command licenses writes the licences of all Go modules that mjq links, tests
// with or runs as a tool, as CSV, and fails when one is not allowed.
//
//	go run ./.ci/licenses >build/licenses.csv
//
// It reads the licence files in the modules' own folders and knows a licence by
// sentences that no other has. A text that it does not know fails as well: look
// at it, then add its sentence to texts below.
package main

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// module is one row.
type module struct {
	Path, Version, Dir string
	Main               bool
	usedBy             []string
}

// uses says who needs a module, by the arguments of "go list -deps".
var uses = []struct {
	by   string
	list []string
}{
	{"package mjq", []string{"-tags", "cuda", "./mjq/..."}},
	{"notebooks", []string{"./widgets/...", "./notebooks/...", "./kernels/..."}},
	{"tests", []string{"-test", "./..."}},
	{"tools", []string{"tool"}},
}

func main() {
	faults, err := report(os.Stdout)
	for _, fault := range faults {
		fmt.Fprintln(os.Stderr, "licenses:", fault)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "licenses:", err)
	}
	if err != nil || len(faults) > 0 {
		os.Exit(1)
	}
}

func report(w io.Writer) (faults []string, err error) {
	modules, err := modules()
	if err != nil {
		return nil, err
	}
	out := csv.NewWriter(w)
	if err := out.Write([]string{"module", "version", "licences", "files", "used by"}); err != nil {
		return nil, err
	}
	for _, m := range modules {
		files, err := licenceFiles(m.Dir)
		if err != nil {
			return nil, err
		}
		licences, wrong := judge(files)
		for _, text := range wrong {
			faults = append(faults, fmt.Sprintf("%s %s: %s", m.Path, m.Version, text))
		}
		var names []string
		for _, f := range files {
			names = append(names, f.name)
		}
		err = out.Write([]string{m.Path, m.Version, strings.Join(licences, " AND "), strings.Join(names, " "), strings.Join(m.usedBy, ", ")})
		if err != nil {
			return nil, err
		}
	}
	out.Flush()
	return faults, out.Error()
}

// modules are all that are used, by path, without this one.
func modules() ([]*module, error) {
	found := map[string]*module{}
	for _, use := range uses {
		cmd := exec.Command("go", append([]string{"list", "-deps", "-json=Module"}, use.list...)...)
		cmd.Stderr = os.Stderr
		text, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("%v: %w", cmd.Args, err)
		}
		for dec := json.NewDecoder(strings.NewReader(string(text))); ; {
			var p struct{ Module *module }
			if err := dec.Decode(&p); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return nil, err
			}
			if p.Module == nil || p.Module.Main {
				continue // the standard library, or ours
			}
			m := found[p.Module.Path]
			if m == nil {
				m = p.Module
				found[m.Path] = m
			}
			if !slices.Contains(m.usedBy, use.by) {
				m.usedBy = append(m.usedBy, use.by)
			}
		}
	}
	var list []*module
	for _, m := range found {
		list = append(list, m)
	}
	slices.SortFunc(list, func(a, b *module) int { return strings.Compare(a.Path, b.Path) })
	return list, nil
}
