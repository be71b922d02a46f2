"""Configuration of nbconvert for the runner: a line when a code cell starts."""
import sys


def started(cell, cell_index):
    print("mjq-cell", cell_index + 1, file=sys.stderr, flush=True)


c.ExecutePreprocessor.on_cell_execute = started  # noqa: F821, c is given
