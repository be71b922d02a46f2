package trace

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/mjqueue/mjq/internal/fairshare"
	"github.com/mjqueue/mjq/mjq/trace/internal/slurm"
)

// ReadShares reads the tree of shares from the output of sshare -a -P, whose blanks before an account say
// how deep it stands.
func ReadShares(name string, r io.Reader) (*Slurm, error) {
	s := &Slurm{}
	type open struct {
		depth int
		node  fairshare.Node
	}
	stack := []open{{depth: -1}}
	closeTo := func(depth int) { // accounts at a depth and below are complete
		for len(stack) > 1 && stack[len(stack)-1].depth >= depth {
			last := stack[len(stack)-1].node
			stack = stack[:len(stack)-1]
			to := &stack[len(stack)-1].node
			to.Children = append(to.Children, last)
		}
	}
	parents := 0
	err := table(r, []string{"Account", "User", "RawShares"}, func(line int, row map[string]string) error {
		account, user := strings.TrimSpace(row["account"]), strings.TrimSpace(row["user"])
		depth := len(row["account"]) - len(strings.TrimLeft(row["account"], " "))
		if account == "root" && user == "" {
			return nil
		}
		shares := 1.0
		switch text := strings.TrimSpace(row["rawshares"]); text {
		case "parent":
			parents++
		case "":
		default:
			x, err := strconv.ParseFloat(text, 64)
			if err != nil || !(x >= 0) || math.IsInf(x, 1) {
				return fmt.Errorf("RawShares of %s %s is %q; give a number", account, user, text)
			}
			shares = x
		}
		if user == "" {
			closeTo(depth)
			stack = append(stack, open{depth, fairshare.Node{Name: account, Shares: shares, Account: true}})
			return nil
		}
		for at := len(stack) - 1; at > 0 && account != "root"; at-- {
			if stack[at].node.Name == account {
				closeTo(stack[at].depth + 1)
				break
			}
		}
		if account == "root" {
			closeTo(0)
		}
		if to := &stack[len(stack)-1].node; account == "root" || to.Name == account {
			to.Children = append(to.Children, fairshare.Node{Name: user, Shares: shares})
			return nil
		}
		return fmt.Errorf("user %s is of account %s, which has no line above", user, account)
	})
	closeTo(0)
	s.Shares = fairshare.Format(stack[0].node.Children)
	if parents > 0 {
		s.Remarks = append(s.Remarks, fmt.Sprintf("%s: %d associations have RawShares = parent, which is not modelled: it puts their usage on the account above. Each has one share here.", name, parents))
	}
	if err == nil {
		_, err = fairshare.NewTree(stack[0].node.Children)
	}
	if err != nil {
		return s, fmt.Errorf("%s: %w", name, err)
	}
	return s, nil
}

// ReadPartitions reads the factors and tiers of partitions from the output of scontrol show partition.
func ReadPartitions(name string, r io.Reader) (*Slurm, error) {
	s := &Slurm{Partitions: map[string]float64{}, Tiers: map[string]float64{}}
	part, nodes := "", map[string]string{}
	var faults []error
	err := settings(r, true, func(line int, key, value string) {
		remark := func(does string) {
			s.Remarks = append(s.Remarks, fmt.Sprintf("%s, line %d: %s = %s of partition %s is not modelled: it %s.", name, line, key, value, part, does))
		}
		none := slices.Contains([]string{"", "(null)", "N/A", "NONE", "UNLIMITED", "ALL", "NO", "OFF", "INFINITE"}, strings.ToUpper(value))
		switch key {
		case "PartitionName":
			part = value
			s.Partitions[part], s.Tiers[part] = 0, 0
		case "PriorityJobFactor", "PriorityTier":
			x, err := strconv.ParseFloat(value, 64)
			if err != nil {
				faults = append(faults, fmt.Errorf("%s:%d: %s of partition %s is %q; give a number", name, line, key, part, value))
				return
			}
			map[string]map[string]float64{"PriorityJobFactor": s.Partitions, "PriorityTier": s.Tiers}[key][part] = x
		case "Nodes":
			for other, list := range nodes {
				if list == value && !none {
					remark("shares its nodes with partition " + other + "; a replay takes all servers as one pool, or Partitions as separate ones")
				}
			}
			nodes[part] = value
		case "MaxTime", "MaxNodes":
			if !none {
				remark("refuses longer or wider jobs; the log holds those that were taken")
			}
		case "QoS":
			if !none {
				remark("has the limits of a QOS; give them as Limits")
			}
		case "PreemptMode":
			if !none {
				remark("lets jobs of other partitions stop its jobs; priorities here stop none")
			}
		}
	})
	if part == "" && err == nil && len(faults) == 0 {
		err = fmt.Errorf("%s: no PartitionName is in it; give the output of scontrol show partition", name)
	}
	return s, errors.Join(append(faults, err)...)
}

// unmodelledQOS are columns of a QOS that change whose turn it is.
var unmodelledQOS = map[string]string{
	"Preempt":       "lets its jobs stop those of other QOS; priorities here stop none",
	"UsageFactor":   "multiplies what its jobs add to usage; here all count alike",
	"GrpTRESMins":   "ends what the QOS may use in all",
	"GrpTRESRunMin": "bounds what its running jobs have still to use",
	"GrpSubmit":     "refuses jobs; the log holds those that were taken",
	"MaxSubmitPU":   "refuses jobs; the log holds those that were taken",
	"MaxWall":       "refuses longer jobs; the log holds those that were taken",
	"MaxTRESPA":     "bounds what an account holds in the QOS; a Limit is by user or by class",
	"MaxJobsPA":     "bounds the jobs of an account in the QOS; a Limit is by user or by class",
}

// ReadQOS reads priorities and limits from the output of sacctmgr show qos -P, for a log whose classes are
// the QOS. The limits count the cpu of TRES. Those of a user are kept if the site has one QOS, as a Limit
// counts all jobs of a user.
func ReadQOS(name string, r io.Reader) (*Slurm, error) {
	s := &Slurm{Classes: map[string]float64{}}
	var byUser []Limit
	rows := 0
	err := table(r, []string{"Name", "Priority"}, func(line int, row map[string]string) error {
		rows++
		qos := row["name"]
		x, err := strconv.ParseFloat(row["priority"], 64)
		if err != nil {
			return fmt.Errorf("Priority of QOS %s is %q; give a number", qos, row["priority"])
		}
		s.Classes[qos] = x
		for _, column := range []string{"Preempt", "UsageFactor", "GrpTRESMins", "GrpTRESRunMin", "GrpSubmit", "MaxSubmitPU", "MaxWall", "MaxTRESPA", "MaxJobsPA"} {
			if value := row[strings.ToLower(column)]; value != "" && !(column == "UsageFactor" && strings.Trim(value, "0.") == "1") {
				s.Remarks = append(s.Remarks, fmt.Sprintf("%s, line %d: %s = %s of QOS %s is not modelled: it %s.", name, line, column, value, qos, unmodelledQOS[column]))
			}
		}
		for _, l := range []struct {
			tres, jobs string
			by         By
		}{{"grptres", "grpjobs", EachClass}, {"maxtrespu", "maxjobspu", EachUser}} {
			limit := Limit{By: l.by, Name: qos}
			a, err := slurm.AmountOf([]byte(row[l.tres]), "cpu")
			if err != nil {
				return err
			}
			limit.Servers = a.N
			if text := row[l.jobs]; text != "" {
				if limit.Jobs, err = strconv.Atoi(text); err != nil {
					return fmt.Errorf("%s of QOS %s is %q; give a number", l.jobs, qos, text)
				}
			}
			switch {
			case limit.Servers == 0 && limit.Jobs == 0:
			case l.by == EachUser:
				limit.Name = ""
				byUser = append(byUser, limit)
			default:
				s.Limits = append(s.Limits, limit)
			}
		}
		return nil
	})
	if rows == 1 {
		s.Limits = append(s.Limits, byUser...)
	} else if len(byUser) > 0 {
		s.Remarks = append(s.Remarks, fmt.Sprintf("%s: MaxTRESPU and MaxJobsPU of %d QOS are not modelled: they bound what a user holds in one QOS, and a Limit counts all jobs of a user.", name, len(byUser)))
	}
	if err != nil {
		return s, fmt.Errorf("%s: %w", name, err)
	}
	return s, nil
}
