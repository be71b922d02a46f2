// The kernels: one thread runs one chain, which is one replication. A launch
// takes every chain at most a quota of jobs further and leaves it in global
// memory, so that no launch lasts long and the host can stop between two.
//
// Jobs are taken in blocks that end at multiples of BLOCK; there the origin of
// time moves to the next arrival, as on the CPU: chains that have coupled then
// agree to the last bit, and absolute times lose no digits however long the run.
#include "laws.cuh"
#include "runs.cuh"

const i64 BLOCK = 256;

// stage copies the table of logarithms to shared memory and returns it.
__device__ const double *stage(const Model *m, double *shared) {
	for (int i = threadIdx.x; i < LOG_NUMBERS; i += blockDim.x)
		shared[i] = numbers(m)[i];
	__syncthreads();
	return shared;
}

// Desk is where a launch keeps the groups of one of its chains.
template <bool HEAP> struct Desk {
	double *release; // in global memory, chain by chain
	int *count;
	i64 stride, slots;

	// open makes the chain ready. Few groups are fetched to shared memory: the
	// place-th area behind the table of logarithms, slots for each thread.
	__device__ void open(Runs<HEAP> &r, const Model *m, const Saved &s, double *shared, int place, int places, i64 chain) {
		r.servers = (int)m->servers;
		r.load(s);
		if (HEAP) {
			r.release = release + chain;
			r.count = count + chain;
			r.stride = stride;
			return;
		}
		double *area = shared + LOG_NUMBERS;
		r.release = area + place * slots * blockDim.x + threadIdx.x;
		r.count = (int *)(area + places * slots * blockDim.x) + place * slots * blockDim.x + threadIdx.x;
		r.stride = blockDim.x;
		for (int k = 0; k < r.n; k++) {
			r.rel(k) = release[k * stride + chain];
			r.cnt(k) = count[k * stride + chain];
		}
	}

	__device__ void close(Runs<HEAP> &r, Saved &s, i64 chain) {
		r.save(s);
		if (HEAP)
			return;
		for (int k = 0; k < r.n; k++) {
			release[k * stride + chain] = r.rel(k);
			count[k * stride + chain] = r.cnt(k);
		}
	}
};

__device__ i64 chainOfThread() { return (i64)blockIdx.x * blockDim.x + threadIdx.x; }

__device__ i64 endOfBlock(i64 at, i64 to) {
	i64 end = (at & ~(BLOCK - 1)) + BLOCK;
	return end < to ? end : to;
}

__device__ bool same(double a, double b) { return fabs(a - b) <= 1e-9 * (1 + a + b); }

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

// observe writes what job 0 meets: row 0 the work, then for every class its
// wait, its waste and a response, chains side by side. It takes the chain apart.
template <bool HEAP>
__device__ double observe(Runs<HEAP> &r, const Model *m, u64 rep, const double *logs, double *rows, i64 stride) {
	double total = r.work(), upTo = 0, sum = 0;
	rows[0] = total;
	i64 classes = m->classes;
	int below = 0;
	for (bool servers = r.free > 0; servers || r.n > 0; servers = false) {
		int c = r.free;
		double w = fmax(0.0, r.front - r.now);
		if (!servers) {
			c = r.cnt(r.first());
			w = fmax(0.0, r.rel(r.first()) - r.now);
			r.drop();
		}
		upTo = below + c;
		sum += (double)c * w;
		for (i64 k = 0; k < classes; k++) {
			int need = (int)services(m)[k].need;
			if (need <= below || need > upTo)
				continue;
			double gathered = sum - (upTo - need) * w;
			rows[(1 + k) * stride] = w;
			rows[(1 + classes + k) * stride] = fmax(0.0, (double)need * w - gathered);
			rows[(1 + 2 * classes + k) * stride] = w + probe(m, rep, k, logs);
		}
		below += c;
	}
	return total;
}

template <bool HEAP>
__device__ void backward(const Model *m, Window *tasks, Saved *saved, double *release, int *count,
	double *rows, i64 chains, i64 slots, i64 quota, double *shared) {
	const double *logs = stage(m, shared);
	i64 id = chainOfThread();
	if (id >= chains || tasks[id].state != RUNNING)
		return;
	Window t = tasks[id];
	// The long chains come first in global memory, then the short ones.
	Desk<HEAP> first = {release, count, chains, slots}, second = {release + chains * slots, count + chains * slots, chains, slots};
	Runs<HEAP> a, b;
	first.open(a, m, saved[id], shared, 0, 2, id);
	second.open(b, m, saved[chains + id], shared, 1, 2, id);
	i64 half = t.doubles ? -(t.window / 2) : 0;
	double waste;
	for (i64 done = 0; t.at < 0 && done < quota;) {
		bool both = t.doubles && t.at >= half;
		if (both && t.at == half)
			b.empty();
		if (both && same(a.work(), b.work())) {
			t.state = COUPLED;
			break;
		}
		i64 end = endOfBlock(t.at, t.at < half ? half : 0);
		i64 steps = (end - t.at) * (both ? 2 : 1);
		for (; t.at < end; t.at++) {
			Job j = draw(m, t.rep, t.at, logs);
			a.step(a.now, j.need, j.service, waste);
			a.now += j.gap;
			if (both) {
				b.step(b.now, j.need, j.service, waste);
				b.now += j.gap;
			}
		}
		a.rebase();
		if (both)
			b.rebase();
		t.steps += steps;
		done += steps;
	}
	if (t.state == RUNNING && t.at >= 0) {
		double now = observe(a, m, t.rep, logs, rows + id, chains);
		t.state = t.doubles && same(t.before, now) ? AGREED : CHANGED;
	} else if (t.state == RUNNING) {
		first.close(a, saved[id], id);
		second.close(b, saved[chains + id], id);
	}
	tasks[id] = t;
}

// Replication is the task of a chain that runs forward.
struct Replication {
	u64 rep;
	i64 at;
	double waste; // head-of-line server-time of the recorded jobs
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

// forward runs the queue from an empty start. sums has for every class the
// number of recorded jobs, the sums of their waits and of the squares, and how
// many waits and responses were zero; histograms has for every class one of the
// waits and one of the responses of all chains together.
template <bool HEAP>
__device__ void forward(const Model *m, Replication *tasks, Saved *saved, double *release, int *count,
	double *sums, u64 *histograms, i64 chains, i64 slots, i64 quota, i64 warmUp, i64 total, double *shared) {
	const double *logs = stage(m, shared);
	i64 id = chainOfThread();
	if (id >= chains)
		return;
	Replication t = tasks[id];
	Desk<HEAP> desk = {release, count, chains, slots};
	Runs<HEAP> r;
	desk.open(r, m, saved[id], shared, 0, 1, id);
	for (i64 stop = t.at + quota < total ? t.at + quota : total; t.at < stop;) {
		i64 end = endOfBlock(t.at, total);
		if (t.at < warmUp && end > warmUp)
			end = warmUp;
		for (; t.at < end; t.at++) {
			Job j = draw(m, t.rep, t.at, logs);
			double waste, wait = r.step(r.now, j.need, j.service, waste) - r.now;
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
			if (wait > 0)
				tally(h, wait);
			else
				s[3 * chains] += 1;
			if (response > 0)
				tally(h + HISTOGRAM, response);
			else
				s[4 * chains] += 1;
		}
		r.rebase();
	}
	desk.close(r, saved[id], id);
	tasks[id] = t;
}

// Tower is the task of a chain that grows a pile.
struct Tower {
	u64 rep;
	i64 at;
	double lifted; // by how much the origin has been moved up
	double base;   // height after the warm-up
	double top;    // above the origin
};

// pile adds jobs to saturated systems up to job index to: Algorithm 2. sums has
// for every class the number of jobs after the warm-up and the work they brought.
template <bool HEAP>
__device__ void pile(const Model *m, Tower *tasks, Saved *saved, double *release, int *count,
	double *sums, i64 chains, i64 slots, i64 quota, i64 warmUp, i64 to, double *shared) {
	const double *logs = stage(m, shared);
	i64 id = chainOfThread();
	if (id >= chains)
		return;
	Tower t = tasks[id];
	Desk<HEAP> desk = {release, count, chains, slots};
	Runs<HEAP> r;
	desk.open(r, m, saved[id], shared, 0, 1, id);
	double waste;
	for (i64 stop = t.at + quota < to ? t.at + quota : to; t.at < stop;) {
		for (i64 end = endOfBlock(t.at, t.at < warmUp ? warmUp : to); t.at < end; t.at++) {
			Job j = draw(m, t.rep, t.at, logs);
			r.step(0, j.need, j.service, waste);
			if (t.at < warmUp)
				continue;
			double *s = sums + 2 * j.type * chains + id;
			s[0] += 1;
			s[chains] += (double)j.need * j.service;
		}
		if (t.at == warmUp)
			t.base = t.lifted + r.last;
		double by = r.front;
		r.shift(by);
		t.lifted += by;
	}
	t.top = r.last;
	desk.close(r, saved[id], id);
	tasks[id] = t;
}

// layout.go says the same.
static_assert(sizeof(Model) == 104 && sizeof(Law) == 56 && sizeof(Class) == 64 && sizeof(Cell) == 24, "input");
static_assert(sizeof(Saved) == 40 && sizeof(Window) == 56 && sizeof(Replication) == 24 && sizeof(Tower) == 40, "tasks");

// The entry points: few groups in shared memory, many in global memory.
extern __shared__ double shared[];

#define ENTRY(name, heap) \
	extern "C" __global__ void mjq_backward_##name(const Model *m, Window *tasks, Saved *saved, double *release, \
		int *count, double *rows, i64 chains, i64 slots, i64 quota) { \
		backward<heap>(m, tasks, saved, release, count, rows, chains, slots, quota, shared); \
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
