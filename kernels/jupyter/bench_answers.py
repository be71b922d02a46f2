"""What a changed cell costs, by the kernel's protocol:

PYTHONPATH=kernels/jupyter docker/jupyter.sh bench_answers [CELLS]

Four cells, which print, show a model, show a figure, and give nothing to be shown, are
changed and run so many times (7), compiled by go as GoNB does it, by cellgo linked whole,
and by cellgo linked with the library of packages, in turn. Printed are medians: to the first output, and the processor time of GoNB and
all that it started; what runs beside it, the front and gopls, is left out. Then the parts
of one cell: what finds imports, looks for modules, lists packages, compiles, links, runs.
At last the time until a kernel has answered its first request, and a cell beside one that takes long in another
notebook.
"""

import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time

from session import Session

BIN = pathlib.Path(__file__).resolve().parents[2] / ".mjq" / "bin"
IMPORTS = """import (
	"fmt"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/plots"
	"github.com/mjqueue/mjq/mjq/workload"
	"github.com/mjqueue/mjq/widgets"
)
"""
START = "m := workload.FiveClassExponential().Poisson(1.4)\nfmt.Println(m)"
# Sentences: imports, ctx and what shows them come by themselves. The last one gives nothing to be
# shown, which the compiler finds out.
CELLS = {
    "print": "fmt.Println(m.Rate()+{})",
    "model": "m.AtRate(1+0.01*{})",
    "figure": "plots.Tails(mjq.Must(m.Solve(ctx, mjq.Forward{{Jobs: {}+2000, Replications: 4}})))",
    "nothing": "say := func() {{ fmt.Println(m.Rate() + {}) }}\nsay()",
}
# The figure as a program, whose parts are measured one by one.
PROGRAM = """
var m = workload.FiveClassExponential().Poisson(1.4)

func main() {
	r := mjq.Must(m.Solve(widgets.Context(), mjq.Forward{Jobs: 2001, Replications: 4}))
	widgets.Show(plots.Tails(r))
}
"""


def median(replies, what):
    return statistics.median(getattr(r, what) for r in replies)


def cells(times):
    # As the kernel's sessions compile: packages compiled with other flags are other packages, and no
    # cell would be linked with a library of them.
    subprocess.run([BIN / "cellgo", "library"], check=True, env={**os.environ, "GOFLAGS": "-trimpath -ldflags=-s"})
    off = {"MJQ_REMEMBER": "off", "MJQ_CHECKS": os.devnull}  # no clock either
    with Session({**off, "GONB_GO": "go"}) as go, Session({**off, "MJQ_LIBRARY": "off"}) as whole, Session(off) as library:
        kernels = {"go": go, "whole": whole, "library": library}
        for kernel in kernels.values():
            assert kernel.run(START).ok
        for name, cell in CELLS.items():
            replies = {by: [] for by in kernels if by != "go" or name != "nothing"}  # which cellgo finds out
            for i in range(times + 1):
                for by in replies:
                    kernel = kernels[by]
                    reply = kernel.run(cell.format(i + 1))
                    assert reply.ok, reply
                    replies[by].append(reply)
            for by in replies:  # the first one asks go about new imports
                print(f"{name:7} by {by:7} first output {median(replies[by][1:], 'first'):6.2f} s   CPU {median(replies[by][1:], 'cpu'):5.2f} s", flush=True)


def spent(command, folder, env=None):
    """The least processor time of a command, of five runs."""
    least = float("inf")
    for _ in range(5):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, cwd=folder, env={**os.environ, **(env or {})}, check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        least = min(least, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return least


def parts():
    os.environ["PATH"] = f"{BIN}:{os.environ['PATH']}"
    os.environ["GOFLAGS"] = "-trimpath -ldflags=-s"
    with tempfile.TemporaryDirectory() as folder:
        for command in (["mod", "init", "gonb_1"], ["work", "init"], ["work", "use", ".", str(BIN.parents[1])]):
            subprocess.run(["go", *command], cwd=folder, check=True, capture_output=True)
        body = IMPORTS + PROGRAM
        program = pathlib.Path(folder, "main.go")
        program.write_text("package main\n\n" + body.replace('\t"fmt"\n\n', ""))
        subprocess.run(["go", "build", "-o", "cell"], cwd=folder, check=True)
        build = ["cellgo", "build", "-o", "cell"]
        subprocess.run(build, cwd=folder, check=True)
        pathlib.Path(folder, "importcfg").write_text(json.loads(next(pathlib.Path(folder).glob("cellgo-*.json")).read_text())["Packages"])
        tool = subprocess.run(["go", "env", "GOTOOLDIR"], capture_output=True, text=True, check=True).stdout.strip()
        for name, command in {
            "goimports": ["goimports", "main.go"],
            "go get": ["go", "get"],
            "go list": ["go", "list", "-deps", "."],
            "go build, nothing new": ["go", "build", "-o", "cell"],
            "cellgo get": ["cellgo", "get"],
            "compile": [f"{tool}/compile", "-o", "main.a", "-p", "main", "-importcfg", "importcfg", "-pack", "main.go"],
            "link": [f"{tool}/link", "-o", "cell", "-importcfg", "importcfg", "-s", "main.a"],
            "run": ["./cell"],
            "cellgo build": build,
            "run with library": ["./cell"],
        }.items():
            print(f"{name:22} {spent(command, folder):5.2f} s of CPU", flush=True)


def kernels():
    ready = []
    for _ in range(3):
        with Session() as kernel:
            ready.append(kernel.ready)
    print(f"kernel ready after {min(ready):.2f} s at best, {statistics.median(ready):.2f} s in the middle of 3", flush=True)
    with Session() as a, Session() as b:
        for kernel in (a, b):
            assert kernel.run(START).ok
        long = threading.Thread(target=lambda: a.run("fmt.Println(m)\ntime.Sleep(20*time.Second)"))
        long.start()
        time.sleep(2)
        reply = b.run("fmt.Println(m.Rate())")
        print(f"a cell while another notebook's runs: {reply.wall:.2f} s, and that one is still running: {long.is_alive()}", flush=True)
        long.join()


if __name__ == "__main__":
    cells(int(sys.argv[1]) if len(sys.argv) > 1 else 7)
    parts()
    kernels()
