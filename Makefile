# Use
#   make lab          JupyterLab on the notebooks          LAB_FLAGS=--no-browser
#   make kernel-user  the kernel "Go (mjq)" for your own Jupyter and VS Code
#   make playground   the page on which you try a queue without an installation
#   make clean        remove what all of these have made
# Develop
#   make test         build and test; the kernel; a notebook of each part
#   make ci           that and the rest of continuous integration
#   make notebooks    the notebooks and their checks       NOTEBOOKS=notebooks/bursts.ipynb
#   make bench        the benchmarks, to build/bench       BENCH=Laws COUNT=10
#   make fuzz         every fuzz target for a minute       FUZZTIME=10m
#   make mutants      what the numerical tests miss        PACKAGES="law mam"
# Publish
#   make site         the static site, in build/site/html
#   make reproduce    every notebook at full effort, with a report in build/report
# The parts of these run alone too; "make parts" lists them.

.DEFAULT_GOAL := help
SHELL := /bin/sh
# Set-up finds Go in its usual place too, so the rest must.
export PATH := $(PATH):/usr/local/go/bin
# Without the checkout's path in them, packages that one checkout has compiled and tests that
# have passed there need not be compiled and run again in another.
export GOFLAGS := -trimpath $(GOFLAGS)

RUN := PYTHONPATH=notebooks docker/jupyter.sh
LAB_FLAGS ?=
NOTEBOOKS ?=
EFFORT ?= full
FUZZTIME ?= 1m

.PHONY: help parts setup setup-python setup-kernel lab reproduce report matrix course test ci rest fuzz compile compiler browser check prose unit sizes race beam slurm flink flink-cluster audit cuda gpu-folder kernel runner notebooks tour others completion widgets site playground bench mutants rehearse kernel-user clean

help:
	@sed -n 's/^# \{0,1\}//p;/^$$/q' Makefile

# What each part does stands above it.
parts:
	@echo 'of test:       compile unit prose kernel runner tour'
	@echo 'of ci:         compiler browser check sizes race beam slurm flink flink-cluster completion audit site others widgets cuda'
	@echo 'of reproduce:  report matrix course'
	@echo 'where it fits: gpu-folder (checks and times the kernels on a machine with a GPU), rehearse (set-up in a bare Debian root, as root)'

# Python on one core and Go on the other.
setup:
	@[ -n "$(READY)" ] || $(MAKE) --no-print-directory $(if $(filter -j%,$(MAKEFLAGS)),,-j2) setup-python setup-kernel
setup-python:
	@docker/setup.sh jupyter start
setup-kernel:
	@docker/setup.sh kernel

# Every target takes the steps of set-up that it needs; a step that is done costs no time.
lab: setup
	docker/lab $(LAB_FLAGS)

# After an interruption it goes on where it was; FRESH=1 starts anew.
reproduce: setup
	docker/setup.sh cuda
	$(RUN) run --effort full --html --timeout 720 $(if $(FRESH),--fresh) $(NOTEBOOKS)

# The report again, of the results that exist.
report: setup
	$(RUN) run --effort $(EFFORT) --report

# Those results into notebooks/MATRIX.md.
matrix: setup
	$(RUN) run --effort $(EFFORT) --matrix

# The list of notebooks in README.md, from notebooks/course.toml.
course: setup
	$(RUN) run --course

# The parts of "make test", then those that "make ci" adds. Who lacks a compiler or a
# browser hears so first. What all parts use is compiled before they compile it side by side,
# while Python's packages come.
TEST := setup-python+compile setup unit+kernel+runner+tour
REST := compiler browser check sizes race beam+slurm flink+completion flink-cluster+audit+site others widgets+cuda

test:
	@echo 'make test builds and tests every package, tests the kernel over its protocol, and runs'
	@echo 'one notebook of each part of the course: about 7 minutes on two quiet cores, 3 the next time.'
	@.ci/parts $(TEST); status=$$?; \
	echo 'Not done, but by make ci: vet, staticcheck, race detector, long tests, Beam, licences and vulnerabilities,'; \
	echo 'the GPU code, completion and messages in cells, the other notebooks, a browser, the site. It needs a C compiler and chromium.'; \
	exit $$status

ci:
	@echo 'make ci runs all that continuous integration checks: about 30 minutes on two cores.'
	@.ci/parts $(TEST) $(REST)

rest:
	@.ci/parts $(REST)

compiler browser:
	docker/setup.sh $@
compile:
	docker/setup.sh cells

# The tree as its authors write it: formatting, vet, staticcheck, dependencies.
check: export CGO_ENABLED := 0
check:
	go build ./...
	@unformatted=$$(git ls-files -z '*.go' | xargs -0 gofmt -l); [ -z "$$unformatted" ] || { echo "run gofmt -w on:" $$unformatted; exit 1; }
	go vet ./...
	go build -o .mjq/bin/ honnef.co/go/tools/cmd/staticcheck
	.mjq/bin/staticcheck ./...
	go mod tidy -diff
	go mod verify

# Words that CONTRIBUTING asks for or advises against; a part of unit.
prose:
	go test -count=1 ./internal/prose

# What others' code brings along.
audit:
	.ci/licenses
	.ci/vulnerabilities

# Without C, as cells use the packages. Go does not run a test again if the files that it read
# have not changed, but it does not see what programs read that a test starts, nor, in a second
# checkout, what a test read after it had gone to another folder.
UNSEEN := internal/prose internal/rules kernels/jupyter kernels/jupyter/cellgo mjq/cmd/mjq widgets/playground
unit: export CGO_ENABLED := 0
unit:
	docker/patiently "compiling and testing" .ci/unit $(UNSEEN)

# The tests whose full sizes take minutes.
sizes: export CGO_ENABLED := 0
sizes:
	docker/patiently "testing" .ci/sizes

# The tests that run several goroutines or cancel them; the others take ten times as long here and show no more.
RACE := Goroutines|Interrupted|Ordered|Stops|Progress|Throttled
race: compiler
	go test -race -vet=off -run '$(RACE)' $$(grep -rlE --include='*_test.go' --exclude-dir=beam \
		'^func (Test|Example)[A-Za-z0-9_]*($(RACE))' mjq widgets | xargs -n 1 dirname | sort -u | sed 's|^|./|')

# A module of its own, so that nothing else builds Beam: sweeps cut into parts,
# on the runner Prism, with workers killed. It is not checked for tidiness, for
# that looks at the tests of all of Beam's dependencies.
beam: export CGO_ENABLED := 0
beam:
	go build -o .mjq/bin/ honnef.co/go/tools/cmd/staticcheck
	cd mjq/beam && go build ./... && go mod verify && ../../.mjq/bin/staticcheck ./... && go test -vet=all ./...

# A job array on a Slurm of one node, from Debian's packages below .mjq/slurm; 3 minutes.
slurm:
	.ci/slurm

# A sweep on Apache Flink, with jars from Maven below .mjq/flink; skipped without Java and Maven.
flink flink-cluster slurm: export CGO_ENABLED := 0
flink:
	.ci/flink/run
flink-cluster:
	.ci/flink/run cluster

# The tag cuda: what the kernels take of a device, vet of the packages that know the tag, link,
# and run through the driver, this machine's if it has one and then one that is emulated. The
# build is set-up's business.
CUDA := $(CURDIR)/.mjq/cuda
cuda: export CGO_CFLAGS := -O2 '-I$(CUDA)/include'
cuda: export CGO_LDFLAGS := '-L$(CUDA)/lib'
cuda:
	docker/setup.sh cuda
	kernels/cuda/registers.sh '$(CUDA)/ptxas'
	go vet -tags cuda $$(grep -rl --include='*.go' '^//go:build.*cuda' mjq | xargs -n 1 dirname | sort -u | sed 's|^|./|')
	go test -tags cuda -vet=off -count=1 -run 'TestOnTheDriver|SmallOnTheDriver|OnFaults' ./mjq/internal/gpu
	LD_LIBRARY_PATH='$(CUDA)/emulated' go test -tags cuda -vet=off -count=1 -run 'TestOnTheDriver|SmallOnTheDriver' ./mjq/internal/gpu

# build/gpu-run: copy it to a machine with an NVIDIA GPU and call run.sh OUT there. As root,
# kernels/cuda/rehearse.sh runs it in a bare Debian root against the emulated driver.
gpu-folder:
	kernels/cuda/folder.sh

# The kernel over its protocol. The tests that need gopls, which takes as long to build as
# everything else, are in completion.
KERNEL := $(basename $(notdir $(wildcard kernels/jupyter/test_*.py)))
kernel: setup
	PYTHONPATH=kernels/jupyter docker/jupyter.sh unittest $(KERNEL)

# The runner of notebooks, whose tests wait for silent kernels.
runner: setup
	PYTHONPATH=notebooks docker/jupyter.sh unittest run.test_run

completion: setup
	docker/setup.sh gopls
	PYTHONPATH=kernels/jupyter docker/jupyter.sh unittest -k WithGopls $(KERNEL)

# So many at a time, each in a process of its own: compiling a cell keeps one core busy.
# The tour is one notebook of each part of the course; the others begin with the longest.
AT_ONCE ?= 2
ALL = $(wildcard notebooks/*.ipynb)
TOUR = $(shell sed -n 's|^tour = "\(.*\)"$$|notebooks/\1.ipynb|p' notebooks/course.toml)
LONGEST = $(patsubst %,notebooks/%.ipynb,mjsre-cell-b stopping-rules capacity-planning)
notebooks: setup
	@printf '%s\n' $(or $(NOTEBOOKS),$(LONGEST) $(filter-out $(LONGEST),$(ALL))) | \
		xargs -P $(AT_ONCE) -n 1 env PYTHONPATH=notebooks docker/jupyter.sh run --effort quick --fresh

# One at a time, because it runs beside other parts.
tour:
	@$(MAKE) --no-print-directory notebooks AT_ONCE=1 NOTEBOOKS='$(TOUR)'

others:
	@$(MAKE) --no-print-directory notebooks NOTEBOOKS='$(LONGEST) $(filter-out $(LONGEST) $(TOUR),$(ALL))'

# A user in a real browser, with times; screenshots are kept in build/browser.
widgets: setup
	docker/setup.sh browser gopls
	$(MAKE) --no-print-directory playground
	CGO_ENABLED=0 MJQ_BROWSER=1 go test -exec 'env -u CGO_ENABLED' -count=1 -vet=off -run InBrowser -timeout 1200s -v ./notebooks/browser ./widgets/playground

# Static files in build/static/playground, for any server: package mjq as WebAssembly, compressed
# once for each program.
PLAYGROUND := build/static/playground
WASM := build/mjq.wasm
playground:
	@mkdir -p $(PLAYGROUND)
	@cp widgets/playground/page/* "$$(go env GOROOT)/lib/wasm/wasm_exec.js" $(PLAYGROUND)
	@GOOS=js GOARCH=wasm docker/patiently "building the playground" go build -trimpath -ldflags '-s -w' -o $(WASM) ./widgets/playground/wasm
	@id=$$(go tool buildid $(WASM)) && [ "$$id" = "$$(cat $(WASM).packed 2>/dev/null)" ] || { \
		docker/patiently "packing the playground" gzip -9 -n -k -f $(WASM) && echo "$$id" >$(WASM).packed; }
	@cp $(WASM).gz $(PLAYGROUND)
	@docker/patiently "computing the first answer of the playground" go run ./widgets/playground/wasm >$(PLAYGROUND)/first.json

# Notebooks as they are committed, documents, packages, playground; dead links fail.
site:
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
	MJQ_BENCH=$(CURDIR)/build/bench go test -run '^$$' -bench '^BenchmarkReport$$' -benchtime 1x ./mjq/internal/tests/speed
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
