// The recurrence with several types of resources, mjq/internal/recurrence/typed.go
// and pool.go: one multiset of runs a type, all sorted arrays, because the start
// has to be known for all types before any unit is taken.
#pragma once
#include "runs.cuh"

// Pool is the multiset of one type.
struct Pool : Runs<false> {
	double share; // of one unit: 1/units

	// coordinate is when the unit at position i of the ordered vector is free,
	// at floor or later.
	__device__ double coordinate(double floor, int i) {
		int upTo = free;
		for (int k = n - 1; i >= upTo; k--) {
			upTo += cnt(k);
			floor = fmax(floor, rel(k));
		}
		return floor;
	}

	// lift leaves no coordinate below start and returns the unit-time that
	// stood idle from floor on.
	__device__ double lift(double floor, double start) {
		double idle = (double)free * (start - floor);
		for (; n > 0 && rel(n - 1) <= start; n--) {
			free += cnt(n - 1);
			idle += (double)cnt(n - 1) * (start - fmax(floor, rel(n - 1)));
		}
		front = start;
		return idle;
	}

	// pull takes units out of the ordered vector from the lowest on, leaving the
	// others as they are, and returns how long they stood idle.
	__device__ double pull(double floor, double start, int units) {
		int taken = units < free ? units : free;
		free -= taken;
		units -= taken;
		double idle = (double)taken * (start - floor);
		while (units > 0) {
			int c = cnt(n - 1);
			taken = units < c ? units : c;
			units -= taken;
			idle += (double)taken * (start - rel(n - 1));
			if (taken == c)
				n--;
			else
				cnt(n - 1) = c - taken;
		}
		return idle;
	}

	// hold gives units that have been taken to a job until it releases them.
	__device__ void hold(int units, double until) {
		last = fmax(last, until);
		insert(until, units);
	}

	// below is how long the lowest units stand idle until start.
	__device__ double below(double floor, double start, int units) {
		int taken = units < free ? units : free;
		double idle = (double)taken * (start - floor);
		units -= taken;
		for (int k = n - 1; k >= 0 && units > 0; k--) {
			taken = units < cnt(k) ? units : cnt(k);
			idle += (double)taken * fmax(0.0, start - fmax(floor, rel(k)));
			units -= taken;
		}
		return idle;
	}

	__device__ double lowest() { return free == 0 && n > 0 ? rel(n - 1) : front; }
};

// MOST_TYPES is how many types a chain may have: what it keeps of each between
// two jobs takes the thread's own memory.
const int MOST_TYPES = 8;

// Types is a chain as Runs is one.
struct Types {
	Pool pools[MOST_TYPES];
	double idle[MOST_TYPES]; // unit-time for the last job
	int types;
	bool printed; // a job lifts only what it takes
	double front; // latest start of service
	double now;   // arrival of the next job

	__device__ void empty() {
		for (int p = 0; p < types; p++)
			pools[p].empty();
		front = now = 0;
	}

	// A chain saves its times, and then its pools.
	__device__ static i64 states(const Model *m) { return 1 + m->types; }

	__device__ void lie(const Model *m, double *releases, int *counts, i64 apart) {
		types = (int)m->types;
		printed = m->printed != 0;
		i64 at = 0;
		for (int p = 0; p < types; p++) {
			pools[p].lie(m, releases + at, counts + at, apart);
			Resource r = resources(m)[p];
			pools[p].servers = r.units;
			pools[p].share = r.share;
			at += r.slots * apart;
		}
	}

	__device__ void settle(const Model *m, double *releases, int *counts, i64 chain, i64 chains, i64) {
		lie(m, releases + chain, counts + chain, chains);
	}

	__device__ void load(const Saved *s, i64 apart) {
		now = s->now;
		front = s->front;
		for (int p = 0; p < types; p++)
			pools[p].load(s + (1 + p) * apart, apart);
	}

	__device__ void save(Saved *s, i64 apart) const {
		s->now = now;
		s->front = front;
		for (int p = 0; p < types; p++)
			pools[p].save(s + (1 + p) * apart, apart);
	}

	__device__ void fetch(const double *releases, const int *counts, i64 apart) {
		for (int p = 0; p < types; p++) {
			i64 at = (pools[p].release - pools[0].release) / pools[p].stride * apart;
			pools[p].fetch(releases + at, counts + at, apart);
		}
	}

	__device__ void store(double *releases, int *counts, i64 apart) {
		for (int p = 0; p < types; p++) {
			i64 at = (pools[p].release - pools[0].release) / pools[p].stride * apart;
			pools[p].store(releases + at, counts + at, apart);
		}
	}

	// start is when all the units needed are free, at floor or later.
	__device__ double start(double floor, const i64 *need) {
		double latest = floor;
		for (int p = 0; p < types; p++)
			if (need[p] > 0)
				latest = fmax(latest, pools[p].coordinate(floor, (int)need[p] - 1));
		return latest;
	}

	// serve lets a job arrive at time t: equation (15) of Baccelli, Olliaro,
	// Ajmone Marsan and Marin, as printed or with all types lifted to the start.
	__device__ double serve(const Model *m, double t, const Job &j, double &waste) {
		const i64 *need = needs(m, j.type);
		double floor = t;
		for (int p = 0; printed && p < types; p++)
			pools[p].lift(t, t);
		if (!printed)
			floor = fmax(t, front);
		double begin = start(floor, need);
		waste = 0;
		for (int p = 0; p < types; p++) {
			int units = (int)need[p];
			if (printed) {
				idle[p] = pools[p].pull(t, begin, units);
			} else {
				idle[p] = pools[p].lift(floor, begin);
				pools[p].free -= units;
			}
			if (units > 0)
				pools[p].hold(units, begin + j.service);
			waste += idle[p];
		}
		front = fmax(front, begin);
		return begin;
	}

	__device__ void idled(double *sums, i64 apart) const {
		for (int p = 0; p < types; p++)
			sums[p * apart] += idle[p];
	}

	__device__ void shift(double by) {
		for (int p = 0; p < types; p++)
			pools[p].shift(by);
		front = fmax(0.0, front - by);
	}

	__device__ void rebase() {
		shift(now);
		now = 0;
	}

	__device__ double work() {
		double sum = 0;
		for (int p = 0; p < types; p++)
			sum += pools[p].workAt(now);
		return sum;
	}

	// Lifted together, types grow together and the pile has one height; as
	// printed it has the mean coordinate of every type.
	__device__ int heights() const { return printed ? types : 1; }

	__device__ double height(int k) {
		if (printed)
			return pools[k].workAt(0) * pools[k].share;
		double top = 0;
		for (int p = 0; p < types; p++)
			top = fmax(top, pools[p].last);
		return top;
	}

	__device__ double lower() {
		double by = front;
		for (int p = 0; printed && p < types; p++)
			by = fmin(by, pools[p].lowest());
		shift(by);
		return by;
	}

	__device__ void look(const Model *m, u64 rep, i64 job, const double *logs, double *rows, i64 apart, double *, int *) {
		observe(m, rep, job, logs, rows, apart);
	}

	// observe writes what Runs does and then, by class and type, the waste of
	// each type.
	__device__ double observe(const Model *m, u64 rep, i64 job, const double *logs, double *rows, i64 apart) {
		i64 classes = m->classes;
		double total = work(), floor = printed ? now : fmax(now, front);
		rows[0] = total;
		for (i64 k = 0; k < classes; k++) {
			const i64 *need = needs(m, k);
			double begin = start(floor, need), wait = begin - now, waste = 0;
			for (int p = 0; p < types; p++) {
				double x = pools[p].below(floor, begin, printed ? (int)need[p] : pools[p].servers);
				rows[(1 + 3 * classes + k * types + p) * apart] = x;
				waste += x;
			}
			rows[(1 + k) * apart] = wait;
			rows[(1 + classes + k) * apart] = waste;
			rows[(1 + 2 * classes + k) * apart] = wait + probe(m, rep, k, job, logs);
		}
		return total;
	}
};
