#!/bin/sh
# Compiles samplers.cu to PTX for every architecture in cuda.go and records from
# which sources and by which compiler. Needs Python and PyPI, no GPU, no driver;
# NVRTC is installed below .mjq/cuda in the checkout. Run it after every change
# of a .cu or .cuh file; a test compares the recorded hash.
set -eu

here=$(cd "$(dirname "$0")" && pwd -P)
private=$(cd "$here/../.." && pwd -P)/.mjq/cuda
# An older NVRTC writes an older PTX version, which more drivers accept:
# 12.1 asks for a driver of the 530 series or newer.
version=12.1.105
assembler=12.9.86

if ! [ -e "$private/nvrtc-$version" ]; then
	rm -rf "$private/venv"
	mkdir -p "$private"
	"${MJQ_PYTHON:-python3}" -m venv "$private/venv"
	"$private/venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-input \
		"nvidia-cuda-nvrtc-cu12==$version" "nvidia-cuda-nvcc-cu12==$assembler"
	touch "$private/nvrtc-$version"
fi
python=$private/venv/bin/python
nvidia=$("$python" -c 'import nvidia; print(list(nvidia.__path__)[0])')

mkdir -p "$here/ptx"
for arch in 80 90; do
	"$python" "$here/compile.py" "$nvidia/cuda_nvrtc/lib/libnvrtc.so.12" "$here/samplers.cu" "$arch" >"$here/ptx/sm_$arch.ptx"
	# The assembler reads it as a driver will; what it says of registers is worth a look.
	"$nvidia/cuda_nvcc/bin/ptxas" -v -arch="sm_$arch" -o /dev/null "$here/ptx/sm_$arch.ptx" 2>&1 |
		sed -n 's/^ptxas info *: Function properties for \(mjq_[a-z_]*\)/\1/p; s/.*Used \([0-9]* registers\).*/  \1/p'
done

hash=$(cd "$here" && for f in $(LC_ALL=C ls -- *.cu *.cuh | LC_ALL=C sort); do
	printf '%s %d\n' "$f" "$(wc -c <"$f")"
	cat "$f"
done | sha256sum | cut -d' ' -f1)
printf 'sources %s\ncompiler NVRTC %s\n' "$hash" "$version" >"$here/ptx/generated.txt"
cat "$here/ptx/generated.txt"
