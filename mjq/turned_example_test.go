package mjq_test

import (
	"context"
	"fmt"

	"github.com/mjqueue/mjq/mjq"
)

// cloud is a GPU cloud on demand: most ask for one GPU, some for a node of eight.
var cloud = mjq.Servers(64).Poisson(24).
	Class("one", 1, 0.93, mjq.LogNormalMeanSCV(1, 4)).
	Class("eight", 8, 0.07, mjq.ExpMean(2))

// Requests that find no room are lost. Only the means of their services matter.
func ExampleModel_Loss() {
	r := mjq.Must(cloud.Loss().Solve(context.Background()))
	fmt.Printf("one %.4f, eight %.4f\n", r.Class("one").Blocked.Value, r.Class("eight").Blocked.Value)
	fmt.Printf("of the work %.4f, and %.2f GPUs are busy\n", r.BlockedWork.Value, r.Goodput.Value)
	// Output:
	// one 0.0168, eight 0.1640
	// of the work 0.0972, and 44.42 GPUs are busy
}

// With room for ten jobs to wait fewer are turned away, whatever they need.
func ExampleModel_Room() {
	small := mjq.Servers(6).Poisson(2.5).Class("small", 1, 0.8, mjq.ExpMean(1)).Class("big", 4, 0.2, mjq.ExpMean(2))
	for _, room := range []int{0, 5, 20} {
		r := mjq.Must(small.Room(room).Solve(context.Background()))
		fmt.Printf("room %2d: big blocked %.4f, mean wait %.4f\n", room, r.Class("big").Blocked.Value, r.Class("big").Waiting.Mean.Value)
	}
	// Output:
	// room  0: big blocked 0.5953, mean wait 0.0000
	// room  5: big blocked 0.2866, mean wait 2.2094
	// room 20: big blocked 0.1983, mean wait 7.1609
}

// Small jobs start only if three servers stay free, so that large ones find room as often.
func ExampleModel_Keep() {
	m := mjq.Servers(12).Poisson(4.8).Class("small", 1, 4/4.8, mjq.ExpMean(1)).Class("big", 4, 0.8/4.8, mjq.ExpMean(1.5)).Loss()
	for _, keep := range []int{0, 3} {
		r := mjq.Must(m.Keep("small", keep).Solve(context.Background()))
		fmt.Printf("%d kept free: small %.4f, big %.4f\n", keep, r.Class("small").Blocked.Value, r.Class("big").Blocked.Value)
	}
	// Output:
	// 0 kept free: small 0.0693, big 0.3365
	// 3 kept free: small 0.2792, big 0.2792
}

// A queue beyond its limit does not grow if its jobs give up.
func ExampleModel_Patience() {
	m := mjq.Servers(6).Poisson(5).Class("small", 1, 0.8, mjq.ExpMean(1)).Class("big", 4, 0.2, mjq.ExpMean(2))
	m = m.Patience(mjq.ExpMean(2))
	r := mjq.Must(m.Solve(context.Background()))
	fmt.Printf("offered %.1f of the servers, busy %.3f\n", m.OfferedLoad(), r.Utilization.Value)
	fmt.Printf("small %.4f leave, big %.4f\n", r.Class("small").Left.Value, r.Class("big").Left.Value)
	// Output:
	// offered 2.0 of the servers, busy 0.850
	// small 0.4516 leave, big 0.6369
}

// Twelve users of one server and three of four, who think between their jobs.
func ExampleModel_Users() {
	m := mjq.Servers(8).Class("one", 1, 0, mjq.ExpMean(1)).Class("four", 4, 0, mjq.ExpMean(1.25)).
		Users("one", 12, mjq.ExpMean(2.5)).Users("four", 3, mjq.ExpMean(10./3)).Loss()
	r := mjq.Must(m.Solve(context.Background()))
	fmt.Printf("%.4f of the jobs of four, %.4f of the time\n", r.Class("four").Blocked.Value, r.Class("four").BlockedTime.Value)
	// Output: 0.5077 of the jobs of four, 0.5809 of the time
}

// A queue that turns jobs away has no stability limit, and no load that is a part of it.
func ExampleModel_AtOffered() {
	m := cloud.Loss().AtOffered(0.9)
	s := mjq.Must(m.Stability(context.Background()))
	fmt.Printf("rate %.4f, offered %.1f; %s: %s\n", m.Rate(), m.OfferedLoad(), s.Method, s.Source)
	fmt.Println(cloud.Loss().AtLoad(0.9).Err())
	// Output:
	// rate 28.0976, offered 0.9; no limit: jobs are turned away
	// mjq: the model has 1 fault:
	// AtLoad(0.9): the queue has no stability limit, because jobs are turned away; give a rate, or AtOffered(0.9), the share of the servers that all jobs together would keep busy
}

// A wide job pays for the narrow ones that it keeps out, and for how seldom it finds room.
func ExampleModel_Prices() {
	p := mjq.Must(cloud.Loss().Prices(context.Background(), map[string]float64{"one": 1, "eight": 16}))
	fmt.Printf("one more server %.4f\n", p.Server)
	for _, c := range p.Classes {
		fmt.Printf("%s: worth %g, displaces %.3f, one more job adds %.3f\n", c.Name, c.Worth, c.Displaced, c.Job)
	}
	// Output:
	// one more server 0.3190
	// one: worth 1, displaces 0.334, one more job adds 0.654
	// eight: worth 16, displaces 6.207, one more job adds 8.187
}

// Keeping servers free of narrow jobs pays if wide ones are worth much.
func ExampleModel_BestKeep() {
	m := mjq.Servers(12).Poisson(4.8).Class("small", 1, 4/4.8, mjq.ExpMean(1)).Class("big", 4, 0.8/4.8, mjq.ExpMean(1.5)).Loss()
	k := mjq.Must(m.BestKeep(context.Background(), map[string]float64{"big": 20}))
	fmt.Println(k)
	// Output:
	// Best reservation
	// class  worth of a job  keeps free  blocked
	// small               1           4    0.379
	// big                20           0    0.209
	// The jobs carried are worth 15.1454 in a unit of time, without reservation 14.339. No rule carries more than 15.2279 (best rule that looks at the jobs in service), 0.54 % more.
}

// The fewest servers that turn at most one in a hundred wide jobs away.
func ExampleBlocked() {
	n := mjq.Must(cloud.Loss().FewestServers(context.Background(), mjq.Blocked(0.01, "eight")))
	fmt.Println(n.Best, n.Confirmed)
	// Output:
	// 95 true
}

// The fewest servers from which at most one job in fifty leaves before it has started.
func ExampleLeft() {
	m := mjq.Servers(6).Poisson(2.5).Class("small", 1, 0.8, mjq.ExpMean(1)).Class("big", 4, 0.2, mjq.ExpMean(2)).Patience(mjq.ExpMean(3))
	n := mjq.Must(m.FewestServers(context.Background(), mjq.Left(0.02)))
	r := mjq.Must(m.LargestRate(context.Background(), mjq.Left(0.05)))
	fmt.Printf("%g servers, or the rate %.2f\n", n.Best, r.Best)
	// Output:
	// 14 servers, or the rate 0.90
}

func ExampleModel_AlsoPreempted() {
	m := mjq.Servers(4).Poisson(3).Class("all", 4, 0.2, mjq.ExpMean(1)).Class("one", 1, 0.8, mjq.ExpMean(1)).
		Policy(mjq.PreemptiveMostServersFirst()).Patience(mjq.ExpMean(2))
	stay := mjq.Must(m.Solve(context.Background(), mjq.Exact{}))
	leave := mjq.Must(m.AlsoPreempted().Solve(context.Background(), mjq.Exact{}))
	fmt.Printf("%.1f %% give up, and %.1f %% if those who were stopped do too\n", 100*stay.All.Left.Value, 100*leave.All.Left.Value)
	// Output: 33.3 % give up, and 38.7 % if those who were stopped do too
}
