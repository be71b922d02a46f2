// Sampling of the laws of mjq/law, word by word in the order of their Sample.
#pragma once
#include "stream.cuh"

__device__ inline double exponential(Words &w, const double *logs) { return negLog(unit(w.next()), logs); }

// choose is the first index whose cumulated weight reaches u, leaving out skip;
// past the last it is n if there is something beyond, else the last index of
// positive weight.
__device__ inline i64 choose(double u, const double *weights, i64 n, i64 skip, bool beyond) {
	i64 last = n;
	for (i64 i = 0; i < n; i++) {
		if (i == skip || weights[i] == 0)
			continue;
		u -= weights[i];
		if (u <= 0)
			return i;
		last = i;
	}
	return beyond ? n : last;
}

__device__ inline double phases(const Law &l, const double *table, Words &w, const double *logs) {
	const double *rows = table + l.n + 1;
	i64 phase = choose(unit(w.next()), table, l.n, l.n, table[l.n] > 0);
	double sum = 0;
	while (phase < l.n) {
		const double *row = rows + phase * (l.n + 2);
		double rate = -row[phase];
		sum += exponential(w, logs) * row[l.n + 1];
		phase = choose(unit(w.next()) * rate, row, l.n, phase, row[l.n] > 0);
	}
	return sum;
}

__device__ inline double quotient(double r, const double *up, const double *down) {
	double p = up[7], q = down[7];
#pragma unroll
	for (int i = 6; i >= 0; i--) {
		p = p * r + up[i];
		q = q * r + down[i];
	}
	return p / q;
}

// normalQuantile is Wichura's algorithm AS 241 (Applied Statistics 37, 1988),
// PPND16, accurate to about 1e-16.
__device__ inline double normalQuantile(double p) {
	const double a[] = {3.3871328727963666080e0, 1.3314166789178437745e+2, 1.9715909503065514427e+3, 1.3731693765509461125e+4,
		4.5921953931549871457e+4, 6.7265770927008700853e+4, 3.3430575583588128105e+4, 2.5090809287301226727e+3};
	const double b[] = {1.0, 4.2313330701600911252e+1, 6.8718700749205790830e+2, 5.3941960214247511077e+3,
		2.1213794301586595867e+4, 3.9307895800092710610e+4, 2.8729085735721942674e+4, 5.2264952788528545610e+3};
	const double c[] = {1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0, 3.64784832476320460504e0,
		1.27045825245236838258e0, 2.41780725177450611770e-1, 2.27238449892691845833e-2, 7.74545014278341407640e-4};
	const double d[] = {1.0, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1,
		1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4, 1.05075007164441684324e-9};
	const double e[] = {6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0, 2.96560571828504891230e-1,
		2.65321895265761230930e-2, 1.24266094738807843860e-3, 2.71155556874348757815e-5, 2.01033439929228813265e-7};
	const double f[] = {1.0, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
		7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7, 2.04426310338993978564e-15};
	double q = p - 0.5;
	if (fabs(q) <= 0.425)
		return q * quotient(0.180625 - q * q, a, b);
	double r = sqrt(-log(q < 0 ? p : 1 - p));
	double z = r <= 5 ? quotient(r - 1.6, c, d) : quotient(r - 5, e, f);
	return q < 0 ? -z : z;
}

// sampleRare draws one value of a law other than the exponential. It stays a
// call, since all its laws in every place would make the kernels enormous.
__device__ __noinline__ double sampleRare(const Law &l, const double *table, Words &w, const double *logs) {
	switch (l.kind) {
	case ERLANG: {
		double sum = 0;
		for (i64 i = 0; i < l.n; i++)
			sum += exponential(w, logs);
		return l.a * sum;
	}
	case HYPEREXP: {
		double x = exponential(w, logs);
		return (unit(w.next()) <= l.a ? l.b : l.c) * x;
	}
	case COX2: {
		double x = l.a * exponential(w, logs);
		if (unit(w.next()) <= l.c)
			x += l.b * exponential(w, logs);
		return x;
	}
	case PHASES:
		return phases(l, table + l.table, w, logs);
	case BOUNDED: {
		double x = l.a * pow(l.c + unit(w.next()) * (1 - l.c), l.d);
		return fmin(fmax(x, l.a), l.b);
	}
	case LOMAX:
		return l.a * expm1(exponential(w, logs) * l.b);
	case WEIBULL:
		return l.a * pow(exponential(w, logs), l.b);
	case LOGNORMAL: {
		double u = unit(w.next());
		return u == 1 ? 0 : exp(l.a - l.b * normalQuantile(u));
	}
	case RECTANGULAR:
		return fmax(l.a, l.b - unit(w.next()) * (l.b - l.a));
	case OBSERVED: {
		i64 i = (i64)((1 - unit(w.next())) * (double)l.n);
		return table[l.table + (i < l.n ? i : l.n - 1)];
	}
	default: // CONSTANT
		return l.a;
	}
}

// sample draws one value of a law.
__device__ inline double sample(const Law &l, const double *table, Words &w, const double *logs) {
	if (l.kind == EXPONENTIAL)
		return l.a * exponential(w, logs);
	return sampleRare(l, table, w, logs);
}

// Job is one customer: the time to the next arrival, its own service, class and
// need.
struct Job {
	double gap, service;
	i64 type;
	int need;
};

// draw is the given job of a replication.
__device__ inline Job draw(const Model *m, u64 rep, i64 index, const double *logs) {
	u64 job = (u64)index, w0, w1;
	philox(job, counter(rep, FOR_JOB), m->key, w0, w1);
	u64 bits = w0 << 53 | (w1 & 0x7ff) << 42;
	bool sure;
	Job j;
	j.type = pickFew(m, bits, sure);
	if (!sure) {
		u64 more, unused;
		philox(job, counter(rep, FOR_CLASS), m->key, more, unused);
		j.type = pick(m, bits | more >> 22);
	}
	const Class &c = services(m)[j.type];
	j.need = (int)c.need;
	Words w;
	w.key = m->key;
	w.resetAfter(w0, job, counter(rep, FOR_GAP));
	j.gap = sample(m->gap, numbers(m), w, logs);
	w.resetAfter(w1, job, counter(rep, FOR_SERVICE));
	j.service = sample(c.service, numbers(m), w, logs);
	return j;
}

// probe is the service of a customer of the given class tagged onto a job.
__device__ inline double probe(const Model *m, u64 rep, i64 type, i64 job, const double *logs) {
	Words w;
	w.key = m->key;
	w.reset((u64)job ^ (u64)type << 48, counter(rep, FOR_PROBE));
	return sample(services(m)[type].service, numbers(m), w, logs);
}
