package trace

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
