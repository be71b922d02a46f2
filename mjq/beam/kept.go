package beam

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
)

// keptPart is the name of the file of a part. It depends on all that the bits
// depend on, so that a directory can serve many sweeps.
func keptPart(dir string, sweep []byte, k, parts int) string {
	if dir == "" {
		return ""
	}
	return fmt.Sprintf("%s/%x-%d-of-%d", strings.TrimSuffix(dir, "/"), sha256.Sum256(sweep), k, parts)
}

// keep writes an outcome to a file of any file system that Beam knows, after
// its checksum; nowhere if place is "".
func keep(ctx context.Context, place string, o outcome) error {
	if place == "" {
		return nil
	}
	data, err := encode(o)
	if err != nil {
		return err
	}
	fs, err := filesystem.New(ctx, place)
	if err != nil {
		return err
	}
	defer fs.Close()
	w, err := fs.OpenWrite(ctx, place)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(data)
	if _, err = w.Write(append(sum[:], data...)); err != nil {
		w.Close()
		return err
	}
	return w.Close()
}

// recall reads an outcome back. One that is missing or torn, its writer having
// been killed, is not known.
func recall(ctx context.Context, place string) (o outcome, known bool) {
	if place == "" {
		return o, false
	}
	fs, err := filesystem.New(ctx, place)
	if err != nil {
		return o, false
	}
	defer fs.Close()
	r, err := fs.OpenRead(ctx, place)
	if err != nil {
		return o, false
	}
	defer r.Close()
	data, err := io.ReadAll(r)
	if err != nil || len(data) < sha256.Size {
		return o, false
	}
	sum, data := data[:sha256.Size], data[sha256.Size:]
	if real := sha256.Sum256(data); !bytes.Equal(sum, real[:]) {
		return o, false
	}
	o, err = decode(data)
	return o, err == nil
}
