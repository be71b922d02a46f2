package trace

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/stream"
)

// Validate is nil, or names what is wrong with the jobs: an arrival or a service that is no
// time from 0 to 1e100, or a need below 1. It names the first ten faults, each with the index
// of the job from 0, the field, the value and the remedy, and counts the others. For a trace
// from New the indices are those of the jobs that New was given. Every question and the writers
// call it.
func (t *Trace) Validate() error {
	if t.wrong != nil {
		return fmt.Errorf("trace %s: %w", t.Name, t.wrong)
	}
	if err := jobFaults(t.Jobs); err != nil {
		return fmt.Errorf("trace %s: %w", t.Name, err)
	}
	for i := range t.Jobs {
		if u := t.Jobs[i].Units; t.Types != nil && (len(u) != len(t.Types) || slices.Min(u) < 0 || slices.Max(u) == 0) {
			return fmt.Errorf("trace %s: job %d needs %v of %q; give an amount of each type, not negative, and at least one above 0", t.Name, i, u, t.Types)
		}
	}
	return nil
}

// oneCluster is an error for a log of several clusters, as they do not share servers.
func oneCluster(r *Report) error {
	list := r.Clusters
	if len(list) < 2 {
		return nil
	}
	first := list[0]
	if first == noCluster {
		first = list[1]
	}
	return fmt.Errorf("trace %s has jobs of %d clusters (%s), which share no servers; keep those of one: --cluster %s, in Go Sacct.Where with Cluster=%[4]s",
		r.File, len(list), strings.Join(list, ", "), first)
}

// noCluster stands for the cluster of lines that name none.
const noCluster = "none"

// jobFaults names what is wrong with the jobs, the first ten in words.
func jobFaults(jobs []Job) error {
	f := check.Faults{Most: mostFaults}
	for i := range jobs {
		for _, fault := range wrongJob(&jobs[i]) {
			f.Add("%s: %w", jobs[i].place(i), fault)
		}
	}
	return f.Err("")
}

// place says which job of a log it is, by its number from 0.
func (j *Job) place(number int) string {
	if j.Line > 0 {
		return fmt.Sprintf("job %d (line %d)", number, j.Line)
	}
	return fmt.Sprintf("job %d", number)
}

// wrongJob says what is wrong with a job.
func wrongJob(j *Job) (faults []error) {
	if !(j.Arrival >= 0 && j.Arrival <= stream.Longest) {
		faults = append(faults, fmt.Errorf("arrival %v is no time; give a number from 0 to %g, or leave the job out", j.Arrival, stream.Longest))
	}
	if j.Need < 1 && j.Units == nil {
		faults = append(faults, fmt.Errorf("need %d is below 1; a job needs at least one server, so fix it or leave the job out", j.Need))
	}
	if !(j.Service >= 0 && j.Service <= stream.Longest) {
		faults = append(faults, fmt.Errorf("service %v is no time; give a number from 0 to %g, or leave the job out", j.Service, stream.Longest))
	}
	if !(j.Estimate >= 0 && j.Estimate <= stream.Longest) {
		faults = append(faults, fmt.Errorf("estimate %v is no time; give a number up to %g, or 0 if it is not known", j.Estimate, stream.Longest))
	}
	if j.WaitKnown && !(j.Waited >= 0 && j.Waited <= stream.Longest) {
		faults = append(faults, fmt.Errorf("wait %v is no time; give a number from 0 to %g, or leave WaitKnown out", j.Waited, stream.Longest))
	}
	return faults
}
