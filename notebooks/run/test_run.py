"""Tests of the runner on made-up checkouts: python -m unittest run.test_run."""

import contextlib
import io
import json
import os
import pathlib
import re
import sys
import tempfile
import unittest
import unittest.mock

import nbformat
from nbconvert import HTMLExporter

from run import __main__ as runner
from run import agree, execute, report, results

new = nbformat.v4
ROOT = report.HERE.parent.parent


def notebook(title, *code, output=""):
    """A heading and code cells with the ids a, b and so on; with output it looks run."""
    nb = new.new_notebook(cells=[new.new_markdown_cell(f"# {title}", id="title")])
    for number, source in enumerate(code):
        outputs = [new.new_output("stream", text=output)] if output else []
        nb.cells.append(new.new_code_cell(source, id="abcdef"[number], outputs=outputs))
    return nb


def row(what, share=None, ok=True):
    numbers = {} if share is None else {"ours": "1.5", "expected": "1", "share": share}
    return {"what": what, "allowed": "± 1", "ok": ok, **numbers}


class Fake(unittest.TestCase):
    """A checkout with a notebook that passed, one of which a comparison failed, one that
    was stopped, one that was not run and one without comparisons."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.put("mjq/queue.go", "package mjq\n")
        self.put("README.md", f"before\n{report.BEGIN}\nold\n{report.END}\nafter\n")
        self.put("notebooks/course.toml", """
            part = [{title = "First", notebooks = {tutorial = "ten | minutes", good = "About good"}},
                    {title = "Second", notebooks = {bad = "x", late = "x", idle = "x"}}]
            [[path]]
            title = "somebody"
            notebooks = ["tutorial", "good"]
            [[paper]]
            name = "P"
            citation = "by <somebody>"
            [paper.items]
            "Table 1" = ["good"]
            "Table 2" = ["good", "bad"]
            "Figure 1" = ["bad"]
            "Figure 2" = ["late"]
            "Figure 3" = ["idle"]
            "Figure 4" = ["good", "idle"]
            "Figure 5" = []
            "Figure 6" = ["good"]
            "Figure 7" = ["good", "late"]""")
        for name in ("tutorial", "good", "bad", "late", "idle"):
            self.put(f"notebooks/{name}.ipynb", nbformat.writes(notebook(name, "x()", "y()")))
        self.at = results.Checkout(self.root, "full")
        tables = {"paper": "P", "items": ["Table 1", "Table 2"], "cell": "a",
                  "rows": [row("small", 0.1), row("large <b>", 0.5), row("Table 1: claim")]}
        self.ran("tutorial", [{"rows": [row("own")], "cell": "a"}])
        self.ran("good", [tables, {"paper": "P", "items": ["Figure 4", "Figure 7"], "rows": [row("claim")], "cell": "b"}])
        self.ran("bad", [{**tables, "items": ["Table 2"]}, {"paper": "P", "items": ["Figure 1"], "rows": [row("off", 3, False)], "cell": "b"}],
                 {"cell": 3, "id": "b", "line": "y()", "text": "FAIL off"})
        self.ran("late", [{"paper": "P", "items": ["Figure 2"], "rows": [row("in time")], "cell": "a"}], {"text": "stopped: not < finished"})

    def put(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def key(self, name):
        return self.at.key(execute.code_cells(execute.read(self.at.source(name))), self.at.source_key())

    def ran(self, name, records, *faults):
        """What a run of a notebook leaves, and its page."""
        self.put(f"build/notebooks/full/{name}.ipynb", nbformat.writes(notebook(name, "x()", "y()", output="42")))
        self.put(f"build/notebooks/full/{name}.run.json", json.dumps(
            {"inputs": self.key(name), "seconds": 90, "faults": faults, "records": records}))
        self.put(f"build/report/{name}.html", "<p>page</p>")

    def test_source_key(self):
        before = self.at.source_key()
        for name in ("mjq/a_test.go", "mjq/testdata/a.json", "mjq/README.md", "mjq/.hidden", "notebooks/run/a.py"):
            self.put(name, "text")
        self.assertEqual(self.at.source_key(), before)
        for name in ("mjq/queue.go", "mjq/law/b.go", "notebooks/papers/t.csv", "kernels/cuda/k.cu", "go.sum"):
            before = self.at.source_key()
            self.put(name, "changed")
            self.assertNotEqual(self.at.source_key(), before, name)
        before = self.at.source_key()
        (self.root / "mjq/queue.go").rename(self.root / "mjq/line.go")
        self.assertNotEqual(self.at.source_key(), before, "a new name")

    def test_notebook_key(self):
        def key(effort, *code, title="t", output=""):
            nb = notebook(title, *code, output=output)
            return results.Checkout(self.root, effort).key(execute.code_cells(nb), "sources")

        same = key("full", "x()", "y()")
        self.assertEqual(key("full", "x()", "y()", title="other", output="12"), same)
        for other in (key("full", "x()", "z()"), key("full", "y()", "x()"), key("full", "x()y()", ""), key("quick", "x()", "y()")):
            self.assertNotEqual(other, same)

    def test_kept(self):
        kept = [name for name in self.at.names if runner.kept(self.at, name, self.key(name))]
        self.assertEqual(kept, ["tutorial", "good"])
        self.put("build/notebooks/full/tutorial.run.json", '{"inputs": "cut')
        self.at.copy("good").unlink()
        self.assertFalse([name for name in kept if runner.kept(self.at, name, self.key(name))])
        self.ran("good", [])
        old = self.key("good")
        self.put("mjq/queue.go", "package mjq // changed\n")
        self.assertTrue(runner.kept(self.at, "good", old))
        self.assertIsNone(runner.kept(self.at, "good", self.key("good")))

    def test_kept_with_new_prose(self):
        self.put("notebooks/good.ipynb", nbformat.writes(notebook("New", "x()", "y()")))
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            self.assertEqual(runner.main(["--effort", "full", "--html", "--inplace", "notebooks/good.ipynb"], self.root), 0)
        self.assertIn("run before", out.getvalue())
        for path in (self.at.copy("good"), self.at.source("good")):
            nb = execute.read(path)
            self.assertEqual((nb.cells[0].source, nb.cells[1].outputs[0].text), ("# New", "42"))
        self.assertTrue("New" in self.at.page("good").read_text())

    def test_course(self):
        self.put("notebooks/more.ipynb", "{}")
        with self.assertRaisesRegex(ValueError, "more$"):
            results.Checkout(self.root, "full")
        records = [{"paper": "P", "items": ["Table 1", "Figure 1"]}, {"rows": []}]
        self.assertEqual(len(self.at.strays("good", records)), 1)
        with self.assertRaisesRegex(ValueError, "no notebook nowhere"):
            (self.root / "notebooks/more.ipynb").unlink()
            runner.main(["nowhere"], self.root)

    def test_matrix(self):
        lines = {line["item"]: line for line in report.collect(self.at)["papers"][0]["lines"]}
        self.assertEqual({item: line["state"] for item, line in lines.items()}, {
            "Table 1": "PASS", "Table 2": "PASS", "Figure 1": "FAIL", "Figure 2": "FAIL", "Figure 3": "not run",
            "Figure 4": "not run", "Figure 5": "open", "Figure 6": "FAIL", "Figure 7": "FAIL"})
        table = lines["Table 1"]
        self.assertEqual((table["count"], report.largest(table), table["worst"]["what"], table["places"], report.short(table["seconds"])),
                         ("3 of 3", "0.5", "large <b>", [{"name": "good", "cell": "a"}], "1.5 min"))
        self.assertEqual(lines["Table 2"]["count"], "5 of 5")  # without the claim about Table 1, in two notebooks
        self.assertEqual((lines["Figure 1"]["count"], report.largest(lines["Figure 1"])), ("0 of 1", "3"))
        # A fault in a cell that recorded nothing may be about any item.
        run = {**self.at.run("good"), "faults": [{"cell": 9, "id": "z"}]}
        self.assertEqual(results.item_state(run, run["records"], [row("a")]), "FAIL")

    def test_rows(self):
        record = {"items": ["Figure 1", "Figure 10"], "rows": [row(w) for w in ("Figure 1: a", "Figure 10, b", "both", "Figure 2: c")]}
        self.assertEqual([r["what"] for r in results.about(record, "Figure 1")], ["Figure 1: a", "both", "Figure 2: c"])
        self.assertEqual([r["what"] for r in results.about(record, "Figure 10")], ["Figure 10, b", "both", "Figure 2: c"])
        self.assertEqual(report.largest(results.tally([row("a", 2), {"what": "no number", "expected": "1", "ok": False}])), "no number")
        self.assertEqual(report.largest(results.tally([row("a")])), "claims only")

    def test_report(self):
        self.put("notebooks/good.ipynb", nbformat.writes(notebook("x", "z()", "y()")))
        self.at.page("late").unlink()
        self.assertEqual(runner.main(["--effort", "full", "--report"], self.root), 0)
        page = (self.root / "build/report/index.html").read_text()
        for want in ('name="viewport"', 'href="good.html#cell-id=a"', 'href="good.html"', "(older code)", "large &lt;b&gt;: 1.5, expected 1 (± 1)",
                     "stopped: not &lt; finished", "cell 3: y()\nFAIL off", "2 pass", "4 fail", "2 not run", "1 open", "of 9", "took 6.0 min in all", "by &lt;somebody&gt;"):
            self.assertTrue(want in page, want)
        self.assertFalse('href="late.html' in page)
        self.assertEqual(page.count("(older code)"), 6)  # the notebook good and its five items

    def test_readme(self):
        for _ in range(2):
            runner.main(["--effort", "full", "--matrix"], self.root)
            runner.main(["--course"], self.root)
        text = "".join((self.root / name).read_text() for name in ("README.md", "notebooks/README.md", "notebooks/MATRIX.md"))
        for want in (f"before\n{report.BEGIN}\n\n", f"\n{report.END}\nafter\n", "| 1 | [tutorial](tutorial.ipynb) | ten \\| minutes |",
                     "- For somebody: [tutorial](notebooks/tutorial.ipynb), [good](notebooks/good.ipynb)",
                     "| Table 1 | [good](good.ipynb) | PASS | 3 of 3 | 0.5 | 1.5 min |", "| Figure 5 |  | open |  |  |  |", "**P** (by <somebody>)"):
            self.assertIn(want, text)
        self.assertNotIn("\nold\n", text)
        self.put("README.md", report.END + report.BEGIN)
        with self.assertRaisesRegex(ValueError, "want a line"):
            runner.main(["--course"], self.root)


class Repository(unittest.TestCase):
    def test_start(self):
        at = results.Checkout(ROOT, "quick")
        runner.main(["--start"], ROOT)
        page = (ROOT / "notebooks/START.md").read_text()
        self.assertEqual(re.findall(r"(?m)^- \[[^]]*\]\((.*)\.ipynb\): \S", page), list(at.names))
        self.assertRegex(page, r"(?m)^> 1\. A cell ")

    def test_make_test_runs_a_notebook_of_each_part(self):
        for part in results.Checkout(ROOT, "quick").parts:
            self.assertIn(part["tour"], part["notebooks"])

    def test_readme(self):
        """README.md and notebooks/README.md have the course as it is. The matrix may have old
        numbers, but not names of what is not there."""
        at = results.Checkout(ROOT, "full")
        section = (ROOT / "README.md").read_text().partition(report.BEGIN)[2].partition(report.END)[0]
        self.assertEqual(section.strip(), report.render("paths.md", at).strip(), "make course writes it")
        self.assertEqual((ROOT / "notebooks/README.md").read_text(), report.render("course.md", at), "make course writes it")
        section = (ROOT / "notebooks/MATRIX.md").read_text()
        self.assertEqual({name for name in re.findall(r"\]\(([^)]*)\.ipynb\)", section)} - set(at.names), set())
        named = re.findall(r"(?m)^\| ((?:Figure|Table|Section|Theorem) [^|]+) \|", section)
        self.assertTrue(named)
        self.assertEqual(set(named) - {item for paper in at.papers for item in paper["items"]}, set())


class Execution(unittest.TestCase):
    """The runner with a kernel for Python under the name mjq."""

    ARGV = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}", "--log-level=CRITICAL"]

    def run_cells(self, *code, limit=60, argv=ARGV):
        with tempfile.TemporaryDirectory() as folder:
            spec = pathlib.Path(folder) / "kernels/mjq/kernel.json"
            spec.parent.mkdir(parents=True)
            spec.write_text(json.dumps({"argv": argv, "display_name": "x", "language": "python"}))
            path, out = pathlib.Path(folder) / "in.ipynb", pathlib.Path(folder) / "out.ipynb"
            nbformat.write(notebook("t", *code), path)
            with unittest.mock.patch.dict(os.environ, JUPYTER_PATH=folder, JUPYTER_DATA_DIR=folder + "/none"):
                return *execute.execute(path, out, "quick", limit), execute.read(out)

    def test_execute(self):
        write = "import os\nopen(os.environ['MJQ_CHECKS'], 'a').write('{\"rows\": []}\\n')"
        faults, records, nb = self.run_cells("print(1, os.environ['MJQ_EFFORT'])", write, "print('again', os.environ['MJQ_EFFORT'])", write)
        self.assertEqual([(f["cell"], f["id"], f["line"]) for f in faults], [(2, "a", "print(1, os.environ['MJQ_EFFORT'])")])
        self.assertEqual(records, [{"rows": [], "cell": "b"}, {"rows": [], "cell": "d"}])
        self.assertEqual(nb.cells[3].outputs[0].text, "again quick\n")
        self.assertNotIn("version", nb.metadata.language_info)
        self.assertNotIn("execution", nb.cells[1].metadata)  # times, which change from run to run

    def test_limit_and_death(self):
        for limit in (5, 20, 80):  # which on a busy machine may end before the first cell
            faults, _, nb = self.run_cells("print('first')", "import time; time.sleep(600)", "print('never')", limit=limit)
            self.assertEqual([f["text"] for f in faults], [f"stopped: not finished after {limit} s"])
            if nb.cells[1].outputs:
                break
        self.assertEqual((nb.cells[1].outputs[0].text, nb.cells[3].outputs), ("first\n", []))
        faults, _, _ = self.run_cells("import os; os._exit(1)")
        self.assertEqual([f["text"] for f in faults], ["Kernel died"])

    def test_a_kernel_that_does_not_answer(self):
        """It is started anew, and given up after some tries."""
        with tempfile.TemporaryDirectory() as folder, unittest.mock.patch.object(execute, "ANSWER", 2):
            silent = f"echo x >> {folder}/tries; exec sleep 600"
            faults, _, _ = self.run_cells("print(1)", argv=["sh", "-c", silent])
            self.assertEqual(len(faults), 1)
            self.assertIn("has not answered for 2 s after its start, 3 times", faults[0]["text"])
            self.assertEqual(pathlib.Path(folder, "tries").read_text().count("x"), execute.TRIES)
        for answer in (6, 30):  # which on a busy machine may be too short
            with tempfile.TemporaryDirectory() as folder, unittest.mock.patch.object(execute, "ANSWER", answer):
                once = f"test -e {folder}/tried || {{ touch {folder}/tried; exec sleep 600; }}; exec " + " ".join(self.ARGV[:-2]) + ' "$0"'
                faults, _, nb = self.run_cells("print(1)", limit=200, argv=["sh", "-c", once, "{connection_file}"])
                if not faults:
                    break
        self.assertEqual((faults, nb.cells[1].outputs[0].text), ([], "1\n"))

    def test_words_of_a_fault(self):
        nb = notebook("t", "%%\nx()", "%%\npanic()")
        error = new.new_output("error", ename="ERROR", evalue="failed to build", traceback=[])
        nb.cells[1].outputs = [new.new_output("display_data", {"text/html": "<style>\np { }\n</style>\n<p>undefined: x</p>\n\n<p>a &lt; b</p>"}), error]
        nb.cells[2].outputs = [new.new_output("stream", name="stderr", text="panic: 1\n\x1b[7mfailed to build\x1b[0m\n"), error]
        self.assertEqual([(f["line"], f["text"]) for f in execute.cell_faults(nb)],
                         [("x()", "undefined: x\na < b\nfailed to build"), ("panic()", "panic: 1\nfailed to build")])

    def test_an_export_follows_the_reader_and_prints(self):
        panels, single = '<svg class="mjq-panels"></svg>', '<svg class="mjq-560"></svg>'
        code = new.new_code_cell("x := 1", outputs=[new.new_output("display_data", {"image/svg+xml": svg}) for svg in (panels, single)])
        nb = new.new_notebook(cells=[new.new_markdown_cell("# A head\n\nof $\\frac{1}{2}$, not `$x$`"), code])
        text, _ = HTMLExporter(template_name="mjq").from_notebook_node(nb)  # as set-up has installed it
        for want in ("@media screen and (prefers-color-scheme: dark)", "@media print", "A head", "<mfrac>", "<code>$x$</code>", "</html>", panels, "data:image/svg+xml"):
            self.assertIn(want, text)
        self.assertNotIn(single, text)

    def test_page(self):
        nb = notebook("t", "x()")
        nb.cells[1].outputs = [new.new_output("display_data", {"image/svg+xml": "<svg>figure</svg>"}), new.new_output("display_data", {"text/html": '<img src="a.png">'})]
        text = execute.page(nb, "body { }\n")
        for want in ("<style>\nbody { }\n</style>\n</head>", '<main><p class="mjq-report"><a href="index.html">', "\n<svg>figure</svg>\n", 'src="a.png"'):
            self.assertTrue(want in text, want)
        style = (report.HERE / "page.css").read_text()
        for name in ("mjq-panels", "mjq-panel ", "--mjq-columns", "--mjq-ratio", "--mjq-move"):  # which figures use
            self.assertIn(name, style)
        with self.assertRaises(ValueError):
            execute.merged(ROOT / "notebooks/tutorial.ipynb", nb)


class Agreement(unittest.TestCase):
    """Outputs of a run against those that are committed."""

    def faults(self, before, now):
        return [f["text"] for f in agree.faults(notebook("t", "x", output=before), notebook("t", "x", output=now))]

    def test_by_intervals(self):
        self.assertEqual(self.faults("wait 1.00 ± 0.10, 2 s", "wait 1.20 ± 0.05, 9 s"), [])
        self.assertEqual(self.faults("1e-3 ± 1e-4 -2 ± 1", "1.2e-3 ± 1e-4 -4 ± 1"), [])
        text, = self.faults("big 1.00 ± 0.10 small 1 ± 1", "big 1.40 ± 0.05 small 2 ± 1")
        self.assertTrue(text.startswith("1.4 ± 0.05 now, and 1 ± 0.1 is committed\nRun it again"), text)

    def test_is_silent_where_it_cannot_tell(self):
        self.assertEqual(self.faults("1 ± 0.1 5 ± 0.1", "9 ± ? 5 ± 0.1"), [])
        self.assertEqual(self.faults("", "9 ± 1"), [])
        other = notebook("t", "x", output="9 ± 1")
        other.cells[1].id = "moved"
        self.assertEqual(agree.faults(notebook("t", "x", output="1 ± 1"), other), [])

    def test_pages_count_once(self):
        cell = new.new_code_cell(outputs=[new.new_output("display_data", {"text/html": "<td>1.5</td> <td>± 0.5</td>", "text/plain": "1.5 ± 0.5"})])
        self.assertEqual(agree.values(cell), [(1.5, 0.5)])
        del cell.outputs[0].data["text/plain"]
        self.assertEqual(agree.values(cell), [(1.5, 0.5)])


if __name__ == "__main__":
    unittest.main()
