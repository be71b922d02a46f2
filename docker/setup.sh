#!/bin/sh
# Prepares everything that mjq needs beside Go, below .mjq/ in the checkout and
# nowhere else. Quick when nothing has changed.
#
#   docker/setup.sh [STEP]...
#
# Without a step it prepares what notebooks need: a private Python environment with
# JupyterLab, and the kernel "Go (mjq)". The Makefile takes the other steps where a target
# needs them.
#
# Without root it never asks for rights: it says which system packages to ask for.
set -eu

checkout=$(cd "$(dirname "$0")/.." && pwd -P)
private=$checkout/.mjq
cd "$checkout"

say() { printf 'setup: %s\n' "$*" >&2; }
die() { say "$*"; exit 1; }

# packages NAME... installs Debian packages as root, and otherwise says what to ask for.
packages() {
	command -v apt-get >/dev/null 2>&1 ||
		die "please install the system's equivalent of the Debian packages: $*"
	[ "$(id -u)" = 0 ] || die "please ask for these system packages: apt-get install $*"
	say "installing system packages: $*"
	export DEBIAN_FRONTEND=noninteractive
	mkdir -p "$private"
	# shellcheck disable=SC2016 # the inner shell expands
	docker/patiently "installing system packages" sh -c '
		exec >"$0" 2>&1 </dev/null
		apt-get -qq update && apt-get -qq install -y --no-install-recommends "$@"
	' "$private/apt.log" "$@" || { cat "$private/apt.log" >&2; exit 1; }
}

# fresh STAMP KEY tells whether a step was last finished with the same key;
# done_with STAMP KEY remembers it. Keys hold the checkout's path, because a
# Python environment does not survive a move.
fresh() { [ "$(cat "$private/stamps/$1" 2>/dev/null)" = "$2" ]; }
done_with() {
	mkdir -p "$private/stamps"
	printf '%s\n' "$2" >"$private/stamps/$1"
}

# Whatever Go builds here is built without C and without the checkout's path, as the tests and
# the cells use the same packages, so that it compiles each of them once.
export GOFLAGS="-trimpath ${GOFLAGS-}"
need_go() {
	command -v go >/dev/null 2>&1 || PATH=$PATH:/usr/local/go/bin
	command -v go >/dev/null 2>&1 || die "no go command on PATH: install Go 1.26 or newer first"
}

tools() {
	need_go
	key="$(go version) $checkout $(cat go.mod go.sum kernels/jupyter/gonb.patch | cksum)"
	fresh tools "$key" && return
	say "building gonb and goimports"
	mkdir -p "$private/bin"
	docker/patiently "building goimports" env CGO_ENABLED=0 go build -o "$private/bin/" golang.org/x/tools/cmd/goimports
	patched_gonb
	done_with tools "$key"
}

# GoNB with kernels/jupyter/gonb.patch, from a copy of the module in .mjq/gonb.
patched_gonb() {
	module=github.com/janpfeifer/gonb
	go mod download "$module"
	source=$(go list -m -f '{{.Dir}}' "$module")
	rm -rf "$private/gonb"
	mkdir -p "$private/gonb"
	(cd "$source" && tar -cf - go.mod version.txt ./*.go cache common gonbui internal version) | tar -xf - -C "$private/gonb"
	chmod -R u+w "$private/gonb"
	(cd "$private/gonb" && GIT_CEILING_DIRECTORIES=$private git apply "$checkout/kernels/jupyter/gonb.patch")
	cp go.mod "$private/gonb.mod"
	cp go.sum "$private/gonb.sum"
	go mod edit -replace="$module=$private/gonb" "$private/gonb.mod"
	docker/patiently "building gonb" env CGO_ENABLED=0 go build -modfile="$private/gonb.mod" -o "$private/bin/gonb" "$module"
}

# The packages without which nothing here works; Debian splits what a virtual
# environment needs into one of its own.
system() {
	python=${MJQ_PYTHON:-python3}
	missing=
	"$python" -c 'import ensurepip, venv' 2>/dev/null || missing="python3 python3-venv"
	command -v make >/dev/null 2>&1 || missing="$missing make"
	command -v git >/dev/null 2>&1 || missing="$missing git"
	[ -e /etc/ssl/certs/ca-certificates.crt ] || [ "$(uname)" != Linux ] || missing="$missing ca-certificates"
	# shellcheck disable=SC2086 # a list of names without spaces
	[ -z "$missing" ] || packages $missing
}

jupyter() {
	python=${MJQ_PYTHON:-python3}
	requirements="$checkout $(cat docker/requirements.txt docker/mjq_formulas.py | cksum)"
	fresh jupyter "$("$python" -VV 2>/dev/null | tr '\n' ' ') $requirements" && return
	"$python" -c 'import ensurepip, venv' 2>/dev/null || system
	"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
		die "JupyterLab needs Python 3.11 or newer; name one with MJQ_PYTHON=..."
	key="$("$python" -VV | tr '\n' ' ') $requirements"
	say "installing JupyterLab in .mjq/venv"
	docker/patiently "installing JupyterLab" sh -ec '
		rm -rf "$1"
		"$0" -m venv "$1"
		"$1/bin/python" -m pip install --quiet --disable-pip-version-check --no-input --no-deps --no-compile --require-hashes -r docker/requirements.txt
		cp docker/mjq_formulas.py "$("$1/bin/python" -c "import sysconfig; print(sysconfig.get_path(\"purelib\"))")"
	' "$python" "$private/venv"
	done_with jupyter "$key"
}

# Gopls completes and explains code in the cells. It is no tool of go.mod, for then all of
# its dependencies would be checked with ours. Cells are a module of their own to it.
gopls() {
	need_go
	version=v0.21.1
	key="$version $(go version) $checkout"
	mkdir -p "$private/gopls/cells"
	if ! fresh gopls "$key"; then
		say "building gopls $version (a minute the first time)"
		if GOBIN="$private/gopls" CGO_ENABLED=0 GOFLAGS='' docker/patiently "building gopls" go install "golang.org/x/tools/gopls@$version"; then
			done_with gopls "$key"
		else
			say "without gopls: cells are not completed"
		fi
	fi
	sed -e "s|^module .*|module cells\n\nrequire github.com/mjqueue/mjq v0.0.0\n\nreplace github.com/mjqueue/mjq => $checkout|" \
		go.mod >"$private/gopls/cells/go.mod"
	cp go.sum "$private/gopls/cells/go.sum"
}

kernel() {
	need_go
	tools
	docker/patiently "building the kernel" env CGO_ENABLED=0 go build -o "$private/bin/" ./kernels/jupyter/cellgo ./kernels/jupyter/front
	rm -f "$private"/cells/*/failed # what was missing for the library of cells may be there now
	spec=$private/share/jupyter/kernels/mjq
	mkdir -p "$spec"
	quoted() { printf '"%s"' "$(printf '%s' "$1" | sed 's/["\\]/\\&/g')"; }
	# An interrupt stops the cell's program, not the kernel, as GoNB wants it.
	cat >"$spec/kernel.json.$$" <<-END
		{
		  "argv": [$(quoted "$checkout/kernels/jupyter/kernel.sh"), "{connection_file}"],
		  "display_name": "Go (mjq)",
		  "language": "go",
		  "interrupt_mode": "message",
		  "env": {"MJQ_GO": $(quoted "$(go env GOROOT)/bin/go")}
		}
	END
	mv "$spec/kernel.json.$$" "$spec/kernel.json" # a kernel that starts meanwhile reads one or the other
	# IPython, which Jupyter imports, complains when it finds no home.
	mkdir -p "$private/jupyter/ipython"
}

# Jupyter's settings and the page on which it starts.
start() {
	jupyter
	key="$checkout $(cat docker/*.json docker/jupyter_server_config.py docker/custom.css notebooks/course.toml notebooks/run/start.md notebooks/run/export/* notebooks/run/page.css kernels/jupyter/words.txt | cksum)"
	fresh start "$key" && return
	mkdir -p "$private/jupyter/custom" "$private/venv/share/jupyter/lab/settings"
	cp docker/jupyter_server_config.py "$private/jupyter/"
	cp docker/custom.css "$private/jupyter/custom/"
	exports=$private/share/jupyter/nbconvert/templates/mjq
	mkdir -p "$exports"
	cp notebooks/run/export/* notebooks/run/page.css "$exports/"
	echo 'c.HTMLExporter.template_name = "mjq"' >"$private/jupyter/jupyter_nbconvert_config.py"
	cp docker/overrides.json "$private/venv/share/jupyter/lab/settings/"
	PYTHONPATH=notebooks docker/patiently "making the start page" docker/jupyter.sh run --start
	done_with start "$key"
}

# The race detector needs a C compiler, the emulated GPU one for C++.
compiler() {
	command -v "${CC:-gcc}" >/dev/null 2>&1 && command -v "${CXX:-g++}" >/dev/null 2>&1 &&
		[ -e /usr/include/stdlib.h ] && return
	[ "$(uname)" = Linux ] || return 0
	packages gcc g++ libc6-dev
}

# What the tag cuda needs to build, with or without a GPU: CUDA's headers, a library that opens
# the driver's when a program starts (kernels/cuda/link.sh), and the assembler that says what a
# kernel takes.
cuda() {
	need_go
	compiler
	jupyter
	key="$checkout $(cat go.sum kernels/cuda/requirements.txt kernels/cuda/link.sh kernels/cuda/driver/* kernels/cuda/*.cu* kernels/cuda/emulate/program/* | cksum)"
	if ! fresh cuda "$key"; then
		say "preparing the headers and libraries for the tag cuda"
		rm -rf "$private/cuda/headers"
		"$private/venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-input --no-deps \
			--target "$private/cuda/headers" --require-hashes -r kernels/cuda/requirements.txt
		ln -sfn headers/nvidia/cuda_runtime/include "$private/cuda/include"
		ln -sfn headers/nvidia/cuda_nvcc/bin/ptxas "$private/cuda/ptxas"
		chmod +x "$private/cuda/ptxas"
		kernels/cuda/link.sh "$private/cuda"
		done_with cuda "$key"
	fi
	say "to build with the tag cuda: export CGO_CFLAGS=\"-O2 '-I$private/cuda/include'\" CGO_LDFLAGS=\"'-L$private/cuda/lib'\"; the notebooks' kernel does so itself"
}

# The generator of the site.
site() {
	key="$("$(command -v "${MJQ_PYTHON:-python3}")" -VV | tr '\n' ' ') $checkout $(cksum <site/requirements.txt)"
	fresh site "$key" && return
	say "installing the generator of the site in .mjq/site"
	rm -rf "$private/site"
	"${MJQ_PYTHON:-python3}" -m venv "$private/site"
	docker/patiently "installing the generator of the site" "$private/site/bin/python" -m pip install --quiet --disable-pip-version-check \
		--no-input --require-hashes -r site/requirements.txt
	done_with site "$key"
}

# The widgets are tested in a real browser, through Debian's package.
browser() {
	for name in chromium chromium-browser google-chrome; do
		command -v "$name" >/dev/null 2>&1 && return
	done
	packages chromium
}

# For images, as root: what a user may not install, and the user mjq, by MJQ_UID.
image() {
	system
	compiler
	rm -rf /var/lib/apt/lists/* "$private"
	useradd --uid "${MJQ_UID:-1000}" --create-home --shell /bin/bash mjq
	chown -R mjq:mjq /home/mjq
}

# Compiles the packages that cells import, so that the first cell need not wait for the
# compiler.
cells() {
	need_go
	docker/patiently "compiling mjq" env CGO_ENABLED=0 go build ./mjq/... ./widgets/... ./notebooks/check ./notebooks/papers
}

# Prepares, while JupyterLab runs, what the first cell can do without.
later() {
	again=$(cat "$private/stamps/later" 2>/dev/null) || say "preparing in the background: packages of cells, completion, the playground, a library that links cells faster"
	cells
	gopls
	make --no-print-directory playground
	docker/patiently "linking the library for cells" "$private/bin/cellgo" library || say "mjq links each cell whole, which takes longer"
	[ -z "$again" ] || return 0
	done_with later done
	PYTHONPATH=notebooks docker/jupyter.sh run --start # without the words about preparation
	say "everything is prepared; restart a running kernel to complete code in it"
}

# For images, as mjq: everything compiled and one notebook run, so that the first cell
# of a fresh container does not wait for the compiler.
warm() {
	all
	later
	cuda
	PYTHONPATH=notebooks docker/jupyter.sh run --effort quick notebooks/tutorial.ipynb
}

all() {
	jupyter
	kernel
	start
}

steps='all tools gopls jupyter kernel start cells later system compiler cuda browser site image warm'
[ $# -gt 0 ] || set -- all
for step; do
	case " $steps " in
	*" $step "*) "$step" ;;
	*) die "unknown step $step; known: $steps" ;;
	esac
done
