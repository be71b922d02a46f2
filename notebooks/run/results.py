"""What is known of the notebooks of a checkout: course.toml, their runs, the matrix."""

import hashlib
import json
import tomllib

PASS, NOT_RUN, OPEN, FAIL = STATES = ["PASS", "not run", "open", "FAIL"]  # the worst last

# Where code lies that cells can use. The runner is not among them: it runs the cells
# and has no part in what they compute.
SOURCES = ["mjq", "widgets", "kernels", "notebooks/check", "notebooks/papers", "go.mod", "go.sum", "docker/requirements.txt"]


class Checkout:
    """The files of a checkout that the runner reads and writes, for one effort."""

    def __init__(self, root, effort):
        self.root, self.effort = root, effort
        self.built = root / "build/notebooks" / effort
        # The full report has the plain name, and a quick one does not overwrite it.
        self.report = root / "build/report" / ("" if effort == "full" else effort)
        course = tomllib.loads((root / "notebooks/course.toml").read_text())
        self.parts, self.papers, self.paths = course["part"], course["paper"], course.get("path", [])
        self.names = [name for part in self.parts for name in part["notebooks"]]
        there = {path.stem for path in (root / "notebooks").glob("*.ipynb")}
        listed = {name for paper in self.papers for names in paper["items"].values() for name in names} | set(self.names)
        listed |= {name for path in self.paths for name in path["notebooks"]}
        if astray := sorted((there ^ set(self.names)) | (listed - there)):
            raise ValueError(f"notebooks/course.toml and the folder notebooks differ in {', '.join(astray)}")

    def source(self, name):
        return self.root / "notebooks" / f"{name}.ipynb"

    def copy(self, name):
        return self.built / f"{name}.ipynb"

    def page(self, name):
        return self.report / f"{name}.html"

    def stamp(self, name):
        """The file that says what the copy was made of and how the run went. A copy
        without it is left over from a run that did not end."""
        return self.built / f"{name}.run.json"

    def run(self, name):
        """The last run of a notebook, or None when there is none or its file is damaged."""
        try:
            return json.loads(self.stamp(name).read_text())
        except (FileNotFoundError, ValueError):
            return None

    def source_key(self):
        """The digest of the module as cells see it: all files below SOURCES but tests,
        their data and pages for readers."""
        digest = hashlib.sha256()
        for top in SOURCES:
            top = self.root / top
            for path in sorted(top.rglob("*")) if top.is_dir() else [top]:
                name = path.relative_to(self.root)
                hidden = "testdata" in name.parts or any(part.startswith(".") for part in name.parts)
                if path.is_file() and not hidden and not name.name.endswith(("_test.go", ".md")):
                    text = path.read_bytes()
                    digest.update(b"%s\0%d\0%s" % (name.as_posix().encode(), len(text), text))
        return digest.hexdigest()

    def key(self, code_cells, source_key):
        """The digest of what decides a notebook's outputs. Prose does not."""
        inputs = [source_key, self.effort, *(cell.source for cell in code_cells)]
        return hashlib.sha256(json.dumps(inputs).encode()).hexdigest()

    def strays(self, name, records):
        """The items that a notebook's records name and course.toml does not list for it."""
        listed = {(p["name"], item) for p in self.papers for item, names in p["items"].items() if name in names}
        named = {(r["paper"], item) for r in records if "paper" in r for item in r["items"]}
        return [f"notebooks/course.toml does not list {item} of {paper} for this notebook" for paper, item in sorted(named - listed)]


def about(record, item):
    """The rows of a record that are about one of its items. A row that begins with the
    name of an item, as "Figure 5: ..." or "Figure 5, ...", is about that one alone."""
    others = tuple(other + mark for other in record["items"] if other != item for mark in ":,")
    return [row for row in record["rows"] if not row["what"].startswith(others)]


def tally(rows):
    """Counts comparisons, and finds the row with the largest difference; what is off and
    has no number for it is further off than any number."""
    numbers = [row for row in rows if "expected" in row]
    return {
        "count": f"{sum(row['ok'] for row in rows)} of {len(rows)}" if rows else "",
        "worst": max(numbers, key=lambda row: row.get("share", float("inf")), default=None),
        "claims": bool(rows) and not numbers,
    }


def state(run):
    return NOT_RUN if run is None else FAIL if run["faults"] else PASS


def item_state(run, records, rows):
    """The state of an item in one notebook. A fault counts against the items of its cell,
    and against all when its cell recorded nothing."""
    if run is None:
        return NOT_RUN
    recorded, own = {r["cell"] for r in run["records"]}, {r["cell"] for r in records}
    spoiled = any(f.get("id") in own or f.get("id") not in recorded for f in run["faults"])
    return PASS if rows and all(row["ok"] for row in rows) and not spoiled else FAIL


def matrix(paper, runs):
    """The lines of a paper: an item each, with what all its notebooks have about it."""
    for item, names in paper["items"].items():
        states, places, rows, seconds, stale = [], [], [], 0, False
        for name in names:
            run = runs[name]
            records = [r for r in run["records"] if r.get("paper") == paper["name"] and item in r["items"]] if run else []
            mine = [row for record in records for row in about(record, item)]
            states.append(item_state(run, records, mine))
            places.append({"name": name, "cell": records[0]["cell"] if records else ""})
            rows += mine
            if run:
                seconds, stale = seconds + run["seconds"], stale or run["stale"]
        yield {"item": item, "state": max(states, key=STATES.index, default=OPEN), "places": places,
               "seconds": seconds, "stale": stale, **tally(rows)}
