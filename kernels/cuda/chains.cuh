// What the kernels share: where a launch keeps its chains, blocks of jobs, and
// what job 0 meets at the end of a window.
#pragma once
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
