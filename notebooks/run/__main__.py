"""Executes notebooks headless through the kernel "Go (mjq)", and fails when a cell fails.

Without arguments it runs all of them, in the order of notebooks/course.toml. A cell
fails when it does not compile, panics, or exits with a status other than 0; the cells
after it run all the same, so that one run shows every fault. Executed copies go to
build/notebooks/EFFORT, and with --html a report with readable ones to build/report (to
build/report/quick for the quick effort).

A notebook that has passed is not run again while its code, the module and the effort
stay the same, so that a run that was interrupted goes on where it was; --fresh runs it
all the same.
"""

import argparse
import json
import pathlib
import signal
import sys
import time

import nbformat

from run import agree, execute, report, results


def options(arguments):
    parser = argparse.ArgumentParser("run", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("notebooks", nargs="*", type=pathlib.Path, metavar="NOTEBOOK")
    parser.add_argument("--effort", choices=["quick", "full"], default="quick", help="MJQ_EFFORT for the cells")
    parser.add_argument("--timeout", type=float, default=10, metavar="MINUTES", help="limit for each notebook")
    parser.add_argument("--inplace", action="store_true", help="write the outputs back to the notebooks that pass")
    parser.add_argument("--html", action="store_true", help="make the report, with HTML copies, in build/report")
    parser.add_argument("--fresh", action="store_true", help="run also what has passed with the same inputs")
    parser.add_argument("--report", action="store_true", help="run nothing; make the report of the results that are there")
    parser.add_argument("--matrix", action="store_true", help="run nothing; write the results that are there to notebooks/MATRIX.md")
    parser.add_argument("--course", action="store_true", help="run nothing; write the list of notebooks to notebooks/README.md, their paths to README.md")
    parser.add_argument("--start", action="store_true", help="run nothing; write the page on which Jupyter starts")
    return parser.parse_args(arguments)


def kept(at, name, inputs):
    """The last run, if it passed with the same inputs and left its copy. Failures are
    worth another try."""
    run = at.run(name)
    return run if run and run["inputs"] == inputs and not run["faults"] and at.copy(name).exists() else None


def run_notebook(at, name, opt, label):
    """Executes a notebook, unless that has been done, and writes what is asked for beside
    the copy. Returns the run and whether it was kept."""
    nb, before = execute.read(at.source(name)), at.source_key()
    inputs = at.key(execute.code_cells(nb), before)
    run = None if opt.fresh else kept(at, name, inputs)
    was_kept = run is not None
    if not was_kept:
        for old in (at.copy(name), at.stamp(name), at.page(name)):
            old.unlink(missing_ok=True)
        at.built.mkdir(parents=True, exist_ok=True)
        start = time.monotonic()
        faults, records = execute.execute(at.source(name), at.copy(name), at.effort, 60 * opt.timeout, label)
        faults += [{"text": text} for text in at.strays(name, records)]
        if not opt.inplace and at.copy(name).exists():
            faults += agree.faults(execute.read(at.source(name)), execute.read(at.copy(name)))
        if at.source_key() != before:
            inputs = "changed during the run"
        run = {"inputs": inputs, "seconds": time.monotonic() - start, "faults": faults, "records": records}
        at.stamp(name).write_text(json.dumps(run, indent=1))
    copy = execute.read(at.copy(name))
    if (latest := execute.merged(at.source(name), copy)) != copy:  # prose has changed since
        nbformat.write(latest, at.copy(name))
        at.page(name).unlink(missing_ok=True)
    if opt.inplace and not run["faults"]:
        nbformat.write(latest, at.source(name))
    if opt.html and not at.page(name).exists():
        at.report.mkdir(parents=True, exist_ok=True)
        at.page(name).write_text(execute.page(latest, (report.HERE / "page.css").read_text()))
    return run, was_kept


def tell(name, run, was_kept):
    print(f"{'FAIL' if run['faults'] else 'PASS'}  {name:40} {run['seconds']:7.1f} s{', run before' if was_kept else ''}")
    for fault in run["faults"]:
        if "cell" in fault:
            print(f"      cell {fault['cell']}: {fault['line']}")
        print("".join(f"        {line}\n" for line in fault["text"].splitlines()), end="", flush=True)


def main(arguments, root):
    opt = options(arguments)
    at = results.Checkout(root, opt.effort)
    for asked, write in ((opt.matrix, report.write_matrix), (opt.course, report.write_course), (opt.report, report.write_report), (opt.start, report.write_start)):
        if asked:
            write(at)
            return 0
    names = [path.stem for path in opt.notebooks] or at.names
    if unknown := sorted(set(names) - set(at.names)):
        raise ValueError(f"no notebook {', '.join(unknown)} in notebooks/course.toml")
    states = []
    try:
        for i, name in enumerate(names, 1):
            run, was_kept = run_notebook(at, name, opt, f"{i}/{len(names)} {name}")
            tell(name, run, was_kept)
            states.append(results.state(run))
    except KeyboardInterrupt:
        print(f"run: interrupted after {len(states)} of {len(names)} notebooks; the same command goes on from there", file=sys.stderr)
    if opt.html:
        report.write_report(at)
    print(f"{states.count(results.PASS)} passed, {states.count(results.FAIL)} failed")
    return 0 if len(states) == len(names) and results.FAIL not in states else 1


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        sys.exit(main(sys.argv[1:], report.HERE.parent.parent))
    except ValueError as err:
        sys.exit(f"run: {err}")
