package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const checkout = "../.."

func TestImagesAreClean(t *testing.T) {
	var bases []string
	for _, name := range []string{"Dockerfile", "Dockerfile.cuda"} {
		list, err := parseFile(filepath.Join(checkout, "docker", name))
		if err != nil {
			t.Fatal(err)
		}
		for _, fault := range lint(checkout, list) {
			t.Errorf("%s: %s", name, fault)
		}
		bases = append(bases, list[0].Args)
	}
	if bases[0] != bases[1] {
		t.Errorf("the two images differ in their base: %q", bases)
	}
}

// TestLintFinds has each fault once, in a file that is otherwise as it should be.
func TestLintFinds(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(checkout, "docker", "Dockerfile"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new, want string }{
		{"FROM golang:1.26.2-bookworm@", "FROM golang:latest@", `the tag "latest"`},
		{"FROM golang:1.26.2-bookworm@", "FROM golang@", `the tag ""`},
		{"@sha256:47", "@sha256:4", "pin one, sha256:"},
		{"USER mjq", "USER root", "runs as root"},
		{"USER mjq", "USER 0:0", "runs as root"},
		{"USER mjq", "", "USER is missing"},
		{"HEALTHCHECK", "LABEL", "HEALTHCHECK is missing"},
		{"COPY docker/setup.sh ", "COPY docker/install.sh ", "docker/install.sh does not exist"},
		{"COPY docker/setup.sh ", "COPY ../setup.sh ", "outside the context"},
		{"setup.sh warm", "setup.sh hot", "no step hot"},
		{"RUN docker/setup.sh warm", "RUN apt-get install -y gcc", "installs by itself"},
		{"RUN docker/setup.sh warm", "RUN sudo docker/setup.sh warm", "uses sudo"},
		{"RUN docker/setup.sh warm", "RUN docker/setup.sh warm | tee log", "may fail unseen"},
		{"RUN docker/setup.sh warm", "RUM docker/setup.sh warm", "not an instruction"},
		{"EXPOSE 8888", "EXPOSE", "has no argument"},
		{"EXPOSE 8888", `CMD ["make"]`, "given twice"},
		{"WORKDIR /home/mjq/mjq", "WORKDIR mjq", "not absolute"},
		{`CMD ["docker/jupyter.sh"`, `CMD ["docker/requirements.txt"`, "not an executable file"},
		{`CMD ["docker/jupyter.sh", `, `CMD docker/jupyter.sh [`, "want a list"},
	} {
		changed := strings.Replace(string(text), c.old, c.new, 1)
		if changed == string(text) {
			t.Fatalf("%q is not in the Dockerfile", c.old)
		}
		list, err := parse(changed)
		if err != nil {
			t.Fatal(err)
		}
		if faults := strings.Join(lint(checkout, list), "\n"); !strings.Contains(faults, c.want) {
			t.Errorf("%q for %q: %q does not say %q", c.new, c.old, faults, c.want)
		}
	}
	if _, err := parse("FROM a \\\n"); err == nil {
		t.Error("an unfinished line goes unnoticed")
	}
}

// TestComposeNamesWhatExists reads compose.yaml by the line, which is enough
// for paths, ports and build arguments.
func TestComposeNamesWhatExists(t *testing.T) {
	folder := filepath.Join(checkout, "docker")
	text, err := os.ReadFile(filepath.Join(folder, "compose.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	found := func(pattern string) (all []string) {
		for _, m := range regexp.MustCompile(`(?m)^ +`+pattern+`$`).FindAllStringSubmatch(string(text), -1) {
			all = append(all, m[1])
		}
		if len(all) < 2 {
			t.Errorf("%s matches %d times; want one for each service", pattern, len(all))
		}
		return all
	}
	for _, file := range found(`dockerfile: (\S+)`) {
		list, err := parseFile(filepath.Join(checkout, file))
		if err != nil {
			t.Fatal(err)
		}
		args := map[string]bool{}
		for _, in := range list {
			for key := range in.assignments(nil) {
				args[key] = args[key] || in.Name == "ARG"
			}
		}
		if !args["UID"] {
			t.Errorf("%s has no build argument UID", file)
		}
	}
	for _, path := range append(found(`context: (\S+)`), found(`- (\.\./[^:]+):\S+`)...) {
		if _, err := os.Stat(filepath.Join(folder, path)); err != nil {
			t.Error(err)
		}
	}
	for _, port := range found(`- "(\S+:8888)"`) {
		if !strings.HasPrefix(port, "127.0.0.1:") {
			t.Errorf("port %s is open to the network", port)
		}
	}
}

// TestDockerignoreCoversGitignore: what git does not track would otherwise be
// copied, the private environment with another checkout's paths above all.
func TestDockerignoreCoversGitignore(t *testing.T) {
	git, err := os.ReadFile(filepath.Join(checkout, ".gitignore"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"Dockerfile", "Dockerfile.cuda"} {
		text, err := os.ReadFile(filepath.Join(checkout, "docker", name+".dockerignore"))
		if err != nil {
			t.Fatal(err)
		}
		ignored := "\n" + strings.ReplaceAll(string(text), "**/", "")
		for _, line := range strings.Split(string(git), "\n") {
			if line = strings.Trim(line, "/"); line != "" && line[0] != '#' && !strings.Contains(ignored, "\n"+line+"\n") {
				t.Errorf("%s: %s is in .gitignore only", name, line)
			}
		}
	}
}
