"""The results as the report in build/report and as notebooks/MATRIX.md, the course as
notebooks/README.md, its paths as a section of README.md, and the page on which Jupyter starts."""

import datetime
import pathlib

import jinja2

from run import execute, results

HERE = pathlib.Path(__file__).parent
BEGIN, END = "<!-- written by make course: begin -->", "<!-- written by make course: end -->"


def short(seconds):
    """A duration at a glance."""
    if not seconds:
        return ""
    if seconds < 60:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.1f} min" if seconds < 3600 else f"{seconds / 3600:.1f} h"


def largest(tally):
    """The largest difference as a part of the allowed one."""
    if tally["worst"] is None:
        return "claims only" if tally["claims"] else ""
    return f"{tally['worst']['share']:.2g}" if "share" in tally["worst"] else "no number"


def collect(at):
    """All that the templates show."""
    runs, source_key = {}, at.source_key()
    for name in at.names:
        if run := at.run(name):
            run["stale"] = run["inputs"] != at.key(execute.code_cells(execute.read(at.source(name))), source_key)
        runs[name] = run
    papers = [{**paper, "lines": list(results.matrix(paper, runs))} for paper in at.papers]
    states = [line["state"] for paper in papers for line in paper["lines"]]
    tallies = {name: results.tally([row for r in run["records"] for row in r["rows"]] if run else []) for name, run in runs.items()}
    return {
        "effort": at.effort, "now": f"{datetime.datetime.now():%-d %B %Y, %H:%M}", "parts": at.parts, "paths": at.paths, "papers": papers,
        "runs": runs, "tallies": tallies, "states": {name: results.state(run) for name, run in runs.items()},
        "summary": [(s, states.count(s)) for s in results.STATES if s in states], "total": len(states),
        "seconds": sum(run["seconds"] for run in runs.values() if run), "pages": [n for n in at.names if at.page(n).exists()],
    }


def render(template, at):
    env = jinja2.Environment(autoescape=template.endswith(".html"), trim_blocks=True, lstrip_blocks=True)
    env.filters.update(short=short, largest=largest)
    return env.from_string((HERE / template).read_text()).render(collect(at))


def write_report(at):
    at.report.mkdir(parents=True, exist_ok=True)
    (at.report / "index.html").write_text(render("report.html", at))


def write_start(at):
    """The page on which Jupyter starts: the course in order, as links."""
    env = jinja2.Environment(trim_blocks=True, lstrip_blocks=True)
    words = (at.root / "kernels/jupyter/words.txt").read_text().strip()
    words = words.replace("\n", "\n\n", 1)  # the rules are a list of Markdown
    preparing = not (at.root / ".mjq/stamps/later").exists()  # see docker/setup.sh
    text = env.from_string((HERE / "start.md").read_text()).render(parts=at.parts, paths=at.paths, words=words, preparing=preparing)
    (at.root / "notebooks/START.md").write_text(text)


def write_matrix(at):
    (at.root / "notebooks/MATRIX.md").write_text(render("matrix.md", at))


def write_course(at):
    """Writes the list of notebooks, and the paths between the two markers of README.md."""
    (at.root / "notebooks/README.md").write_text(render("course.md", at))
    readme = at.root / "README.md"
    before, begin, rest = readme.read_text().partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"README.md: want a line {BEGIN!r} and after it a line {END!r}")
    readme.write_text(before + BEGIN + "\n\n" + render("paths.md", at) + "\n" + END + after)
