package trace

import (
	"bytes"
	"cmp"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"

	"github.com/mjqueue/mjq/mjq/trace/internal/slurm"
)

// A job is its cluster, its ID and its first submission. Two lines are one run if cluster, ID, user,
// need and start agree: exports that overlap tell it twice.

// jobID is the ID of a job with the cluster that gave it.
type jobID struct {
	number  uint64
	cluster int32
}

func (a jobID) compare(b jobID) int {
	return cmp.Or(cmp.Compare(a.number, b.number), cmp.Compare(a.cluster, b.cluster))
}

// idOf is the ID of a run.
func (in *sacctReader) idOf(r *sacctRun) jobID { return jobID{r.id, in.shared[r.labels].cluster} }

// identity is that of the job of the line: a task of an array and a component have their own.
func (in *sacctReader) identity() uint64 {
	if !in.isRaw() {
		return identity(cell(in.cells, in.columns.id))
	}
	return identity(cell(in.cells, in.columns.idRaw))
}

// isRaw reports whether the line has no JobID.
func (in *sacctReader) isRaw() bool { return len(cell(in.cells, in.columns.id)) == 0 }

// identity is the number of a job, of a task of an array its array and task, of another text its
// hash.
func identity(text []byte) uint64 {
	if n, err := strconv.ParseUint(string(text), 10, 32); err == nil {
		return n
	}
	if array, task, ok := bytes.Cut(text, []byte{'_'}); ok {
		a, err := strconv.ParseUint(string(array), 10, 31)
		n, wrong := strconv.ParseUint(string(task), 10, 32)
		if err == nil && wrong == nil {
			return taskOf(a, n)
		}
	}
	h := fnv.New64a()
	_, _ = h.Write(text)
	return h.Sum64() | 1<<63
}

// taskOf is the ID of a task of an array.
func taskOf(array, task uint64) uint64 { return array<<32 | task }

// mostTasks is how many tasks of an array may wait in one line: Slurm allows 4,000,001 in an array.
const mostTasks = 1 << 22

// tasks are the IDs that a line stands for: those of the tasks of an array that have not begun, as
// 12_[3-9%2], or the one of a job. False if they cannot be read.
func (in *sacctReader) tasks(no int) (ids []uint64, ok bool) {
	id := cell(in.cells, in.columns.id)
	base, list, isArray := bytes.Cut(id, []byte("_["))
	array, err := strconv.ParseUint(string(base), 10, 31)
	if !isArray || err != nil {
		return []uint64{in.identity()}, true
	}
	numbers, cut, err := slurm.Tasks(list, mostTasks)
	if err != nil {
		in.malformed(no, noTasks, fmt.Sprintf("%.40q: %v", id, err))
		return nil, false
	}
	if cut {
		in.adjust(someTasks, no)
	}
	for _, n := range numbers {
		ids = append(ids, taskOf(array, uint64(n)))
	}
	return ids, true
}

// identify finds the lines that tell of one run, and those of one job.
func (in *sacctReader) identify() {
	byStart := func(a, b *sacctRun) int {
		return cmp.Or(in.idOf(a).compare(in.idOf(b)), cmp.Compare(a.start(), b.start()))
	}
	in.nameClusters()
	list := in.sortedRuns(byStart)
	in.byID(list, in.sameRuns)
	if in.sameTasks(list) {
		list = in.sortedRuns(byStart)
	}
	in.nodeFailed()
	in.remains(list)
	in.settleLeft(list)
	in.byID(list, in.runsOf)
}

// byID calls a function for the runs of each ID.
func (in *sacctReader) byID(list []int32, each func(runs []int32)) {
	for from := 0; from < len(list); {
		id, to := in.idOf(in.runs.at(int(list[from]))), from+1
		for to < len(list) && in.idOf(in.runs.at(int(list[to]))) == id {
			to++
		}
		each(list[from:to])
		from = to
	}
}

// sameRuns drops the lines that tell of a run again: what has ended is known better than what runs.
func (in *sacctReader) sameRuns(list []int32) {
	for i, k := range list {
		best := in.runs.at(int(k))
		for _, m := range list[i+1:] {
			r := in.runs.at(int(m))
			if best.fate == dropped || r.start() != best.start() {
				break
			}
			if r.fate == dropped || r.need != best.need || in.shared[r.labels].user != in.shared[best.labels].user {
				continue
			}
			if !r.better(best) {
				in.drops(r, best)
				continue
			}
			in.drops(best, r)
			break
		}
	}
}

// better reports whether a line tells more of a run than another.
func (r *sacctRun) better(than *sacctRun) bool {
	if r.still() != than.still() {
		return !r.still()
	}
	return r.service > than.service
}

// drops leaves out a line that tells of the same run as another, which stays.
func (in *sacctReader) drops(r, stays *sacctRun) {
	r.fate = dropped
	in.skip(sameRun, int(r.line))
	if l := in.shared[stays.labels]; l.raw && !in.shared[r.labels].raw {
		l.raw = false
		stays.labels = in.share(l)
	}
}

// remains settles the runs that have no job, and those that have not ended.
func (in *sacctReader) remains(list []int32) {
	for _, k := range list {
		switch r := in.runs.at(int(k)); {
		case r.fate == dropped:
		case r.state == gone:
			r.fate = dropped
		case r.still() && !in.options.Running:
			r.fate = dropped
			in.skip(runsStill, int(r.line))
		case r.still():
			in.adjust(soFar, int(r.line))
		}
	}
}

// soon is the time within which a job that ended is put back into the queue.
const soon = 24 * 60 * 60

// later reports whether a run is a later one of the same job, rather than of a job that got its ID.
func (in *sacctReader) later(before, r *sacctRun) bool {
	ended := before.start() + int64(before.service)
	return in.shared[before.labels].user == in.shared[r.labels].user && (before.state != done || r.arrival-ended <= soon)
}

// runsOf settles the runs of one ID, in the order of their starts.
func (in *sacctReader) runsOf(list []int32) {
	var before *sacctRun
	for _, k := range list {
		r := in.runs.at(int(k))
		if r.fate == dropped {
			continue
		}
		switch {
		case before == nil || !in.later(before, r):
		case in.options.Requeued == LastRun:
			before.fate = dropped
			in.skip(earlierRun, int(before.line))
		case in.options.Requeued == Joined:
			r.service += before.service
			r.arrival, r.wait, before.fate = before.arrival, before.wait, dropped
			in.report.Joined++
			in.adjust(joinedRun, int(r.line))
		default:
			in.adjust(laterRun, int(r.line))
		}
		before = r
	}
}

// settleLeft drops those that wait in one line and started or left in another. runs are in the order
// of their IDs.
func (in *sacctReader) settleLeft(runs []int32) {
	slices.SortStableFunc(in.left, func(a, b departed) int {
		return cmp.Or(a.id.compare(b.id), cmp.Compare(a.user, b.user), cmp.Compare(a.submit, b.submit), cmp.Compare(one(a.Waiting), one(b.Waiting)))
	})
	tasks := in.leftTasks(runs)
	lines := map[int]bool{} // told by a line that counts: a line may stand for many tasks
	var kept []departed
	for i, d := range in.left {
		same := func(x departed) bool { return x.id == d.id && x.user == d.user }
		twice := i > 0 && same(in.left[i-1]) && in.left[i-1].submit == d.submit || d.toldAsTask(tasks)
		later := d.Waiting && (i+1 < len(in.left) && same(in.left[i+1]) && in.left[i+1].submit > d.submit || in.started(runs, &d))
		lines[d.Line] = lines[d.Line] || !twice && !later
		if !twice && !later {
			kept = append(kept, d)
		}
	}
	told := map[int]bool{}
	for _, d := range in.left {
		switch {
		case told[d.Line]:
		case lines[d.Line]:
			in.skip(d.reason, d.Line)
		default:
			in.skip(sameRun, d.Line)
		}
		told[d.Line] = true
	}
	in.left = kept
}

// started reports whether a job that waits in one line started in another.
func (in *sacctReader) started(runs []int32, d *departed) bool {
	since := func(id jobID, last uint64) bool {
		from, _ := slices.BinarySearchFunc(runs, id, func(k int32, id jobID) int { return in.idOf(in.runs.at(int(k))).compare(id) })
		for _, k := range runs[from:] {
			r := in.runs.at(int(k))
			if r.id > last {
				break
			}
			if l := &in.shared[r.labels]; l.cluster == id.cluster && l.user == d.user && r.start() >= d.submit {
				return true
			}
		}
		return false
	}
	if since(d.id, d.id.number) {
		return true
	}
	first, last := tasksOf(d.id)
	return d.raw && since(first, last)
}
