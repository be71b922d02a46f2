#!/bin/sh
# stub.sh FOLDER makes FOLDER/libcuda.so: the entry points of NVIDIA's driver
# library that gorgonia.org/cu names, each of which answers that there is no
# device. Programs with the tag cuda can be linked against it on any machine.
# stub.sh FOLDER emulated adds a device whose kernels run on the CPU.
# FOLDER/include must have cuda.h. With LD_LIBRARY_PATH=FOLDER a program runs on
# the stand-in instead of a driver.
set -eu

here=$(cd "$(dirname "$0")" && pwd -P)
folder=$1
cu=$(go list -m -f '{{.Dir}}' gorgonia.org/cu)
names=$(grep -hoE '\bcu[A-Z][A-Za-z0-9_]*\(' "$cu"/*.go "$cu"/*.c "$cu"/*.h | tr -d '(' | sort -u)

# cuda.h renames functions to their current versions; the preprocessor knows how.
# What it does not declare is cu's own.
preprocess() { "${CC:-gcc}" -E -P -I"$folder/include" -x c -; }
declared=$(echo '#include <cuda.h>' | preprocess | grep -oE '\bcu[A-Z][A-Za-z0-9_]*' | sort -u)
{
	echo '#include <cuda.h>'
	for name in $names; do echo "stub $name"; done
} | preprocess | sed -n 's/^stub //p' | sort -u | grep -Fx "$declared" |
	sed 's/.*/__attribute__((weak)) int &(void) { return 100; }/' >"$folder/stub.c"
"${CC:-gcc}" -c -fPIC -o "$folder/stub.o" "$folder/stub.c"
device=
[ "${2:-}" != emulated ] || device=$here/emulate/program/libcuda.cpp
# Under its own name a program loads it only where it is told to.
"${CXX:-g++}" -O2 -std=c++14 -ffp-contract=off -Wno-unknown-pragmas -shared -fPIC -Wl,-soname,libcuda.so.1 \
	-o "$folder/libcuda.so.1" $device "$folder/stub.o"
ln -sf libcuda.so.1 "$folder/libcuda.so"
