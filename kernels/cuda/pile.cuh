// Algorithm 2, the pile of the saturated system.
#pragma once
#include "chains.cuh"

// Tower is the task of a chain that grows a pile.
struct Tower {
	u64 rep;
	i64 at;
	double lifted; // by how much the origin has been moved up
};

// pile adds jobs to saturated systems up to job index to: Algorithm 2. sums has
// for every class the number of jobs after the warm-up and the work they brought,
// then the heights of the parts of the pile after the warm-up, and now.
template <class Chain, bool FEW>
__device__ void pile(const Model *m, Tower *tasks, Saved *saved, double *release, int *count,
	double *sums, i64 chains, i64 slots, i64 quota, i64 warmUp, i64 to, double *shared) {
	const double *logs = stage(m, shared);
	i64 id = chainOfThread();
	if (id >= chains)
		return;
	Tower t = tasks[id];
	Desk<Chain, FEW> desk = {saved, release, count, chains, slots};
	Chain r;
	desk.open(r, m, shared, 0, 1, id);
	double waste, *heights = sums + 2 * m->classes * chains + id;
	for (i64 stop = t.at + quota < to ? t.at + quota : to; t.at < stop;) {
		i64 end = endOfBlock(t.at, t.at < warmUp ? warmUp : to);
		for (i64 pause = within(t.at, stop - t.at, end); t.at < pause; t.at++) {
			Job j = draw(m, t.rep, t.at, logs);
			r.serve(m, 0, j, waste);
			if (t.at < warmUp)
				continue;
			double *s = sums + 2 * j.type * chains + id;
			s[0] += 1;
			s[chains] += (double)j.need * j.service;
		}
		if (t.at < end)
			break;
		if (t.at == warmUp)
			for (int k = 0; k < r.heights(); k++)
				heights[k * chains] = t.lifted + r.height(k);
		t.lifted += r.lower();
	}
	for (int k = 0; k < r.heights(); k++)
		heights[(r.heights() + k) * chains] = t.lifted + r.height(k);
	desk.close(r, id);
	tasks[id] = t;
}
