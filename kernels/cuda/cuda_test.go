package cuda

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"
	"unsafe"
)

// TestPTXBelongsToTheSources fails when a source has changed since generate.sh
// last ran.
func TestPTXBelongsToTheSources(t *testing.T) {
	hash, err := SourceHash()
	if err != nil {
		t.Fatal(err)
	}
	recorded, err := Generated()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(recorded, "sources "+hash+"\n") {
		t.Errorf("the PTX was generated from other sources (now %s, then %s): run kernels/cuda/generate.sh", hash, recorded)
	}
}

// TestPTX looks for every kernel in the code for devices old and new.
func TestPTX(t *testing.T) {
	for _, c := range [][3]int{{8, 0, 80}, {8, 9, 80}, {9, 0, 90}, {12, 0, 90}} {
		text, err := PTX(c[0], c[1])
		if err != nil {
			t.Fatal(err)
		}
		if want := ".target sm_" + map[int]string{80: "80", 90: "90"}[c[2]]; !strings.Contains(text, want) {
			t.Errorf("capability %d.%d: no %q in the code", c[0], c[1], want)
		}
		for _, kernel := range []string{"mjq_jobs", "mjq_backward_few", "mjq_backward_many", "mjq_certified_few", "mjq_certified_many", "mjq_forward_few", "mjq_forward_many", "mjq_pile_few", "mjq_pile_many",
			"mjq_backward_types_few", "mjq_backward_types_many", "mjq_forward_types_few", "mjq_forward_types_many", "mjq_pile_types_few", "mjq_pile_types_many"} {
			if !strings.Contains(text, ".visible .entry "+kernel+"(") {
				t.Errorf("capability %d.%d: no kernel %s", c[0], c[1], kernel)
			}
		}
		if at := contracted(text); at != "" {
			t.Errorf("capability %d.%d: a multiplication is contracted with an addition in %s, which draws other bits than the CPU", c[0], c[1], at)
		}
	}
	if _, err := PTX(7, 5); err == nil || !strings.Contains(err.Error(), "7.5") || !strings.Contains(err.Error(), "8.0") {
		t.Errorf("a device too old gives %v", err)
	}
}

// contracted is the declaration of a kernel with a fused multiplication and
// addition. The functions that kernels call hold the library's pow, exp and
// log, which fuse by design.
func contracted(text string) string {
	within := ""
	for line := range strings.Lines(text) {
		switch {
		case strings.Contains(line, ".entry "):
			within = line
		case strings.HasPrefix(line, ".func"):
			within = ""
		case within != "" && strings.Contains(line, "fma."):
			return within
		}
	}
	return ""
}

// TestLayout reads an encoded model back at the places where model.cuh says
// that its fields are, and checks the sizes of all that is exchanged.
func TestLayout(t *testing.T) {
	m := Model{Key: 11, Servers: 12, Gap: Law{Kind: Weibull, N: 3, Table: 4, A: 5, B: 6, C: 7, D: 8},
		Classes: []Class{{1, Law{A: 21}}, {2, Law{A: 22}}}, Cells: []Cell{{31, 32, 33}, {34, 35, 36}}, Numbers: []float64{41, 42},
		Resources: []Resource{{51, 52}, {53, 54}}, Needs: []int64{61, 62, 63, 64}, Printed: true}
	b := m.Encode()
	word := func(at uint64) uint64 { return binary.LittleEndian.Uint64(b[at:]) }
	real := func(at uint64) float64 { return math.Float64frombits(word(at)) }
	if word(0) != 11 || word(8) != 12 || word(16) != 2 || word(48) != uint64(Weibull) || real(96) != 8 {
		t.Errorf("the header is %v", b[:136])
	}
	cells, services, numbers := word(24), word(32), word(40)
	if word(cells+24) != 34 || word(services+64) != 2 || real(services+64+8+24) != 22 || real(numbers+8) != 42 {
		t.Error("the tables are not where the header says")
	}
	if resources, needs := word(120), word(128); word(104) != 2 || word(112) != 1 || word(resources+16) != 53 || word(needs+24) != 64 {
		t.Error("the tables of resources are not where the header says")
	}
	for name, sizes := range map[string][2]uintptr{"Law": {unsafe.Sizeof(Law{}), 56}, "Class": {unsafe.Sizeof(Class{}), 64}, "Cell": {unsafe.Sizeof(Cell{}), 24},
		"Saved": {unsafe.Sizeof(Saved{}), 40}, "Window": {unsafe.Sizeof(Window{}), 56}, "Replication": {unsafe.Sizeof(Replication{}), 24},
		"Tower": {unsafe.Sizeof(Tower{}), 24}, "Resource": {unsafe.Sizeof(Resource{}), 16}, "Squeeze": {unsafe.Sizeof(Squeeze{}), 48}} {
		if sizes[0] != sizes[1] {
			t.Errorf("%s takes %d bytes, the kernels expect %d", name, sizes[0], sizes[1])
		}
	}
}
