// Paths that are looked at every few jobs from job 0 on: samples that are followed, and
// the pairs of windows of which unbiased ones are made.
#pragma once
#include "chains.cuh"

// Path is the task of one chain along a path, or of two of which the second begins later.
struct Path {
	u64 rep;
	i64 half;     // job before which a block ends and the second chain begins
	i64 pair;     // 1: there is a second chain
	i64 by, to;   // jobs between looks, and the job at which the path ends
	i64 at, next; // next job, and the next one before which there is a look
	i64 steps;    // of the recurrence so far
	i64 looks;    // since the host has read them
	i64 state;    // RUNNING, COUPLED, or OVER
};

enum { OVER = 4 };

// come keeps account of a job: the gap, then by class the number and the services.
__device__ inline void come(double *came, i64 chains, const Job &j) {
	came[0] += j.gap;
	came[(1 + 2 * j.type) * chains] += 1;
	came[(2 + 2 * j.type) * chains] += j.service;
}

// paths runs chains from an empty start. A look writes what the first chain shows and
// then either what the second shows or what has come since the last look, which is kept
// in came. A path ends where both chains are the same, waits where as many looks as rows
// can hold have not been read, and is over at job to. The chains of a third set are
// where the groups of one that is looked at are kept.
template <class Chain, bool FEW>
__device__ void paths(const Model *m, Path *tasks, Saved *saved, double *release, int *count, double *rows,
	i64 chains, i64 slots, i64 quota, double *came, i64 most, double *shared) {
	const double *logs = stage(m, shared);
	i64 id = chainOfThread();
	if (id >= chains || tasks[id].state != RUNNING)
		return;
	Path t = tasks[id];
	Desk<Chain, FEW> first = {saved, release, count, chains, slots}, second = first.next(m), spare = second.next(m);
	Chain a, b;
	first.open(a, m, shared, 0, 2, id);
	second.open(b, m, shared, 1, 2, id);
	i64 state = 1 + 3 * m->classes + m->classes * m->types, ledger = 1 + 2 * m->classes;
	i64 width = state + (t.pair ? state : ledger);
	came += id;
	for (i64 done = 0; done < quota;) {
		bool both = t.pair && t.at >= t.half, look = t.at == t.next;
		if (both && t.at == t.half)
			b.empty();
		if (both && (t.at == t.half || look || (t.at < 0 && beginsBlock(t.at))) && same(a.work(), b.work())) {
			t.state = COUPLED;
			break;
		}
		if (look) {
			if (t.looks == most)
				break;
			double *row = rows + t.looks * width * chains + id;
			a.look(m, t.rep, t.at, logs, row, chains, spare.release + id, spare.count + id);
			if (t.pair)
				b.look(m, t.rep, t.at, logs, row + state * chains, chains, spare.release + id, spare.count + id);
			for (i64 k = 0; !t.pair && k < ledger; k++) {
				row[(state + k) * chains] = came[k * chains];
				came[k * chains] = 0;
			}
			t.looks++;
			t.next += t.by;
		}
		if (t.at == t.to) {
			t.state = OVER;
			break;
		}
		i64 end = endOfBlock(t.at, t.at < t.half ? t.half : t.at < 0 ? 0 : t.to);
		i64 pause = within(t.at, quota - done, end < t.next ? end : t.next);
		i64 steps = (pause - t.at) * (both ? 2 : 1);
		for (; t.at < pause; t.at++) {
			Job j = draw(m, t.rep, t.at, logs);
			arrive(a, m, j);
			if (both)
				arrive(b, m, j);
			if (t.at >= 0 && !t.pair)
				come(came, chains, j);
		}
		if (t.at == end)
			a.rebase();
		if (t.at == end && both)
			b.rebase();
		t.steps += steps;
		done += steps;
	}
	first.close(a, id);
	second.close(b, id);
	tasks[id] = t;
}
