package beam

import (
	"context"
	"errors"
	"io"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"

	"github.com/mjqueue/mjq/mjq/internal/cache"
)

// onThisMachine reports whether a directory is one of the machine's own file systems, network
// file systems among them, and not a place like gs://bucket/path.
func onThisMachine(dir string) bool { return !strings.Contains(dir, "://") }

// keep writes a part to a file of a directory.
func keep(ctx context.Context, dir, name string, p cache.Part) error {
	if onThisMachine(dir) {
		return cache.KeepPart(dir, name, p)
	}
	data, err := p.Encode()
	if err != nil {
		return err
	}
	return write(ctx, dir, name, data)
}

// write writes a file of any file system that Beam knows.
func write(ctx context.Context, dir, name string, data []byte) error {
	place := placed(dir, name)
	fs, err := filesystem.New(ctx, place)
	if err != nil {
		return err
	}
	defer fs.Close()
	w, err := fs.OpenWrite(ctx, place)
	if err != nil {
		return err
	}
	_, err = w.Write(data)
	return errors.Join(err, w.Close())
}

// read reads a file back.
func read(ctx context.Context, dir, name string) ([]byte, error) {
	place := placed(dir, name)
	fs, err := filesystem.New(ctx, place)
	if err != nil {
		return nil, err
	}
	defer fs.Close()
	r, err := fs.OpenRead(ctx, place)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(r)
}

// recall reads a part back. One that is missing or torn is not known.
func recall(ctx context.Context, dir, name string) (p cache.Part, known bool) {
	data, err := read(ctx, dir, name)
	if err != nil {
		return p, false
	}
	p, err = cache.DecodePart(data)
	return p, err == nil
}

// placed is a file in a directory.
func placed(dir, name string) string { return strings.TrimSuffix(dir, "/") + "/" + name }
