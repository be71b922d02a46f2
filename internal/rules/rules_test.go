package rules

import (
	"os"
	"testing"
)

// TestMain has the rules speak of folders as seen from package mjq.
func TestMain(m *testing.M) {
	if err := os.Chdir("../../mjq"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}
