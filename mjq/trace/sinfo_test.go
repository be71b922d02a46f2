package trace

import (
	"reflect"
	"strings"
	"testing"
)

func TestSinfoCountsEachNodeOnce(t *testing.T) {
	text := `n1|cpu*|128|512000|(null)|mixed
n1|long|128|512000|(null)|mixed
n2|cpu*|128|512000|(null)|drained*
g1|gpu|64|1024000|gpu:a100:8(S:0-1),shard:16|allocated
g2|gpu|64+|1024000|gpu:h100:4,gpu:a100:4(S:0,1)|idle~
g3|gpu|64|1024000|gpu:h100:4|maint
`
	s, err := ReadSinfo("sinfo", strings.NewReader(text))
	want := &System{Nodes: 3, CPUs: 256, GPUs: 16, MiB: 2560000, Down: 2, Partitions: []SystemPart{
		{"cpu", 1, 128, 0, 512000}, {"long", 1, 128, 0, 512000}, {"gpu", 2, 128, 16, 2048000}}}
	if err != nil || !reflect.DeepEqual(s, want) {
		t.Errorf("%+v, %v\nwant %+v", s, err, want)
	}
	if s.Units("gres/gpu") != 16 || s.Units("node") != 3 || s.Units("license/x") != 0 {
		t.Errorf("units of %+v", s)
	}
}

func TestSinfoFaults(t *testing.T) {
	for text, part := range map[string]string{"": "there is no node in it", "n1 cpu 5\n": "run sinfo -N -h -o", "n1|cpu|x|5|(null)|idle\nn2|cpu|1|5|(null)|idle\n": `sinfo:1: "x" is no number of CPUs`,
		"n1|cpu|4|5|gpu:a100|idle\n": "no number of GPUs"} {
		if _, err := ReadSinfo("sinfo", strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%q: %v\ndoes not say %q", text, err, part)
		}
	}
}
