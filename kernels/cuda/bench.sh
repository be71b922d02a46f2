#!/bin/sh
# bench.sh [FOLDER]: on a machine with an NVIDIA GPU, builds, checks against the
# CPU, and times the kernels beside the dense recurrence in CuPy (dense.py). What
# it finds is written to FOLDER, build/gpu unless told otherwise.
set -eu

cd "$(dirname "$0")/../.."
out=${1:-build/gpu}
mkdir -p "$out"
private=$PWD/.mjq/cuda
command -v nvidia-smi >/dev/null 2>&1 || { echo "bench: no nvidia-smi: this machine has no NVIDIA driver" >&2; exit 1; }
nvidia-smi --query-gpu=name,driver_version,memory.total,clocks.max.sm --format=csv | tee "$out/device.csv"

docker/setup.sh cuda
export CGO_CFLAGS="-O2 '-I$private/include'" CGO_LDFLAGS="'-L$private/lib'"

echo "== the same samples as on the CPU"
go test -tags cuda -count=1 -v -run OnTheDriver ./mjq/internal/gpu | tee "$out/check.txt"
grep -q -- '--- PASS: TestOnTheDriver ' "$out/check.txt" || { echo "bench: the check did not pass, so no times" >&2; exit 1; }

echo "== the kernels"
go test -tags cuda -run '^$' -bench '^BenchmarkOnGPU$' -benchtime 3x ./mjq/internal/speed | tee "$out/kernels.txt"

echo "== certified samples"
go test -tags cuda -run '^$' -bench CertifiedOnGPU -benchtime 3x ./mjq/internal/speed | tee "$out/certified.txt"

echo "== types of resources"
go test -tags cuda -run '^$' -bench TypesOnGPU -benchtime 3x ./mjq/internal/speed | tee "$out/types.txt"

echo "== the dense recurrence in CuPy"
[ -e "$private/cupy" ] || "${MJQ_PYTHON:-python3}" -m venv "$private/cupy"
"$private/cupy/bin/python" -m pip install --quiet --disable-pip-version-check --no-input 'cupy-cuda12x[ctk]>=14'
"$private/cupy/bin/python" kernels/cuda/dense.py | tee "$out/dense.txt"
