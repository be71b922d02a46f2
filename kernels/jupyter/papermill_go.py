"""Papermill for notebooks in Go: it sets what a cell with the tag parameters declares.

PYTHONPATH=kernels/jupyter docker/jupyter.sh papermill_go IN.ipynb OUT.ipynb -p load 0.9

Papermill is not among what set-up installs: .mjq/venv/bin/python -m pip install papermill
"""

import json


def value(x):
    """A parameter as Go says it."""
    if x is None:
        return None
    if isinstance(x, (bool, int, float, str)):
        return json.dumps(x, ensure_ascii=False)
    if isinstance(x, dict):
        return f"map[string]{kind(x.values())}{{{', '.join(f'{value(k)}: {value(v)}' for k, v in x.items())}}}"
    return f"[]{kind(x)}{{{', '.join(map(value, x))}}}"


def kind(values):
    """The type of all values of a list."""
    kinds = {type(v) for v in values}
    if kinds <= {int, float}:
        return "int" if kinds == {int} else "float64"
    return {frozenset({str}): "string", frozenset({bool}): "bool"}.get(frozenset(kinds), "any")


def codify(parameters, comment="Parameters"):
    """The cell that papermill puts after the one with the tag; what is None stays as it is."""
    said = [f"{name} := {value(x)}" for name, x in parameters.items() if x is not None]
    return "\n".join([f"// {comment}", *said]) + "\n"


class Translator:
    """What papermill asks of a language."""

    @staticmethod
    def codify(parameters, comment="Parameters"):
        return codify(parameters, comment)

    @staticmethod
    def inspect(cell):
        """The names of parameters, which papermill compares with those that it is given."""
        from papermill.models import Parameter

        said = (line.partition(":=") for line in cell["source"].splitlines())
        return [Parameter(name.strip(), "None", default.strip(), "") for name, is_said, default in said if is_said and name.strip().isidentifier()]


if __name__ == "__main__":
    from papermill.cli import papermill
    from papermill.translators import papermill_translators

    papermill_translators.register("go", Translator)
    papermill()
