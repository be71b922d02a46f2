package workload

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/trace"
)

// Partitions of the cluster of Quarter, in units of what its jobs count: CPUs and GPUs.
const (
	QuarterCPUs = 512
	QuarterGPUs = 32
)

// quarterStart is midnight of the first day.
var quarterStart = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// Quarter is the output of sacct of an invented cluster, for trying things out: 512 CPUs in the
// partition cpu and 32 GPUs in the partition gpu, each under EASY backfilling by time limits. Its
// 40 users submit most by day and on weekdays, ask for 1.2 to 4 times the time that jobs run, and
// cancel some jobs that wait; some runs on GPUs are preempted and requeued. One job in ten is of the
// QOS urgent, which the scheduler does not look at. Nodes have 64 CPUs or 8 GPUs. No line is of a
// real cluster. The same days and seed give the same bytes.
func Quarter(days int, seed uint64) []byte {
	r := rand.New(rand.NewPCG(seed, 2026))
	var out bytes.Buffer
	out.WriteString("JobIDRaw|JobID|User|Account|Partition|QOS|State|Submit|Eligible|Start|End|Elapsed|Timelimit|ReqTRES|AllocTRES|NNodes|Restarts|Reservation\n")
	for k, p := range []struct {
		name    string
		servers int
		perDay  float64
		needs   []int
		hours   float64
	}{{"cpu", QuarterCPUs, 150, []int{1, 4, 16, 32, 64, 128, 256}, 1.15}, {"gpu", QuarterGPUs, 60, []int{1, 1, 2, 4, 8, 16}, 2}} {
		jobs := quarterJobs(r, days, p.perDay, p.needs, p.hours)
		easy := policy.EASY().Estimates(policy.Given())
		path := mjq.Must(trace.New(p.name, jobs).Path(context.Background(), trace.Replay{Servers: p.servers, Policy: easy}, 0, 0, mjq.NoCache()))
		for i, j := range path.Jobs {
			writeQuarter(&out, r, p.name, 100_000*(k+1)+i, jobs[j.Number], j.Start)
		}
	}
	return out.Bytes()
}

// quarterJobs are the jobs of a partition, by day and night.
func quarterJobs(r *rand.Rand, days int, perDay float64, needs []int, hours float64) (jobs []trace.Job) {
	for hour := range 24 * days {
		rate := perDay / 24 * (1 + 0.8*math.Sin(2*math.Pi*float64(hour%24-8)/24))
		if weekday := quarterStart.Add(time.Duration(hour) * time.Hour).Weekday(); weekday == time.Saturday || weekday == time.Sunday {
			rate *= 0.4
		}
		for at := r.ExpFloat64() / rate; at < 1; at += r.ExpFloat64() / rate {
			run := math.Ceil(3600 * hours * math.Exp(1.1*r.NormFloat64()-0.6))
			limit := 600 * math.Ceil(run*(1.2+2.8*r.Float64())/600)
			jobs = append(jobs, trace.Job{Arrival: math.Floor((float64(hour) + at) * 3600), Need: needs[r.IntN(len(needs))], Service: run, Estimate: limit, User: fmt.Sprintf("u%03d", 1+r.IntN(40))})
		}
	}
	return jobs
}

// writeQuarter writes the lines of a job.
func writeQuarter(out *bytes.Buffer, r *rand.Rand, partition string, id int, j trace.Job, start float64) {
	nodes, qos := (j.Need+63)/64, "normal"
	held := fmt.Sprintf("billing=%d,cpu=%d,mem=%dG,node=%d", j.Need, j.Need, 2*j.Need, nodes)
	if partition == "gpu" {
		nodes = (j.Need + 7) / 8
		held = fmt.Sprintf("billing=%d,cpu=%d,gres/gpu:a100=%d,gres/gpu=%d,mem=%dG,node=%d", 8*j.Need, 8*j.Need, j.Need, j.Need, 60*j.Need, nodes)
	}
	if id%10 == 0 {
		qos = "urgent"
	}
	line := func(state string, submit, start, end float64, restarts int) {
		began, allocated, elapsed := "None", "", lasted(0)
		if start >= 0 {
			began, allocated, elapsed = stamp(start), held, lasted(end-start)
		}
		fmt.Fprintf(out, "%d|%d|%s|lab|%s|%s|%s|%s|%s|%s|%s|%s|%s|%s|%s|%d|%d|\n", id, id, j.User, partition, qos, state, stamp(submit), stamp(submit),
			began, stamp(end), elapsed, lasted(j.Estimate), held, allocated, nodes, restarts)
	}
	switch wait := start - j.Arrival; {
	case wait > 3600 && r.Float64() < 0.05:
		line("CANCELLED by 1000", j.Arrival, -1, j.Arrival+math.Floor(wait*r.Float64()), 0)
	case partition == "gpu" && j.Service > 7200 && r.Float64() < 0.05:
		half := math.Floor(j.Service / 2)
		line("PREEMPTED", j.Arrival, start, start+half, 0)
		line("COMPLETED", start+half+1, start+half+120, start+j.Service+120, 1)
	default:
		line("COMPLETED", j.Arrival, start, start+j.Service, 0)
	}
}

// stamp writes seconds from the first day as sacct does.
func stamp(at float64) string {
	return quarterStart.Add(time.Duration(at) * time.Second).Format("2006-01-02T15:04:05")
}

// lasted writes a length of time as sacct does.
func lasted(seconds float64) string {
	s := int(seconds)
	return fmt.Sprintf("%d-%02d:%02d:%02d", s/86400, s/3600%24, s/60%60, s%60)
}

// Campaigns is a log in the Standard Workload Format of an invented centre with 64 processors, for
// trying things out. It has the habits of real ones: whole seconds, jobs that were cancelled before
// they ran, afternoons three times as busy as nights, and users who submit one to several equal jobs
// in a row. The same days and seed give the same bytes.
func Campaigns(days int, seed uint64) []byte {
	const perSecond = 1. / 1000 // campaigns, when it is busiest
	rng, jobs, out := rand.New(rand.NewPCG(seed, 1)), 0, new(bytes.Buffer)
	fmt.Fprintf(out, "; Version: 2.2\n; Note: synthetic, seed %d\n; MaxProcs: 64\n", seed)
	for now := 0.0; now < trace.Day*float64(days); now += rng.ExpFloat64() / perSecond {
		hour := 2 * math.Pi * (now/trace.Day - 0.625) // the peak is at three in the afternoon
		if rng.Float64() < (2+math.Cos(hour))/3 {
			jobs = writeCampaign(out, rng, math.Floor(now), jobs)
		}
	}
	return out.Bytes()
}

// writeCampaign writes jobs of equal need, numbered on from last, and returns the last number.
func writeCampaign(out *bytes.Buffer, rng *rand.Rand, now float64, last int) int {
	need := []int{1, 1, 1, 2, 4, 4, 8, 8, 16, 32}[rng.IntN(10)]
	mean := 900 * math.Sqrt(math.Sqrt(float64(need)))
	for n := 1 + int(rng.ExpFloat64()*3); n > 0; n-- {
		last++
		run, status := math.Round(mean*math.Exp(1.2*rng.NormFloat64()-0.72)), 1
		if rng.IntN(100) == 0 {
			run, status = 0, 5 // cancelled
		}
		fmt.Fprintf(out, "%d %.0f -1 %.0f %d -1 -1 %d -1 -1 %d -1 -1 -1 -1 -1 -1 -1\n", last, now, run, need, need, status)
		now += math.Floor(rng.ExpFloat64() * 60)
	}
	return last
}
