package main

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

// full is a device without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

// TestFullDevice: what cannot be written is no success, help and version included.
func TestFullDevice(t *testing.T) {
	inFolder(t)
	for _, line := range []string{"--help", "", "solve --help", "version", "help solve", "stability queue.json", "stability queue.json --json", "completion bash"} {
		var notes bytes.Buffer
		if code := run(t.Context(), strings.Fields(line), streams{out: full{}, notes: &notes}); code != failed || !strings.Contains(notes.String(), "no space left") {
			t.Errorf("mjq %s: exit code %d, %s", line, code, notes.String())
		}
	}
}

// TestUsage: what is wrong with the command line has exit code 2, wherever it is found; a method
// that is not for the queue has 1.
func TestUsage(t *testing.T) {
	inFolder(t)
	for line, want := range map[string]int{
		"solve queue.json --method forward --jobs -5": badInput, "solve queue.json --rel-err 0": badInput, "solve queue.json --rel-err nan": badInput,
		"solve queue.json --half-width -1": badInput, "solve queue.json --level 1": badInput, "solve queue.json --level 0": badInput, "solve queue.json --workers -1": badInput,
		"solve queue.json --workers 0": badInput, "solve queue.json --max-jobs 0": badInput, "solve queue.json --method backward --samples -3": badInput,
		"solve queue.json --method rare-event": badInput, "solve queue.json --method rare-event --wait -1": badInput, "solve queue.json --method exact --max-bytes -1": badInput,
		"solve queue.json --method simulation --warm-up -1": badInput, "solve queue.json --method simulation --within -2": badInput, "solve queue.json --method certified --eps -1": badInput,
		"path queue.json --from -1": badInput, "path queue.json --from 5 --to 2": badInput, "fewest-servers queue.json --mean-wait 0": badInput,
		"fewest-servers queue.json --mean-wait 1:nobody": badInput, "fewest-servers queue.json --wait-quantile 2:1": badInput, "fewest-servers queue.json --service-level 1:200%": badInput,
		"largest-rate queue.json --mean-wait inf": badInput, "largest-need queue.json --mean-wait 1 --class nobody": badInput, "cheapest-servers queue.json --costs -1:2": badInput,
		"cheapest-mix cluster.json --mean-wait 1 --prices cpu=1,xpu=2": badInput, "optimum queue.json --weights nobody=1": badInput, "prices queue.json --loss --worth nobody=1": badInput,
		"transient queue.json --until -1": badInput, "transient queue.json --until 1 --parts -1": badInput, `transient queue.json --until 1 --state {"line":["nobody"]}`: badInput,
		"by-time queue.json --parts 0": badInput, "sweep queue.json --shard 3/2": badInput, "sweep queue.json --load 0.5 --replications-a-point -1": badInput,
		"stability queue.json --method pile --replications -1": badInput, "compare queue.json --policy FCFS;EASY --jobs -1": badInput,
		"replay centre.swf --warm-up -1": badInput, "fit jobs.csv --servers 8 --parts -1": badInput, "replay centre.swf --level 2": badInput,
		"solve queue.json --policy EASY --method exact": failed, "best-keep queue.json": failed,
	} {
		if out, notes, code := command(strings.Fields(line)...); code != want || out != "" || !strings.HasPrefix(notes, "mjq: ") {
			t.Errorf("mjq %s: exit code %d, not %d: %s", line, code, want, notes)
		}
	}
}
