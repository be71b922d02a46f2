package main

import (
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/plots"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/trace"
)

// fitCommand makes a model of a log.
func fitCommand(s streams) *cobra.Command {
	var from logFlags
	to := output{streams: s}
	c := &cobra.Command{
		Use:   "fit LOG",
		Short: "Make a model of a log",
		Long: `Fit a model to a log: classes with their frequencies, laws of services and of the
times between arrivals. --json writes the model itself, which the other commands
read; a table and CSV compare its laws with the log. With --arrivals a process is
fitted by maximum likelihood, the best one by BIC, and shown beside the log: index of
dispersion, correlation of gaps and, with --period, the rate by the time of day.`,
		Example: "mjq fit jobs.csv --servers 8 --moments 2\nmjq fit centre.swf --by powers --moments 3 --json -o centre.json\nmjq fit jobs.csv --servers 8 --moments 1 --poisson --json | mjq exact -\nmjq fit centre.swf --arrivals best --period 3600 --parts 4",
	}
	moments := wholeFlag(c.Flags(), "moments", 0, "moments that the laws have: 1, 2 or 3; 0 is the laws of the log itself")
	poisson := c.Flags().Bool("poisson", false, "Poisson arrivals of the rate of the log")
	arrivals := c.Flags().String("arrivals", "", "arrival process: "+processNames+"; the law of the gaps by --moments if left out")
	period := numberFlag(c.Flags(), "period", 0, "period of the rate, as a day, in the log's unit of time")
	parts := wholeFlag(c.Flags(), "parts", 24, "equal parts of the period")
	_ = c.RegisterFlagCompletionFunc("arrivals", cobra.FixedCompletions(strings.Split(processNames, ", "), cobra.ShellCompDirectiveNoFileComp))
	from.add(c, "need, powers or class")
	to.add(c)
	c.RunE = action(func(c *cobra.Command, args []string) error {
		by, err := from.classes()
		if err != nil {
			return err
		}
		laws, known := map[int]func(trace.ModelBuilder) trace.ModelBuilder{0: trace.ModelBuilder.Empirical, 1: trace.ModelBuilder.Exponential,
			2: trace.ModelBuilder.TwoMoments, 3: trace.ModelBuilder.ThreeMoments}[*moments]
		if !known {
			return input(fmt.Errorf("--moments: %d moments cannot be fitted; choose 0, 1, 2 or 3", *moments))
		}
		t, err := from.read(c, args[0], s)
		if err != nil {
			return err
		}
		b := laws(t.Model(from.servers))
		b = map[string]func(trace.ModelBuilder) trace.ModelBuilder{"need": trace.ModelBuilder.ByNeed,
			"powers": trace.ModelBuilder.PowersOfTwo, "class": trace.ModelBuilder.ByClass}[by](b)
		if *poisson {
			b = b.PoissonArrivals()
		}
		if *period != 0 {
			b = b.ByHour(*period, *parts)
		}
		process, known := processes[*arrivals]
		if !known {
			return input(fmt.Errorf("--arrivals: %q is no process; choose %s", *arrivals, processNames))
		}
		if process == trace.OwnGaps {
			return fit(&to, t, b, nil)
		}
		b = b.Arrivals(process)
		shown, err := b.ArrivalFit()
		if err != nil {
			return input(err)
		}
		return fit(&to, t, b, shown)
	})
	return c
}

// processes are the arrival processes by their names on the command line.
var processes = map[string]trace.Arrivals{"": trace.OwnGaps, "best": trace.Best, "poisson": trace.PoissonOnly, "hyper": trace.TwoGaps, "mmpp": trace.BurstsMMPP,
	"map": trace.BurstsMAP, "profile": trace.Hours, "profile-mmpp": trace.HoursOfBursts}

// processNames are these names.
const processNames = "best, poisson, hyper, mmpp, map, profile, profile-mmpp"

// fit writes the model of a log, with its arrivals if they were fitted.
func fit(to *output, t *trace.Trace, b trace.ModelBuilder, arrivals *result.ArrivalFit) error {
	m, err := mjq.Build(b)
	if err != nil {
		return input(err)
	}
	fits, err := b.Fits()
	if err != nil {
		return input(err)
	}
	own, err := b.Empirical().Fits()
	if err != nil {
		return input(err)
	}
	table := fitTable(fits)
	text, shown := t.String()+"\n"+table.String(), []section{}
	if arrivals != nil {
		text += "\n" + arrivals.String()
		shown = append(shown, section{heading: "Arrivals", html: arrivals.HTML(), picture: plots.ArrivalFit(arrivals)})
	}
	return to.write(answer{text: text, data: m, csv: table.CSV, title: "Model of " + t.Name,
		picture: func() drawing { return fitPicture(fits, own) },
		sections: func() []section {
			return append([]section{{heading: "Log", html: t.HTML()}, {heading: "Model", html: m.HTML()},
				{heading: "Laws", html: table.HTML(), picture: fitPicture(fits, own)}}, shown...)
		}})
}

// fitTable compares laws with the times that they stand for.
func fitTable(fits []trace.Fit) *result.Table {
	var of, laws, notes []string
	var n, means, scvs, ours []float64
	for _, f := range fits {
		of, laws, notes = append(of, f.Class), append(laws, shortened(f.Law.String())), append(notes, f.Note)
		n, means = append(n, float64(f.N)), append(means, f.Moments[0])
		scvs = append(scvs, scv(f.Moments[0], f.Moments[1]))
		ours = append(ours, law.SCV(f.Law))
	}
	t := result.NewTable("Laws beside the log").Text("times", of...).Numbers("number", n...).Numbers("mean", means...).
		Numbers("scv of the log", scvs...).Numbers("scv of the law", ours...).Text("law", laws...)
	if strings.Join(notes, "") != "" {
		t.Text("note", notes...)
	}
	return t
}

// scv is the squared coefficient of variation of two moments.
func scv(first, second float64) float64 {
	if first == 0 {
		return math.NaN()
	}
	return second/(first*first) - 1
}

// shortened is a text of at most 60 letters.
func shortened(text string) string {
	const most = 60
	if letters := []rune(text); len(letters) > most {
		return string(letters[:most-1]) + "…"
	}
	return text
}
