package main

import (
	"os"
	"strings"
	"testing"
)

// The size of a system by nodes and by a file of sinfo is that of --servers: the answers are equal.
func TestSizeOfTheSystem(t *testing.T) {
	inFolder(t)
	sinfo := "c1|cpu*|512|512000|(null)|mixed\ng1|gpu|64|512000|gpu:a100:8(S:0-1)|mixed\ng1|all|64|512000|gpu:a100:8(S:0-1)|mixed\n" +
		"g2|gpu|64|512000|gpu:a100:24|idle\nc2|all|64|512000|(null)|down\n"
	if err := os.WriteFile("sinfo.txt", []byte(sinfo), 0o600); err != nil {
		t.Fatal(err)
	}
	want, notes, code := command(strings.Fields("advise quarter.txt.gz --only Partition=gpu --need gres/gpu --servers 32")...)
	if code != 0 || !strings.Contains(want, "3 servers more") {
		t.Fatalf("%d %s %s", code, want, notes)
	}
	for _, size := range []string{"--nodes 4 --gpus 8", "--need gres/gpu --sinfo sinfo.txt"} {
		if got, notes, code := command(strings.Fields("advise quarter.txt.gz --only Partition=gpu " + size)...); got != want || code != 0 {
			t.Errorf("%s: %d, %s\n%s\nwant\n%s", size, code, notes, got, want)
		}
	}
	for flags, part := range map[string]string{
		"--gpus 8":                             "give --nodes as well",
		"--nodes 4 --servers 3":                "give one of them",
		"--nodes 4 --sinfo sinfo.txt":          "give one of them",
		"--nodes 4 --gpus 8 --need cpu":        "leave --need out",
		"--nodes -4":                           "positive numbers",
		"--sinfo no.txt":                       "no.txt",
		"--sinfo sinfo.txt --need a/b":         "no unit of a/b",
		"--sinfo sinfo.txt --only Partition=x": "in partition x",
	} {
		if _, notes, code := command(strings.Fields("advise quarter.txt.gz " + flags)...); code != badInput || !strings.Contains(notes, part) {
			t.Errorf("%s: %d %q does not say %q", flags, code, notes, part)
		}
	}
}
