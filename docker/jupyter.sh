#!/bin/sh
# Runs one of Jupyter's Python modules in the private environment:
#
#	docker/jupyter.sh jupyterlab notebooks
#	docker/jupyter.sh nbconvert --to html FILE
#
# Configuration, kernels and run-time files are those below .mjq/, so that the
# user's own Jupyter is neither read nor written. Modules and not the scripts
# beside them are started, because a script's first line breaks on long paths.
set -eu
private=$(cd "$(dirname "$0")/.." && pwd -P)/.mjq
export JUPYTER_DATA_DIR="$private/share/jupyter"
export JUPYTER_CONFIG_DIR="$private/jupyter"
export JUPYTER_RUNTIME_DIR="$private/jupyter/runtime"
export IPYTHONDIR="$private/jupyter/ipython"
unset JUPYTER_PATH JUPYTER_CONFIG_PATH
exec "$private/venv/bin/python" -m "$@"
