package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

var (
	known = strings.Fields("FROM ARG ENV RUN COPY WORKDIR USER EXPOSE HEALTHCHECK CMD LABEL ENTRYPOINT VOLUME STOPSIGNAL")
	once  = strings.Fields("FROM CMD HEALTHCHECK ENTRYPOINT")

	digest  = regexp.MustCompile(`^sha256:[0-9a-f]{64}$`)
	version = regexp.MustCompile(`^[0-9]+\.[0-9]+`)
	script  = regexp.MustCompile(`docker/setup\.sh((?: [a-z]+)*)`)
)

// lint names everything wrong with a Dockerfile whose context is the given
// folder: what would fail only when the image is built or used, and what makes
// an image that differs from day to day or runs as root.
func lint(context string, list []instruction) (faults []string) {
	fault := func(in instruction, format string, args ...any) {
		faults = append(faults, fmt.Sprintf("line %d: %s: ", in.Line, in.Name)+fmt.Sprintf(format, args...))
	}
	seen := map[string]int{}
	user := "root"
	for i, in := range list {
		seen[in.Name]++
		switch {
		case !slices.Contains(known, in.Name):
			fault(in, "not an instruction for these images; known: %s", strings.Join(known, " "))
		case in.Args == "":
			fault(in, "has no argument")
		case slices.Contains(once, in.Name) && seen[in.Name] > 1:
			fault(in, "given twice; only the last would count")
		}
		if i == 0 && in.Name != "FROM" {
			fault(in, "comes before FROM")
		}
		if in.Name == "USER" {
			user = in.Args
		}
		for _, text := range lintOne(context, in) {
			fault(in, "%s", text)
		}
	}
	for _, name := range []string{"FROM", "HEALTHCHECK", "CMD", "USER", "WORKDIR"} {
		if seen[name] == 0 {
			faults = append(faults, name+" is missing")
		}
	}
	if name, _, _ := strings.Cut(user, ":"); name == "root" || name == "0" {
		faults = append(faults, "USER: the image runs as root; end with an ordinary user")
	}
	return faults
}

// lintOne looks at one instruction by itself.
func lintOne(context string, in instruction) []string {
	switch in.Name {
	case "FROM":
		return lintBase(in.base())
	case "COPY":
		return lintCopy(context, in)
	case "RUN":
		return lintRun(context, in)
	case "WORKDIR":
		if !strings.HasPrefix(in.Args, "/") {
			return []string{in.Args + " is not absolute"}
		}
	case "CMD", "ENTRYPOINT":
		return lintExec(context, in.Args)
	case "HEALTHCHECK":
		command, ok := strings.CutPrefix(in.Args, "CMD ")
		if !ok {
			return []string{"want CMD and a command"}
		}
		return lintExec(context, command)
	}
	return nil
}

func lintBase(b base) (faults []string) {
	if !version.MatchString(b.Tag) {
		faults = append(faults, fmt.Sprintf("%s has the tag %q; pin one that begins with a version", b.Image, b.Tag))
	}
	if !digest.MatchString(b.Digest) {
		faults = append(faults, fmt.Sprintf("%s has the digest %q; pin one, sha256: and 64 hexadecimal digits", b.Image, b.Digest))
	}
	return faults
}

func lintCopy(context string, in instruction) (faults []string) {
	words := strings.Fields(in.Args)
	if len(words) < 2 {
		return []string{"needs a source and a target"}
	}
	if in.Flags["from"] != "" {
		return nil
	}
	for _, source := range words[:len(words)-1] {
		if !filepath.IsLocal(source) {
			faults = append(faults, source+" lies outside the context")
		} else if _, err := os.Stat(filepath.Join(context, source)); err != nil {
			faults = append(faults, source+" does not exist in the context")
		}
	}
	return faults
}

func lintRun(context string, in instruction) (faults []string) {
	if strings.Contains(in.Args, "apt-get install") || strings.Contains(in.Args, "pip install") {
		faults = append(faults, "installs by itself; that is docker/setup.sh's business, so that the image is what is tested")
	}
	if strings.Contains(in.Args, "sudo ") {
		faults = append(faults, "uses sudo; the image has none")
	}
	if strings.Contains(strings.ReplaceAll(in.Args, "||", ""), "|") {
		faults = append(faults, "has a pipe, whose first command may fail unseen")
	}
	text, err := os.ReadFile(filepath.Join(context, "docker", "setup.sh"))
	if err != nil {
		return append(faults, err.Error())
	}
	for _, call := range script.FindAllStringSubmatch(in.Args, -1) {
		for _, step := range strings.Fields(call[1]) {
			if !strings.Contains(string(text), "\n"+step+"() {") {
				faults = append(faults, "docker/setup.sh has no step "+step)
			}
		}
	}
	return faults
}

// lintExec wants the form that gets signals: a JSON list, whose program, if it
// is a file of the checkout, may be executed.
func lintExec(context, args string) []string {
	var words []string
	if err := json.Unmarshal([]byte(args), &words); err != nil || len(words) == 0 {
		return []string{`want a list as ["program", "argument"], or signals reach a shell only`}
	}
	if strings.HasPrefix(words[0], "docker/") {
		if info, err := os.Stat(filepath.Join(context, words[0])); err != nil || info.Mode()&0o111 == 0 {
			return []string{words[0] + " is not an executable file of the checkout"}
		}
	}
	return nil
}
