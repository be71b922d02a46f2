// Command answers asks three questions of the five-class queue on a GPU and on the cores, and holds
// the answers against each other: the same samples to nine digits, a forward run, and the pile.
// Built with the tag cuda, on a machine with a device, it is the user's own way there; without
// either it goes on with the cores and says why. MJQ_EFFORT=full takes as many samples as a device needs.
package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"strings"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/workload"
	"github.com/mjqueue/mjq/notebooks/check"
)

func main() {
	devices, err := mjq.Devices()
	if err != nil {
		fmt.Println("On the cores, because", strings.TrimPrefix(err.Error(), "mjq: "))
	}
	for _, d := range devices {
		fmt.Printf("%s, %.0f GiB\n", d.Name, float64(d.Memory)/(1<<30))
	}
	apart, wrong := sameSamples()
	fmt.Printf("the same samples: apart by %.2g of the largest wait\n", apart)
	if wrong = append(wrong, others()...); len(wrong) > 0 {
		fmt.Println(strings.Join(wrong, "\n"))
		os.Exit(1)
	}
	fmt.Println("all answers agree")
}

var queue = workload.FiveClassExponential().AtRate(1.4)

func backward(on mjq.Processor) *result.Result {
	r := mjq.Must(queue.Solve(context.Background(), mjq.Backward{Samples: check.Of(2_000, 100_000), Device: on}, mjq.Seed(7)))
	fmt.Printf("backward, on the %s: mean wait %v, %.3g steps a second\n", r.Run.On, r.All.Waiting.Mean, r.Run.StepsPerSec)
	return r
}

// sameSamples returns how far the waits of a device lie from those of the cores, which draw the same jobs.
func sameSamples() (apart float64, wrong []string) {
	device, cores := backward(mjq.Auto), backward(mjq.CPU)
	for i, c := range cores.Classes {
		a, b := device.Classes[i].Waiting.Mean, c.Waiting.Mean
		apart = max(apart, math.Abs(a.Value-b.Value)/(1+b.Value), math.Abs(a.HalfWidth-b.HalfWidth)/(1+b.Value))
	}
	if apart > 1e-9 {
		wrong = append(wrong, fmt.Sprintf("the waits lie %g apart, at most 1e-9", apart))
	}
	if device.Run.Samples != cores.Run.Samples {
		wrong = append(wrong, fmt.Sprintf("%d samples on the device, %d on the cores", device.Run.Samples, cores.Run.Samples))
	}
	return apart, wrong
}

// others runs forward and piles, which are held to exact values of the queue.
func others() (wrong []string) {
	n := check.Of(100, 4096)
	exact := mjq.Must(queue.Solve(context.Background(), mjq.Exact{MomentsOnly: true})).All.Waiting.Mean.Value
	forward := mjq.Must(queue.Solve(context.Background(),
		mjq.Forward{Replications: n, WarmUp: 2000, Jobs: 3000, Device: mjq.Auto}))
	pile := mjq.Must(queue.Stability(context.Background(), mjq.Pile{Replications: n, Device: mjq.Auto}, mjq.RelErr(0.005)))
	fmt.Printf("forward, on the %s: mean wait %v, exact %.5g\n", forward.Run.On, forward.All.Waiting.Mean, exact)
	fmt.Printf("pile, on the %s: λ_c = %v, exact 1.80086\n", pile.On, pile.Estimate())
	if e := forward.All.Waiting.Mean; math.Abs(e.Value-exact) > 2*e.HalfWidth {
		wrong = append(wrong, "the mean wait of the forward run is off by more than two half-widths")
	}
	if e := pile.Estimate(); math.Abs(e.Value-1.80086) > 2.5*e.HalfWidth {
		wrong = append(wrong, "the limit of the pile is off by more than two and a half half-widths")
	}
	return wrong
}
