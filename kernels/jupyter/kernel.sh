#!/bin/sh
# The Jupyter kernel "Go (mjq)": GoNB, with this checkout in the workspace of the
# cells' module, so that a notebook begins with its imports.
#
#   kernel.sh CONNECTION_FILE
#
# MJQ_GO names the go command of the set-up, for Jupyter started from a desktop
# often has a PATH without any. MJQ_KERNEL_LOG=1 shows GoNB's log in Jupyter's
# terminal.
set -eu
checkout=$(cd "${0%/*}/../.." && pwd -P)
go=${MJQ_GO:-/usr/local/go/bin/go}
export PATH="$checkout/.mjq/bin:$PATH:${go%/*}"

# A user's settings must not turn the workspace off. Without its symbol table a
# cell's program links faster, and panics keep their lines. With -trimpath cells use what
# make has compiled, in this checkout or in another.
unset GOWORK
flags=${GOFLAGS-}
case $flags in *-mod=*) flags=$(printf '%s' "$flags" | sed 's/-mod=[a-z]*//') ;; esac
case $flags in
*ldflags*) export GOFLAGS="$flags" ;;
*) export GOFLAGS="-trimpath -ldflags=-s $flags" ;;
esac

# Cells are compiled by cellgo, which set-up builds. What queries have computed is
# remembered from cell to cell and from session to session; MJQ_REMEMBER=off for none.
# GONB_GO=go compiles them as GoNB does.
[ ! -x "$checkout/.mjq/bin/cellgo" ] || export GONB_GO="${GONB_GO-$checkout/.mjq/bin/cellgo}"
export MJQ_REMEMBER="${MJQ_REMEMBER-$checkout/.mjq/remembered}"

# What cells with %goflags -tags=cuda need, once set-up has prepared it.
if [ -e "$checkout/.mjq/cuda/lib/libcuda.a" ] && [ -z "${CGO_LDFLAGS-}" ]; then
	export CGO_CFLAGS="-O2 '-I$checkout/.mjq/cuda/include'" CGO_LDFLAGS="'-L$checkout/.mjq/cuda/lib'"
fi

# The front stands between Jupyter and GoNB (kernels/jupyter/front), and ends with it.
# GoNB takes its place of this shell, so Jupyter signals GoNB itself.
inner=$("$checkout/.mjq/bin/front" prepare "$1")
if [ "$inner" != "$1" ]; then
	export MJQ_FRONT="${inner%/*}/front"
	"$checkout/.mjq/bin/front" relay "$1" "$inner" &
fi

# Without a log_file it would write files to the temporary directory.
set -- "$inner"
[ -n "${MJQ_KERNEL_LOG-}" ] || set -- "$1" -logtostderr=false -stderrthreshold=FATAL -log_file=/dev/null

# The compiler's messages come as text, which the front puts in order.
exec "$checkout/.mjq/bin/gonb" -go_work="$checkout" -raw_error -kernel "$@"
