package trace

import (
	"math"
	"slices"
)

// In JobIDRaw the tasks of arrays and the components of heterogeneous jobs have IDs of their own, which
// JobID does not tell. An export with JobID alone and one with JobIDRaw alone are of one run if all else
// that identifies it agrees.

// runKey is that.
type runKey struct {
	cluster, user, need int32
	wait                uint32
	arrival             int64
}

func (in *sacctReader) runKey(r *sacctRun) runKey {
	l := &in.shared[r.labels]
	return runKey{l.cluster, l.user, r.need, r.wait, r.arrival}
}

// sameTasks drops the lines of exports with JobIDRaw alone that tell of a task or a component that a line
// with its JobID tells too, one for one. It reports whether runs have another ID for it.
func (in *sacctReader) sameTasks(list []int32) (moved bool) {
	has := func(raw bool) bool {
		return slices.ContainsFunc(in.shared, func(l labels) bool { return l.raw == raw })
	}
	if !has(true) || !has(false) {
		return false
	}
	raw := map[runKey][]*sacctRun{}
	for _, k := range list {
		if r := in.runs.at(int(k)); r.fate == kept && r.state != gone && in.shared[r.labels].raw {
			key := in.runKey(r)
			raw[key] = append(raw[key], r)
		}
	}
	is, told := map[jobID]uint64{}, map[*sacctRun]bool{} // the IDs of raw ones, and tasks that are told twice
	pair := func(same func(r, task *sacctRun) bool) {
		for _, k := range list {
			task := in.runs.at(int(k))
			if task.fate != kept || task.state == gone || told[task] || task.id <= math.MaxUint32 || in.shared[task.labels].raw {
				continue
			}
			key := in.runKey(task)
			at := slices.IndexFunc(raw[key], func(r *sacctRun) bool { return same(r, task) })
			if at < 0 {
				continue
			}
			r := raw[key][at]
			raw[key] = slices.Delete(raw[key], at, at+1)
			is[in.idOf(r)], told[task] = task.id, true
			if r.better(task) {
				task.service, task.state, task.estimate = r.service, r.state, r.estimate
			}
			in.drops(r, task)
		}
	}
	alike := func(r, task *sacctRun) bool { return r.state == task.state && r.service == task.service }
	pair(alike)
	pair(func(r, task *sacctRun) bool { return (r.still() || task.still()) && !alike(r, task) })
	for i := range in.runs.n {
		r := in.runs.at(i)
		if id, known := is[in.idOf(r)]; known && in.shared[r.labels].raw {
			r.id = id
		}
	}
	return len(is) > 0
}

// tasksOf are the IDs that the tasks of an array may have.
func tasksOf(array jobID) (first jobID, last uint64) {
	if array.number > math.MaxInt32 {
		return array, 0
	}
	return jobID{taskOf(array.number, 0), array.cluster}, taskOf(array.number, math.MaxUint32)
}

// leftKey is what identifies jobs that have not started but for their ID: those of an array by its ID,
// those that left by when they did, and those that wait, until -1, by their need.
type leftKey struct {
	cluster, user int32
	need          int
	array         uint64
	submit, until int64
}

// keysOf are those of a job; several where it may be a task.
func keysOf(d *departed) []leftKey {
	array := d.id.number
	if !d.raw {
		array >>= 32
	}
	k := leftKey{cluster: d.id.cluster, user: d.user, array: array, submit: d.submit}
	if d.Waiting {
		return []leftKey{k, {cluster: d.id.cluster, user: d.user, need: d.Need, submit: d.arrival, until: -1}}
	}
	return []leftKey{k, {cluster: d.id.cluster, user: d.user, need: d.Need, submit: d.submit, until: d.until}}
}

// leftTasks are the keys of all tasks and components, where some jobs that have not started are known by
// JobIDRaw alone.
func (in *sacctReader) leftTasks(runs []int32) map[leftKey]bool {
	if !slices.ContainsFunc(in.left, func(d departed) bool { return d.raw }) {
		return nil
	}
	keys := map[leftKey]bool{}
	for i := range in.left {
		if d := &in.left[i]; !d.raw && d.id.number > math.MaxUint32 {
			for _, k := range keysOf(d) {
				keys[k] = true
			}
		}
	}
	for _, k := range runs {
		if r := in.runs.at(int(k)); r.id > math.MaxUint32 {
			l := &in.shared[r.labels]
			keys[leftKey{cluster: l.cluster, user: l.user, need: int(r.need), submit: r.arrival, until: -1}] = true
		}
	}
	return keys
}

// toldAsTask reports whether a job is known by JobIDRaw alone, and one of the tasks.
func (d *departed) toldAsTask(tasks map[leftKey]bool) bool {
	return d.raw && slices.ContainsFunc(keysOf(d), func(k leftKey) bool { return tasks[k] })
}

// An export without the column Cluster does not say of which cluster its jobs are, as that of sacct --json
// does. Its lines are of the one cluster that the others name, or of the job that they tell of too.

// madeKey is what identifies a run or a job that has not started, but for its cluster.
type madeKey struct {
	id         uint64
	user, need int32
	at         int64 // start, or arrival with the need -1
}

// nameClusters gives lines without a cluster that of others.
func (in *sacctReader) nameClusters() {
	unknown, some := in.clusters.number[""]
	if !some || len(in.clusters.list) < 2 {
		return
	}
	made := map[madeKey]int32{}
	of := func(k madeKey) (int32, bool) {
		if len(in.clusters.list) == 2 {
			return 1 - unknown, true
		}
		c, known := made[k]
		return c, known
	}
	runKey := func(r *sacctRun) madeKey { return madeKey{r.id, in.shared[r.labels].user, r.need, r.start()} }
	leftKey := func(d *departed) madeKey { return madeKey{d.id.number, d.user, -1, d.arrival} }
	if len(in.clusters.list) > 2 {
		for i := range in.runs.n {
			r := in.runs.at(i)
			if l := &in.shared[r.labels]; l.cluster != unknown {
				made[runKey(r)], made[madeKey{r.id, l.user, -1, r.arrival}] = l.cluster, l.cluster
			}
		}
		for i := range in.left {
			if d := &in.left[i]; d.id.cluster != unknown {
				made[leftKey(d)] = d.id.cluster
			}
		}
	}
	for i := range in.runs.n {
		r := in.runs.at(i)
		if l := in.shared[r.labels]; l.cluster == unknown {
			if c, known := of(runKey(r)); known {
				l.cluster = c
				r.labels = in.share(l)
			}
		}
	}
	for i := range in.left {
		if d := &in.left[i]; d.id.cluster == unknown {
			if c, known := of(leftKey(d)); known {
				d.id.cluster = c
			}
		}
	}
}
