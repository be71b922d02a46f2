package rules

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestStaticOfLab: JupyterLab shows without its token one folder that "make playground" alone
// fills. It showed all of build, reports and logs included.
func TestStaticOfLab(t *testing.T) {
	read := func(name string) string {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	paths := regexp.MustCompile(`(?m)^c\.ServerApp\.extra_static_paths = \[str\(checkout / "([^"]+)"\)\]$`).FindStringSubmatch(read("../docker/jupyter_server_config.py"))
	if paths == nil {
		t.Fatal("the configuration does not name one folder")
	}
	static, makefile := paths[1], read("../Makefile")
	if !strings.Contains(makefile, "\nPLAYGROUND := "+static+"/playground\n") {
		t.Errorf("make playground does not fill %s", static)
	}
	inside := regexp.MustCompile(`\b` + static + `\b`)
	for _, name := range []string{"../Makefile", "../site/build.py", "../docker/setup.sh", "../docker/Dockerfile", "../docker/lab", "../.ci/parts", "../.ci/sizes"} {
		for _, line := range strings.Split(read(name), "\n") {
			if inside.MatchString(line) && !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "PLAYGROUND") {
				t.Errorf("%s puts something else into %s: %s", name, static, line)
			}
		}
	}
}

// TestInstalledFilesHaveHashes: set-up installs Python packages from lists that say the hash of each
// file, so that another file of the same version is refused.
func TestInstalledFilesHaveHashes(t *testing.T) {
	text, err := os.ReadFile("../docker/setup.sh")
	if err != nil {
		t.Fatal(err)
	}
	installs := 0
	for _, line := range strings.Split(strings.ReplaceAll(string(text), "\\\n", " "), "\n") {
		if !strings.Contains(line, "pip install") {
			continue
		}
		installs++
		if !strings.Contains(line, " --require-hashes -r ") {
			t.Errorf("without hashes: %s", strings.TrimSpace(line))
		}
	}
	if installs == 0 {
		t.Error("set-up installs nothing; look for pip elsewhere")
	}
}
