"""The recurrence as the paper writes it, on a GPU through CuPy: a yardstick.

Equation (2) of Baccelli, Olliaro, Ajmone Marsan and Marin moves a sorted vector
of s workloads for every chain:

    W' = sort(max(0, S(a, W) + sigma on the first a coordinates - tau)),

where S lifts the first a coordinates to the a-th. Here all chains move together,
a job at a time, as array operations: chains x s numbers, sorted at every step.

    dense.py [--chains N ...] [--jobs N] [--numpy]

prints for two queues the steps per second and the mean wait of the last job, to
be held against the kernels'. It runs with the CuPy of CUDA 12 or 13; --numpy runs
on the CPU, where the program can be tried without a GPU.
"""

import argparse
import time


def five_classes():
    needs = [1, 2, 5, 10, 15]
    probs = [0.50, 0.10, 0.20, 0.19, 0.01]
    means = [0.5, 0.83, 1.25, 3.33, 10.0]
    return "five classes", 20, 1.4, needs, probs, means


def one_and_many():
    return "1 and 256", 256, 12.0, [1, 256], [0.99, 0.01], [1.0, 1.0]


def run(xp, queue, chains, jobs):
    name, servers, rate, needs, probs, means = queue
    needs, means = xp.asarray(needs), xp.asarray(means)
    bounds = xp.cumsum(xp.asarray(probs))[:-1]
    coordinate = xp.arange(servers)[None, :]
    rng = xp.random.default_rng(1)
    work = xp.zeros((chains, servers))
    wait = xp.zeros(chains)

    def step():
        nonlocal work, wait
        kind = xp.searchsorted(bounds, rng.random(chains))
        need = needs[kind]
        service = means[kind] * rng.standard_exponential(chains)
        gap = rng.standard_exponential(chains) / rate
        wait = xp.take_along_axis(work, (need - 1)[:, None], axis=1)[:, 0]
        seized = coordinate < need[:, None]
        work = xp.where(seized, (wait + service)[:, None], work) - gap[:, None]
        work = xp.sort(xp.maximum(work, 0), axis=1)

    def finish():
        if xp.__name__ == "cupy":
            xp.cuda.Device().synchronize()

    for _ in range(3):  # compile and warm up
        step()
    finish()
    started = time.perf_counter()
    for _ in range(jobs):
        step()
    finish()
    took = time.perf_counter() - started
    half = 1.96 * float(wait.std()) / chains**0.5
    print(f"{name}: {chains} chains of {jobs} jobs in {took:.2f} s, {chains * jobs / took:.3e} steps/s, "
          f"mean wait {float(wait.mean()):.4f} +- {half:.4f}", flush=True)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--chains", type=int, nargs="+", default=[65536])
    options.add_argument("--jobs", type=int, default=1000)
    options.add_argument("--numpy", action="store_true")
    options = options.parse_args()
    if options.numpy:
        import numpy as xp
    else:
        import cupy as xp
    for chains in options.chains:
        for queue in five_classes(), one_and_many():
            run(xp, queue, chains, options.jobs)


main()
