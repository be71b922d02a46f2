// What both stand-ins for a GPU share: memory, and blocks of threads that run
// one after another.
#pragma once
#include "shim.h"
#include "../../samplers.cu"

#include <ucontext.h>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

Index threadIdx, blockIdx, blockDim, gridDim;
alignas(16) double shared[48 * 1024 / 8]; // what every GPU gives a block without asking

typedef std::vector<u64> Arguments;
typedef void (*Kernel)(const Arguments &);

// Fibres: each runs to its next barrier in turn.
static const size_t STACK = 64 * 1024;
static ucontext_t scheduler;
struct Fibre {
	ucontext_t context;
	std::vector<char> stack;
	bool done;
};
static std::vector<Fibre> fibres;
static unsigned current;
static Kernel running;
static Arguments arguments;

void __syncthreads() { swapcontext(&fibres[current].context, &scheduler); }

static void body() {
	running(arguments);
	fibres[current].done = true;
	swapcontext(&fibres[current].context, &scheduler);
}

// runBlock runs the threads of a block; false if some wait at a barrier that
// others never reach.
static bool runBlock() {
	unsigned n = blockDim.x;
	if (fibres.size() < n)
		fibres.resize(n);
	for (unsigned i = 0; i < n; i++) {
		Fibre &f = fibres[i];
		f.stack.resize(STACK);
		f.done = false;
		getcontext(&f.context);
		f.context.uc_stack.ss_sp = f.stack.data();
		f.context.uc_stack.ss_size = STACK;
		f.context.uc_link = 0;
		makecontext(&f.context, body, 0);
	}
	for (unsigned left = n; left > 0;) {
		unsigned before = left, waiting = 0;
		for (current = 0; current < n; current++) {
			if (fibres[current].done)
				continue;
			threadIdx.x = current;
			swapcontext(&scheduler, &fibres[current].context);
			if (fibres[current].done)
				left--;
			else
				waiting++;
		}
		if (left != before && waiting > 0)
			return false;
	}
	return true;
}

// Parameters of any type are passed in words.
template <class T> static T get(u64 word) {
	T value;
	memcpy(&value, &word, sizeof value);
	return value;
}

template <class... A, size_t... I> static void call(void (*f)(A...), const Arguments &w, std::index_sequence<I...>) {
	f(get<A>(w[I])...);
}

template <class... A> static void call(void (*f)(A...), const Arguments &w) {
	call(f, w, std::index_sequence_for<A...>());
}

template <class... A> static size_t count(void (*)(A...)) { return sizeof...(A); }

struct Entry {
	Kernel run;
	size_t parameters;
};

#define ENTRY(name) {#name, {[](const Arguments &w) { call(name, w); }, count(name)}}

static const std::map<std::string, Entry> kernels = {
	ENTRY(mjq_jobs),
	ENTRY(mjq_backward_few), ENTRY(mjq_forward_few), ENTRY(mjq_pile_few), ENTRY(mjq_certified_few),
	ENTRY(mjq_backward_many), ENTRY(mjq_forward_many), ENTRY(mjq_pile_many), ENTRY(mjq_certified_many),
	ENTRY(mjq_backward_types_few), ENTRY(mjq_forward_types_few), ENTRY(mjq_pile_types_few),
	ENTRY(mjq_backward_types_many), ENTRY(mjq_forward_types_many), ENTRY(mjq_pile_types_many),
	ENTRY(mjq_account_few), ENTRY(mjq_account_many), ENTRY(mjq_account_types_few), ENTRY(mjq_account_types_many),
	ENTRY(mjq_paths_few), ENTRY(mjq_paths_many), ENTRY(mjq_paths_types_few), ENTRY(mjq_paths_types_many),
};

// Memory.
static u64 budget, held;
static std::map<u64, u64> blocks; // address and size of what is allocated

// allocate is an address, or 0 when there is not enough.
static u64 allocate(u64 size) {
	if (size > budget - held)
		return 0;
	u64 at = (u64)malloc(size ? size : 1);
	memset((void *)at, 0xa5, size); // as on a GPU, nothing is cleared
	blocks[at] = size;
	held += size;
	return at;
}

static void release(u64 at) {
	held -= blocks[at];
	blocks.erase(at);
	free((void *)at);
}

// inside says whether the bytes lie in one allocated block.
static bool inside(u64 at, u64 size) {
	auto after = blocks.upper_bound(at);
	if (after == blocks.begin())
		return false;
	--after;
	return at + size <= after->first + after->second;
}

// run launches a kernel; it returns what is wrong with the launch, or 0.
static const char *run(const std::string &name, const u64 *words, u64 grid, u64 threads, u64 bytes) {
	auto k = kernels.find(name);
	if (k == kernels.end())
		return "no such kernel";
	if (grid == 0 || grid > 0x7fffffff || threads == 0 || threads > 1024 || bytes > sizeof shared)
		return "invalid argument";
	arguments.assign(words, words + k->second.parameters);
	running = k->second.run;
	gridDim.x = grid;
	blockDim.x = threads;
	for (blockIdx.x = 0; blockIdx.x < gridDim.x; blockIdx.x++) {
		memset(shared, 0xa5, sizeof shared);
		if (!runBlock())
			return "threads wait at a barrier that others never reach";
	}
	return 0;
}
