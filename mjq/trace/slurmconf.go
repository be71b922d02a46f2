package trace

import (
	"errors"
	"fmt"
	"io"
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

// conf takes in a setting, and reports whether it is of priorities.
func (s *Slurm) conf(line int, key, value string) (known bool, err error) {
	p := &s.Weights
	remark := func(does string) {
		s.Remarks = append(s.Remarks, fmt.Sprintf("Line %d, %s = %s, is not modelled: it %s.", line, key, value, does))
	}
	number := func(to *float64) error {
		x, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return fmt.Errorf("%q is no number", value)
		}
		*to = x
		return nil
	}
	length := func(to *float64) error {
		if x, err := strconv.ParseFloat(value, 64); err == nil {
			*to = x * 60 // minutes, as in slurm.conf
			return nil
		}
		x, given, err := slurm.Length([]byte(value))
		if err == nil && !given {
			err = fmt.Errorf("%q is no length of time", value)
		}
		if err == nil {
			*to = x
		}
		return err
	}
	switch strings.ToLower(key) {
	case "priorityweightage":
		return true, number(&p.Age)
	case "priorityweightfairshare":
		return true, number(&p.FairShare)
	case "priorityweightjobsize":
		return true, number(&p.Size)
	case "priorityweightpartition":
		return true, number(&p.Partition)
	case "priorityweightqos":
		return true, number(&p.Class)
	case "prioritymaxage":
		return true, length(&p.MaxAge)
	case "prioritycalcperiod":
		return true, length(&p.CalcPeriod)
	case "prioritydecayhalflife":
		err := length(&p.HalfLife)
		p.HalfLife = decaying(p.HalfLife)
		return true, err
	case "priorityfavorsmall":
		p.FavorSmall = strings.EqualFold(value, "yes")
		return true, nil
	case "fairsharedampeningfactor":
		return true, number(&p.Damping)
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
