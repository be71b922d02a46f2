package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mjqueue/mjq/mjq"
)

// sizeCommand finds how large a system must be.
func sizeCommand(s streams) *cobra.Command {
	var from modelFlags
	var want sizeFlags
	to := output{streams: s}
	c := &cobra.Command{
		Use:   "size MODEL",
		Short: "Find the fewest servers that meet targets",
		Long: `Find the smallest number of servers with which the queue meets its targets, or
the largest rate or need, or the cheapest mix of types of resources. Targets are
of all jobs, or of one class whose name comes last, after a colon; flags for
targets can be repeated.`,
		Example: "mjq size queue.json --mean-wait 0.25\nmjq size queue.json --quantile 0.9:1:big --within 0.5:0.8 --json\nmjq size queue.json --mean-wait 0.25 --largest-rate\nmjq size queue.json --costs 1,5 --csv",
	}
	want.add(c.Flags())
	set := settings[mjq.FewestQuery]{flags: c.Flags()}
	set.share("rel-err", "precision of the largest rate (0.01)", mjq.FewestQuery.RelErr)
	set.integer("max-jobs", "most jobs of one look (2e8)", mjq.FewestQuery.MaxJobs)
	set.seed(mjq.FewestQuery.Seed)
	set.share("level", "probability with which the answer is to be right (0.95)", mjq.FewestQuery.Level)
	set.workers(mjq.FewestQuery.Workers)
	from.add(c, true)
	to.add(c)
	c.RunE = action(func(c *cobra.Command, args []string) error {
		models, err := from.arriving(args[0], s.in)
		if err != nil {
			return err
		}
		if len(models) > 1 {
			return input(fmt.Errorf("%s: one model at one rate is sized, not %d; choose by --system, --rate or --load", args[0], len(models)))
		}
		q, err := want.query(models[0])
		if err != nil {
			return input(err)
		}
		return size(c, &to, models[0], set.apply(q))
	})
	return c
}

// size runs the query and writes what it says.
func size(c *cobra.Command, to *output, m *mjq.Model, q mjq.FewestQuery) error {
	p := newProgress(c, to.streams, "size")
	if report := p.report(); report != nil {
		q = q.Progress(report)
	}
	r, err := q.Run(c.Context())
	p.end()
	if err != nil && (c.Context().Err() == nil || r == nil) {
		return err
	}
	a := answer{text: r.String(), data: r, title: "Size", csv: func() string { return r.Table().CSV() },
		picture: func() drawing { return sizePicture(r) },
		sections: func() []section {
			return []section{{heading: "Model", html: m.HTML()}, {heading: "Size", html: r.HTML(), picture: sizePicture(r)}}
		}}
	if wrong := to.write(a); wrong != nil {
		return wrong
	}
	return err
}

// sizeFlags are the targets and what is sought.
type sizeFlags struct {
	meanWait, quantile, within, slowdown []string

	rate  bool
	need  string
	mix   map[string]string
	costs []float64
}

func (f *sizeFlags) add(flags *pflag.FlagSet) {
	flags.StringArrayVar(&f.meanWait, "mean-wait", nil, "mean wait of at most TIME[:CLASS]")
	flags.StringArrayVar(&f.quantile, "quantile", nil, "quantile of waits, PROBABILITY:TIME[:CLASS]")
	flags.StringArrayVar(&f.within, "within", nil, "of jobs that wait no longer than a time at least a share, TIME:SHARE[:CLASS]")
	flags.StringArrayVar(&f.slowdown, "slowdown", nil, "mean slowdown of services no shorter than a time, TIME:MOST[:CLASS]")
	flags.BoolVar(&f.rate, "largest-rate", false, "find the largest arrival rate instead")
	flags.StringVar(&f.need, "largest-need", "", "find the largest need of this class instead")
	flags.StringToStringVar(&f.mix, "mix", nil, "find the cheapest mix of types of resources, TYPE=PRICE,... instead")
	flags.Var(&numberList{values: &f.costs}, "costs", "of a server and of a waiting job in a unit of time, SERVER,WAIT: find the cheapest number")
}

// query is what the flags ask, with all that is wrong with them.
func (f *sizeFlags) query(m *mjq.Model) (mjq.FewestQuery, error) {
	q := mjq.Fewest(m)
	var wrong []error
	const time, share = false, true
	each := func(name string, texts []string, numbers []bool, set func(x []float64, classes []string)) {
		for _, text := range texts {
			x, class, err := target(text, numbers)
			if err != nil {
				wrong = append(wrong, fmt.Errorf("--%s %s: %w", name, text, err))
				continue
			}
			set(x, class)
		}
	}
	each("mean-wait", f.meanWait, []bool{time}, func(x []float64, class []string) { q = q.MeanWait(x[0], class...) })
	each("quantile", f.quantile, []bool{share, time}, func(x []float64, class []string) { q = q.Quantile(x[0], x[1], class...) })
	each("within", f.within, []bool{time, share}, func(x []float64, class []string) { q = q.Within(x[0], x[1], class...) })
	each("slowdown", f.slowdown, []bool{time, time}, func(x []float64, class []string) { q = q.Slowdown(x[0], x[1], class...) })
	q, err := f.sought(q)
	return q, errors.Join(append(wrong, err)...)
}

// sought sets what is sought instead of the fewest servers.
func (f *sizeFlags) sought(q mjq.FewestQuery) (mjq.FewestQuery, error) {
	kinds := 0
	if f.rate {
		q, kinds = q.LargestRate(), kinds+1
	}
	if f.need != "" {
		q, kinds = q.LargestNeed(f.need), kinds+1
	}
	if len(f.mix) > 0 {
		prices := map[string]float64{}
		for name, text := range f.mix {
			x, err := strconv.ParseFloat(text, 64)
			if err != nil {
				return q, fmt.Errorf("--mix: the price of %s is %q; give a number", name, text)
			}
			prices[name] = x
		}
		q, kinds = q.CheapestMix(prices), kinds+1
	}
	switch {
	case kinds > 1:
		return q, errors.New("--largest-rate, --largest-need and --mix: one of them at a time")
	case len(f.costs) == 0:
		return q, nil
	case len(f.costs) != 2:
		return q, fmt.Errorf("--costs: %d numbers; give two, SERVER,WAIT", len(f.costs))
	}
	return q.Costs(f.costs[0], f.costs[1]), nil
}

// target reads numbers, of which some are shares, and perhaps a class, with colons
// between them.
func target(text string, shares []bool) (x []float64, class []string, err error) {
	parts := strings.SplitN(text, ":", len(shares)+1)
	if len(parts) < len(shares) {
		return nil, nil, fmt.Errorf("%d of %d numbers; put a colon between them", len(parts), len(shares))
	}
	for i, share := range shares {
		v, err := readNumber(parts[i], share)
		if err != nil {
			return nil, nil, err
		}
		x = append(x, v)
	}
	return x, parts[len(shares):], nil
}
