package slurm

import (
	"testing"
	"time"
)

func TestLengths(t *testing.T) {
	for text, want := range map[string]float64{"1-02:04:04": 93844, "45:15": 2715, "1:00": 60, "00:00:17": 17, "2-00:00:00": 172800, "00:01.500": 1.5,
		"1-05": 104400, "1-05:30": 106200, "30:11:00": 108660, "4:00:17.250": 14417.25} {
		if got, known, err := Length([]byte(text)); got != want || !known || err != nil {
			t.Errorf("%q: %v, %v, %v; want %v", text, got, known, err, want)
		}
	}
	for _, text := range []string{"60", "61:61", "60:00", "1:60:00", "1:00:60", "-1:00", "1:2:3:4", "x", "1-", "1e3:00", "1.5:00", "1--1:00", "+1:00", "0x1:00"} {
		if got, known, err := Length([]byte(text)); err == nil {
			t.Errorf("%q is %v, %v", text, got, known)
		}
	}
	for _, text := range []string{"", "UNLIMITED", "Partition_Limit", "INVALID"} {
		if _, known, err := Limit([]byte(text)); known || err != nil {
			t.Errorf("limit %q: %v, %v", text, known, err)
		}
	}
	for text, want := range map[string]float64{"240": 14400, "1-00:00:00": 86400} {
		if got, known, err := RawLimit([]byte(text)); got != want || !known || err != nil {
			t.Errorf("raw limit %q: %v", text, got)
		}
	}
	if _, known, err := RawLimit([]byte("4294967294")); known || err != nil {
		t.Errorf("no limit is known: %v", err)
	}
}

func TestAmounts(t *testing.T) {
	for _, c := range []struct {
		text, key string
		want      Amount
	}{
		{"billing=64,cpu=64,gres/gpu:a100=4,gres/gpu=4,mem=250G,node=1", "gres/gpu", Amount{4, true, false}},
		{"gres/gpu:a100=4,gres/gpu:h100=2", "gres/gpu", Amount{6, true, false}},
		{"gres/gpu:a100=4,gres/gpu:h100=2", "gres/gpu:h100", Amount{2, true, false}},
		{"gres/gpu:a100_1g.5gb=1", "gres/gpu", Amount{1, true, true}},
		{"gres/gpu=0", "gres/gpu", Amount{0, true, false}},
		{"cpu=8", "gres/gpu", Amount{}},
		{"mem=62.50G", "mem", Amount{64000, true, false}},
		{"mem=0.50T", "mem", Amount{524288, true, false}},
		{"mem=16000M", "mem", Amount{16000, true, false}},
		{"mem=16000", "mem", Amount{16000, true, false}},
		{"mem=1K", "mem", Amount{1, true, false}},
		{"", "cpu", Amount{}},
	} {
		if got, err := AmountOf([]byte(c.text), c.key); got != c.want || err != nil {
			t.Errorf("%s of %q: %+v, %v; want %+v", c.key, c.text, got, err, c.want)
		}
	}
	for _, text := range []string{"cpu=four", "cpu=-1", "cpu", "cpu=1.5", "cpu=99999999999", "mem=x,cpu="} {
		if got, err := AmountOf([]byte(text), "cpu"); err == nil {
			t.Errorf("%q: %+v", text, got)
		}
	}
	if _, err := AmountOf([]byte("mem=9999P"), "mem"); err == nil {
		t.Error("9999P fit")
	}
}

func TestStates(t *testing.T) {
	for text, want := range map[string]State{"CANCELLED by 10002": {"CANCELLED", Ended}, "CD": {"COMPLETED", Ended}, "OUT_OF_ME+": {}, "oom": {"OUT_OF_MEMORY", Ended},
		"RUNNING+": {"RUNNING", Running}, "PD": {"PENDING", Waiting}, "REVOKED": {"REVOKED", Elsewhere}} {
		if got, known := StateOf([]byte(text)); got != want || known != (want.Name != "") {
			t.Errorf("%q: %+v, %v", text, got, known)
		}
	}
}

// The clock against that of the standard library, every half hour for three years, in zones with
// and without changes of the clock.
func TestClockAgainstTime(t *testing.T) {
	for _, name := range []string{"UTC", "Europe/Rome", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe"} {
		zone, err := time.LoadLocation(name)
		if err != nil {
			t.Skip(err)
		}
		c := NewClock(zone)
		twice := 0
		for at := time.Date(2023, 1, 1, 0, 0, 0, 0, time.UTC); at.Year() < 2026; at = at.Add(30 * time.Minute) {
			text := at.In(zone).Format("2006-01-02T15:04:05")
			got, known, ambiguous, err := c.Read([]byte(text))
			if err != nil || !known {
				t.Fatal(err)
			}
			if ambiguous {
				twice++
			}
			if got != at.Unix() && !(ambiguous && got < at.Unix()) {
				t.Fatalf("%s in %s is %d, want %d", text, name, got, at.Unix())
			}
		}
		if changes := map[string]int{"Europe/Rome": 12, "America/New_York": 12, "Australia/Lord_Howe": 6}[name]; twice != changes {
			t.Errorf("%s: %d times are shown twice, want %d", name, twice, changes)
		}
	}
}

func TestClockFaults(t *testing.T) {
	c := NewClock(nil)
	for _, text := range []string{"2026-02-29T00:00:00", "2026-13-01T00:00:00", "2026-01-01T24:00:00", "2026-01-01 00:00:00", "2026-01-01T00:00:00+1", "1969-01-01T00:00:00", "Mar 02"} {
		if at, _, _, err := c.Read([]byte(text)); err == nil {
			t.Errorf("%q is %d", text, at)
		}
	}
	for _, text := range []string{"", "Unknown", "None", "N/A"} {
		if _, known, _, err := c.Read([]byte(text)); known || err != nil {
			t.Errorf("%q: %v, %v", text, known, err)
		}
	}
}

// Whatever the cell, nothing panics, and what is read is possible.
func FuzzCells(f *testing.F) {
	for _, text := range []string{"1-02:04:04", "2026-03-02T00:04:11", "cpu=4,gres/gpu:a100_1g.5gb=1,mem=62.50G", "CANCELLED by 5", "n1|p*|64|1000|gpu:a100:8(S:0-1)|idle~"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		cell := []byte(text)
		if x, _, err := Length(cell); err == nil && !(x >= 0) {
			t.Errorf("%q lasts %v", text, x)
		}
		if x, _, err := RawLimit(cell); err == nil && !(x >= 0) {
			t.Errorf("limit %q is %v", text, x)
		}
		if a, err := AmountOf(cell, "gres/gpu"); err == nil && a.N < 0 {
			t.Errorf("%q has %+v", text, a)
		}
		if n, err := NodeOf(cell); err == nil && (n.Name == "" || n.GPUs < 0) {
			t.Errorf("%q is %+v", text, n)
		}
		StateOf(cell)
		if _, _, _, err := NewClock(nil).Read(cell); err != nil && len(err.Error()) > 400 {
			t.Errorf("%q: %v", text, err)
		}
	})
}
