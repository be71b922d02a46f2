// Replications from an empty start.
#pragma once
#include "chains.cuh"

// Replication is the task of a chain that runs forward.
struct Replication {
	u64 rep;
	i64 at;
	double waste; // head-of-line server-time of the recorded jobs
	double level; // of the queue when it was last looked at, for control variates
	i64 turns;    // parts of the path that have been noted
};

const int CELL_SHIFT = 44; // 256 cells an octave
const i64 LOWEST = 1023 - 40, OCTAVES = 104;
const i64 HISTOGRAM = OCTAVES << 8;

// tally counts x in the cells of estimate.Histogram.
__device__ void tally(u64 *cells, double x) {
	i64 cell = (i64)((u64)__double_as_longlong(x) >> CELL_SHIFT);
	i64 octave = (cell >> 8) - LOWEST;
	octave = octave < 0 ? 0 : octave >= OCTAVES ? OCTAVES - 1 : octave;
	atomicAdd(cells + (octave << 8 | (cell & 255)), 1ull);
}

const i64 CLOSEST = 32;

// looked tells whether the level of the queue is looked at before a recorded job: every
// few from the beginning of a block on.
__device__ inline bool looked(i64 at, i64 warmUp) {
	i64 begin = at & ~(BLOCK - 1);
	return (at - (begin < warmUp ? warmUp : begin)) % CLOSEST == 0;
}

// note writes all sums of a chain as they are: what forward records, what account adds,
// and the waste. Numbers of one chain lie as far apart as there are chains.
__device__ inline void note(const double *sums, i64 recorded, i64 accounts, double waste, double *row, i64 chains) {
	for (i64 k = 0; k < recorded + accounts; k++)
		row[k * chains] = sums[k * chains];
	row[(recorded + accounts) * chains] = waste;
}

// forward runs the queue from an empty start. sums has for every class the
// number of recorded jobs, the sums of their waits and of the squares, and how
// many waits and responses were zero, and after all classes for every type of
// resource the unit-time that stood idle; histograms has for every class one of the
// waits and one of the responses of all chains together.
//
// With control variates, account has, after these sums, that of the gaps and that of the
// gaps times the level of the queue at the last look before them, and for every class
// the sum of the services and those of 1 and of the service times the level; and rows
// takes all sums at the end of each part of the path, of at least every jobs.
template <class Chain, bool FEW, bool CONTROLLED>
__device__ void forward(const Model *m, Replication *tasks, Saved *saved, double *release, int *count,
	double *sums, u64 *histograms, i64 chains, i64 slots, i64 quota, i64 warmUp, i64 total,
	double *rows, i64 every, double *shared) {
	const double *logs = stage(m, shared);
	i64 id = chainOfThread();
	if (id >= chains)
		return;
	Replication t = tasks[id];
	Desk<Chain, FEW> desk = {saved, release, count, chains, slots};
	Chain r;
	desk.open(r, m, shared, 0, 1, id);
	i64 recorded = 5 * m->classes + m->types, accounts = CONTROLLED ? 2 + 3 * m->classes : 0;
	i64 width = (recorded + accounts + 1) * chains;
	double *account = sums + recorded * chains + id;
	for (i64 stop = t.at + quota < total ? t.at + quota : total; t.at < stop;) {
		i64 end = endOfBlock(t.at, total);
		if (t.at < warmUp && end > warmUp)
			end = warmUp;
		for (i64 pause = within(t.at, stop - t.at, end); t.at < pause; t.at++) {
			if (CONTROLLED && t.at >= warmUp && looked(t.at, warmUp)) {
				t.level = r.work() * m->share;
				if (t.at - warmUp >= (t.turns + 1) * every)
					note(sums + id, recorded, accounts, t.waste, rows + t.turns++ * width + id, chains);
			}
			Job j = draw(m, t.rep, t.at, logs);
			double waste, wait = r.serve(m, r.now, j, waste) - r.now;
			r.now += j.gap;
			if (t.at < warmUp)
				continue;
			double *s = sums + 5 * j.type * chains + id;
			u64 *h = histograms + 2 * j.type * HISTOGRAM;
			double response = wait + j.service;
			s[0] += 1;
			s[chains] += wait;
			s[2 * chains] += wait * wait;
			t.waste += waste;
			r.idled(sums + 5 * m->classes * chains + id, chains);
			if (CONTROLLED) {
				double *c = account + (2 + 3 * j.type) * chains;
				account[0] += j.gap;
				account[chains] += t.level * j.gap;
				c[0] += j.service;
				c[chains] += t.level;
				c[2 * chains] += t.level * j.service;
			}
			if (wait > 0)
				tally(h, wait);
			else
				s[3 * chains] += 1;
			if (response > 0)
				tally(h + HISTOGRAM, response);
			else
				s[4 * chains] += 1;
		}
		if (t.at == end)
			r.rebase();
	}
	if (CONTROLLED && t.at == total)
		note(sums + id, recorded, accounts, t.waste, rows + t.turns++ * width + id, chains);
	desk.close(r, id);
	tasks[id] = t;
}
