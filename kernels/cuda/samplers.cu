// The kernels: one thread runs one chain, which is one replication. A launch
// takes every chain at most a quota of jobs further and leaves it in global
// memory, so that no launch lasts long and the host can stop between two.
//
// Jobs are taken in blocks that end at multiples of BLOCK; there the origin of
// time moves to the next arrival, as on the CPU: chains that have coupled then
// agree to the last bit, and absolute times lose no digits however long the run.
#include "backward.cuh"
#include "certified.cuh"
#include "forward.cuh"
#include "pile.cuh"

// layout.go says the same.
static_assert(sizeof(Model) == 104 && sizeof(Law) == 56 && sizeof(Class) == 64 && sizeof(Cell) == 24, "input");
static_assert(sizeof(Saved) == 40 && sizeof(Window) == 56 && sizeof(Replication) == 24 && sizeof(Tower) == 40 && sizeof(Squeeze) == 48, "tasks");

// The entry points: few groups in shared memory, many in global memory.
extern __shared__ double shared[];

#define ENTRY(name, heap) \
	extern "C" __global__ void mjq_backward_##name(const Model *m, Window *tasks, Saved *saved, double *release, \
		int *count, double *rows, i64 chains, i64 slots, i64 quota) { \
		backward<heap>(m, tasks, saved, release, count, rows, chains, slots, quota, shared); \
	} \
	extern "C" __global__ void mjq_certified_##name(const Model *m, Squeeze *tasks, Saved *saved, double *release, \
		int *count, double *rows, i64 chains, i64 slots, i64 quota) { \
		certified<heap>(m, tasks, saved, release, count, rows, chains, slots, quota, shared); \
	} \
	extern "C" __global__ void mjq_forward_##name(const Model *m, Replication *tasks, Saved *saved, double *release, \
		int *count, double *sums, u64 *histograms, i64 chains, i64 slots, i64 quota, i64 warmUp, i64 total) { \
		forward<heap>(m, tasks, saved, release, count, sums, histograms, chains, slots, quota, warmUp, total, shared); \
	} \
	extern "C" __global__ void mjq_pile_##name(const Model *m, Tower *tasks, Saved *saved, double *release, \
		int *count, double *sums, i64 chains, i64 slots, i64 quota, i64 warmUp, i64 to) { \
		pile<heap>(m, tasks, saved, release, count, sums, chains, slots, quota, warmUp, to, shared); \
	}

ENTRY(few, false)
ENTRY(many, true)

// mjq_jobs writes jobs first, first+1, ... of a replication: gap, service,
// class and probe of the class, four numbers a job. It is there to check the stream.
extern "C" __global__ void mjq_jobs(const Model *m, u64 rep, i64 first, double *out, i64 jobs) {
	const double *logs = stage(m, shared);
	i64 i = chainOfThread();
	if (i >= jobs)
		return;
	Job j = draw(m, rep, first + i, logs);
	out[4 * i] = j.gap;
	out[4 * i + 1] = j.service;
	out[4 * i + 2] = (double)j.type;
	out[4 * i + 3] = probe(m, rep, j.type, logs);
}
