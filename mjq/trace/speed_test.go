package trace_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"syscall"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/trace"
)

// madeLog is a log of n jobs: needs are powers of two up to 1,024, the wider the rarer, services
// log-normal with a mean of an hour and a squared coefficient of variation of 4, estimates 1.2 to
// 4 times too long. The work that arrives keeps 6,400 servers busy.
func madeLog(n int) []trace.Job {
	r := rand.New(rand.NewPCG(36, 1))
	const kinds, mean, scv = 11, 3600., 4.
	sigma := math.Sqrt(math.Log(1 + scv))
	var weights [kinds]float64
	total, need := 0., 0.
	for k := range weights {
		weights[k] = math.Pow(0.7, float64(k))
		total += weights[k]
		need += weights[k] * math.Pow(2, float64(k))
	}
	gap := mean * need / total / 6400
	jobs, now := make([]trace.Job, n), 0.
	for i := range jobs {
		u, k := total*r.Float64(), 0
		for ; k < kinds-1 && u >= weights[k]; k++ {
			u -= weights[k]
		}
		s := mean * math.Exp(sigma*r.NormFloat64()-sigma*sigma/2)
		jobs[i] = trace.Job{Arrival: now, Need: 1 << k, Service: s, Estimate: s * (1.2 + 2.8*r.Float64())}
		now += gap * r.ExpFloat64()
	}
	return jobs
}

// madeSize is how many jobs the benchmarks have: a million with MJQ_LONG set.
func madeSize() int {
	if os.Getenv("MJQ_LONG") != "" {
		return 1_000_000
	}
	return 100_000
}

// processorTime is the user's time of this process in seconds.
func processorTime() float64 {
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) != nil {
		return math.NaN()
	}
	return float64(used.Utime.Sec) + float64(used.Utime.Usec)/1e6
}

// BenchmarkReplay reads a made log from CSV and replays it, in seconds of processor time:
//
//	MJQ_LONG=1 go test ./mjq/trace -run xx -bench Replay -benchtime 1x
func BenchmarkReplay(b *testing.B) {
	var text bytes.Buffer
	if err := trace.WriteCSV(&text, madeLog(madeSize())); err != nil {
		b.Fatal(err)
	}
	for _, servers := range []int{7000, 6000} {
		for _, p := range []mjq.Policy{policy.FCFS{}, policy.FirstFit{}, policy.EASY(), policy.Conservative()} {
			b.Run(p.String()+"/"+map[int]string{7000: "7000", 6000: "6000"}[servers], func(b *testing.B) {
				before, waited := processorTime(), 0.
				for b.Loop() {
					log := mjq.Must(trace.ReadCSV("made", bytes.NewReader(text.Bytes()), trace.CSV{}))
					waited = mjq.Must(log.Replay(background, trace.Replay{Servers: servers, Policy: p}, mjq.NoCache())).All.Waiting.Mean.Value
				}
				b.ReportMetric((processorTime()-before)/float64(b.N), "cpu-s")
				b.ReportMetric(waited, "wait")
			})
		}
	}
}

// BenchmarkReplayParts replays the made log on 7,000 servers as it is, with a second type of
// resource, under limits by class, and in two partitions, in seconds of processor time.
func BenchmarkReplayParts(b *testing.B) {
	plain := trace.New("made", madeLog(madeSize()))
	for i := range plain.Jobs {
		j := &plain.Jobs[i]
		j.Units = []int{j.Need, j.Need / 8}
		j.Class = []string{"a", "b"}[i%2]
	}
	typed := trace.New("made", plain.Jobs)
	typed.Types = []string{"cpu", "gres/gpu"}
	for _, c := range []struct {
		name string
		log  *trace.Trace
		how  trace.Replay
	}{
		{"plain", plain, trace.Replay{Servers: 7000}},
		{"types", typed, trace.Replay{Units: []int{7000, 1200}}},
		{"limits", plain, trace.Replay{Servers: 7000, Limits: []trace.Limit{{By: trace.EachClass, Servers: 4000}}}},
		{"partitions", plain, trace.Replay{Partitions: []trace.Partition{{Name: "a", Servers: 4000}, {Name: "b", Servers: 4000}}}},
	} {
		for _, p := range []mjq.Policy{policy.FirstFit{}, policy.EASY(), policy.Conservative()} {
			b.Run(c.name+"/"+p.String(), func(b *testing.B) {
				before := processorTime()
				c.how.Policy = p
				for b.Loop() {
					mjq.Must(c.log.Replay(background, c.how, mjq.NoCache()))
				}
				b.ReportMetric((processorTime()-before)/float64(b.N), "cpu-s")
			})
		}
	}
}

// BenchmarkPageOfAYear makes the page of a year of 1,000,000 jobs on 1,000 servers, with waits of EASY by
// time limits: 100,000 jobs unless MJQ_LONG is set.
func BenchmarkPageOfAYear(b *testing.B) {
	perDay := 274.
	if os.Getenv("MJQ_LONG") != "" {
		perDay = 2740
	}
	r := rand.New(rand.NewPCG(5, 5))
	var jobs []trace.Job
	for at := 0.; at < 365*trace.Day; at += r.ExpFloat64() * trace.Day / perDay {
		j := trace.Job{Arrival: math.Floor(at), Need: 1 << r.IntN(7), User: fmt.Sprint("u", r.IntN(300)), Service: math.Ceil(1300 * 2740 / perDay * math.Exp(r.NormFloat64()-0.5))}
		j.Estimate = j.Service * (1 + 3*r.Float64())
		jobs = append(jobs, j)
	}
	log := trace.New("a year", jobs)
	how := trace.Replay{Servers: 1000, Policy: policy.EASY().Estimates(policy.Given())}
	path := mjq.Must(log.Path(background, how, 0, 0, mjq.NoCache()))
	for _, j := range path.Jobs {
		log.Jobs[j.Number].Waited, log.Jobs[j.Number].WaitKnown = j.Waiting(), true
	}
	for b.Loop() {
		a := mjq.Must(log.Advise(background, trace.Replay{Servers: 1000}, nil, mjq.NoCache()))
		b.Logf("%d jobs wait %v s at %.2f: %s; %d scenarios", a.Shown.Jobs, a.Shown.Mean, a.Shown.Busy, a.Explained.Candidates[0].Name, len(a.Scenarios))
	}
}
