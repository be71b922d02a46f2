package messages

import (
	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/result"
)

// sized asks how large a system must be, or how much it can take.
func sized(ask func() (*result.Sizing, error)) func() ([]string, error) {
	return func() ([]string, error) {
		s, err := ask()
		if s == nil {
			return nil, err
		}
		return s.Notes, err
	}
}

// fewest asks for the fewest servers.
func fewest(m mjq.Model, goal mjq.Goal, opts ...mjq.Option) func() ([]string, error) {
	return sized(func() (*result.Sizing, error) { return m.FewestServers(background, goal, append(opts, mjq.Seed(1))...) })
}

// optimal asks for the best policy.
func optimal(m mjq.Model, opts ...mjq.Option) func() ([]string, error) {
	return func() ([]string, error) {
		o, err := m.Optimum(background, opts...)
		if o == nil {
			return nil, err
		}
		return o.Notes, err
	}
}

// priced asks what a server and a job are worth.
func priced(m mjq.Model, worth map[string]float64) func() ([]string, error) {
	return func() ([]string, error) {
		_, err := m.Prices(background, worth)
		return nil, err
	}
}

func sizings() []message {
	q := queue()
	ln := mjq.Servers(20).Poisson(1.4).Class("small", 1, 0.8, mjq.ExpMean(0.5)).Class("big", 10, 0.2, mjq.LogNormalMeanSCV(3, 2))
	typed := mjq.Resources("cpu", 8).Resources("gpu", 2).Poisson(0.5).Needing("a", mjq.Needs{"cpu": 2, "gpu": 1}, 1, mjq.ExpMean(1))
	return []message{
		{"a size that few jobs do not decide", fewest(ln, mjq.MeanWait(0.25), mjq.MaxJobs(400_000))},
		{"the cheapest size", sized(func() (*result.Sizing, error) {
			return mjq.Servers(2).Poisson(1).Class("a", 1, 1, mjq.ExpMean(1)).CheapestServers(background, mjq.Costs{Server: 1, Wait: 5})
		})},
		{"a wait that is not positive", fewest(q, mjq.MeanWait(-1))},
		{"several goals with faults", fewest(q, mjq.WaitQuantile(1.5, 2), mjq.MeanWait(1, "bgi"))},
		{"blocking in a queue that turns nobody away", fewest(q, mjq.Blocked(0.01))},
		{"a size of a queue with types of resources", fewest(typed, mjq.MeanWait(1))},
		{"a method that finds no waits", fewest(q, mjq.MeanWait(1), mjq.Pile{})},
		{"the need of a class that is not in the model", sized(func() (*result.Sizing, error) { return q.LargestNeed(background, "wide", mjq.MeanWait(1)) })},
		{"costs that pay for waiting", sized(func() (*result.Sizing, error) {
			return q.CheapestServers(background, mjq.Costs{Server: 1, Wait: -1})
		})},
		{"a type without a price", sized(func() (*result.Sizing, error) {
			return typed.CheapestMix(background, map[string]float64{"cpu": 1}, mjq.MeanWait(1))
		})},
	}
}

func optima() []message {
	small := mjq.Servers(4).Poisson(1).Class("small", 1, 0.7, mjq.ExpMean(1)).Class("big", 4, 0.3, mjq.ExpMean(1))
	return []message{
		{"the best policy", optimal(small)},
		{"a rate that no policy can serve", optimal(small.AtRate(10))},
		{"jobs that are turned away", optimal(small.Loss())},
		{"jobs that give up", optimal(small.Patience(mjq.ExpMean(1)))},
		{"priorities", optimal(small.Policy(mjq.Priority([]string{"small"})))},
		{"nodes", optimal(nodes())},
		{"service times that are not exponential", optimal(mjq.Servers(4).Poisson(1).Class("a", 1, 1, mjq.Deterministic(1)))},
		{"many sets of jobs", optimal(mjq.Servers(400).Poisson(1).Class("a", 1, 1, mjq.ExpMean(1)))},
		{"prices of a queue that turns nobody away", priced(small, map[string]float64{"small": 1})},
		{"a price of a class that is not in the model", priced(small.Loss(), map[string]float64{"smal": 1})},
	}
}
