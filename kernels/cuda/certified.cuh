// Certified stopping: a chain that starts above the stationary one and a chain
// that starts empty close in on it; mjq/internal/sampling/certified.go.
#pragma once
#include "chains.cuh"

// Squeeze is the task of two chains that close in on a sample.
struct Squeeze {
	u64 rep;
	i64 window;   // jobs before job 0
	i64 at;       // next job; at first one block of the majorant before the window
	i64 steps;    // of the recurrence so far
	i64 state;    // how far it is, or how it ended
	double above; // until when the upper chain starts occupied, less the height of the pile
};

enum { PILING, CLOSING, JOINED, CERTIFIED, MISSED };

// lowerStart is the job before which the lower chain starts empty: the first
// that begins a block in the last quarter of the window, or 0 if none does.
__device__ i64 lowerStart(i64 window) {
	i64 quarter = window / 4 > BLOCK ? window / 4 : BLOCK;
	return -((quarter < window ? quarter : window) & ~(BLOCK - 1));
}

// certified runs both chains of a window. The upper one first makes the pile of
// the block before the window, whose height says how long it starts occupied.
// Once both have met, the lower one goes on alone.
template <class Chain, bool FEW>
__device__ void certified(const Model *m, Squeeze *tasks, Saved *saved, double *release, int *count,
	double *rows, i64 chains, i64 slots, i64 quota, double *shared) {
	const double *logs = stage(m, shared);
	i64 id = chainOfThread();
	if (id >= chains || tasks[id].state >= CERTIFIED)
		return;
	Squeeze t = tasks[id];
	// The lower chains come first in global memory, then the upper ones.
	Desk<Chain, FEW> first = {saved, release, count, chains, slots}, second = first.next(m);
	Chain lower, upper;
	first.open(lower, m, shared, 0, 2, id);
	second.open(upper, m, shared, 1, 2, id);
	i64 start = lowerStart(t.window);
	double waste;
	for (i64 done = 0; t.at < 0 && done < quota;) {
		if (t.state == PILING && t.at == -t.window) {
			t.above += upper.last;
			upper.empty();
			upper.occupy(t.above);
			t.state = CLOSING;
		}
		bool piling = t.state == PILING, falls = t.state != JOINED, begun = !piling && t.at >= start;
		if (t.at == start && begun)
			lower.empty();
		i64 end = endOfBlock(t.at, piling ? -t.window : 0);
		i64 pause = within(t.at, quota - done, end);
		i64 steps = (pause - t.at) * ((falls ? 1 : 0) + (begun ? 1 : 0));
		for (; t.at < pause; t.at++) {
			Job j = draw(m, t.rep, t.at, logs);
			if (begun) {
				lower.step(lower.now, j.need, j.service, waste);
				lower.now += j.gap;
			}
			if (falls) {
				upper.step(upper.now, j.need, j.service, waste);
				upper.now += piling ? 0 : j.gap;
			}
		}
		t.steps += steps;
		done += steps;
		if (t.at < end)
			continue;
		if (begun)
			lower.rebase();
		if (falls && !piling)
			upper.rebase();
		if (falls && begun && same(lower.work(), upper.work()))
			t.state = JOINED;
	}
	if (t.at < 0) {
		first.close(lower, id);
		second.close(upper, id);
	} else if (t.state == JOINED) {
		lower.observe(m, t.rep, 0, logs, rows + id, chains);
		t.state = CERTIFIED;
	} else {
		t.state = MISSED;
	}
	tasks[id] = t;
}
