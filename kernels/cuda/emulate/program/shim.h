// What a kernel finds on a GPU, for a C++ compiler: the sources are compiled
// as they are, with this header put before them. Blocks run one after another.
// The threads of a block are fibres, which change at __syncthreads only.
#pragma once
#include <cmath>
#include <cstring>

#define __device__
#define __global__
#define __noinline__
#define __shared__
#define __launch_bounds__(threads, blocks)

struct Index {
	unsigned x, y, z;
};
extern Index threadIdx, blockIdx, blockDim, gridDim;

void __syncthreads();

inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
	return (unsigned long long)((unsigned __int128)a * b >> 64);
}

inline long long __double_as_longlong(double x) {
	long long bits;
	memcpy(&bits, &x, sizeof bits);
	return bits;
}

inline double __longlong_as_double(long long bits) {
	double x;
	memcpy(&x, &bits, sizeof x);
	return x;
}

inline unsigned long long atomicAdd(unsigned long long *at, unsigned long long by) {
	unsigned long long old = *at;
	*at += by;
	return old;
}

using std::exp;
using std::expm1;
using std::fabs;
using std::fmax;
using std::fmin;
using std::log;
using std::pow;
using std::sqrt;
