package prose

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestMain has the tests speak of files as seen from the root of the repository.
func TestMain(m *testing.M) {
	if err := os.Chdir("../.."); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// pages are the documents of the project. The list of changes is judged from its
// newest entries; MATRIX.md is written by a program.
func pages(t *testing.T) []string {
	t.Helper()
	files := []string{"README.md", "CONTRIBUTING.md", ".ci/RELEASE.md", "mjq/COMPARISON.md", "mjq/cmd/mjq/README.md", "kernels/jupyter/README.md", "notebooks/run/start.md"}
	for _, pattern := range []string{"site/docs/*.md", "site/docs/*/*.md", "site/docs/*/*/*.md"} {
		more, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, more...)
	}
	return files
}

func everything(t *testing.T) map[string][]passage {
	t.Helper()
	all := map[string][]passage{}
	for _, file := range pages(t) {
		text, err := os.ReadFile(file)
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		all["pages"] = append(all["pages"], markdown(file, string(text))...)
	}
	for _, folder := range publicPackages {
		all["godoc"] = append(all["godoc"], godoc(t, folder)...)
	}
	for _, folder := range foldersWithMessages(t) {
		all["messages"] = append(all["messages"], messages(t, folder)...)
	}
	books, err := filepath.Glob("notebooks/*.ipynb")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range books {
		all["notebooks"] = append(all["notebooks"], notebook(t, file)...)
	}
	return all
}

// allowed reads exceptions.txt: a file, a tab, a part of the sentence, a tab, the reason.
func allowed(t *testing.T) map[[2]string]bool {
	t.Helper()
	file, err := os.Open("internal/prose/exceptions.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	used := map[[2]string]bool{}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		line := lines.Text()
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		parts := strings.Split(line, "\t")
		if len(parts) != 3 || parts[2] == "" {
			t.Fatalf("exceptions.txt: %q: want file, words and reason with tabs between", line)
		}
		used[[2]string{parts[0], parts[1]}] = false
	}
	return used
}

// TestPlainWords: no sentence breaks a rule without an exception, and every exception
// is needed.
func TestPlainWords(t *testing.T) {
	exceptions := allowed(t)
	for kind, passages := range everything(t) {
		if len(passages) < 100 {
			t.Errorf("only %d passages of %s were read", len(passages), kind)
		}
		t.Run(kind, func(t *testing.T) {
			for _, p := range passages {
				for _, f := range breaches(p) {
					if !excused(exceptions, f) {
						t.Error(f)
					}
				}
			}
		})
	}
	for e, needed := range exceptions {
		if !needed {
			t.Errorf("exceptions.txt: nothing in %s needs %q any more", e[0], e[1])
		}
	}
}

func excused(exceptions map[[2]string]bool, f finding) bool {
	for e := range exceptions {
		if e[0] == f.file && strings.Contains(f.sentence, e[1]) {
			exceptions[e] = true
			return true
		}
	}
	return false
}

// TestFirstSentences: the comment of every exported function, method and type of a public
// package begins with its name, for it is what a search shows.
func TestFirstSentences(t *testing.T) {
	for _, folder := range publicPackages {
		for _, wrong := range unnamed(t, folder) {
			t.Error(wrong)
		}
	}
}
