package trace_test

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/trace"
)

// The files of a site are made up here, in the forms of scontrol, sshare and sacctmgr.
const (
	confFile = `Configuration data as of 2026-05-01T10:00:00
AccountingStorageTRES   = cpu,mem,energy,node,billing
FairShareDampeningFactor = 1
PriorityParameters      = (null)
PriorityDecayHalfLife   = 14-00:00:00
PriorityCalcPeriod      = 00:05:00
PriorityFavorSmall      = No
PriorityFlags           = ACCRUE_ALWAYS,CALCULATE_RUNNING
PriorityMaxAge          = 7-00:00:00
PriorityType            = priority/multifactor
PriorityUsageResetPeriod = MONTHLY
PriorityWeightAge       = 1000
PriorityWeightAssoc     = 0
PriorityWeightFairShare = 10000
PriorityWeightJobSize   = 500
PriorityWeightPartition = 100
PriorityWeightQOS       = 2000
PriorityWeightTRES      = (null)
PreemptType             = preempt/none
SchedulerType           = sched/backfill
`
	sharesFile = `Account|User|RawShares|NormShares|RawUsage|EffectvUsage|FairShare
root|||0.000000|100|1.000000|
 root|root|1|0.100000|0|0.000000|1.000000
 physics||3|0.300000|80|0.800000|
  physics|ann|1|0.500000|60|0.600000|0.2
  physics|bob|1|0.500000|20|0.200000|0.5
  theory||2|0.2|0|0|
   theory|eve|parent|0.2|0|0|0.9
 biology||1|0.1|20|0.2|
  biology|cy|2|0.6|20|0.2|0.4
`
	partitionFile = `PartitionName=debug
   AllowGroups=ALL AllowAccounts=ALL AllowQos=ALL
   MaxNodes=UNLIMITED MaxTime=01:00:00 MinNodes=0
   Nodes=node[1-4]
   PriorityJobFactor=10 PriorityTier=2 RootOnly=NO PreemptMode=OFF QoS=N/A

PartitionName=batch
   MaxNodes=UNLIMITED MaxTime=UNLIMITED Nodes=node[1-4]
   PriorityJobFactor=5 PriorityTier=1 PreemptMode=OFF
`
	qosFile = `Name|Priority|GraceTime|Preempt|PreemptMode|UsageFactor|GrpTRES|GrpJobs|MaxTRESPU|MaxJobsPU
normal|10|00:00:00||cluster|1.000000||||20
urgent|100|00:00:00|normal|cluster|1.000000|cpu=64,mem=1T|4|cpu=32|
`
)

func slurmSite(t *testing.T) *trace.Slurm {
	t.Helper()
	conf, err := trace.ReadSlurmConf("config.txt", strings.NewReader(confFile))
	shares, err2 := trace.ReadShares("shares.txt", strings.NewReader(sharesFile))
	parts, err3 := trace.ReadPartitions("partitions.txt", strings.NewReader(partitionFile))
	qos, err4 := trace.ReadQOS("qos.txt", strings.NewReader(qosFile))
	for _, err := range []error{err, err2, err3, err4} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return conf.With(shares, parts, qos)
}

// TestSlurmFiles: what files of Slurm say becomes a policy for a log, and what is not modelled is told by
// its line.
func TestSlurmFiles(t *testing.T) {
	log := trace.New("log", []trace.Job{{Arrival: 0, Need: 4, Service: 10, Class: "debug+urgent", User: "ann", Account: "physics"}, {Arrival: 1, Need: 4, Service: 10, Class: "batch+normal", User: "new", Account: "theory"}})
	s := slurmSite(t)
	p, remarks := s.For(log)
	want := policy.Multifactor{Age: 1000, MaxAge: 7 * trace.Day, FairShare: 10_000, HalfLife: 14 * trace.Day, CalcPeriod: 300, Size: 500, Class: 2000, Partition: 100,
		Factors: map[string]float64{"debug+urgent": 100, "batch+normal": 10}, Partitions: map[string]float64{"debug+urgent": 10, "batch+normal": 5},
		Shares: "root=1 physics=3(ann=1,bob=1,theory=2(eve=1,new=1)) biology=1(cy=2)", Levels: [][]string{{"debug+urgent"}, {"batch+normal"}}}.Within(policy.EASY())
	if !reflect.DeepEqual(p, want) {
		t.Errorf("the policy is\n%v, want\n%v", p, want)
	}
	text := strings.Join(remarks, "\n")
	for _, says := range []string{"Line 8, PriorityFlags = ACCRUE_ALWAYS,CALCULATE_RUNNING, is not modelled: it has the age grow", "Line 11, PriorityUsageResetPeriod = MONTHLY", "bf_max_job_test",
		"1 associations have RawShares = parent", "MaxTime = 01:00:00 of partition debug", "shares its nodes with partition debug", "Preempt = normal of QOS urgent", "MaxTRESPU and MaxJobsPU of 2 QOS",
		"1 users of the log have no share", "before the log is not counted"} {
		if !strings.Contains(text, says) {
			t.Errorf("%q is not said in\n%s", says, text)
		}
	}
	s.Shares = "physics=3 theory=2"
	if p, _ := s.For(log); p.Shares != "physics=3(ann=1) theory=2(new=1)" {
		t.Errorf("accounts without their users: %s", p.Shares)
	}
	s.Shares = "physics=3 ann=1"
	if p, _ := s.For(log); p.Shares != "physics=3(ann=1) ann=1 theory=1(new=1)" {
		t.Errorf("a user on top: %s", p.Shares)
	}
	s = slurmSite(t)
	how, _ := s.Replay(log, trace.Replay{Servers: 4})
	r, err := log.Replay(context.Background(), how)
	if err != nil || r.All.Waiting.Mean.Value != 4.5 {
		t.Errorf("%v; %v", r, err)
	}
	if want := []trace.Limit{{By: trace.EachClass, Name: "urgent", Jobs: 4, Servers: 64}}; !reflect.DeepEqual(s.Limits, want) {
		t.Errorf("limits %+v, want %+v", s.Limits, want)
	}
	alone := trace.New("log", []trace.Job{{Arrival: 0, Need: 1, Service: 1, User: "ann"}})
	if p, remarks := s.For(alone); p.Class != 0 || p.Factors != nil || !strings.Contains(strings.Join(remarks, "\n"), "PriorityWeightQOS = 2000 is left out") {
		t.Errorf("%v: %q", p, remarks)
	}
}

// TestSlurmFileFaults: what cannot be read is told with its line.
func TestSlurmFileFaults(t *testing.T) {
	read := func(f func(string, *strings.Reader) error, text string) error { return f("f", strings.NewReader(text)) }
	conf := func(n string, r *strings.Reader) error { _, err := trace.ReadSlurmConf(n, r); return err }
	shares := func(n string, r *strings.Reader) error { _, err := trace.ReadShares(n, r); return err }
	parts := func(n string, r *strings.Reader) error { _, err := trace.ReadPartitions(n, r); return err }
	qos := func(n string, r *strings.Reader) error { _, err := trace.ReadQOS(n, r); return err }
	for _, c := range []struct {
		read func(string, *strings.Reader) error
		text string
		says string
	}{
		{conf, "", "scontrol show config"}, {conf, "PriorityWeightAge = many\n", `f:1: PriorityWeightAge: "many" is no number`}, {conf, "PriorityMaxAge = long", "f:1: PriorityMaxAge"},
		{shares, "", "no table"}, {shares, "Account User\n", "no table"}, {shares, "Account|User\n", "no column RawShares"}, {shares, "Account|User|RawShares\n a|u|x\n", `line 2: RawShares of a u is "x"`},
		{shares, "Account|User|RawShares\n a|u|1\n", "has no line above"}, {shares, "Account|User|RawShares\n a||1\n a||1\n", "stands twice"},
		{parts, "x", "no PartitionName"}, {parts, "PartitionName=p PriorityTier=high", `PriorityTier of partition p is "high"`},
		{parts, "PartitionName=p AllowAccounts=" + strings.Repeat("a,", 1<<15), "line 1 has more than 65536 bytes"},
		{qos, "Name|Priority\nq|high\n", `line 2: Priority of QOS q is "high"`}, {qos, "Name|Priority|GrpTRES\nq|1|cpu=x\n", "line 2"},
	} {
		if err := read(c.read, c.text); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q: %v, want %q", c.text, err, c.says)
		}
	}
	s, err := trace.ReadSlurmConf("slurm.conf", strings.NewReader("PriorityWeightFairshare=5 # old\nPriorityDecayHalfLife=0\nPriorityMaxAge=30\nPriorityFlags=NO_FAIR_TREE\nFairShareDampeningFactor=3\nSchedulerType=sched/builtin\n"))
	if want := (policy.Multifactor{FairShare: 5, HalfLife: math.Inf(1), MaxAge: 1800, CalcPeriod: 300, Classic: true, Damping: 3}); err != nil || !reflect.DeepEqual(s.Weights, want) {
		t.Errorf("%+v, %v", s.Weights, err)
	}
}

// TestReplayOwners: fair share tells users by account and name, and a user without a share is refused.
func TestReplayOwners(t *testing.T) {
	var jobs []trace.Job
	for i := range 40 {
		u := []string{"ann", "bob"}[i%2]
		jobs = append(jobs, trace.Job{Arrival: float64(i) / 100, Need: 1, Service: 1, User: u, Account: "a" + u, Class: "x"})
	}
	log := trace.New("log", jobs)
	p := mjq.Multifactor{FairShare: 1e6, HalfLife: 1e6, Shares: "aann=3(ann) abob=1(bob)"}
	how := trace.Replay{Servers: 1, Classes: trace.ByUser, Policy: p}
	r := mjq.Must(log.Replay(context.Background(), how))
	// Of every four jobs three are of ann while she has some: she is done after 20 + 20/3 jobs.
	ann, bob := r.Class("user ann").Waiting.Mean.Value, r.Class("user bob").Waiting.Mean.Value
	if math.Abs(ann-12.9) > 1 || math.Abs(bob-25.8) > 1.5 {
		t.Errorf("ann waits %v, bob %v", ann, bob)
	}
	how.Policy = mjq.Multifactor{FairShare: 1, HalfLife: 1, Shares: "aann=3(ann) abob=1(cy)"}
	if _, err := log.Replay(context.Background(), how); err == nil || !strings.Contains(fmt.Sprint(err), "user bob of account abob has no share") {
		t.Error(err)
	}
}
