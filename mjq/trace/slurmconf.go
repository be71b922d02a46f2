package trace

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/trace/internal/slurm"
)

// unmodelled are settings of slurm.conf that change whose turn it is and have no counterpart here, with the
// values at which they do nothing.
var unmodelled = map[string]struct {
	idle []string
	does string
}{
	"PriorityWeightAssoc":          {[]string{"0"}, "adds this weight times the priority of the association; give Other by account"},
	"PriorityWeightTRES":           {nil, "adds weights times the parts of each resource; Size has the need alone"},
	"PriorityUsageResetPeriod":     {[]string{"NONE"}, "sets all usage to 0 every such period; here it only decays"},
	"PrioritySiteFactorPlugin":     {nil, "adds a factor of a plugin of the site; give Other by account"},
	"PreemptType":                  {[]string{"preempt/none"}, "stops jobs for others; priorities here stop none, see Priority.Preemptive"},
	"TRESBillingWeights":           {nil, "weighs resources in usage; here usage is servers times time"},
	"EnforcePartLimits":            {[]string{"NO"}, "refuses jobs beyond the limits of a partition; the log holds those that were taken"},
	"PrioritySiteFactorParameters": {nil, "sets up a factor of the site"},
}

// flags are what PriorityFlags do that is not modelled.
var flags = map[string]string{
	"ACCRUE_ALWAYS":          "has the age grow while a job is held or waits for another; here it grows from the arrival",
	"CALCULATE_RUNNING":      "computes priorities of running jobs too, which changes no start",
	"DEPTH_OBLIVIOUS":        "has classic fair share look at accounts by another formula",
	"INCR_ONLY":              "lets no priority fall; here it may",
	"MAX_TRES":               "has usage count the largest of the resources",
	"MAX_TRES_GRES":          "has usage count the largest of the resources",
	"SMALL_RELATIVE_TO_TIME": "divides the size by the time limit; here Size has the need alone",
}

// ReadSlurmConf reads the weights of priority/multifactor from the output of scontrol show config, or from
// slurm.conf. Remarks tell of the settings that matter and are not modelled. The error names the lines
// that cannot be read.
func ReadSlurmConf(name string, r io.Reader) (*Slurm, error) {
	s := &Slurm{Weights: policy.Multifactor{MaxAge: 7 * Day, HalfLife: 7 * Day, CalcPeriod: 300}.Within(policy.EASY())}
	var faults []error
	found := 0
	err := settings(r, false, func(line int, key, value string) {
		known, err := s.conf(line, key, value)
		if known {
			found++
		}
		if err != nil {
			faults = append(faults, fmt.Errorf("%s:%d: %s: %w", name, line, key, err))
		}
	})
	if found == 0 && err == nil {
		err = fmt.Errorf("%s: no Priority... setting is in it; give the output of scontrol show config", name)
	}
	if s.Weights.FairShare == 0 {
		s.Weights.HalfLife, s.Weights.Classic, s.Weights.Damping = 0, false, 0
	}
	if !s.Weights.Classic {
		s.Weights.Damping = 0
	}
	return s, errors.Join(append(faults, err)...)
}

// slurmNumbers are the numbers of the priorities by their fields: their names in slurm.conf, and whether they are
// lengths of time.
var slurmNumbers = map[string]struct {
	setting string
	length  bool
}{
	"Age": {"PriorityWeightAge", false}, "FairShare": {"PriorityWeightFairShare", false}, "Size": {"PriorityWeightJobSize", false},
	"Class": {"PriorityWeightQOS", false}, "Partition": {"PriorityWeightPartition", false}, "Damping": {"FairShareDampeningFactor", false},
	"MaxAge": {"PriorityMaxAge", true}, "HalfLife": {"PriorityDecayHalfLife", true}, "CalcPeriod": {"PriorityCalcPeriod", true},
}

// slurmNumber reads a number, or a length of time, which is in minutes unless it has another form.
func slurmNumber(value string, length bool) (float64, error) {
	x, err := strconv.ParseFloat(value, 64)
	switch {
	case err == nil && length:
		return 60 * x, nil
	case err == nil:
		return x, nil
	case !length:
		return 0, fmt.Errorf("%q is no number", value)
	}
	x, given, err := slurm.Length([]byte(value))
	if err == nil && !given {
		err = fmt.Errorf("%q is no length of time", value)
	}
	return x, err
}

// conf takes in a setting, and reports whether it is of priorities.
func (s *Slurm) conf(line int, key, value string) (known bool, err error) {
	p := &s.Weights
	remark := func(does string) {
		s.Remarks = append(s.Remarks, fmt.Sprintf("Line %d, %s = %s, is not modelled: it %s.", line, key, value, does))
	}
	for field, n := range slurmNumbers {
		if !strings.EqualFold(n.setting, key) {
			continue
		}
		x, err := slurmNumber(value, n.length)
		if field == "HalfLife" && x == 0 && err == nil {
			x = math.Inf(1) // usage does not decay
		}
		if err == nil {
			*p, err = p.With(field, x)
		}
		return true, err
	}
	switch strings.ToLower(key) {
	case "priorityfavorsmall":
		p.FavorSmall = strings.EqualFold(value, "yes")
		return true, nil
	case "prioritytype":
		if value != "priority/multifactor" {
			remark("serves jobs first come, first served, and the weights below do nothing")
		}
		return true, nil
	case "priorityflags":
		for flag := range strings.SplitSeq(value, ",") {
			switch flag = strings.TrimSpace(flag); {
			case flag == "NO_FAIR_TREE":
				p.Classic = true
			case flags[flag] != "":
				remark(flags[flag])
			case flag != "" && flag != "(null)" && flag != "FAIR_TREE":
				remark("has " + flag + ", which mjq does not know")
			}
		}
		return true, nil
	case "schedulertype":
		if value == "sched/builtin" {
			*p = p.Within(nil)
			return false, nil
		}
		remark("reserves for each of the first bf_max_job_test jobs at every bf_interval; here EASY reserves for the head of the queue at every event. Within(Conservative) reserves for all")
		return false, nil
	case "schedulerparameters":
		if value != "" && value != "(null)" {
			remark("limits how far and how often the scheduler looks; here every pass looks at the whole queue")
		}
		return false, nil
	}
	for name, x := range unmodelled {
		if strings.EqualFold(name, key) && value != "" && value != "(null)" && !slices.Contains(x.idle, value) {
			remark(x.does)
		}
	}
	return false, nil
}

// Scenarios are other weights for the site, each of which changes one setting of the priorities, for
// WhatIf and Advise. How is the replay that they are compared with; see Replay.
func (s *Slurm) Scenarios(t *Trace, how Replay) (list []Scenario) {
	base, _ := s.For(t)
	add := func(setting string, change func(p *policy.Multifactor)) {
		p, x := base, how
		change(&p)
		x.Policy = p
		list = append(list, Scenario{Name: "priorities with " + setting, Replay: x, Setting: setting})
	}
	for _, field := range []string{"Age", "FairShare", "Size", "Class"} {
		was := base.Number(field)
		for _, times := range []float64{5, 0} {
			if to := math.Round(was * times); was != 0 {
				add(setting(field, to), func(p *policy.Multifactor) { *p, _ = p.With(field, to) })
			}
		}
	}
	if base.FairShare > 0 {
		for _, days := range []float64{2, 14, 30} {
			if base.HalfLife != days*Day {
				add(fmt.Sprintf("PriorityDecayHalfLife=%g-0", days), func(p *policy.Multifactor) { p.HalfLife = days * Day })
			}
		}
	}
	return list
}
