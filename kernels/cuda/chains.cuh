// What the kernels share: where a launch keeps its chains, and blocks of jobs.
#pragma once
#include "types.cuh"

const i64 BLOCK = 256;

// stage copies the table of logarithms to shared memory and returns it.
__device__ const double *stage(const Model *m, double *shared) {
	for (int i = threadIdx.x; i < LOG_NUMBERS; i += blockDim.x)
		shared[i] = numbers(m)[i];
	__syncthreads();
	return shared;
}

// Desk is where a launch keeps one set of its chains: in global memory, chain by
// chain, and while it runs them, if their groups are few, in shared memory.
template <class Chain, bool FEW> struct Desk {
	Saved *saved;
	double *release;
	int *count;
	i64 stride, slots;

	// next is the desk of the set that follows in memory.
	__device__ Desk next(const Model *m) const {
		Desk d = {saved + stride * Chain::states(m), release + stride * slots, count + stride * slots, stride, slots};
		return d;
	}

	// open makes the chain ready. Few groups are fetched to shared memory: the
	// place-th area behind the table of logarithms, slots for each thread.
	__device__ void open(Chain &r, const Model *m, double *shared, int place, int places, i64 chain) {
		double *area = shared + LOG_NUMBERS;
		if (FEW)
			r.lie(m, area + place * slots * blockDim.x + threadIdx.x,
				(int *)(area + places * slots * blockDim.x) + place * slots * blockDim.x + threadIdx.x, blockDim.x);
		else
			r.settle(m, release, count, chain, stride, slots);
		r.load(saved + chain, stride);
		if (FEW)
			r.fetch(release + chain, count + chain, stride);
	}

	__device__ void close(Chain &r, i64 chain) {
		r.save(saved + chain, stride);
		if (FEW)
			r.store(release + chain, count + chain, stride);
	}
};

__device__ i64 chainOfThread() { return (i64)blockIdx.x * blockDim.x + threadIdx.x; }

__device__ i64 endOfBlock(i64 at, i64 to) {
	i64 end = (at & ~(BLOCK - 1)) + BLOCK;
	return end < to ? end : to;
}

// within is where to pause on the way from at to end with so many jobs left.
__device__ i64 within(i64 at, i64 left, i64 end) { return left < end - at ? at + left : end; }

// arrive has the next job of a chain arrive.
template <class Chain> __device__ void arrive(Chain &c, const Model *m, const Job &j) {
	double waste;
	c.serve(m, c.now, j, waste);
	c.now += j.gap;
}

__device__ bool beginsBlock(i64 at) { return (at & (BLOCK - 1)) == 0; }

__device__ bool same(double a, double b) { return fabs(a - b) <= 1e-9 * (1 + a + b); }
