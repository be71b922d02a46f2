// The input of a queue as the host lays it out (layout.go): one block of
// memory, a header and tables behind it, found by their byte offsets. Numbers of
// four bytes come in pairs and tables begin at multiples of 16 bytes, so that both
// compilers agree on the layout and a thread reads 16 bytes at a time.
#pragma once

typedef unsigned long long u64;
typedef unsigned int u32;
typedef long long i64;

enum Kind {
	EXPONENTIAL, // a: mean
	ERLANG,      // n phases of mean a
	HYPEREXP,    // mean b with probability a, else c
	COX2,        // mean a, then with probability c mean b
	PHASES,      // n phases; table: n starts, 1 or 0 for an atom at 0, then n rows of n rates, whether the phase can end, and its mean
	BOUNDED,     // Pareto from a to b; c: (a/b)^shape, d: -1/shape
	LOMAX,       // a: range, b: 1/shape
	WEIBULL,     // a: scale, b: 1/shape
	LOGNORMAL,   // a, b: mean and standard deviation of the logarithm
	CONSTANT,    // a
	RECTANGULAR, // from a to b
	OBSERVED     // n values in the table
};

struct alignas(16) Law {
	int kind, n;
	double a, b, c, d;
	i64 table; // index of its first number
};

// Cell of Walker's alias table: its own class below keep, else the other.
struct alignas(16) Cell {
	u64 keep;
	int own, other;
};

struct alignas(16) Class {
	Law service;
	i64 need;
};

struct Model {
	u64 key;
	i64 servers, classes;
	i64 cells, services, numbers; // byte offsets of the tables
	Law gap;
	i64 types, printed; // of resources, 0 in the plain queue; 1 for the recursion as printed
	i64 resources, needs; // byte offsets of tables by type, and by class and type
	double share;         // of one server: 1/servers
};

// Resource is a type of resource.
struct alignas(16) Resource {
	int units;
	int slots;    // groups that can hold some of it
	double share; // of one unit: 1/units
};

__device__ inline const Cell *cells(const Model *m) { return (const Cell *)((const char *)m + m->cells); }
__device__ inline const Class *services(const Model *m) { return (const Class *)((const char *)m + m->services); }

__device__ inline const Resource *resources(const Model *m) { return (const Resource *)((const char *)m + m->resources); }

// needs is what the class needs of every type.
__device__ inline const i64 *needs(const Model *m, i64 type) { return (const i64 *)((const char *)m + m->needs) + type * m->types; }

// Pair is what a thread reads at once.
struct alignas(16) Pair {
	double first, second;
};

// The numbers begin with the table of logarithms.
__device__ inline const double *numbers(const Model *m) { return (const double *)((const char *)m + m->numbers); }
