package main

import (
	"encoding/json"
	"os"
	"path/filepath"
)

// kernelSpec is what Jupyter reads from kernel.json.
type kernelSpec struct {
	Argv          []string          `json:"argv"`
	DisplayName   string            `json:"display_name"`
	Language      string            `json:"language"`
	InterruptMode string            `json:"interrupt_mode"`
	Env           map[string]string `json:"env"`
}

// spec describes the kernel that this binary is.
func (at places) spec(goPath string) kernelSpec {
	return kernelSpec{
		Argv:        []string{at.kernel, "{connection_file}"},
		DisplayName: "Go (mjq)",
		Language:    "go",
		// As GoNB installs itself: it stops the cell's program, not the kernel.
		InterruptMode: "message",
		Env:           map[string]string{envGo: goPath},
	}
}

// install writes kernel.json and puts "go" in the shim directory.
func (at places) install(dir string) error {
	goPath, err := realGo(os.Getenv(envGo))
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(at.spec(goPath), "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "kernel.json"), append(text, '\n'), 0o644); err != nil {
		return err
	}
	return at.installShim()
}

// installShim copies this binary under the name go. The new copy takes the old
// one's place in a single step, for a kernel may be using it.
func (at places) installShim() error {
	binary, err := os.ReadFile(at.kernel)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(at.shim, 0o755); err != nil {
		return err
	}
	fresh := filepath.Join(at.shim, ".go.new")
	if err := os.WriteFile(fresh, binary, 0o755); err != nil {
		return err
	}
	return os.Rename(fresh, filepath.Join(at.shim, "go"))
}
