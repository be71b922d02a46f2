// The recurrence of mjq/internal/recurrence on a multiset of runs (release time,
// number of servers), in absolute time from an origin that moves along.
//
// A chain of few groups keeps them as an array sorted by descending release, in
// shared memory; element k lies at k·stride, so that neighbouring threads touch
// neighbouring addresses. One of many groups keeps them as a heap of four children
// a node, in global memory. Threads soon walk down different branches of their heaps,
// so each heap lies by itself, and the children of a node lie together in 32 bytes,
// which is what the memory gives at once.
#pragma once
#include "laws.cuh"

// Saved is a chain between two launches.
struct Saved {
	double now, front, last;
	i64 free, groups;
};

template <bool HEAP> struct Runs {
	double *release;
	int *count;
	i64 stride;
	int servers, free, n;
	double front, last; // latest start of service, latest release
	double now;         // arrival of the next job

	__device__ double &rel(int k) { return HEAP ? release[k] : release[(i64)k * stride]; }
	__device__ int &cnt(int k) { return HEAP ? count[k] : count[(i64)k * stride]; }

	__device__ void empty() {
		n = 0;
		free = servers;
		front = last = now = 0;
	}

	// occupy keeps all servers of an empty system busy until time t.
	__device__ void occupy(double t) {
		rel(0) = t;
		cnt(0) = servers;
		n = 1;
		free = 0;
		last = fmax(last, t);
	}

	// states is how many Saved a chain takes.
	__device__ static i64 states(const Model *) { return 1; }

	// settle puts the groups of a chain into global memory, slots for each chain. The root of
	// a heap lies three places in, so that four children begin at a multiple of four.
	__device__ void settle(const Model *m, double *releases, int *counts, i64 chain, i64 chains, i64 slots) {
		if (HEAP)
			lie(m, releases + chain * slots + 3, counts + chain * slots + 3, 1);
		else
			lie(m, releases + chain, counts + chain, chains);
	}

	// lie says where the groups are.
	__device__ void lie(const Model *m, double *releases, int *counts, i64 apart) {
		servers = (int)m->servers;
		release = releases;
		count = counts;
		stride = apart;
	}

	__device__ void load(const Saved *s, i64) {
		now = s->now;
		front = s->front;
		last = s->last;
		free = (int)s->free;
		n = (int)s->groups;
	}

	__device__ void save(Saved *s, i64) const {
		s->now = now;
		s->front = front;
		s->last = last;
		s->free = free;
		s->groups = n;
	}

	// fetch and store copy the groups from and to another place.
	__device__ void fetch(const double *releases, const int *counts, i64 apart) {
		for (int k = 0; k < n; k++) {
			rel(k) = releases[k * apart];
			cnt(k) = counts[k * apart];
		}
	}

	__device__ void store(double *releases, int *counts, i64 apart) {
		for (int k = 0; k < n; k++) {
			releases[k * apart] = rel(k);
			counts[k * apart] = cnt(k);
		}
	}

	// first is where the group lies that leaves next.
	__device__ int first() const { return HEAP ? 0 : n - 1; }

	// drop removes the group that leaves next. In the heap the hole sinks to a
	// leaf along the smallest children, and the last element rises from there.
	__device__ void drop() {
		n--;
		if (!HEAP)
			return;
		int hole = 0;
		for (int child = 1; child < n; child = 4 * hole + 1) {
			// All four are read, and those past the last one left out.
			Pair low = ((const Pair *)&rel(child))[0], high = ((const Pair *)&rel(child))[1];
			double of[] = {low.first, low.second, high.first, high.second};
			int best = child;
			double least = of[0];
#pragma unroll
			for (int c = 1; c < 4; c++)
				if (child + c < n && of[c] < least) {
					best = child + c;
					least = of[c];
				}
			rel(hole) = least;
			cnt(hole) = cnt(best);
			hole = best;
		}
		if (hole < n)
			rise(hole, rel(n), cnt(n));
	}

	__device__ void rise(int hole, double r, int c) {
		while (hole > 0) {
			int parent = (hole - 1) >> 2;
			double above = rel(parent);
			if (above <= r)
				break;
			rel(hole) = above;
			cnt(hole) = cnt(parent);
			hole = parent;
		}
		rel(hole) = r;
		cnt(hole) = c;
	}

	__device__ void insert(double r, int c) {
		int hole = n++;
		if (HEAP) {
			rise(hole, r, c);
			return;
		}
		for (; hole > 0; hole--) {
			double above = rel(hole - 1);
			if (above >= r)
				break;
			rel(hole) = above;
			cnt(hole) = cnt(hole - 1);
		}
		rel(hole) = r;
		cnt(hole) = c;
	}

	// clear waits until all servers are free, which are what the job needs: no group has to be
	// taken from the heap. It returns when that is.
	__device__ double clear(double start, double &waste) {
		double end = last > start ? last : start, busy = (double)free * start;
		for (int k = 0; k < n; k++) {
			double r = rel(k);
			busy += (double)cnt(k) * (r > start ? r : start);
		}
		waste = last > start ? (double)servers * end - busy : 0;
		free = servers;
		n = 0;
		return end;
	}

	// step lets a job arrive at time t: equation (2) of Baccelli, Olliaro,
	// Ajmone Marsan and Marin. It returns the start of service; waste is the
	// server-time that the servers it gathers stand idle for it.
	__device__ double step(double t, int need, double service, double &waste) {
		double start = t > front ? t : front;
		waste = 0;
		if (HEAP && need == servers)
			start = clear(start, waste);
		while (n > 0 && rel(first()) <= start) {
			free += cnt(first());
			drop();
		}
		if (free < need) {
			double busy = (double)free * start;
			while (free < need) {
				int k = first(), c = cnt(k);
				start = rel(k);
				free += c;
				busy += (double)c * start;
				drop();
			}
			busy -= (double)(free - need) * start;
			waste = (double)need * start - busy;
		}
		free -= need;
		front = start;
		double r = start + service;
		last = r > last ? r : last;
		insert(r, need);
		return start;
	}

	// shift moves the origin of time, so that long runs keep their digits.
	__device__ void shift(double by) {
		front = fmax(0.0, front - by);
		last = fmax(0.0, last - by);
		for (int k = 0; k < n; k++)
			rel(k) = fmax(0.0, rel(k) - by);
	}

	// rebase makes the next arrival the origin.
	__device__ void rebase() {
		shift(now);
		now = 0;
	}

	// workAt is the sum of all coordinates of the workload at time t.
	__device__ double workAt(double t) {
		double sum = (double)free * fmax(0.0, front - t);
		for (int k = 0; k < n; k++)
			sum += (double)cnt(k) * fmax(0.0, rel(k) - t);
		return sum;
	}

	// work is what the next job meets of it.
	__device__ double work() { return workAt(now); }

	// serve is step for a job.
	__device__ double serve(const Model *, double t, const Job &j, double &waste) { return step(t, j.need, j.service, waste); }

	// idled adds what stood idle for the last job by type of resource, of which
	// there are none.
	__device__ void idled(double *, i64) const {}

	// The pile has one height.
	__device__ int heights() const { return 1; }
	__device__ double height(int) { return last; }

	// lower moves the origin up as far as it may go in a pile.
	__device__ double lower() {
		double by = front;
		shift(by);
		return by;
	}

	// look is observe for a chain that goes on. Of a heap the groups are kept elsewhere
	// meanwhile; a sorted array is only read.
	__device__ void look(const Model *m, u64 rep, i64 job, const double *logs, double *rows, i64 apart,
		double *releases, int *counts) {
		int groups = n;
		if (HEAP)
			store(releases, counts, apart);
		observe(m, rep, job, logs, rows, apart);
		n = groups;
		if (HEAP)
			fetch(releases, counts, apart);
	}

	// observe writes what the given job meets: row 0 the work, then for every class its
	// wait, its waste and a response, chains side by side. It takes the chain
	// apart and returns the work.
	__device__ double observe(const Model *m, u64 rep, i64 job, const double *logs, double *rows, i64 apart) {
		double total = work(), upTo = 0, sum = 0;
		rows[0] = total;
		i64 classes = m->classes;
		int below = 0;
		for (bool servers = free > 0; servers || n > 0; servers = false) {
			int c = free;
			double w = fmax(0.0, front - now);
			if (!servers) {
				c = cnt(first());
				w = fmax(0.0, rel(first()) - now);
				drop();
			}
			upTo = below + c;
			sum += (double)c * w;
			for (i64 k = 0; k < classes; k++) {
				int need = (int)services(m)[k].need;
				if (need <= below || need > upTo)
					continue;
				double gathered = sum - (upTo - need) * w;
				rows[(1 + k) * apart] = w;
				rows[(1 + classes + k) * apart] = fmax(0.0, (double)need * w - gathered);
				rows[(1 + 2 * classes + k) * apart] = w + probe(m, rep, k, job, logs);
			}
			below += c;
		}
		return total;
	}
};
