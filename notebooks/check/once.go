package check

import (
	"os"
	"path/filepath"

	"github.com/janpfeifer/gonb/cache"
)

// Once is the value of f, computed in the first cell that asks for it and
// remembered for the other cells until the kernel ends: each cell is a program
// of its own. The key must differ between values. After a change to the package
// or to f, restart the kernel. T must survive encoding/gob, as results and
// tables do. Outside a notebook it is just f.
func Once[T any](key string, f func() T) T {
	session := os.Getenv("GONB_TMP_DIR")
	if session == "" {
		return f()
	}
	store, err := cache.New(filepath.Join(session, "once"))
	if err != nil {
		return f()
	}
	return cache.CacheWith(store, key, f)
}
