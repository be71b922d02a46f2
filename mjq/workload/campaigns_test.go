package workload

import (
	"bytes"
	"math"
	"testing"

	"github.com/mjqueue/mjq/mjq/trace"
)

// TestCampaignsIsALog reads the log as any other and finds in it what it promises.
func TestCampaignsIsALog(t *testing.T) {
	text := Campaigns(60, 2026)
	if !bytes.Equal(text, Campaigns(60, 2026)) || bytes.Equal(text, Campaigns(60, 2027)) {
		t.Error("the bytes are not those of the days and the seed")
	}
	log, err := trace.ReadSWF("centre.swf", bytes.NewReader(text), trace.SWF{})
	if err != nil {
		t.Fatal(err)
	}
	if days := log.Span() / trace.Day; log.Report.Servers != 64 || math.Abs(days-60) > 1 || log.Report.SkippedLines() == 0 {
		t.Errorf("%d servers, %.3g days, %d lines of jobs that never ran", log.Report.Servers, days, log.Report.SkippedLines())
	}
	byHour := make([]float64, 24)
	for _, j := range log.Jobs {
		byHour[int(j.Arrival/3600)%24]++
	}
	if ratio := (byHour[14] + byHour[15]) / (byHour[2] + byHour[3]); ratio < 2 || ratio > 4.5 {
		t.Errorf("afternoons are %.3g times as busy as nights", ratio)
	}
}
