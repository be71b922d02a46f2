"""Compares the outputs of a run with those that are committed: values with intervals.

The committed outputs may be of full effort, and a run of quick effort has other samples, so
that values agree only by their intervals."""

import math
import re

VALUE = re.compile(r"(?<![\w.])(-?\d+(?:\.\d+)?(?:e[-+]?\d+)?)\s*±\s*(\d+(?:\.\d+)?(?:e[-+]?\d+)?)(?![\w.])")

# Half-widths are of 95 % intervals, so that values 2.5 of their joint ones apart are 4.9
# standard errors apart: by chance one pair in a million.
APART = 2.5


def values(cell):
    """The values of a cell's outputs, each with the half-width of its interval."""
    shown = []
    for output in cell.get("outputs", []):
        data = output.get("data", {})
        page = re.sub(r"<[^>]*>", " ", data.get("text/html", ""))
        shown.append(output.get("text") or data.get("text/plain") or page)
    return [(float(x), float(h)) for x, h in VALUE.findall("\n".join(shown))]


def faults(committed, run):
    """The values of a run that contradict the committed ones, cell by cell. Cells with another
    number of values, as where a shorter run has no interval, are not compared."""
    there = {cell.id: cell for cell in committed.cells if cell.cell_type == "code"}
    found = []
    for number, cell in enumerate(run.cells, 1):
        if cell.cell_type != "code" or cell.id not in there:
            continue
        now, before = values(cell), values(there[cell.id])
        if len(now) != len(before):
            continue
        lines = [
            f"{x:g} ± {h:g} now, and {y:g} ± {k:g} is committed"
            for (x, h), (y, k) in zip(now, before)
            if abs(x - y) > APART * math.hypot(h, k)
        ]
        if lines:
            text = "\n".join(lines[:5]) + "\nRun it again at full effort with --inplace, if this is right."
            found.append({"cell": number, "id": cell.id, "line": "values with intervals", "text": text})
    return found
