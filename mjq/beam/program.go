package beam

import (
	"debug/buildinfo"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/mjqueue/mjq/mjq/internal/cache"
)

// strange says how the program that workers start differs from this one, as far as the file of
// that name on this machine tells it. Another machine may have another file under the name, or this
// one none.
func strange(path string) []string {
	there, err := buildinfo.ReadFile(path)
	here, known := debug.ReadBuildInfo()
	if err != nil || !known {
		return nil
	}
	return unlike(path, there, here)
}

// unlike says how the program of a file differs from this one.
func unlike(path string, there, here *debug.BuildInfo) (warnings []string) {
	if a, b := system(there), system(here); a != b {
		warnings = append(warnings, fmt.Sprintf("the program of the workers, %s, is for %s and this one for %s: last digits may differ from those of a run on this machine", path, a, b))
	}
	if a, b := cache.Commit(there), cache.Commit(here); a != b {
		warnings = append(warnings, fmt.Sprintf("the program of the workers, %s, is of %s and this one of %s: build both from one commit", path, commit(a), commit(b)))
	}
	return warnings
}

// system is the operating system and the architecture of a program.
func system(info *debug.BuildInfo) string {
	return cache.Setting(info, "GOOS") + "/" + cache.Setting(info, "GOARCH")
}

// commit is a commit in words.
func commit(id string) string {
	if id == "" {
		return "no known commit"
	}
	return "commit " + id
}

// elsewhere says why the digits of a result may not be those of this program on this machine.
func elsewhere(p *cache.Part) []string {
	warnings := p.Mixed()
	if len(p.Machines) == 1 && p.Machines[0] != runtime.GOARCH {
		warnings = append(warnings, fmt.Sprintf("the parts were computed on processors of %s, and this machine has %s: last digits may differ from those of a run here", p.Machines[0], runtime.GOARCH))
	}
	if here := cache.Build(); len(p.Builds) == 1 && !slices.Contains(p.Builds, here) {
		warnings = append(warnings, fmt.Sprintf("the parts were computed by mjq %s, and this is %s: build both from one commit", strings.Join(p.Builds, ""), here))
	}
	return warnings
}

// warn passes warnings to who asked for them.
func (o *Options) warn(texts []string) {
	if o.Warn == nil {
		return
	}
	for _, text := range texts {
		o.Warn(text)
	}
}
