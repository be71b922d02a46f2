#!/bin/sh
# folder.sh [FOLDER]: builds the folder, build/gpu-run unless told otherwise, with all that a
# machine with an NVIDIA GPU needs to check and time the kernels: programs that need a C library
# and the driver only, the kernels, dense.py for the CuPy that is there, and run.sh. It needs Go
# and a C compiler here, no GPU; there run.sh needs no Go and no network.
set -eu
cd "$(dirname "$0")/../.."
out=${1:-build/gpu-run}
private=$PWD/.mjq/cuda
docker/setup.sh cuda
rm -rf "$out"
mkdir -p "$out/kernels"
out=$(cd "$out" && pwd -P)

export CGO_ENABLED=1 CGO_CFLAGS="-O2 '-I$private/include'" CGO_LDFLAGS="'-L$private/lib'"
go test -tags cuda -c -ldflags '-s -w' -o "$out/gpu.test" ./mjq/internal/gpu

go build -tags cuda -ldflags '-s -w' -o "$out/answers" ./kernels/cuda/answers

cp kernels/cuda/*.cu kernels/cuda/*.cuh kernels/cuda/samplers.ptx "$out/kernels"
cp kernels/cuda/dense.py kernels/cuda/run.sh "$out"
size=$(du -sm "$out" | cut -f1)
[ "$size" -le 40 ] || { echo "folder.sh: $out has $size MiB, more than 40" >&2; exit 1; }
echo "$out: $size MiB. On the machine with the GPU: run.sh OUT"
