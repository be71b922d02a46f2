package cache

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mjqueue/mjq/mjq/result"
)

// part is one with a grid and no jobs.
func part(failed string) Part {
	return PartOf([]byte("sweep"), &result.Sweep{Seed: 3, Replications: 1, Points: []result.SweepPoint{{Servers: 4, Rate: 1}}}, errors.New(failed), time.Second)
}

// Every part of a file is under the checksum: no change of a byte goes unnoticed, nor does an end.
func TestTorn(t *testing.T) {
	data, err := part("a").Encode()
	if err != nil {
		t.Fatal(err)
	}
	if p, err := DecodePart(data); err != nil || p.Result.Points[0].Servers != 4 || p.Failed[0] != "a" {
		t.Errorf("%+v, error %v", p, err)
	}
	for i := range data {
		data[i] ^= 1
		if _, err := DecodePart(data); !errors.Is(err, ErrTorn) {
			t.Errorf("byte %d changed: %v", i, err)
		}
		data[i] ^= 1
		if _, err := DecodePart(data[:i]); !errors.Is(err, ErrTorn) {
			t.Errorf("%d bytes of %d: %v", i, len(data), err)
		}
	}
}

// A reader finds a whole part or none while many write it.
func TestWritersOfOnePart(t *testing.T) {
	dir, name := t.TempDir(), PartName([]byte("sweep"), 2, 5)
	stop, watched := make(chan bool), make(chan error)
	go func() {
		for {
			_, err := RecallPart(dir, name)
			select {
			case <-stop:
				watched <- err
				return
			default:
			}
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				<-stop
				watched <- err
				return
			}
		}
	}()
	var writers sync.WaitGroup
	for range 8 {
		writers.Go(func() {
			for range 20 {
				if err := KeepPart(dir, name, part("a")); err != nil {
					t.Error(err)
				}
			}
		})
	}
	writers.Wait()
	stop <- true
	if err := <-watched; err != nil {
		t.Error(err)
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 1 {
		t.Errorf("there is %v, error %v", files, err)
	}
	if files, err := ListParts(dir); err != nil || len(files) != 1 || files[0] != (PartFile{SweepKey([]byte("sweep")), 2, 5}) {
		t.Errorf("listed %v, error %v", files, err)
	}
}

func TestMerge(t *testing.T) {
	all, err := MergeParts(part("b"), Part{}, part("a"), part("b"))
	if err != nil || len(all.Failed) != 2 || all.Failure().Error() != "a\nb" || len(all.Machines) != 1 || all.Took != time.Second {
		t.Errorf("%+v, error %v", all, err)
	}
	if none, err := MergeParts(Part{}, Part{}); err != nil || len(none.Result.Points) != 0 || none.Failure() != nil {
		t.Errorf("of no part: %+v, error %v", none, err)
	}
	other := part("a")
	other.Result.Seed = 4
	if _, err := MergeParts(part("a"), other); err == nil {
		t.Error("parts of two sweeps are merged")
	}
}

// TestMixed: parts of several programs or kinds of processors are told, those of one are not.
func TestMixed(t *testing.T) {
	a, b := part("a"), part("a")
	if all, err := MergeParts(a, b); err != nil || len(all.Mixed()) != 0 {
		t.Errorf("parts of this program: %q, error %v", all.Mixed(), err)
	}
	b.Machines, b.Builds = []string{"abacus"}, []string{"0.0.9, commit 12ab"}
	all, err := MergeParts(a, b)
	if err != nil {
		t.Fatal(err)
	}
	if said := strings.Join(all.Mixed(), "\n"); strings.Count(said, "\n") != 1 || !strings.Contains(said, "abacus and ") || !strings.Contains(said, "(0.0.9, commit 12ab; "+Build()+")") {
		t.Errorf("parts of two programs: %s", said)
	}
}

func TestRanges(t *testing.T) {
	for want, numbers := range map[string][]int{"": nil, "3": {3}, "3,7-9": {9, 7, 3, 8}, "0-1,3-4,6": {0, 1, 3, 4, 6}} {
		if got := Ranges(numbers); got != want {
			t.Errorf("%v: %q, want %q", numbers, got, want)
		}
	}
}

func TestWritable(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	if err := Writable(dir); err != nil {
		t.Fatal(err)
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 0 {
		t.Errorf("there is %v, error %v", files, err)
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Writable(file); err == nil {
		t.Error("a file is taken for a directory")
	}
}
