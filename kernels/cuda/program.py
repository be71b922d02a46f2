"""Writes a notebook as one Go program: program.py FROM.ipynb TO.go.

The notebook is one that "front export" has written, as plain GoNB runs it. What stands
below %% in a cell becomes a function, and main calls these in their order. The imports
of all cells come first, each once; lines for GoNB alone are left out.
"""

import json
import sys


def main(notebook, program):
    imports, declared, steps = [], [], []
    with open(notebook, encoding="utf-8") as f:
        cells = json.load(f)["cells"]
    for cell in cells:
        if cell["cell_type"] != "code":
            continue
        outside, _, body = "".join(cell["source"]).partition("%%\n")
        for line in outside.splitlines():
            if line.startswith("import "):
                imports.append(line)
            elif not line.startswith("%"):
                declared.append(line)
        if body:
            steps.append(body)
    with open(program, "w", encoding="utf-8") as f:
        print("package main\n", *dict.fromkeys(imports), "", *declared, "", "func main() {", sep="\n", file=f)
        for i in range(len(steps)):
            print(f"\tstep{i}()", file=f)
        print("}", file=f)
        for i, body in enumerate(steps):
            print(f"\nfunc step{i}() {{\n{body}\n}}", file=f)


main(*sys.argv[1:])
