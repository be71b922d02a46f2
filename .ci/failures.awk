# Finds what has failed in the log of a part, and prints a line each with the command that
# runs it alone; the last lines of the log if it recognizes nothing.
#
#	awk -v part=unit -f .ci/failures.awk build/parts/unit.log

BEGIN {
	go = "go test"
	if (part == "race") go = "go test -race"
	if (part == "sizes") go = "MJQ_LONG=1 go test"
	if (part == "widgets") go = "MJQ_BROWSER=1 go test"
	if (part == "beam") go = "cd mjq/beam && go test"
	if (part == "cuda") go = "make cuda #"
}

{ last[NR % 10] = $0 }

function told(what, command) {
	printf "   %-52s %s\n", what, command
	known++
}

# Go: the tests of a package come before the line of the package.
$1 == "---" && $2 == "FAIL:" && $3 !~ "/" { tests = tests (tests == "" ? "" : "|") $3 }
$1 == "FAIL" && $2 ~ "^github.com/" {
	package = $2
	sub("github.com/mjqueue/mjq" (part == "beam" ? "/mjq/beam" : ""), ".", package)
	if ($0 ~ /\[(build|setup) failed\]/) told(package " does not build", "go vet " package)
	else if (tests == "") told(package, go " " package)
	else told(tests, go " -run '^(" tests ")$' " package)
	tests = ""
}

# A notebook, by the runner.
$1 == "FAIL" && $3 ~ /^[0-9.]+$/ && $4 ~ /^s/ { told($2, "make notebooks NOTEBOOKS=notebooks/" $2 ".ipynb") }

# Python's unittest.
/^(FAIL|ERROR): / {
	test = $3
	gsub(/[()]/, "", test)
	if (test ~ /^test_build/) told($2, "cd site && ../.mjq/site/bin/python -m unittest " test)
	else told($2, "PYTHONPATH=notebooks:kernels/jupyter docker/jupyter.sh unittest " test)
}

END {
	if (!known) for (i = NR - 9; i <= NR; i++) if (i > 0) print "   " last[i % 10]
}
