# make lab          JupyterLab on the notebooks        LAB_FLAGS=--no-browser
# make reproduce    every notebook at full effort, with a report in build/report
# make report       the report again, of the results that are there
# make matrix       the results of that into notebooks/MATRIX.md
# make course       the lists of notebooks and paths through them, from notebooks/course.toml
# make prose        the words of pages, comments, messages and notebooks
# make test         everything that continuous integration checks
# make bench        the benchmarks, to build/bench       BENCH=Laws COUNT=10
# make mutants      what the numerical tests miss   PACKAGES="law mam"
# make fuzz         every fuzz target for a minute   FUZZTIME=10m
# make site          the static site, in build/site/html
# make playground   the page on which a queue is tried without an installation
# make audit        known vulnerabilities, and licences to build/licenses.csv
# make rehearse     set-up and README's commands in a bare Debian root, as root
# make cuda         the build for GPUs, checked without one
# make kernel-user  the kernel "Go (mjq)" for your own Jupyter and VS Code
#
# Each of them sets up what it needs first (docker/setup.sh); what is there
# already costs no time.

.DEFAULT_GOAL := help
SHELL := /bin/sh
# Set-up finds Go in its usual place too, so the rest must.
export PATH := $(PATH):/usr/local/go/bin

RUN := PYTHONPATH=notebooks docker/jupyter.sh
LAB_FLAGS ?=
NOTEBOOKS ?=
EFFORT ?= full
FUZZTIME ?= 1m

.PHONY: help setup lab reproduce report matrix course test fuzz compiler check prose unit race beam audit cuda notebooks widgets site playground bench mutants rehearse kernel-user clean

help:
	@sed -n 's/^# \{0,1\}//p;/^$$/q' Makefile

setup:
	docker/setup.sh

# Jupyter refuses to start as root unless told so.
lab: setup playground
	@docker/patiently "compiling mjq" go build ./...
	docker/jupyter.sh jupyterlab $$([ "$$(id -u)" != 0 ] || echo --allow-root) $(LAB_FLAGS) notebooks

# After an interruption it goes on where it was; FRESH=1 starts anew.
reproduce: setup
	docker/setup.sh cuda
	$(RUN) run --effort full --html --timeout 720 $(if $(FRESH),--fresh) $(NOTEBOOKS)

report: setup
	$(RUN) run --effort $(EFFORT) --report

matrix: setup
	$(RUN) run --effort $(EFFORT) --matrix

course: setup
	$(RUN) run --course

# The compiler comes first: who lacks it should not wait to hear so. What each part
# took is said after it: the whole is to stay below 20 minutes on two quiet cores.
test:
	@for part in compiler check prose unit race beam audit cuda notebooks widgets site; do \
		start=$$(date +%s); \
		$(MAKE) --no-print-directory $$part || exit 1; \
		echo "== $$part: $$(($$(date +%s) - start)) s"; \
	done

compiler:
	docker/setup.sh compiler

# The tree as it is written: formatting, vet, staticcheck, dependencies.
check: setup
	go build ./...
	@unformatted=$$(git ls-files -z '*.go' | xargs -0 gofmt -l); [ -z "$$unformatted" ] || { echo "run gofmt -w on:" $$unformatted; exit 1; }
	go vet ./...
	.mjq/bin/staticcheck ./...
	go mod tidy -diff
	go mod verify

# The words: CONTRIBUTING.md has the rules.
prose:
	go test -count=1 ./internal/prose

# What others' code brings along.
audit: setup
	.ci/licenses
	.ci/vulnerabilities

unit:
	go test -timeout 30m ./...

# The tests that run several goroutines or cancel them; the others take ten times as long here and show no more.
race: compiler
	go test -race -run 'Goroutines|Interrupted|Ordered|Stops|Progress|Throttled' ./mjq/... ./widgets/...

# A module of its own, so that nothing else builds Beam: sweeps cut into parts,
# on the runner Prism, with workers killed. It is not checked for tidiness, for
# that looks at the tests of all of Beam's dependencies.
beam: setup
	cd mjq/beam && go build ./... && go vet ./... && go mod verify && ../../.mjq/bin/staticcheck ./... && go test ./...

# The tag cuda: vet, link, and run through the driver, this machine's if it has
# one and then one that is emulated. The build is set-up's business.
CUDA := $(CURDIR)/.mjq/cuda
cuda: export CGO_CFLAGS := -O2 '-I$(CUDA)/include'
cuda: export CGO_LDFLAGS := '-L$(CUDA)/lib'
cuda:
	docker/setup.sh cuda
	go vet -tags cuda ./mjq/... ./kernels/...
	go test -tags cuda -count=1 -run 'OnTheDriver|OnFaults' ./mjq/internal/gpu ./mjq
	LD_LIBRARY_PATH='$(CUDA)/emulated' go test -tags cuda -count=1 -run OnTheDriver ./mjq/internal/gpu

# So many at a time, each in a process of its own: compiling a cell keeps one core busy.
AT_ONCE ?= 2
notebooks: setup
	docker/setup.sh cuda
	$(RUN) unittest run.test_run
	PYTHONPATH=kernels/jupyter docker/jupyter.sh unittest test_session test_front
	@printf '%s\n' $(or $(NOTEBOOKS),$(wildcard notebooks/*.ipynb)) | \
		xargs -P $(AT_ONCE) -n 1 env PYTHONPATH=notebooks docker/jupyter.sh run --effort quick --fresh

# A user in a real browser, with times; screenshots are kept in build/browser.
widgets: setup
	docker/setup.sh browser
	$(MAKE) --no-print-directory playground
	MJQ_BROWSER=1 go test -count=1 -run InBrowser -timeout 1200s -v ./notebooks/browser ./widgets/playground

# Static files in build/playground, for any server: package mjq as WebAssembly, compressed.
PLAYGROUND := build/playground
playground:
	mkdir -p $(PLAYGROUND)
	cp widgets/playground/page/* "$$(go env GOROOT)/lib/wasm/wasm_exec.js" $(PLAYGROUND)
	GOOS=js GOARCH=wasm docker/patiently "building the playground" go build -trimpath -ldflags '-s -w' -o $(PLAYGROUND)/mjq.wasm ./widgets/playground/wasm
	docker/patiently "packing the playground" gzip -9 -n -f $(PLAYGROUND)/mjq.wasm

# Notebooks as they are committed, documents, packages, playground; dead links fail.
site: setup
	docker/setup.sh site
	.mjq/site/bin/python -m unittest discover -s site
	.mjq/site/bin/python site/build.py

# Two reports in build/bench: what a job and a sample cost, beside the dense twin and
# the event list; and all benchmarks by date and commit (+ for a tree with changes), as
# benchstat reads them. The tables of coverage are no benchmark of time.
BENCH ?= .
COUNT ?= 1
bench:
	@mkdir -p build/bench
	MJQ_BENCH=$(CURDIR)/build/bench go test -run '^$$' -bench '^BenchmarkReport$$' -benchtime 1x ./mjq/internal/speed
	@file=build/bench/$$(date +%F)-$$(git describe --always --dirty=+).txt; \
	go test -run '^$$' -bench '$(BENCH)' -skip '^Benchmark(Report|Coverage)' -count $(COUNT) -timeout 0 ./mjq/... | tee "$$file"; \
	! grep -q '^\(FAIL\|panic:\)' "$$file" && echo "written to $$file"

# Hours for all packages, minutes for most: each mutant is built and its package's
# tests are run. WORKERS=2
mutants:
	.ci/mutants $(PACKAGES)

# Models, all laws, all settings of the methods and all readers, one target
# after another. What makes one fail is kept in testdata/fuzz and tried by "make unit".
fuzz:
	@set -e; for dir in $$(grep -rl --include='*_test.go' '^func Fuzz' mjq | xargs -n 1 dirname | sort -u); do \
		for target in $$(sed -n 's/^func \(Fuzz[A-Za-z]*\)(.*/\1/p' $$dir/*_test.go); do \
			echo "$$dir $$target"; \
			go test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) ./$$dir; \
		done; \
	done

# What an image holds, without Docker; docker/rehearse says what it needs.
rehearse:
	docker/rehearse

# The one step that writes outside the checkout, and only when asked for by name.
kernel-user: setup
	.mjq/venv/bin/python -m jupyter_client.kernelspecapp install --user --name mjq .mjq/share/jupyter/kernels/mjq

clean:
	rm -rf build .mjq
