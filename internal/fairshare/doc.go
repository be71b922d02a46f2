// Package fairshare has the arithmetic of Slurm's multifactor priorities: trees of shares, the factors
// of Fair Tree and of classic fair share, decayed usage, and the sum of the factors. It knows neither
// jobs nor policies.
//
// The formulas are those of Slurm's src/plugins/priority/multifactor, priority_multifactor.c and
// fair_tree.c; the code is our own.
package fairshare
