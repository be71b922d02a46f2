// Algorithm 1, coupling from the past with doubled windows.
#pragma once
#include "chains.cuh"

// Window is the task of a chain that samples backward.
struct Window {
	u64 rep;
	i64 window;     // jobs before job 0
	i64 doubles;    // 1: compare with half the window
	i64 at;         // next job
	i64 steps;      // of the recurrence so far
	i64 state;      // RUNNING, or how it ended
	double before;  // the work seen with half the window
};

enum { RUNNING, COUPLED, CHANGED, AGREED };

template <class Chain, bool FEW>
__device__ void backward(const Model *m, Window *tasks, Saved *saved, double *release, int *count,
	double *rows, i64 chains, i64 slots, i64 quota, double *shared) {
	const double *logs = stage(m, shared);
	i64 id = chainOfThread();
	if (id >= chains || tasks[id].state != RUNNING)
		return;
	Window t = tasks[id];
	// The long chains come first in global memory, then the short ones.
	Desk<Chain, FEW> first = {saved, release, count, chains, slots}, second = first.next(m);
	Chain a, b;
	first.open(a, m, shared, 0, 2, id);
	second.open(b, m, shared, 1, 2, id);
	i64 half = t.doubles ? -(t.window / 2) : 0;
	for (i64 done = 0; t.at < 0 && done < quota;) {
		bool both = t.doubles && t.at >= half;
		if (both && t.at == half)
			b.empty();
		if (both && (t.at == half || beginsBlock(t.at)) && same(a.work(), b.work())) {
			t.state = COUPLED;
			break;
		}
		i64 end = endOfBlock(t.at, t.at < half ? half : 0);
		i64 pause = within(t.at, quota - done, end);
		i64 steps = (pause - t.at) * (both ? 2 : 1);
		for (; t.at < pause; t.at++) {
			Job j = draw(m, t.rep, t.at, logs);
			arrive(a, m, j);
			if (both)
				arrive(b, m, j);
		}
		if (t.at == end)
			a.rebase();
		if (t.at == end && both)
			b.rebase();
		t.steps += steps;
		done += steps;
	}
	if (t.state == RUNNING && t.at >= 0) {
		double now = a.observe(m, t.rep, 0, logs, rows + id, chains);
		t.state = t.doubles && same(t.before, now) ? AGREED : CHANGED;
	} else if (t.state == RUNNING) {
		first.close(a, id);
		second.close(b, id);
	}
	tasks[id] = t;
}
