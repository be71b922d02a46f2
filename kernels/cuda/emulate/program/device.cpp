// A stand-in for a GPU: reads requests from standard input, holds memory, runs
// kernels, answers on standard output. A request is eight words (operation and
// up to seven arguments) and what the operation says follows; an answer is a
// word, 0 or the length of an error's text, and then a word of result or the text.
#include "shim.h"
#include "../../samplers.cu"

#include <ucontext.h>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

Index threadIdx, blockIdx, blockDim, gridDim;
double shared[48 * 1024 / 8]; // what every GPU gives a block without asking

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

#define KERNEL(name) {#name, {[](const Arguments &w) { call(name, w); }, count(name)}}

static const std::map<std::string, Entry> kernels = {
	KERNEL(mjq_jobs),
	KERNEL(mjq_backward_few), KERNEL(mjq_forward_few), KERNEL(mjq_pile_few),
	KERNEL(mjq_backward_many), KERNEL(mjq_forward_many), KERNEL(mjq_pile_many),
};

static void take(void *to, size_t n) {
	if (n && fread(to, 1, n, stdin) != n)
		exit(0); // the host has gone
}

static void put(const void *from, size_t n) { fwrite(from, 1, n, stdout); }

static void answer(u64 result) {
	u64 words[2] = {0, result};
	put(words, sizeof words);
}

static void refuse(const std::string &text) {
	u64 n = text.size();
	put(&n, sizeof n);
	put(text.data(), n);
}

static u64 budget, held;
static std::map<u64, u64> blocks; // address and size of what is allocated

static void allocate(u64 size) {
	if (size > budget - held)
		return refuse("out of memory");
	u64 at = (u64)calloc(size ? size : 1, 1);
	memset((void *)at, 0xa5, size); // as on a GPU, nothing is cleared
	blocks[at] = size;
	held += size;
	answer(at);
}

// inside says whether the bytes lie in one allocated block.
static bool inside(u64 at, u64 size) {
	auto after = blocks.upper_bound(at);
	if (after == blocks.begin())
		return false;
	--after;
	return at + size <= after->first + after->second;
}

static void launch(const u64 *r) {
	std::string name(r[5], 0);
	take(&name[0], name.size());
	arguments.resize(r[4]);
	take(arguments.data(), 8 * arguments.size());
	auto k = kernels.find(name);
	if (k == kernels.end())
		return refuse("no kernel " + name);
	if (k->second.parameters != arguments.size())
		return refuse("wrong number of arguments");
	if (r[1] == 0 || r[1] > 0x7fffffff || r[2] == 0 || r[2] > 1024 || r[3] > sizeof shared)
		return refuse("invalid argument");
	running = k->second.run;
	gridDim.x = r[1];
	blockDim.x = r[2];
	for (blockIdx.x = 0; blockIdx.x < gridDim.x; blockIdx.x++) {
		memset(shared, 0xa5, sizeof shared);
		if (!runBlock())
			return refuse("threads wait at a barrier that others never reach");
	}
	answer(0);
}

enum { ALLOCATE = 1, FREE, UPLOAD, DOWNLOAD, LAUNCH, AVAILABLE };

int main(int, char **argv) {
	budget = strtoull(argv[1], 0, 10);
	for (u64 r[8];; fflush(stdout)) {
		take(r, sizeof r);
		switch (r[0]) {
		case ALLOCATE:
			allocate(r[1]);
			break;
		case FREE:
			held -= blocks[r[1]];
			blocks.erase(r[1]);
			free((void *)r[1]);
			answer(0);
			break;
		case UPLOAD: {
			std::vector<char> bytes(r[2]);
			take(bytes.data(), r[2]);
			if (!inside(r[1], r[2])) {
				refuse("illegal address");
				break;
			}
			memcpy((void *)r[1], bytes.data(), r[2]);
			answer(0);
			break;
		}
		case DOWNLOAD:
			if (!inside(r[1], r[2])) {
				refuse("illegal address");
				break;
			}
			answer(0);
			put((void *)r[1], r[2]);
			break;
		case LAUNCH:
			launch(r);
			break;
		case AVAILABLE:
			answer(budget - held);
			break;
		default:
			refuse("unknown operation");
		}
	}
}
