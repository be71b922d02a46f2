package cache

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/mjqueue/mjq/mjq/result"
)

// Part is what a part of a sweep has given, or several parts together.
type Part struct {
	Sweep    []byte        // all that the results depend on, as text
	Result   result.Sweep  // of its jobs
	Failed   []string      // points without a result, in words
	Took     time.Duration // the longest of several
	Machines []string      // architectures of the processors, as GOARCH names them
	Builds   []string      // of the programs, as Build tells them
}

// PartOf is a part that this process has computed. The points that err names have failed.
func PartOf(sweep []byte, res *result.Sweep, err error, took time.Duration) Part {
	p := Part{Sweep: sweep, Result: *res, Took: took, Machines: []string{runtime.GOARCH}, Builds: []string{Build()}}
	if err != nil {
		p.Failed = []string{err.Error()}
	}
	return p
}

// PartName is the name of the file of part k of n of a sweep. It depends on all that the
// results depend on, so that a directory can serve many sweeps. The whole is part n of n.
func PartName(sweep []byte, k, n int) string {
	return fmt.Sprintf("%s-%d-of-%d", SweepKey(sweep), k, n)
}

// SweepKey tells a sweep from all others, and from the same one of another version of mjq.
func SweepKey(sweep []byte) string {
	return fmt.Sprintf("%x", sha256.Sum256(append([]byte(result.Version+"\n"), sweep...)))
}

// Encode writes a part behind its checksum.
func (p Part) Encode() ([]byte, error) { return sealed(p) }

// DecodePart reads what Encode has written.
func DecodePart(data []byte) (p Part, err error) {
	err = opened(data, &p)
	return p, err
}

// MergeParts puts parts of one sweep together, in any order. A part without a grid is none.
func MergeParts(parts ...Part) (all Part, err error) {
	var results []*result.Sweep
	for i := range parts {
		p := &parts[i]
		if len(p.Result.Points) == 0 {
			continue
		}
		results = append(results, &p.Result)
		all.Sweep, all.Took = p.Sweep, max(all.Took, p.Took)
		all.Failed = append(all.Failed, p.Failed...)
		all.Machines = append(all.Machines, p.Machines...)
		all.Builds = append(all.Builds, p.Builds...)
	}
	if len(results) == 0 {
		return Part{}, nil
	}
	merged, err := result.MergeSweeps(results...)
	if err != nil {
		return Part{}, err
	}
	all.Result = *merged
	for _, names := range []*[]string{&all.Failed, &all.Machines, &all.Builds} {
		slices.Sort(*names)
		*names = slices.Compact(*names)
	}
	return all, nil
}

// Failure is the error of the points that have no result; nil if all have one.
func (p *Part) Failure() error {
	var failed []error
	for _, text := range p.Failed {
		failed = append(failed, errors.New(text))
	}
	return errors.Join(failed...)
}

// Build tells how this program was built: the version of mjq and, where Go knows it, the commit.
func Build() string {
	info, known := debug.ReadBuildInfo()
	if !known || Commit(info) == "" {
		return result.Version
	}
	return fmt.Sprintf("%s, commit %s", result.Version, Commit(info))
}

// Commit is the commit of a program, "" if Go does not know it.
func Commit(info *debug.BuildInfo) string {
	commit := Setting(info, "vcs.revision")
	if commit != "" && Setting(info, "vcs.modified") == "true" {
		commit += " with changes"
	}
	return commit
}

// Setting is a setting of a build by its key, "" if it is not there.
func Setting(info *debug.BuildInfo, key string) string {
	for _, s := range info.Settings {
		if s.Key == key {
			return s.Value
		}
	}
	return ""
}

// Mixed says in words why parts may not have the digits of one run, a sentence each.
func (p *Part) Mixed() (warnings []string) {
	if len(p.Machines) > 1 {
		warnings = append(warnings, fmt.Sprintf("the parts come from processors of %s, which may round differently; compute all on one kind for the digits of one run", strings.Join(p.Machines, " and ")))
	}
	if len(p.Builds) > 1 {
		warnings = append(warnings, fmt.Sprintf("the parts come from different programs (%s); compute all by one for the digits of one run", strings.Join(p.Builds, "; ")))
	}
	return warnings
}
