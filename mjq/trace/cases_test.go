package trace

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// cases are what a person expects of each log of testdata/cases: jobs, those that never started, and
// what the account or the error says. -1 is no log at all.
var cases = []struct {
	file       string
	jobs, left int
	says       string
}{
	{"c01_pipe_in_name.txt", 2, 0, "does a field hold '|', such as JobName"}, {"c01b_pipe_in_last_name.txt", 3, 0, "does a field hold '|'"},
	{"c02_newline.txt", 3, 0, "JobName or SubmitLine holds a line break"}, {"c03_limits.txt", 7, 0, `"NO_VAL" is no length of time`},
	{"c03b_limitsraw.txt", 5, 0, "adjusted 4: no time limit"}, {"c04_cancelled_before.txt", 2, 2, "skipped 2: left before it started"},
	{"c05_requeued.txt", 5, 0, "adjusted 3: a later run"}, {"c06_overlap.txt", 4, 0, "skipped 2: the same run"},
	{"c06b_pending_then_ran.txt", 2, 0, "skipped 2: the same run"}, {"c06c_recycled.txt", 3, 0, ""},
	{"c07_array.txt", 2, 11, "skipped 1: array tasks that have not begun"}, {"c07b_array_idonly.txt", 2, 7, "skipped 3: step"},
	{"c08_het.txt", 2, 0, "2 joined to others"}, {"c08b_het_steps.txt", 2, 0, "1 joined to others"}, {"c09_suspended.txt", 2, 0, "suspended in between"},
	{"c10_dependency.txt", 5, 0, "adjusted 2: eligible later"}, {"c11_gres.txt", 7, 0, ""}, {"c11b_exclusive.txt", 2, 0, ""},
	{"c12_alloccpus.txt", 1, 1, "run it with --noconvert"}, {"c13_partitions.txt", 3, 2, ""}, {"c14_states.txt", 16, 0, "skipped 2: runs still"},
	{"c15_bom_crlf.txt", 6, 0, ""}, {"c15b_bom.txt", 6, 0, ""}, {"c15c_latin1.txt", 2, 0, ""}, {"c15d_utf8.txt", 2, 0, ""}, {"c15e_utf16.txt", 2, 0, ""},
	{"c16_noheader.txt", 6, 0, "no header: the columns are those of SacctCommand"}, {"c16b_trailing_delim.txt", 6, 0, ""},
	{"c17_fixed.txt", -1, 0, "has no column Start"}, {"c17b_truncated.txt", 3, 0, ""}, {"c18_dst_spring.txt", 3, 0, "by an hour exactly"},
	{"c18b_dst_autumn.txt", 2, 0, "by an hour exactly"}, {"c18c_offsets.txt", 1, 0, ""}, {"c18d_epoch.txt", 2, 0, ""},
	{"c18e_relative.txt", 0, 0, "SLURM_TIME_FORMAT=standard"}, {"c19_elapsed.txt", 6, 0, `"12:34,567" is no length of time`},
	{"c20_empty.txt", 0, 0, "there is no job in it"}, {"c20b_zero.txt", -1, 0, "no line but blank ones"}, {"c20c_sacct_error.txt", -1, 0, "slurmdbd: Unknown error 1021"},
	{"c20d_warning_before.txt", 6, 0, "persistent connection"}, {"c21_base.txt", 20, 0, ""}, {"c21_base.txt.gz", 20, 0, ""}, {"c21_base.txt.xz", 20, 0, ""},
	{"c21_multi.txt.gz", 20, 0, ""}, {"c21_trunc.txt.gz", -1, 0, "the compressed file is cut off"}, {"c21_wrong.txt.gz", 20, 0, ""},
	{"c22_sacct.json", 3, 0, ""}, {"c22b_sacct.txt", 3, 0, ""}, {"c23_comma.csv", 6, 0, ""}, {"c23b_caret.txt", 6, 0, ""}, {"c23c_tab.txt", 6, 0, ""},
	{"c24_large.txt", 7, 0, ""}, {"cut.txt", 2, 0, "the line is cut off"}, {"nonl.txt", 20, 0, ""}, {"d01_overlap_requeued.txt", 5, 0, "skipped 2: the same run"},
	{"d01b_overlap3.txt", 4, 0, "skipped 8: the same run"}, {"d02_running_then_done.txt", 1, 0, "skipped 1: the same run"}, {"d04_array_twice.txt", 3, 0, "skipped 2: the same run"},
	{"d05_het_twice.txt", 1, 0, "skipped 2: the same run"}, {"d06_left_twice.txt", 2, 1, "skipped 1: the same run"}, {"d07_nnodes_K.txt", 2, 0, "adjusted 2: NNodes is rounded"},
	{"d08_filter_state.txt", 4, 0, ""}, {"d09_filter_part.txt", 3, 1, ""}, {"d10_alloc_only_req.txt", 1, 0, "resources from ReqTRES"}, {"d11_held.txt", 3, 1, "eligible later"},
	{"d12_zero.txt", 2, 0, "skipped 2: ran for less than half a second"}, {"d13_skew.txt", 3, 0, "Eligible is before Submit or after Start"},
	{"g01_two_formats.txt", 4, 0, ""}, {"g02_two_formats_nohdr.txt", 3, 0, "9 columns, and the header has 16"}, {"g05_mig.txt", 5, 0, ""},
	{"s01_plain.swf", 4, 0, "skipped 2: no run time"}, {"s02_noheader.swf", 2, 0, ""}, {"s03_unsorted.swf", 3, 0, "1 job arrives before the one above"},
	{"s04_19cols.swf", 2, 0, "fields beyond the 18"}, {"s05_17cols.swf", 1, 0, "17 fields; a job has 18"}, {"s06_crlf_tabs.swf", 2, 0, ""}, {"s07_float.swf", 2, 0, `"1,5", which is not a number`},
	{"s08_partial.swf", 2, 0, "skipped 3: part of a job"}, {"s09_partial_only.swf", 0, 0, "there is no job in it"}, {"s10_large.swf", 2, 0, ""}, {"s11_maxprocs_unknown.swf", 1, 0, ""},
	{"s12_comments.swf", 2, 0, "a line of names"}, {"s13_maxprocs_text.swf", 1, 0, ""}, {"s14_note_colon.swf", 2, 0, ""}, {"s15_dup_ids.swf", 2, 0, "skipped 1: the same run"},
	{"s16_req_only.swf", 2, 0, ""}, {"s17_est_less.swf", 3, 0, ""}, {"si1.txt", -1, 0, "the output of sinfo"}, {"si2.txt", -1, 0, "none of them"}, {"si3.txt", -1, 0, "the output of sinfo"},
}

// readCase reads a log of testdata/cases.
func readCase(t *testing.T, file string, how Reading) (*Trace, error) {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata/cases", file))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	return Read(file, f, how)
}

// TestCases: every log with one trait gives what a person expects of it.
func TestCases(t *testing.T) {
	tried := map[string]bool{}
	for _, c := range cases {
		tried[c.file] = true
		log, err := readCase(t, c.file, Reading{})
		text := fmt.Sprint(err)
		if (log != nil) != (c.jobs >= 0) {
			t.Errorf("%s: %v", c.file, err)
			continue
		}
		if log != nil {
			text += log.Report.String()
			if len(log.Jobs) != c.jobs || len(log.Left) != c.left {
				t.Errorf("%s: %d jobs and %d that left, want %d and %d\n%s", c.file, len(log.Jobs), len(log.Left), c.jobs, c.left, text)
			}
			if sum := log.Report.Comments + len(log.Jobs) + log.Report.Joined + log.Report.SkippedLines() + log.Report.Malformed; sum != log.Report.Lines {
				t.Errorf("%s: %d of %d lines in the account\n%s", c.file, sum, log.Report.Lines, text)
			}
		}
		if !strings.Contains(text, c.says) || c.says == "" && err != nil {
			t.Errorf("%s: %s\ndoes not say %q", c.file, text, c.says)
		}
	}
	files, err := filepath.Glob("testdata/cases/*")
	if err != nil || len(files) != len(tried) {
		t.Errorf("%d files, %d tried, %v", len(files), len(tried), err)
	}
}

// TestCasesWithOptions: needs, names, zones and filters of some of them.
func TestCasesWithOptions(t *testing.T) {
	rome, err := time.LoadLocation("Europe/Rome")
	if err != nil {
		t.Skip(err)
	}
	needs := func(l *Trace) (list []int) {
		for _, j := range l.Jobs {
			list = append(list, j.Need)
		}
		return list
	}
	left := func(l *Trace) int { return len(l.Left) }
	for _, c := range []struct {
		file string
		how  Sacct
		of   func(l *Trace) any
		want any
	}{
		{"c06c_recycled.txt", Sacct{Requeued: LastRun}, func(l *Trace) any { return len(l.Jobs) }, 3},
		{"c06c_recycled.txt", Sacct{Requeued: Joined}, func(l *Trace) any { return len(l.Jobs) }, 3},
		{"d02_running_then_done.txt", Sacct{Running: true}, func(l *Trace) any { return l.Jobs[0].Service }, 3600.},
		{"c06_overlap.txt", Sacct{Running: true}, func(l *Trace) any { return len(l.Jobs) }, 4},
		{"c08_het.txt", Sacct{}, func(l *Trace) any { return needs(l) }, []int{11, 4}},
		{"c11_gres.txt", Sacct{Need: "gres/gpu"}, func(l *Trace) any { return needs(l) }, []int{4, 3, 4, 3, 1}},
		{"c11b_exclusive.txt", Sacct{}, func(l *Trace) any { return needs(l) }, []int{36, 4}},
		{"g05_mig.txt", Sacct{Need: "gres/gpu"}, func(l *Trace) any { return fmt.Sprint(needs(l), l.Report.Adjusted[0].Lines) }, "[2 3 7 7 1] 4"},
		{"c15c_latin1.txt", Sacct{}, func(l *Trace) any { return l.Jobs[0].User }, "jürgen"},
		{"c15e_utf16.txt", Sacct{}, func(l *Trace) any { return l.Jobs[0].User }, "jürgen"},
		{"c18_dst_spring.txt", Sacct{Location: rome}, func(l *Trace) any { return len(l.Report.Adjusted) }, 0},
		{"c18c_offsets.txt", Sacct{}, func(l *Trace) any { return l.Jobs[0].Waited }, 9000.},
		{"c22_sacct.json", Sacct{}, func(l *Trace) any { return fmt.Sprint(needs(l), l.Jobs[0].Estimate, l.Jobs[0].Waited) }, "[4 4 4] 7200 60"},
		{"d08_filter_state.txt", Sacct{Only: map[string]string{"State": "CANCELLED"}}, func(l *Trace) any { return len(l.Jobs) }, 2},
		{"d08_filter_state.txt", Sacct{Where: []Filter{"State!=CANCELLED"}}, func(l *Trace) any { return len(l.Jobs) }, 2},
		{"d08_filter_state.txt", Sacct{Where: []Filter{"Submit>=2026-03-02T00:02:00"}}, func(l *Trace) any { return len(l.Jobs) }, 2},
		{"d09_filter_part.txt", Sacct{Where: []Filter{"Partition=gpu"}}, func(l *Trace) any { return fmt.Sprint(len(l.Jobs), left(l)) }, "2 1"},
		{"c13_partitions.txt", Sacct{Where: []Filter{"Partition=debug"}}, func(l *Trace) any { return fmt.Sprint(len(l.Jobs), left(l)) }, "1 2"},
		{"c13_partitions.txt", Sacct{Where: []Filter{"Partition=cpu,high"}}, func(l *Trace) any { return fmt.Sprint(len(l.Jobs), left(l)) }, "2 2"},
		{"c21_base.txt", Sacct{Where: []Filter{"NNodes<1000", "Elapsed>0:00:01"}}, func(l *Trace) any { return l.Report.Adjusted[0].Reason }, filtersNothing},
	} {
		log, err := readCase(t, c.file, Reading{Sacct: c.how})
		if err != nil {
			t.Errorf("%s: %v", c.file, err)
			continue
		}
		if got := c.of(log); fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s with %+v: %v, want %v", c.file, c.how.Where, got, c.want)
		}
	}
	if _, err := readCase(t, "c21_base.txt", Reading{Sacct: Sacct{Where: []Filter{"Partition=none"}}}); err == nil || !strings.Contains(err.Error(), `keep none of 20 jobs; the first that they leave out has partition "cpu"`) {
		t.Error(err)
	}
	for file, servers := range map[string]int{"s11_maxprocs_unknown.swf": 480, "s13_maxprocs_text.swf": 1024, "s14_note_colon.swf": 128} {
		if log, err := readCase(t, file, Reading{}); err != nil || log.Report.Servers != servers {
			t.Errorf("%s: %v, %v", file, log.Report.Servers, err)
		}
	}
}
