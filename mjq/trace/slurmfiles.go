package trace

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/mjqueue/mjq/internal/fairshare"
	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/policy"
)

// Slurm is what files of a Slurm site say of whose turn it is. ReadSlurmConf, ReadShares, ReadPartitions and
// ReadQOS each fill in a part, With puts parts together, and For makes the policy for a log.
type Slurm struct {
	Weights policy.Multifactor // by scontrol show config; without the factors of classes
	Shares  string             // by sshare -a -P
	// Partitions and Classes are the factors, by scontrol show partition and sacctmgr show qos.
	Partitions, Classes map[string]float64
	Tiers               map[string]float64 // by partition, where they differ
	Limits              []Limit            // by sacctmgr show qos, for a log whose classes are the QOS
	// Remarks are lines on what is in the files and not modelled, each with what it would do.
	Remarks []string
}

// With is the site with what other files say; the later file counts.
func (s *Slurm) With(others ...*Slurm) *Slurm {
	out := *s
	out.Limits, out.Remarks = slices.Clone(s.Limits), slices.Clone(s.Remarks)
	for _, o := range others {
		if !policyUnset(&o.Weights) {
			out.Weights = o.Weights
		}
		out.Shares = cmp.Or(o.Shares, out.Shares)
		for _, m := range []struct{ to, from *map[string]float64 }{{&out.Partitions, &o.Partitions}, {&out.Classes, &o.Classes}, {&out.Tiers, &o.Tiers}} {
			if *m.from != nil {
				*m.to = *m.from
			}
		}
		out.Limits, out.Remarks = append(out.Limits, o.Limits...), append(out.Remarks, o.Remarks...)
	}
	return &out
}

// policyUnset reports whether weights were read from no file.
func policyUnset(p *policy.Multifactor) bool {
	return p.MaxAge == 0 && p.HalfLife == 0 && p.Inner == nil
}

// For is the policy of the site for the jobs of a log, whose classes name the partition, the QOS, or both
// as in Partition+QOS. Remarks tell what the log lacks. A user of the log who has no share gets one, in
// the account if the tree has it.
func (s *Slurm) For(t *Trace) (p policy.Multifactor, remarks []string) {
	p, remarks = s.Weights, slices.Clone(s.Remarks)
	if b, ok := p.Inner.(interface {
		Estimates(e policy.Estimates) policy.Backfill
	}); ok {
		if without := slices.IndexFunc(t.Jobs, func(j Job) bool { return !(j.Estimate > 0) }); without < 0 {
			p = p.Within(b.Estimates(policy.Given()))
		} else {
			remarks = append(remarks, "Backfilling goes by run times: the log has jobs without a time limit.")
		}
	}
	labels := map[string]bool{}
	for _, list := range [][]Job{t.Begin, t.Jobs} {
		for i := range list {
			labels[list[i].Class] = true
		}
	}
	p.Factors, p.Partitions = byLabel(labels, s.Classes), byLabel(labels, s.Partitions)
	for _, x := range []struct {
		weight *float64
		found  map[string]float64
		of     string
		file   string
	}{{&p.Class, p.Factors, "PriorityWeightQOS", "sacctmgr show qos -P"}, {&p.Partition, p.Partitions, "PriorityWeightPartition", "scontrol show partition"}} {
		if *x.weight > 0 && len(x.found) == 0 {
			remarks = append(remarks, fmt.Sprintf("%s = %g is left out: no class of the log has a factor. Read the log with its Partition or QOS as Class, and give the output of %s.", x.of, *x.weight, x.file))
			*x.weight = 0
		}
		if *x.weight == 0 {
			*map[string]*map[string]float64{"PriorityWeightQOS": &p.Factors, "PriorityWeightPartition": &p.Partitions}[x.of] = nil
		}
	}
	p.Levels = tiers(byLabel(labels, s.Tiers))
	if p.Shares = s.Shares; p.Shares != "" {
		var more string
		p.Shares, more = sharesFor(t, s.Shares)
		if more != "" {
			remarks = append(remarks, more)
		}
	}
	if p.FairShare > 0 {
		remarks = append(remarks, "Usage from before the log is not counted: fair share starts with no usage of anybody.")
	}
	return p, remarks
}

// byLabel are the numbers of the labels of a log that name one, by itself or as a part of Partition+QOS.
func byLabel(labels map[string]bool, numbers map[string]float64) map[string]float64 {
	out := map[string]float64{}
	for label := range labels {
		for part := range strings.SplitSeq(label, "+") {
			if x, known := numbers[part]; known {
				out[label] = x
			}
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// tiers are the levels of classes by their tier, the highest first; nil with one tier.
func tiers(of map[string]float64) (levels [][]string) {
	values := slices.Sorted(maps.Values(of))
	values = slices.Compact(values)
	if len(values) < 2 {
		return nil
	}
	for _, x := range slices.Backward(values) {
		var names []string
		for _, name := range slices.Sorted(maps.Keys(of)) {
			if of[name] == x {
				names = append(names, name)
			}
		}
		levels = append(levels, names)
	}
	return levels
}

// sharesFor are the shares with one for every user of a log, and a remark on those who had none.
func sharesFor(t *Trace, text string) (shares, remark string) {
	list, err := fairshare.Parse(text)
	if err != nil {
		return text, ""
	}
	tree, err := fairshare.NewTree(list)
	if err != nil {
		return text, ""
	}
	added, first := 0, ""
	seen, names := map[fairshare.User]bool{}, map[string]bool{}
	for _, jobs := range [][]Job{t.Begin, t.Jobs} {
		for i := range jobs {
			names[jobs[i].User] = true
		}
	}
	for _, jobs := range [][]Job{t.Begin, t.Jobs} {
		for i := range jobs {
			u := fairshare.User{Account: jobs[i].Account, Name: jobs[i].User}
			if _, err := tree.Find(u); err == nil || seen[u] {
				continue
			}
			seen[u] = true
			if added++; added == 1 {
				first = fmt.Sprintf("%q of account %q", u.Name, u.Account)
			}
			user := fairshare.Node{Name: u.Name, Shares: 1}
			if to := accountIn(list, u.Account, names); to != nil {
				to.Children = append(to.Children, user)
			} else if u.Account != "" {
				list = append(list, fairshare.Node{Name: u.Account, Shares: 1, Account: true, Children: []fairshare.Node{user}})
			} else {
				list = append(list, user)
			}
		}
	}
	if added > 0 {
		remark = fmt.Sprintf("%d users of the log have no share, %s the first; each gets one share, in the account if it is there.", added, first)
	}
	return fairshare.Format(list), remark
}

// accountIn finds an account. A name that stands without users is one, unless a user is called so.
func accountIn(list []fairshare.Node, name string, users map[string]bool) *fairshare.Node {
	for i := range list {
		if n := &list[i]; n.Name == name && (n.Account || !users[name]) {
			n.Account = true
			return n
		} else if below := accountIn(n.Children, name, users); below != nil {
			return below
		}
	}
	return nil
}

// Replay is a replay under the policy of the site, with its limits; servers and the rest are those of how.
func (s *Slurm) Replay(t *Trace, how Replay) (_ Replay, remarks []string) {
	p, remarks := s.For(t)
	how.Policy = mjq.Policy(p)
	labels := map[string]bool{}
	for i := range t.Jobs {
		labels[t.Jobs[i].Class] = true
	}
	for _, l := range s.Limits {
		if l.Name == "" || labels[l.Name] {
			how.Limits = append(how.Limits, l)
		}
	}
	return how, remarks
}

// siteLines yields the lines of a file of a site, each of which counts.
func siteLines(r io.Reader, each func(line []byte, no int) error) error {
	never := func([]byte) bool { return false }
	return newLines(r).rows(new(Report), never, func(line []byte, no int, long bool) error {
		if long {
			return fmt.Errorf("line %d has more than %d bytes; write its lists in several lines", no, longest)
		}
		return each(line, no)
	})
}

// settings yields the settings Name=Value of a file of Slurm, with their lines. Partitions have several in
// a line.
func settings(r io.Reader, several bool, each func(line int, name, value string)) error {
	return siteLines(r, func(line []byte, no int) error {
		text, _, _ := strings.Cut(strings.TrimSpace(string(line)), "#")
		parts := []string{text}
		if several {
			parts = strings.Fields(text)
		}
		for _, part := range parts {
			if name, value, ok := strings.Cut(part, "="); ok {
				each(no, strings.TrimSpace(name), strings.TrimSpace(value))
			}
		}
		return nil
	})
}

// table yields the rows of a table with bars, each by the names of its columns in small letters. A name
// has no blanks before it, but the account of sshare does.
func table(r io.Reader, needs []string, each func(line int, row map[string]string) error) error {
	var header []string
	var faults []error
	err := siteLines(r, func(line []byte, no int) error {
		cells := strings.Split(string(line), "|")
		switch {
		case len(cells) < 2:
			return nil
		case header == nil:
			for _, c := range cells {
				header = append(header, strings.ToLower(strings.TrimSpace(c)))
			}
			for _, name := range needs {
				if !slices.Contains(header, strings.ToLower(name)) {
					return fmt.Errorf("line %d: the header has no column %s; write the table with -P", no, name)
				}
			}
			return nil
		}
		row := map[string]string{}
		for i, c := range cells[:min(len(cells), len(header))] {
			row[header[i]] = c
		}
		if err := each(no, row); err != nil && len(faults) < mostProblems {
			faults = append(faults, fmt.Errorf("line %d: %w", no, err))
		}
		return nil
	})
	if header == nil && err == nil {
		return errors.New("there is no table in it; write it with -P")
	}
	return errors.Join(append(faults, err)...)
}
