package main

import (
	"encoding/json"
	"testing"

	"github.com/mjqueue/mjq/mjq/result"
)

// TestVersion: the command prints what a result names.
func TestVersion(t *testing.T) {
	if out := answered(t, "version"); out != "mjq "+result.Version+"\n" {
		t.Errorf("printed %q", out)
	}
	inFolder(t)
	var r struct{ Run struct{ Version string } }
	if err := json.Unmarshal([]byte(answered(t, "solve", "queue.json", "--json")), &r); err != nil || r.Run.Version != result.Version {
		t.Errorf("a result names the version %q, %v", r.Run.Version, err)
	}
}
