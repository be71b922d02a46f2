// The counter-based stream of mjq/internal/stream: the same seed, replication
// and job give the same words here and there.
#pragma once
#include "model.cuh"

// Philox4x32-10 (Salmon, Moraes, Dror, Shaw 2011).
__device__ inline void philox(u64 c0, u64 c1, u64 key, u64 &w0, u64 &w1) {
	u32 x0 = (u32)c0, x1 = (u32)(c0 >> 32), x2 = (u32)c1, x3 = (u32)(c1 >> 32);
	u32 k0 = (u32)key, k1 = (u32)(key >> 32);
#pragma unroll
	for (int round = 0; round < 10; round++) {
		u64 p0 = (u64)x0 * 0xD2511F53u, p1 = (u64)x2 * 0xCD9E8D57u;
		x0 = (u32)(p1 >> 32) ^ x1 ^ k0;
		x1 = (u32)p1;
		x2 = (u32)(p0 >> 32) ^ x3 ^ k1;
		x3 = (u32)p0;
		k0 += 0x9E3779B9u;
		k1 += 0xBB67AE85u;
	}
	w0 = (u64)x1 << 32 | x0;
	w1 = (u64)x3 << 32 | x2;
}

enum Purpose { FOR_JOB, FOR_CLASS, FOR_GAP, FOR_SERVICE, FOR_PROBE };

const int BLOCK_SHIFT = 40, PURPOSE_SHIFT = 60;

__device__ inline u64 counter(u64 rep, u64 what) { return rep | what << PURPOSE_SHIFT; }

// Words hands out the words of one purpose of one job, in order.
struct Words {
	u64 key, job, at;
	u64 first, second; // ready
	int ready;

	__device__ void reset(u64 newJob, u64 newAt) {
		job = newJob;
		at = newAt;
		ready = 0;
	}

	// resetAfter is reset with a word already drawn to come first.
	__device__ void resetAfter(u64 word, u64 newJob, u64 newAt) {
		reset(newJob, newAt);
		second = word;
		ready = 1;
	}

	__device__ u64 next() {
		if (ready == 1) {
			ready = 0;
			return second;
		}
		philox(job, at, key, first, second);
		at += 1ull << BLOCK_SHIFT;
		ready = 1;
		return first;
	}
};

// unit is uniform in (0, 1], from the upper 53 bits.
__device__ inline double unit(u64 word) { return (double)((word >> 11) + 1) * (1.0 / 9007199254740992.0); }

const int LOG_CELLS = 256;
const int LOG_NUMBERS = 3 * (LOG_CELLS + 1); // centre and inverse for each cell, then -ln(centre/2) for each

// negLog is -ln u for u in (0, 1]: additions and multiplications in the order
// of law.NegLog, which the compiler must not contract.
__device__ inline double negLog(double u, const double *logs) {
	u64 bits = (u64)__double_as_longlong(u);
	u64 mantissa = bits & ((1ull << 52) - 1);
	u32 cell = (u32)((mantissa + (1ull << 43)) >> 44);
	Pair t = ((const Pair *)logs)[cell];
	double r = (__longlong_as_double((i64)(mantissa | 0x3ffull << 52)) - t.first) * t.second;
	double r2 = r * r;
	double p = r - r2 * ((0.5 - r * (1.0 / 3)) + r2 * ((0.25 - r * 0.2) + r2 * (1.0 / 6)));
	return logs[2 * (LOG_CELLS + 1) + cell] + (double)(1022 - (int)(bits >> 52 & 1023)) * 0.693147180559945309417232121458176568 - p;
}

// pick is the class of a word.
__device__ inline i64 pick(const Model *m, u64 word) {
	u64 i = __umul64hi(word, (u64)m->classes);
	Cell c = cells(m)[i];
	return word * (u64)m->classes < c.keep ? c.own : c.other;
}

// pickFew is the class of a word of which only the leading 22 bits are known,
// and whether the others can no longer change it.
__device__ inline i64 pickFew(const Model *m, u64 word, bool &sure) {
	u64 n = (u64)m->classes, frac = word * n, top = frac + (n << 42);
	Cell c = cells(m)[__umul64hi(word, n)];
	sure = top >= frac && c.keep - frac - 1 >= top - frac - 1;
	return frac < c.keep ? c.own : c.other;
}
