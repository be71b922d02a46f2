// What a programmer would write in C++ instead of using this package: the forward run
// of a first-come first-served multiserver-job queue with Poisson arrivals and
// exponential services, one long path, with means, mean squares and histograms of
// waits and responses by class. Fast random numbers (xoshiro256++, a ziggurat, an
// alias table), no checks, no intervals, no second replication.
//
//	rival groups|heap|dense|ahead|words SERVERS RATE JOBS NEED PROBABILITY MEAN ...
//
// The first three draw a job, serve it and note its wait, with containers of the standard
// library: groups keeps what is in service in a sorted vector of (release, servers), heap
// in a heap, dense a sorted vector of the times at which single servers become free. The
// fourth is a program of its own, written for speed: ahead draws 64 jobs before it serves
// them, sorts in a plain array, and has all counts in one piece of memory. Words only
// draws the random numbers.
//
// For each line of input the run goes on for so many jobs, with new statistics, and prints
// the nanoseconds of processor time a job and the mean wait. All lines but the first are
// answered by a warm program.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

struct Xoshiro { // Blackman and Vigna
	uint64_t a, b, c, d;
	explicit Xoshiro(uint64_t seed) {
		uint64_t *all[] = {&a, &b, &c, &d};
		for (uint64_t *x : all) { // SplitMix64
			uint64_t z = seed += 0x9e3779b97f4a7c15u;
			z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
			z = (z ^ z >> 27) * 0x94d049bb133111ebu;
			*x = z ^ z >> 31;
		}
	}
	uint64_t next() {
		uint64_t sum = a + d, result = (sum << 23 | sum >> 41) + a, shifted = b << 17;
		c ^= a, d ^= b, b ^= c, a ^= d, c ^= shifted;
		d = d << 45 | d >> 19;
		return result;
	}
	double uniform() { return double(next() >> 11) * 0x1p-53; }
};

struct Ziggurat { // Marsaglia and Tsang, 256 layers of the exponential density
	double x[257], f[257];
	Ziggurat() {
		const double last = 7.69711747013104972, area = 0.0039496598225815571993;
		x[0] = area * exp(last), x[1] = last, x[256] = 0;
		for (int i = 2; i < 256; i++)
			x[i] = -log(exp(-x[i - 1]) + area / x[i - 1]);
		for (int i = 0; i < 257; i++)
			f[i] = exp(-x[i]);
	}
	double draw(Xoshiro &rng) const {
		for (;;) {
			uint64_t word = rng.next();
			int layer = word & 255;
			double at = double(word >> 11) * 0x1p-53 * x[layer];
			if (__builtin_expect(at < x[layer + 1], 1))
				return at;
			if (layer == 0)
				return x[1] - log(1 - rng.uniform());
			if (f[layer] + (f[layer + 1] - f[layer]) * rng.uniform() < exp(-at))
				return at;
		}
	}
};

struct Class {
	int need;
	double probability, mean;
};

struct Alias { // Walker, Vose
	std::vector<double> keep;
	std::vector<int> other;
	explicit Alias(const std::vector<Class> &classes) : keep(classes.size(), 1), other(classes.size()) {
		std::vector<double> left;
		std::vector<int> small, large;
		for (size_t i = 0; i < classes.size(); i++) {
			left.push_back(classes[i].probability * classes.size());
			(left[i] < 1 ? small : large).push_back(i);
		}
		while (!small.empty() && !large.empty()) {
			int s = small.back(), l = large.back();
			small.pop_back();
			keep[s] = left[s], other[s] = l;
			if ((left[l] -= 1 - left[s]) < 1)
				large.pop_back(), small.push_back(l);
		}
	}
	int draw(Xoshiro &rng) const {
		unsigned __int128 product = (unsigned __int128)rng.next() * keep.size();
		int i = int(product >> 64);
		return double((uint64_t)product >> 11) * 0x1p-53 < keep[i] ? i : other[i];
	}
};

// A histogram has 104 octaves of 256 cells, from 2^-40 on.
const size_t cells = 104 << 8;

size_t cell(double x) {
	int64_t bits;
	memcpy(&bits, &x, 8);
	return std::clamp<int64_t>((bits >> 44) - (983 << 8), 0, cells - 1);
}

// Seen is what is kept of a class.
struct Seen {
	double jobs = 0, wait = 0, square = 0;
	std::vector<uint32_t> waits = std::vector<uint32_t>(cells), responses = waits;
	void add(double w, double service) {
		jobs++, wait += w, square += w * w;
		waits[cell(w)]++;
		responses[cell(w + service)]++;
	}
};

struct Group {
	double release;
	int servers;
};

struct Groups { // by descending release
	std::vector<Group> row;
	int free;
	double front = 0;
	explicit Groups(int servers) : free(servers) { row.reserve(servers + 1); }
	double step(double now, int need, double service) {
		double start = std::max(now, front);
		while (!row.empty() && (free < need || row.back().release <= start)) {
			start = std::max(start, row.back().release);
			free += row.back().servers;
			row.pop_back();
		}
		free -= need, front = start;
		Group x{start + service, need};
		row.push_back(x);
		size_t i = row.size() - 1;
		for (; i > 0 && row[i - 1].release < x.release; i--)
			row[i] = row[i - 1];
		row[i] = x;
		return start;
	}
};

struct Heap {
	std::vector<Group> heap;
	int free;
	double front = 0;
	explicit Heap(int servers) : free(servers) { heap.reserve(servers + 1); }
	static bool later(const Group &a, const Group &b) { return a.release > b.release; }
	double step(double now, int need, double service) {
		double start = std::max(now, front);
		while (!heap.empty() && (free < need || heap.front().release <= start)) {
			start = std::max(start, heap.front().release);
			free += heap.front().servers;
			std::pop_heap(heap.begin(), heap.end(), later);
			heap.pop_back();
		}
		free -= need, front = start;
		heap.push_back({start + service, need});
		std::push_heap(heap.begin(), heap.end(), later);
		return start;
	}
};

struct Dense { // when each server becomes free, ascending
	std::vector<double> free;
	explicit Dense(int servers) : free(servers) {}
	double step(double now, int need, double service) {
		double start = std::max(now, free[need - 1]), release = start + service;
		size_t i = need;
		for (; i < free.size() && free[i] < release; i++)
			free[i - need] = free[i];
		std::fill(free.begin() + (i - need), free.begin() + i, release);
		return start;
	}
};

struct Words {
	explicit Words(int) {}
	double step(double now, int need, double service) { return now + service * need; }
};

double processorTime() { // in nanoseconds
	timespec used;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
	return used.tv_sec * 1e9 + used.tv_nsec;
}

// answer repeats for each line of input; repeat gives the sum of its waits.
template <class Repeat> void answer(long jobs, Repeat repeat) {
	for (int c; (c = getchar()) != EOF;) {
		if (c != '\n')
			continue;
		double from = processorTime(), waits = repeat();
		printf("%.3f %.6g\n", (processorTime() - from) / jobs, waits / jobs);
		fflush(stdout);
	}
}

template <class Queue> void run(int servers, double rate, long jobs, const std::vector<Class> &classes) {
	Queue queue(servers);
	Xoshiro rng(1);
	Ziggurat exponential;
	Alias alias(classes);
	double now = 0, gap = 1 / rate;
	answer(jobs, [&] {
		std::vector<Seen> seen(classes.size());
		for (long i = 0; i < jobs; i++) {
			int k = alias.draw(rng);
			double service = classes[k].mean * exponential.draw(rng);
			seen[k].add(queue.step(now, classes[k].need, service) - now, service);
			now += gap * exponential.draw(rng);
		}
		double wait = 0;
		for (const Seen &s : seen)
			wait += s.wait;
		return wait;
	});
}

// Sorted is Groups in a plain array.
struct Sorted {
	std::vector<Group> row;
	int count = 0, free;
	double front = 0;
	explicit Sorted(int servers) : row(servers + 1), free(servers) {}
	double step(double now, int need, double service) {
		Group *g = row.data();
		int n = count, left = free;
		double start = std::max(now, front);
		while (n > 0 && (left < need || g[n - 1].release <= start)) {
			start = std::max(start, g[--n].release);
			left += g[n].servers;
		}
		double release = start + service;
		int i = n;
		for (; i > 0 && g[i - 1].release < release; i--)
			g[i] = g[i - 1];
		g[i] = {release, need};
		count = n + 1, free = left - need, front = start;
		return start;
	}
};

// Book is the counts of all classes in one piece.
struct Book {
	struct Tally {
		double jobs = 0, wait = 0, square = 0;
	};
	std::vector<Tally> tallies;
	std::vector<uint32_t> counts;
	explicit Book(size_t classes) : tallies(classes), counts(classes * 2 * cells) {}
	void add(int k, double w, double service) {
		Tally &t = tallies[k];
		t.jobs++, t.wait += w, t.square += w * w;
		uint32_t *c = &counts[k * 2 * cells];
		c[cell(w)]++;
		c[cells + cell(w + service)]++;
	}
};

void runAhead(int servers, double rate, long jobs, const std::vector<Class> &classes) {
	const int N = 64;
	Sorted queue(servers);
	Xoshiro rng(1);
	Ziggurat exponential;
	Alias alias(classes);
	double now = 0, gap = 1 / rate, services[N], gaps[N];
	int drawn[N];
	answer(jobs, [&] {
		Book book(classes.size());
		for (long done = 0; done < jobs; done += N) {
			for (int i = 0; i < N; i++) {
				drawn[i] = alias.draw(rng);
				services[i] = classes[drawn[i]].mean * exponential.draw(rng);
				gaps[i] = gap * exponential.draw(rng);
			}
			for (int i = 0; i < N; i++) {
				double start = queue.step(now, classes[drawn[i]].need, services[i]);
				book.add(drawn[i], start - now, services[i]);
				now += gaps[i];
			}
		}
		double wait = 0;
		for (const Book::Tally &t : book.tallies)
			wait += t.wait;
		return wait;
	});
}

int main(int count, char **argument) {
	if (count < 8)
		return 2;
	std::string mode = argument[1];
	int servers = atoi(argument[2]);
	double rate = atof(argument[3]);
	long jobs = atol(argument[4]);
	std::vector<Class> classes;
	for (int i = 5; i + 2 < count; i += 3)
		classes.push_back({atoi(argument[i]), atof(argument[i + 1]), atof(argument[i + 2])});
	if (mode == "groups")
		run<Groups>(servers, rate, jobs, classes);
	else if (mode == "heap")
		run<Heap>(servers, rate, jobs, classes);
	else if (mode == "dense")
		run<Dense>(servers, rate, jobs, classes);
	else if (mode == "ahead")
		runAhead(servers, rate, jobs, classes);
	else
		run<Words>(servers, rate, jobs, classes);
}
