"""What VS Code, Jupyter Notebook, consoles, nbclient and papermill send, over Jupyter's protocol:

PYTHONPATH=kernels/jupyter docker/jupyter.sh unittest test_clients
"""

import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

import papermill_go
from session import Session, WithKernel, published, with_gopls

QUIET = {"MJQ_CHECKS": os.devnull}  # no clock on a busy machine
MODEL = """m := mjq.Servers(20).Poisson(1).Class("one", 1, 1, mjq.ExpMean(1))
m"""


def ask(kernel, kind, content):
    """The answer to any request, and what is published about it."""
    message = kernel.client.session.msg(kind, content)
    kernel.client.shell_channel.send(message)
    answer, _ = kernel.ask(message["header"]["msg_id"])
    return answer, list(published(kernel.client, message["header"]["msg_id"], 60))


def execute(kernel, code, **options):
    return ask(kernel, "execute_request", {"code": code, "silent": False, "store_history": True, "user_expressions": {},
                                           "allow_stdin": False, "stop_on_error": True, **options})


def executed(*sources):
    """The cells of a notebook after nbclient has run it."""
    nb = nbformat.v4.new_notebook(metadata={"kernelspec": {"name": "mjq", "display_name": "Go (mjq)", "language": "go"}})
    nb.cells = [nbformat.v4.new_code_cell(source) for source in sources]
    NotebookClient(nb, kernel_name="mjq", timeout=120).execute(env={**os.environ, **QUIET})
    return nb.cells


@with_gopls
class ClientsWithGopls(unittest.TestCase):
    def test_what_clients_ask_is_answered(self):
        with Session(QUIET) as kernel:
            for code, status, indent in (("m.Solve(", "incomplete", "\t"), ("1 + 1", "complete", ""), ("f(1))", "invalid", "")):
                answer, heard = ask(kernel, "is_complete_request", {"code": code})
                self.assertEqual((answer["status"], answer["indent"]), (status, indent), code)
                self.assertEqual([content.get("execution_state") for _, content in heard], ["busy", "idle"])
            for content in ({}, {"target_name": "jupyter.widget"}):
                self.assertEqual(ask(kernel, "comm_info_request", content)[0], {"status": "ok", "comms": {}})
            tail = {"output": False, "raw": True, "hist_access_type": "tail", "n": 10}
            self.assertEqual(ask(kernel, "history_request", tail)[0]["history"], [])
            plain, more = (ask(kernel, "inspect_request", {"code": "mjq.Servers", "cursor_pos": 8, "detail_level": level})[0] for level in (0, 1))
            self.assertEqual((plain["status"], plain["data"]), ("ok", more["data"]))


class Sent(WithKernel):
    env = QUIET

    def test_expressions_beside_a_cell(self):
        kernel = self.kernel
        answer, _ = execute(kernel, "x := 1\nx", user_expressions={"twice": "2 * x"})
        self.assertEqual(answer["user_expressions"]["twice"]["status"], "error")
        self.assertIn("last in the cell", answer["user_expressions"]["twice"]["evalue"])

    def test_cells_that_are_sent_at_once(self):
        """Run All sends them before the first has run."""
        kernel = self.kernel
        requests = [kernel.client.execute(code) for code in ("ctx := context.Background()\nmath := 3", "math", "ctx.Err()")]
        heard = {request: list(published(kernel.client, request, 60)) for request in requests}
        self.assertFalse([c for h in heard.values() for kind, c in h if kind == "error"])
        self.assertEqual([c["data"]["text/plain"] for kind, c in heard[requests[1]] if kind == "display_data"], ["3"])

    def test_run_all_stops_at_an_error(self):
        """What comes after a fault, or after an interrupt, does not run; what is sent then does."""
        kernel = self.kernel
        def run_all(*codes, **options):
            requests = [kernel.client.execute(code, **options) for code in codes]
            answers, shown = {}, {request: [] for request in requests}
            while not answers.keys() >= shown.keys():  # in any order
                answer = kernel.client.get_shell_msg(timeout=60)
                answers[answer["parent_header"]["msg_id"]] = answer["content"]["status"]
            while sum(heard.count("idle") for heard in shown.values()) < len(requests):
                said = kernel.client.get_iopub_msg(timeout=60)
                shown.get(said["parent_header"].get("msg_id"), []).append(said["content"].get("execution_state", said["msg_type"]))
            return [(answers[request], shown[request]) for request in requests]
        for fault in ("1 +", "undefined()", "panic(1)", "var x = func() int { panic(1) }()", "x := 1\nx := 2", "syscall.Kill(os.Getpid(), syscall.SIGKILL)"):
            answers = run_all("fmt.Println(1)", fault, "fmt.Println(3)", *20 * ["os.WriteFile(os.TempDir()+\"/mjq-ran\", nil, 0o600)"])
            self.assertEqual([status for status, _ in answers], ["ok", "error"] + 21 * ["aborted"], fault)
            self.assertEqual(answers[2][1], ["busy", "idle"], fault)
            self.assertEqual(kernel.run("fmt.Println(4)").text, "4\n")
        answers = run_all("panic(1)", "fmt.Println(2)", stop_on_error=False)
        self.assertEqual([status for status, _ in answers], ["error", "ok"])
        for cell in ('fmt.Println("begun")\nfor {\n}', 'fmt.Println("begun")\n<-ctx.Done()'):
            first, second = (kernel.client.execute(code) for code in (cell, "fmt.Println(2)"))
            for kind, _ in published(kernel.client, first, 60):
                if kind == "stream":
                    kernel.interrupt()
            self.assertEqual(kernel.ask(second)[0]["status"], "aborted", cell)
            self.assertEqual(kernel.run("fmt.Println(3)").text, "3\n")


class Clients(unittest.TestCase):
    def test_a_cell_that_is_not_kept(self):
        with Session(QUIET) as kernel:
            for options, number in (({"store_history": False}, 0), ({}, 1), ({"store_history": False}, 1), ({"silent": True, "store_history": False}, 0), ({}, 2)):
                answer, heard = execute(kernel, "1 + 1", **options)
                self.assertEqual((answer["status"], answer["execution_count"]), ("ok", number), options)
                shown = [content["data"]["text/plain"] for kind, content in heard if kind == "display_data"]
                self.assertEqual(shown, ["2"])
            answer, heard = execute(kernel, "x := (", store_history=False)
            self.assertEqual(answer["status"], "error")
            self.assertEqual(answer["traceback"], next(content for kind, content in heard if kind == "error")["traceback"])

    def test_nbclient_keeps_the_last_expression(self):
        cells = executed(MODEL, "m.Solve(ctx)", "fmt.Println(1)", "m.Servers(30);")
        html = [[o["data"]["text/html"] for o in cell.outputs if "text/html" in o.get("data", {})] for cell in cells]
        self.assertIn("20 servers", html[0][0])
        self.assertIn("Waiting times", html[1][0])
        self.assertEqual([o.get("text") for o in cells[2].outputs], ["1\n"])
        self.assertEqual(cells[3].outputs, [])
        with self.assertRaises(CellExecutionError) as failed:
            executed("mjq.Servers(0).Solve(ctx)", "fmt.Println(1)")
        self.assertIn("the model has", str(failed.exception))

    def test_papermill_sets_parameters(self):
        """Papermill puts a cell after the one with the tag parameters."""
        written = papermill_go.codify({"load": 0.9, "servers": 64, "name": 'a "b"', "exact": True, "loads": [0.5, 1], "none": None})
        cells = executed("load := 0.7\nservers := 20\nname := \"\"\nexact := false\nloads := []float64{1}", written,
                         "fmt.Println(load, servers, name, exact, loads)")
        self.assertEqual(cells[-1].outputs[0]["text"], '0.9 64 a "b" true [0.5 1]\n')

    @unittest.skipUnless(importlib.util.find_spec("papermill"), "needs papermill: pip install papermill")
    def test_papermill_itself(self):
        nb = nbformat.v4.new_notebook(metadata={"kernelspec": {"name": "mjq", "display_name": "Go (mjq)", "language": "go"}})
        nb.cells = [nbformat.v4.new_code_cell("load := 0.7\nservers := 20"), nbformat.v4.new_code_cell("fmt.Println(load, servers)")]
        nb.cells[0].metadata["tags"] = ["parameters"]
        with tempfile.TemporaryDirectory() as folder:
            source, out = pathlib.Path(folder, "in.ipynb"), pathlib.Path(folder, "out.ipynb")
            nbformat.write(nb, source)
            said = subprocess.run([sys.executable, "-m", "papermill_go", source, out, "-p", "load", "0.9", "-p", "lod", "1"],
                                  env={**os.environ, **QUIET}, check=True, capture_output=True, text=True).stderr
            cells = nbformat.read(out, as_version=4).cells
        self.assertEqual([cell.outputs for cell in cells[:2]] + [cells[2].outputs[0]["text"]], [[], [], "0.9 20\n"])
        self.assertIn("unknown parameter: lod", said)


CHECKOUT = pathlib.Path(__file__).resolve().parents[2]
BIN = CHECKOUT / ".mjq" / "bin"


class Export(unittest.TestCase):
    def test_an_exported_notebook_runs_under_plain_gonb(self):
        sources = ("m := mjq.Servers(20).Poisson(1).Class(\"one\", 1, 1, mjq.ExpMean(1))\nm", "r, err := m.Solve(ctx, mjq.Exact{})\nr.All.Waiting.Mean",
                   "say := func() { fmt.Println(\"said\") }\nsay()", "%%\nfmt.Println(strings.ToUpper(\"a\"))", "func twice(x int) int { return 2 * x }\ntwice(3)")
        nb = nbformat.v4.new_notebook(metadata={"kernelspec": {"name": "plain", "display_name": "plain", "language": "go"}})
        nb.cells = [nbformat.v4.new_code_cell(source) for source in sources]
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            spec = folder / "kernels" / "plain"
            spec.mkdir(parents=True)
            (spec / "kernel.json").write_text(json.dumps({"argv": [str(BIN / "gonb"), f"-go_work={CHECKOUT}", "-raw_error", "-logtostderr=false", "-log_file=/dev/null", "--kernel", "{connection_file}"],
                                                          "display_name": "plain", "language": "go"}))
            nbformat.write(nb, folder / "in.ipynb")
            subprocess.run([BIN / "front", "export", folder / "in.ipynb", folder / "out.ipynb"], check=True)
            out = nbformat.read(folder / "out.ipynb", as_version=4)
            self.assertTrue(out.cells[0].source.startswith('import "github.com/mjqueue/mjq/mjq"\n'), out.cells[0].source)
            os.environ["JUPYTER_PATH"] = str(folder)
            self.addCleanup(os.environ.pop, "JUPYTER_PATH")
            NotebookClient(out, kernel_name="plain", timeout=120).execute(env={
                **os.environ, "CGO_ENABLED": "0", "GOFLAGS": "-trimpath", "PATH": f"{BIN}:{os.environ['PATH']}"})  # as all else here is compiled
        shown = ["".join(o.get("text") or o["data"].get("text/plain", "") for o in cell.outputs) for cell in out.cells]
        for text, wanted in zip(shown, ("20 servers", "e-", "said\n", "A\n", "6"), strict=True):
            self.assertIn(wanted, text)


if __name__ == "__main__":
    unittest.main()
