package cache

import (
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/mjqueue/mjq/mjq/result"
)

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
