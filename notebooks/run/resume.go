package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"
)

// stamp lies beside an executed copy and says what it was made of and how the
// run went. A copy without a stamp is left over from a run that did not end.
type stamp struct {
	Inputs   string // key of what went in
	Effort   string
	Finished time.Time
	Duration time.Duration
	Faults   []fault
}

func (s stamp) write(path string) error {
	text, err := json.MarshalIndent(s, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o644)
}

// readStamp reports false for a stamp that is missing or damaged.
func readStamp(path string) (stamp, bool) {
	var s stamp
	text, err := os.ReadFile(path)
	return s, err == nil && json.Unmarshal(text, &s) == nil
}

// sources is where code lies that cells can use. The runner is not among them:
// it runs the cells and has no part in what they compute.
var sources = []string{"mjq", "widgets", "kernels", "notebooks/check", "notebooks/papers",
	"go.mod", "go.sum", "docker/requirements.txt"}

// sourceKey is the digest of the module as cells see it: all files below
// sources but tests, their data and pages for readers.
func (at checkout) sourceKey() (string, error) {
	sum := sha256.New()
	for _, root := range sources {
		err := filepath.WalkDir(at.path(root), func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			name := d.Name()
			switch {
			case d.IsDir() && (name == "testdata" || strings.HasPrefix(name, ".")):
				return filepath.SkipDir
			case !d.Type().IsRegular() || strings.HasSuffix(name, "_test.go") || strings.HasSuffix(name, ".md"):
				return nil
			}
			return digest(sum, string(at), path)
		})
		if err != nil && !os.IsNotExist(err) {
			return "", err
		}
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// digest adds a file with its name below root and its length, so that no text
// can move from one file to the next unseen.
func digest(sum io.Writer, root, path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	name, err := filepath.Rel(root, path)
	if err != nil {
		return err
	}
	fmt.Fprintf(sum, "%s\x00%d\x00", filepath.ToSlash(name), len(text))
	_, err = sum.Write(text)
	return err
}

// key is the digest of what decides a notebook's outputs. Prose does not.
func (nb notebook) key(sourceKey, effort string) string {
	sum := sha256.New()
	fmt.Fprintf(sum, "%s\x00%s\x00", sourceKey, effort)
	for _, cell := range nb.cells() {
		if cell["cell_type"] == "code" {
			source := joined(cell["source"])
			fmt.Fprintf(sum, "%d\x00%s", len(source), source)
		}
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// kept is the stamp of an earlier run, if that passed with the same inputs and
// left its copy. Failures are worth another try.
func (at checkout) kept(nb notebook, name, key string, opt options) (stamp, bool) {
	s, ok := readStamp(at.stamp(name, opt.effort))
	if opt.fresh || !ok || s.Inputs != key || len(s.Faults) > 0 {
		return stamp{}, false
	}
	copied, err := readNotebook(at.executed(name, opt.effort))
	if err != nil || !nb.adopt(copied) {
		return stamp{}, false
	}
	if !reflect.DeepEqual(nb, copied) { // prose has changed since
		if err := nb.write(at.executed(name, opt.effort)); err != nil {
			return stamp{}, false
		}
		os.Remove(at.page(name, opt.effort))
	}
	return s, true
}

// adopt takes the outputs and the kernel's data from an executed copy with the
// same code cells; it reports false and changes nothing when they differ.
func (nb notebook) adopt(executed notebook) bool {
	code := func(nb notebook) []map[string]any {
		return slices.DeleteFunc(nb.cells(), func(c map[string]any) bool { return c["cell_type"] != "code" })
	}
	to, from := code(nb), code(executed)
	same := func(a, b map[string]any) bool { return joined(a["source"]) == joined(b["source"]) }
	if !slices.EqualFunc(to, from, same) {
		return false
	}
	for i, cell := range to {
		cell["outputs"], cell["execution_count"] = from[i]["outputs"], from[i]["execution_count"]
	}
	if language, ok := object(executed["metadata"])["language_info"]; ok {
		object(nb["metadata"])["language_info"] = language
	}
	return true
}
