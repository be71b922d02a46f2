#!/bin/sh
# registers.sh PTXAS [--update]: what samplers.ptx takes of devices of three generations, as
# CUDA's assembler says: registers of a thread, and bytes of its stack. It fails if a kernel
# spills registers on one of them, or if the table in README.md is another; --update writes
# that one.
set -eu
here=$(cd "$(dirname "$0")" && pwd -P)
ptxas=$1
table=$(mktemp)
trap 'rm -f "$table"' EXIT
for arch in 80 90 100; do
	"$ptxas" -v -arch="sm_$arch" -o /dev/null "$here/samplers.ptx" 2>&1 | awk -v arch="$arch" '
		/Function properties for mjq_/ { name = $NF }
		/stack frame/ && name { stack = $1; spilt = $5 + $9 }
		/Used [0-9]+ registers/ { match($0, /Used [0-9]+/); print arch, name, substr($0, RSTART + 5, RLENGTH - 5), stack, spilt; name = "" }'
done | awk '
	{ registers[$2, $1] = $3; stack[$2, $1] = $4; spilt[$2, $1] = $5; names[$2] }
	END { for (n in names) printf "| `%s` | %d | %d | %d | %d | %d |\n", n, registers[n, 80], registers[n, 90], registers[n, 100], stack[n, 90], spilt[n, 80] + spilt[n, 90] + spilt[n, 100] }' |
	LC_ALL=C sort >"$table"
[ "$(wc -l <"$table")" -eq "$(grep -c '^\.visible \.entry' "$here/samplers.ptx")" ] || { echo "registers.sh: $ptxas does not tell of every kernel" >&2; exit 1; }
if [ "${2-}" = --update ]; then
	awk -v table="$table" '
		/^\| `mjq_/ { if (!done) while ((getline line <table) > 0) print line; done = 1; next }
		{ print }' "$here/README.md" >"$table.new"
	cat "$table.new" >"$here/README.md"
	rm -f "$table.new"
fi
if spilling=$(grep -v '| 0 |$' "$table"); then
	printf 'registers.sh: these kernels spill registers (the last column has the bytes):\n%s\n' "$spilling" >&2
	exit 1
fi
grep '^| `mjq_' "$here/README.md" | diff - "$table" || { echo "registers.sh: kernels/cuda/README.md has another table; run it with --update" >&2; exit 1; }
echo "registers.sh: no kernel spills on sm_80, sm_90 or sm_100"
