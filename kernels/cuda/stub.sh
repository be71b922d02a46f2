#!/bin/sh
# stub.sh FOLDER makes FOLDER/libcuda.so: the entry points of NVIDIA's driver
# library that gorgonia.org/cu names, each of which answers that there is no
# device. Programs with the tag cuda can be linked against it on any machine,
# and tests see what they say without a device. FOLDER/include must have cuda.h.
set -eu

folder=$1
cu=$(go list -m -f '{{.Dir}}' gorgonia.org/cu)
names=$(grep -hoE '\bcu[A-Z][A-Za-z0-9_]*\(' "$cu"/*.go "$cu"/*.c "$cu"/*.h | tr -d '(' | sort -u)

# cuda.h renames functions to their current versions; the preprocessor knows how.
# What it does not know as a function of the library is cu's own.
declared=$(printf '#include <cuda.h>\n' | "${CC:-gcc}" -E -P -I"$folder/include" -x c - | grep -oE '\bcu[A-Z][A-Za-z0-9_]*' | sort -u)
{
	printf '#include <cuda.h>\n'
	for name in $names; do printf 'stub %s\n' "$name"; done
} | "${CC:-gcc}" -E -P -I"$folder/include" -x c - | sed -n 's/^stub //p' | sort -u |
	grep -Fx "$declared" | sed 's/.*/int &(void) { return 100; }/' >"$folder/stub.c"
"${CC:-gcc}" -shared -fPIC -Wl,-soname,libcuda.so.1 -o "$folder/libcuda.so.1" "$folder/stub.c"
ln -sf libcuda.so.1 "$folder/libcuda.so"
