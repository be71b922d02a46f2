"""Formulas of notebooks as MathML, which pages show without a script and without a network.

Set-up puts this beside the packages of the private Jupyter, whose exports use Formulas.
"""

import re

from latex2mathml.converter import convert


def typeset(text):
    """Markdown with its formulas as MathML; code stays as it is."""
    parts = re.split(r"(```.*?```|`[^`]*`)", text, flags=re.S)
    parts[::2] = [formulas(p) for p in parts[::2]]
    return "".join(parts)


def formulas(text):
    text = re.sub(r"\$\$(.+?)\$\$", lambda f: convert(f[1].strip(), display="block"), text, flags=re.S)
    return re.sub(r"\$([^$\n]+?)\$", lambda f: convert(f[1]), text)


try:
    from nbconvert.preprocessors import Preprocessor
except ModuleNotFoundError:  # the site converts notebooks by other means
    pass
else:

    class Formulas(Preprocessor):
        """Sets the formulas of the text of a notebook."""

        def preprocess_cell(self, cell, resources, index):
            if cell.cell_type == "markdown":
                cell.source = typeset(cell.source)
            return cell, resources
