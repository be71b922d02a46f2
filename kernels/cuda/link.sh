#!/bin/sh
# link.sh FOLDER makes what programs with the tag cuda are linked against:
#
#   FOLDER/lib/libcuda.a             opens the driver's library when the program starts, if there is one
#   FOLDER/emulated/libcuda.so.1     a driver's library whose device is this CPU, for tests:
#                                    run a program with LD_LIBRARY_PATH=FOLDER/emulated
#
# FOLDER/include must have cuda.h. Needs a C and a C++ compiler, and Go.
set -eu

here=$(cd "$(dirname "$0")" && pwd -P)
mkdir -p "$1/lib" "$1/emulated"
folder=$(cd "$1" && pwd -P)
cd "$here"

# The functions that gorgonia.org/cu names; cuda.h renames some to their current
# versions, as the preprocessor knows. What it does not declare is cu's own.
# Nothing built without the tag has fetched cu, and then it has no folder.
go mod download gorgonia.org/cu
cu=$(go list -m -f '{{.Dir}}' gorgonia.org/cu)
names=$(grep -hoE '\bcu[A-Z][A-Za-z0-9_]*\(' "$cu"/*.go "$cu"/*.c "$cu"/*.h | tr -d '(' | sort -u)
preprocess() { "${CC:-gcc}" -E -P -I"$folder/include" -x c -; }
declared=$(echo '#include <cuda.h>' | preprocess | grep -oE '\bcu[A-Z][A-Za-z0-9_]*' | sort -u)
{
	echo '#include <cuda.h>'
	for name in $names; do echo "name: $name"; done
} | preprocess | sed -n 's/^name: //p' | sort -u | grep -Fx "$declared" | sed 's/.*/STAND_IN(&)/' >"$folder/lib/names.h"
[ -s "$folder/lib/names.h" ] || { echo "link.sh: found none of the driver's functions in $cu and $folder/include/cuda.h" >&2; exit 1; }

"${CC:-gcc}" -O2 -fPIC -c -I"$folder/lib" -o "$folder/lib/libcuda.o" driver/libcuda.c
rm -f "$folder/lib/libcuda.a"
ar rc "$folder/lib/libcuda.a" "$folder/lib/libcuda.o"
"${CXX:-g++}" -O2 -std=c++14 -ffp-contract=off -Wno-unknown-pragmas -shared -fPIC -Wl,-soname,libcuda.so.1 \
	-o "$folder/emulated/libcuda.so.1" emulate/program/libcuda.cpp
