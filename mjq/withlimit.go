package mjq

// WithLimit is the model with its stability limit given instead of found: every
// verb then judges stability by it. It is for programs that have a limit
// already, or for which a rough one from Stability().RelErr(0.05) will do, while
// finding it anew would take seconds. The limit must be that of these servers
// and classes; a wrong one gives finite waits to an unstable model or refuses a
// stable one. A model at a load is at that fraction of the given limit.
func (m *Model) WithLimit(st *Stability) *Model {
	c := *m
	c.limit = &limit{st: st}
	return &c
}
