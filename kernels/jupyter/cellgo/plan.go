package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/build"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// plan is what go has said about cells with the same imports.
type plan struct {
	Imports  []string
	Settings string  // of go, and the files that say where modules are
	Sources  []stamp // of the packages in the workspace
	Root     string  // GOROOT
	Tools    string  // where compiler and linker are
	Language string  // go1.26
	Packages string  // the lines of an importcfg
	Code     string  // a fingerprint of the code that computes

	Library   *library `json:",omitempty"` // that has the packages; nil if none does
	Libraries stamp    // of the folder of all libraries
	Ordered   bool     // whether a library was asked for
}

// stamp is the state of a file or a folder.
type stamp struct {
	Path           string
	Modified, Size int64
}

// planFile keeps the plan of the cells with these imports, in the folder of the session.
func planFile(imports []string) string {
	return "cellgo-" + fingerprint([]byte(strings.Join(imports, "\n")))[:16] + ".json"
}

// known is the plan of the last cell with the same imports if it is good for this one, else nil.
func (c *cell) known() *plan {
	data, err := os.ReadFile(planFile(c.imports))
	var p plan
	if err != nil || json.Unmarshal(data, &p) != nil || !slices.Equal(p.Imports, c.imports) || p.Settings != settings() {
		return nil
	}
	for _, s := range p.Sources {
		if stampOf(s.Path) != s {
			return nil
		}
	}
	if folder := libraries(); p.Libraries != stampOf(folder) {
		p.seek(folder)
		p.keep()
	}
	return &p
}

func (p *plan) keep() {
	if data, err := json.Marshal(p); err == nil {
		os.WriteFile(planFile(p.Imports), data, 0o600)
	}
}

func stampOf(path string) stamp {
	info, err := os.Stat(path)
	if err != nil {
		return stamp{Path: path}
	}
	s := stamp{Path: path, Modified: info.ModTime().UnixNano(), Size: info.Size()}
	if info.IsDir() {
		s.Size = 0
	}
	return s
}

// settings is what decides, beside the sources, what go makes of a cell.
func settings() string {
	var text []byte
	for _, v := range os.Environ() {
		if strings.HasPrefix(v, "GO") || strings.HasPrefix(v, "CGO") || strings.HasPrefix(v, "PATH=") {
			text = append(append(text, v...), '\n')
		}
	}
	for _, name := range []string{"go.mod", "go.work"} {
		data, _ := os.ReadFile(name)
		text = append(append(text, data...), 0)
	}
	return fingerprint(text)
}

// listed is a package as go list tells of it.
type listed struct {
	ImportPath, Dir, Export           string
	Standard                          bool
	GoFiles, CgoFiles, SFiles, HFiles []string
	IgnoredGoFiles, EmbedFiles, Deps  []string
}

// plan asks go; nil if it has something to say about the cell that it had better say
// itself.
func (c *cell) plan() *plan {
	p := &plan{Imports: c.imports, Settings: settings()}
	env, err := exec.Command("go", "env", "GOROOT", "GOTOOLDIR", "GOVERSION", "GOMODCACHE").Output()
	if err != nil {
		return nil
	}
	lines := strings.Split(string(env), "\n")
	p.Root, p.Tools = lines[0], lines[1]
	major, minor := 0, 0
	if n, _ := fmt.Sscanf(lines[2], "go%d.%d", &major, &minor); n != 2 {
		return nil
	}
	p.Language = fmt.Sprintf("go%d.%d", major, minor)
	// Without cgo the linker need not ask the C compiler what it links.
	work := lighter()
	all, err := list(c.imports, append(work, withoutC()...)...)
	if err != nil || slices.ContainsFunc(all, listed.wantsC) {
		all, err = list(c.imports, work...)
	}
	if err != nil && work != nil {
		all, err = list(c.imports)
	}
	if err != nil || slices.ContainsFunc(all, func(l listed) bool { return len(l.CgoFiles) > 0 && !l.Standard }) {
		return nil
	}
	p.add(all, lines[3])
	p.seek(libraries())
	return p
}

// withoutC turns cgo off unless the user has a say.
func withoutC() []string {
	if os.Getenv("CGO_ENABLED") != "" {
		return nil
	}
	return []string{"CGO_ENABLED=0"}
}

// list asks go about the packages and what they import, all compiled.
func list(imports []string, env ...string) (all []listed, err error) {
	return listWith(nil, imports, env...)
}

// listWith has them compiled with flags.
func listWith(flags, imports []string, env ...string) (all []listed, err error) {
	args := append([]string{"list", "-export", "-deps",
		"-json=ImportPath,Dir,Export,Standard,GoFiles,CgoFiles,SFiles,HFiles,IgnoredGoFiles,EmbedFiles,Deps"}, flags...)
	cmd := exec.Command("go", append(append(args, "--"), imports...)...)
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var l listed
		if err := dec.Decode(&l); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		all = append(all, l)
	}
}

// wantsC reports whether a package of others leaves files out that are for cgo.
func (l listed) wantsC() bool {
	if l.Standard || strings.HasPrefix(l.ImportPath, module) {
		return false
	}
	with := build.Default
	with.CgoEnabled = true
	return slices.ContainsFunc(l.IgnoredGoFiles, func(name string) bool {
		text, err := os.ReadFile(filepath.Join(l.Dir, name))
		if err != nil || !bytes.Contains(text, []byte(`"C"`)) {
			return false
		}
		chosen, err := with.MatchFile(l.Dir, name)
		return chosen && err == nil
	})
}

// add fills in what follows from the packages. Those of GOROOT and of the module cache do
// not change.
func (p *plan) add(all []listed, cache string) {
	var text strings.Builder
	for _, l := range all {
		if l.Export != "" {
			fmt.Fprintf(&text, "packagefile %s=%s\n", l.ImportPath, l.Export)
		}
		if l.Standard || strings.HasPrefix(l.Dir, cache+string(filepath.Separator)) {
			continue
		}
		p.Sources = append(p.Sources, stampOf(l.Dir))
		for _, name := range slices.Concat(l.GoFiles, l.SFiles, l.HFiles, l.IgnoredGoFiles, l.EmbedFiles) {
			p.Sources = append(p.Sources, stampOf(filepath.Join(l.Dir, name)))
		}
	}
	p.Packages, p.Code = text.String(), code(all)
}

const module = "github.com/mjqueue/mjq/"

// code is a fingerprint of the compiled packages that a computation goes through: those of
// package mjq and what it imports, the same whatever else a cell imports. The paths of the
// build cache are fingerprints of what the files hold.
func code(all []listed) string {
	parts := map[string]bool{}
	for _, l := range all {
		if l.ImportPath == module+"mjq" {
			for _, d := range append(l.Deps, l.ImportPath) {
				parts[d] = true
			}
		}
	}
	var lines []string
	for _, l := range all {
		if len(parts) == 0 || parts[l.ImportPath] {
			lines = append(lines, l.ImportPath+" "+filepath.Base(l.Export)+"\n")
		}
	}
	slices.Sort(lines) // go lists them in an order that depends on what else the cell imports
	return fingerprint([]byte(strings.Join(lines, "")))
}
