package trace

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/mjqueue/mjq/mjq"
)

// packed is a text as zstd compresses it.
func packed(t *testing.T, text []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := zstd.NewWriter(&b)
	if err == nil {
		_, err = w.Write(text)
	}
	if err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestReadFiles: exports in several files give what they give one below the other, each in its own form
// and in any order, and a fault names its file and the line there.
func TestReadFiles(t *testing.T) {
	var names []string
	for _, name := range []string{"d01b_overlap3.txt", "c15e_utf16.txt", "c22_sacct.json", "c23c_tab.txt", "c21_base.txt.xz", "c17b_truncated.txt", "d04_array_twice.txt"} {
		names = append(names, filepath.Join("testdata/cases", name))
	}
	read := func(order ...int) (*Trace, error) {
		var files []File
		for _, k := range order {
			text, err := os.ReadFile(names[k])
			if err != nil {
				t.Fatal(err)
			}
			if k%2 == 0 {
				text = packed(t, text)
			}
			files = append(files, File{filepath.Base(names[k]), bytes.NewReader(text)})
		}
		return ReadFiles(files, Reading{})
	}
	one, err := read(0, 1, 2, 3, 4, 6)
	if err != nil {
		t.Fatal(err)
	}
	accountedAll(t, &one.Report)
	other, err := read(6, 4, 3, 2, 1, 0)
	if a, b := fmt.Sprint(known(one)), fmt.Sprint(known(other)); err != nil || a != b || len(one.Jobs) == 0 {
		t.Errorf("%v\n%s\n%s", err, a, b)
	}
	if twice, err := read(3, 3); err != nil || len(twice.Jobs) != 6 || twice.Report.Doubled != 6 {
		t.Errorf("the same file twice: %v, %v", twice, err)
	}
	text := head + "1|u|p|COMPLETED|oops|2026-03-02T00:00:00|2026-03-02T00:00:00|2026-03-02T01:00:00|01:00:00|02:00:00|cpu=1\n"
	_, err = ReadFiles([]File{{"a.txt", strings.NewReader(head)}, {"b.txt", strings.NewReader(text)}}, Reading{})
	if err == nil || !strings.Contains(err.Error(), "b.txt:2: ") {
		t.Error(err)
	}
	for want, files := range map[string][]File{
		"s.swf: several files":      {{"a.txt", strings.NewReader(head)}, {"s.swf", strings.NewReader("; MaxProcs: 4\n")}},
		"reading b.txt: the file":   {{"a.txt", strings.NewReader(head)}, {"b.txt", strings.NewReader("sacct: error: x\n")}},
		"reading a log: no file is": nil,
	} {
		if _, err := ReadFiles(files, Reading{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %q", err, want)
		}
	}
}

// TestZstd: a log that zstd compressed is read by any name, and one that is cut off says so.
func TestZstd(t *testing.T) {
	text, err := os.ReadFile("testdata/cases/c21_base.txt")
	if err != nil {
		t.Fatal(err)
	}
	z := packed(t, text)
	if log, err := Read("log", bytes.NewReader(z), Reading{}); err != nil || len(log.Jobs) != 20 {
		t.Errorf("%v, %v", log, err)
	}
	if _, err := Read("log", bytes.NewReader(z[:len(z)/2]), Reading{}); err == nil || !strings.Contains(err.Error(), "the compressed file is cut off; copy it again") {
		t.Error(err)
	}
}

// TestPlainSacctIsCut: columns of plain sacct that are cut are named, with the command that writes them in
// full; names that are cut are remarked.
func TestPlainSacctIsCut(t *testing.T) {
	const plain = "JobID             User  Partition      State              Submit               Start                 End    Elapsed  AllocTRES \n" +
		"------------ --------- ---------- ---------- ------------------- ------------------- ------------------- ---------- ---------- \n" +
		"1                 anna        cpu  COMPLETED 2026-03-02T00:00:00 2026-03-02T00:00:00 2026-03-02T01:00:00   01:00:00      cpu=4 \n" +
		"2            annabell+        cpu CANCELLED+ 2026-03-02T00:00:00 2026-03-02T00:00:00 2026-03-02T01:00:00   01:00:00      cpu=4 \n" +
		"3                 anna        cpu  COMPLETED 2026-03-02T00:00:00 2026-03-02T00:00:00 2026-03-02T01:00:00   01:00:00 billing=4+ \n" +
		"4                 anna        cpu  COMPLETED 2026-03-02T00:00:+  2026-03-02T00:00:00 2026-03-02T01:00:00   01:00:00      cpu=4 \n"
	log, err := Read("log", strings.NewReader(plain), Reading{})
	if log == nil || len(log.Jobs) != 2 || err == nil {
		t.Fatal(log, err)
	}
	for _, want := range []string{`log:5: the column AllocTRES is cut: "billing=4+"; write it in full with sacct -P`, "log:6: the column Submit is cut", SacctCommand} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v\ndoes not say %q", err, want)
		}
	}
	if said := log.Report.String(); !strings.Contains(said, "adjusted 1: a name that plain sacct has cut") || !strings.Contains(said, "a column that plain sacct has cut") {
		t.Error(said)
	}
}

// TestFiltersOfFormats: filters of SWF and CSV keep the lines that those of sacct would.
func TestFiltersOfFormats(t *testing.T) {
	const swf = "1 0 0 10 4 -1 -1 4 20 -1 1 7 1 1 2 1 -1 -1\n2 5 0 10 8 -1 -1 8 20 -1 5 7 1 1 3 1 -1 -1\n3 9 0 30 8 -1 -1 8 20 -1 1 8 1 1 2 1 -1 -1\n"
	const csv = "arrival,cores,service,class,team,state\n0,4,10,a,x,COMPLETED\n5,8,10,b,x,CANCELLED by 3\n9,8,30,b,y,COMPLETED\n"
	for _, c := range []struct {
		text  string
		where []Filter
		lines string
	}{
		{swf, []Filter{"queue=2"}, "1 3"}, {swf, []Filter{"status!=5", "processors>4"}, "3"}, {swf, []Filter{"User=7,8"}, "1 2 3"}, {swf, []Filter{"runtime<=10"}, "1 2"},
		{csv, []Filter{"team=x"}, "2 3"}, {csv, []Filter{"Class=b", "servers>=8"}, "3 4"}, {csv, []Filter{"state!=CANCELLED"}, "2 4"}, {csv, []Filter{"arrival>4"}, "3 4"},
	} {
		log, err := Read("log", strings.NewReader(c.text), Reading{SWF: SWF{Where: c.where}, CSV: CSV{Where: c.where}})
		if err != nil {
			t.Errorf("%v: %v", c.where, err)
			continue
		}
		var lines []string
		for _, j := range log.Jobs {
			lines = append(lines, fmt.Sprint(j.Line))
		}
		if got := strings.Join(lines, " "); got != c.lines || log.Report.Filtered != 3-len(lines) || len(lines) == 3 != strings.Contains(log.Report.String(), filtersNothing) {
			t.Errorf("%v: lines %s, want %s\n%v", c.where, got, c.lines, &log.Report)
		}
	}
	for text, want := range map[string]string{swf: "keep none of 3 jobs; the first that they leave out has queue \"2\"", csv: "keep none of 3 jobs"} {
		where := []Filter{"queue=9"}
		if text == csv {
			where = []Filter{"team=z"}
		}
		if _, err := Read("log", strings.NewReader(text), Reading{SWF: SWF{Where: where}, CSV: CSV{Where: where}}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %q", err, want)
		}
	}
	bad := []Filter{"colour=red"}
	for text, want := range map[string]string{swf: `there is no field "colour"; there are job, submit`, csv: "has no column colour for the filter"} {
		if _, err := Read("log", strings.NewReader(text), Reading{SWF: SWF{Where: bad}, CSV: CSV{Where: bad}}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %q", err, want)
		}
	}
}

// TestSeveralClusters: every question refuses a log of several clusters, and names one to keep and how.
// Partitions may be the clusters.
func TestSeveralClusters(t *testing.T) {
	row := func(cluster, day string) string {
		return cluster + "|1|u|COMPLETED|2026-03-" + day + "T00:00:00|2026-03-" + day + "T00:00:00|2026-03-" + day + "T01:00:00|01:00:00|cpu=1\n"
	}
	text := "Cluster|JobID|User|State|Submit|Start|End|Elapsed|AllocTRES\n" + row("bob", "02") + row("ada", "02") + row("ada", "04")
	read := func(how Sacct) *Trace {
		log, err := ReadSacct("log", strings.NewReader(text), how)
		if err != nil {
			t.Fatal(err)
		}
		return log
	}
	log, ada := read(Sacct{Class: "Cluster"}), read(Sacct{Where: []Filter{"Cluster=ada"}})
	how := Replay{Servers: 4}
	for name, ask := range map[string]func(*Trace) error{
		"Replay":  func(l *Trace) error { _, err := l.Replay(t.Context(), how); return err },
		"Compare": func(l *Trace) error { _, err := l.Compare(t.Context(), how, []mjq.Policy{mjq.FCFS()}); return err },
		"Path":    func(l *Trace) error { _, err := l.Path(t.Context(), how, 0, 1); return err },
		"Turns":   func(l *Trace) error { _, err := l.Turns(t.Context(), how); return err },
		"WhatIf":  func(l *Trace) error { _, err := l.WhatIf(t.Context(), how, nil); return err },
		"Advise":  func(l *Trace) error { _, err := l.Advise(t.Context(), how, nil); return err },
		"Fit":     func(l *Trace) error { _, err := l.Fit(t.Context(), Fit{Servers: 4}); return err },
		"Stream": func(l *Trace) error {
			where := []Filter{"Cluster=ada,bob"}
			if len(l.Report.Clusters) == 0 {
				where = []Filter{"Cluster=ada"}
			}
			_, err := StreamSacct("log", strings.NewReader(text), Sacct{Where: where}).Replay(t.Context(), how)
			return err
		},
	} {
		if err := ask(log); err == nil || !strings.Contains(err.Error(), "2 clusters (bob, ada), which share no servers; keep those of one: --cluster bob") {
			t.Errorf("%s: %v", name, err)
		}
		if err := ask(ada); err != nil {
			t.Errorf("%s of one cluster: %v", name, err)
		}
	}
	apart := Replay{Classes: ByClass, Servers: 4, Partitions: []Partition{{"ada", 2}, {"bob", 2}}}
	if r, err := log.Replay(t.Context(), apart); err != nil || !strings.Contains(r.String(), "jobs of 2 clusters (bob, ada)") {
		t.Errorf("the clusters as partitions: %v\n%v", err, r)
	}
}

// TestEveryFieldOfCSVFilters: a filter finds the column of each field by the name of the field, whatever the header calls it.
func TestEveryFieldOfCSVFilters(t *testing.T) {
	rows := [][]string{{"0", "4", "10", "a", "20", "1", "u", "1", "11", "2", "7", "x"}, {"5", "8", "20", "b", "30", "2", "v", "7", "27", "3", "8", "y"}}
	text := "c0,c1,c2,c3,c4,c5,c6,c7,c8,c9,c10,c11\n" + strings.Join(rows[0], ",") + "\n" + strings.Join(rows[1], ",") + "\n"
	for k, field := range csvFields {
		how := CSV{Arrival: "c0", Servers: "c1", Service: "c2", Class: "c3", Estimate: "c4", Wait: "c5", User: "c6", Start: "c7", End: "c8", Nodes: "c9", ID: "c10", Account: "c11",
			Where: []Filter{Filter(field.name + "=" + rows[1][k])}}
		if log, err := ReadCSV("log", strings.NewReader(text), how); err != nil || len(log.Jobs) != 1 || log.Jobs[0].Line != 3 {
			t.Errorf("%s: %v, %v", how.Where, log, err)
		}
	}
}
