package trace_test

import (
	"fmt"
	"strings"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/trace"
)

const sacctOutput = `JobIDRaw|JobID|User|Partition|State|Submit|Eligible|Start|End|Elapsed|Timelimit|AllocTRES
7001|7001|ada|gpu|COMPLETED|2026-03-02T08:00:00|2026-03-02T08:00:00|2026-03-02T08:00:00|2026-03-02T10:00:00|02:00:00|04:00:00|cpu=16,gres/gpu:a100=4,gres/gpu=4
7001.batch|7001.batch|||COMPLETED|2026-03-02T08:00:00|2026-03-02T08:00:00|2026-03-02T08:00:00|2026-03-02T10:00:00|02:00:00||cpu=16
7002|7002|bob|cpu|COMPLETED|2026-03-02T08:10:00|2026-03-02T08:10:00|2026-03-02T08:10:00|2026-03-02T08:40:00|00:30:00|01:00:00|cpu=8
7003|7003|eve|gpu|TIMEOUT|2026-03-02T08:30:00|2026-03-02T08:30:00|2026-03-02T10:00:00|2026-03-02T11:00:10|01:00:10|01:00:00|cpu=32,gres/gpu:a100=8,gres/gpu=8
7004|7004|bob|gpu|CANCELLED by 1004|2026-03-02T09:00:00|2026-03-02T09:00:00|None|2026-03-02T09:20:00|00:00:00|01:00:00|
`

func ExampleReadSacct() {
	log := mjq.Must(trace.ReadSacct("q1.txt", strings.NewReader(sacctOutput), trace.Sacct{Need: "gres/gpu", Class: "Partition"}))
	fmt.Print(&log.Report)
	for _, j := range log.Jobs {
		fmt.Printf("%s of %s: %d GPUs for %v s after a wait of %v s\n", j.Class, j.User, j.Need, j.Service, j.Waited)
	}
	fmt.Println(len(log.Left), "left after", log.Left[0].Waited, "s")
	// Output:
	// q1.txt: 6 lines: 2 jobs, 1 comments or blank, 3 skipped, 0 malformed
	//   skipped 1: step: a part of a job that has its own line (first in line 3)
	//   skipped 1: holds none of gres/gpu (first in line 4)
	//   skipped 1: left before it started (first in line 6)
	//   adjusted 1: ran longer than its time limit (first in line 5)
	// gpu of ada: 4 GPUs for 7200 s after a wait of 0 s
	// gpu of eve: 8 GPUs for 3610 s after a wait of 5400 s
	// 1 left after 1200 s
}

func ExampleReadSinfo() {
	const sinfo = `c1|cpu*|128|512000|(null)|mixed
c1|long|128|512000|(null)|mixed
g1|gpu|64|1024000|gpu:a100:8(S:0-1)|allocated
g2|gpu|64|1024000|gpu:a100:8(S:0-1)|drained
`
	system := mjq.Must(trace.ReadSinfo("sinfo.txt", strings.NewReader(sinfo)))
	fmt.Println(system.Nodes, "nodes,", system.CPUs, "CPUs,", system.Units("gres/gpu"), "GPUs,", system.Down, "node out of service")
	// Output:
	// 2 nodes, 192 CPUs, 8 GPUs, 1 node out of service
}
