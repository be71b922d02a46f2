// The kernels: one thread runs one chain, which is one replication. A launch
// takes every chain at most a quota of jobs further and leaves it in global
// memory, so that no launch lasts long and the host can stop between two.
//
// Jobs are taken in blocks that end at multiples of BLOCK; there, and only there,
// the origin of time moves to the next arrival and chains are compared, as on the
// CPU: chains that have coupled then agree to the last bit, and absolute times
// lose no digits however long the run. A launch may pause within a block.
#include "backward.cuh"
#include "certified.cuh"
#include "forward.cuh"
#include "paths.cuh"
#include "pile.cuh"

// layout.go says the same.
static_assert(sizeof(Model) == 144 && sizeof(Law) == 48 && sizeof(Class) == 64 && sizeof(Cell) == 16 && sizeof(Resource) == 16, "input");
static_assert(sizeof(Saved) == 40 && sizeof(Window) == 56 && sizeof(Replication) == 40 && sizeof(Path) == 80 && sizeof(Tower) == 24 && sizeof(Squeeze) == 48, "tasks");

// The entry points: few groups in shared memory, many in global memory.
alignas(16) extern __shared__ double shared[];

// The blocks of 128 threads that a multiprocessor has registers for, as many as the kernel
// bears without spilling them, are what hides the time that memory takes.
#define KERNEL(blocks) extern "C" __global__ void __launch_bounds__(128, blocks)

#define WINDOWS(kernel, name, Task, Chain, few, blocks) \
	KERNEL(blocks) mjq_##kernel##_##name(const Model *m, Task *tasks, Saved *saved, double *release, \
		int *count, double *rows, i64 chains, i64 slots, i64 quota) { \
		kernel<Chain, few>(m, tasks, saved, release, count, rows, chains, slots, quota, shared); \
	}

#define RUNS(name, Chain, few, windows, looks, runs) \
	WINDOWS(backward, name, Window, Chain, few, windows) \
	KERNEL(runs) mjq_forward_##name(const Model *m, Replication *tasks, Saved *saved, double *release, \
		int *count, double *sums, u64 *histograms, i64 chains, i64 slots, i64 quota, i64 warmUp, i64 total) { \
		forward<Chain, few, false>(m, tasks, saved, release, count, sums, histograms, chains, slots, quota, warmUp, total, 0, 0, shared); \
	} \
	KERNEL(runs) mjq_account_##name(const Model *m, Replication *tasks, Saved *saved, double *release, \
		int *count, double *sums, u64 *histograms, i64 chains, i64 slots, i64 quota, i64 warmUp, i64 total, double *rows, i64 every) { \
		forward<Chain, few, true>(m, tasks, saved, release, count, sums, histograms, chains, slots, quota, warmUp, total, rows, every, shared); \
	} \
	KERNEL(looks) mjq_paths_##name(const Model *m, Path *tasks, Saved *saved, double *release, int *count, \
		double *rows, i64 chains, i64 slots, i64 quota, double *came, i64 most) { \
		paths<Chain, few>(m, tasks, saved, release, count, rows, chains, slots, quota, came, most, shared); \
	} \
	KERNEL(runs) mjq_pile_##name(const Model *m, Tower *tasks, Saved *saved, double *release, \
		int *count, double *sums, i64 chains, i64 slots, i64 quota, i64 warmUp, i64 to) { \
		pile<Chain, few>(m, tasks, saved, release, count, sums, chains, slots, quota, warmUp, to, shared); \
	}

RUNS(few, Runs<false>, true, 4, 3, 5)
RUNS(many, Runs<true>, false, 4, 3, 5)
RUNS(types_few, Types, true, 4, 4, 6)
RUNS(types_many, Types, false, 4, 4, 6)

// The bound behind certified samples is one of the plain queue.
WINDOWS(certified, few, Squeeze, Runs<false>, true, 4)
WINDOWS(certified, many, Squeeze, Runs<true>, false, 4)

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
	out[4 * i + 3] = probe(m, rep, j.type, 0, logs);
}
