"""Tests of what stands between Jupyter and GoNB (front), over Jupyter's protocol:

PYTHONPATH=kernels/jupyter docker/jupyter.sh unittest test_front
"""

import os
import pathlib
import signal
import statistics
import tempfile
import time
import unittest

from session import Session, WithKernel, with_gopls

IMPORTS = """import (
	"context"
	"fmt"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/workload"
)
"""
MODEL = "m := workload.FiveClassExponential().Poisson(1.4)"


class Words(unittest.TestCase):
    def test_cells_of_statements(self):
        with Session() as kernel:
            reply = kernel.run(IMPORTS + MODEL + "\nfmt.Println(m.Spec().Servers)\nq := 3\nfmt.Println(q)")
            self.assertEqual((reply.ok, reply.text), (True, "20\n3\n"), reply)
            self.assertEqual(kernel.run("fmt.Println(m.Spec().Servers)").text, "20\n", "m is not kept")
            reply = kernel.run("\nfmt.Println(q)")
            self.assertFalse(reply.ok)
            self.assertTrue(reply.errors.startswith("line 2: undefined: q"), reply)
            self.assertIn("var q = …", reply.errors)
            reply = kernel.run("n := mjq.Must(mjq.Servers(4).\n\tPoison(1).Resolve(context.Background()))")
            self.assertTrue(reply.errors.startswith("line 2: mjq.Servers(4).Poison undefined"), reply)
            self.assertIn("1 more", reply.errors)
            reply = kernel.run("_ = mjq.Must(mjq.Servers(0).Resolve(context.Background()))")
            self.assertTrue(reply.errors.startswith("mjq: the model has 2 faults"), reply)
            self.assertIn("in line 1:", reply.errors)
            self.assertNotIn("goroutine", reply.errors)
            help = kernel.run("help").text
            self.assertIn("Cells are Go", help)
            self.assertIn("You need no imports and no ctx", help)
            reply = kernel.run("widgets.Show(strings.ToUpper(fmt.Sprint(mjq.Servers(3))))")
            self.assertTrue(reply.ok, reply)

    def test_each_panic_is_told_once_and_in_its_cell(self):
        with Session() as kernel:
            self.assertTrue(kernel.run(IMPORTS + "fmt.Println()").ok)
            for i in range(5):
                reply = kernel.run(f'fmt.Println({i})\n_ = mjq.Must(mjq.Servers(64).Poisson(-{i + 1}).Class("a", 1, 1, mjq.ExpMean(1)).Resolve(context.Background()))')
                self.assertEqual(reply.errors.count(f"-{i + 1})"), 2, reply)
                self.assertEqual(reply.text, f"{i}\n")
                self.assertIn("in line 2:", reply.errors)
                self.assertNotIn("goroutine", reply.errors)
                self.assertNotIn("exit status", reply.errors)

    def test_a_declaration_that_fails_is_told_in_its_cell_and_not_kept(self):
        for env in ({}, {"MJQ_LIBRARY": "off"}):
            with self.subTest(env), Session(env=env) as kernel:
                self.assertTrue(kernel.run(IMPORTS + "kept := 1\nbad := 2\nfmt.Println(kept)").ok)
                for i in range(2):
                    reply = kernel.run(f'bad := mjq.Must(mjq.Servers(64).Poisson(-{i + 1}).Class("a", 1, 1, mjq.ExpMean(1)).Resolve(context.Background()))\nthird := 3\nfmt.Println(third)')
                    self.assertTrue(reply.errors.startswith("mjq: the model has 1 fault:"), reply)
                    self.assertEqual(reply.errors.count(f"-{i + 1})"), 2, reply)  # the message, and the line of the cell
                    self.assertIn("in line 1:  bad :=", reply.errors)
                    self.assertNotIn("goroutine", reply.errors)
                    self.assertEqual(kernel.run("fmt.Println(kept)").text, "1\n")
                self.assertEqual(kernel.run("fmt.Println(bad)").text, "2\n", "an older declaration of the name is lost")
                self.assertIn("Cell 4 declares third, but has failed", kernel.run("fmt.Println(third)").errors)
                self.assertTrue(kernel.run("half := 10 / kept").ok)
                reply = kernel.run("var kept = 0")
                self.assertIn("mend cell", reply.errors, reply)
                self.assertEqual(kernel.run("fmt.Println(kept)").text, "1\n")


class Shown(WithKernel):
    def test_a_cell_that_shows_nothing_shows_how_long_it_runs(self):
        reply = self.kernel.run("time.Sleep(6 * time.Second)")
        self.assertTrue(any("running for" in shown for shown in reply.html), reply)
        self.assertEqual(reply.html[-1], "", reply)

    def test_the_state_is_told_to_all_who_listen(self):
        late = self.kernel.manager.client()
        late.start_channels()
        self.assertEqual(late.get_iopub_msg(timeout=20)["content"]["execution_state"], "idle")
        late.stop_channels()

    def test_the_first_lines_of_the_readme_are_a_cell(self):
        readme = (pathlib.Path(__file__).parents[2] / "README.md").read_text()
        reply = self.kernel.run(readme.partition("```go\n")[2].partition("```")[0])
        self.assertTrue(reply.ok, reply)
        self.assertIn("big jobs wait", reply.text)

    def test_go_is_coloured_as_go(self):
        answer, _ = self.kernel.ask(self.kernel.client.kernel_info())
        self.assertEqual(answer["language_info"]["pygments_lexer"], "go")


SOLVED = """r, err := m.Solve(ctx, mjq.Backward{Samples: 2000})
other, err := mjq.Servers(3).Poisson(1).Class("a", 1, 1, mjq.ExpMean(1)).Solve(ctx, mjq.Backward{Samples: 2000})
r"""


class State(unittest.TestCase):
    def test_an_edited_model_recomputes_what_hangs_on_it(self):
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, Session({"MJQ_REMEMBER": folder}) as kernel:
            def answers():
                return len(list(pathlib.Path(folder).glob("*.answer")))
            for cell in (MODEL, SOLVED):
                reply = kernel.run(cell)
                self.assertTrue(reply.ok, reply)
            before, first = answers(), kernel.run("fmt.Println(r.All.Waiting.Mean)").text
            self.assertEqual(kernel.run("fmt.Println(r.All.Waiting.Mean)").text, first)
            self.assertEqual(answers(), before, "what is known is computed anew")
            self.assertTrue(kernel.run(MODEL.replace("1.4", "1.5")).ok)
            reply = kernel.run("fmt.Println(r.All.Waiting.Mean)")
            self.assertNotEqual(reply.text, first, "the answer is that of the old model")
            self.assertGreater(answers(), before)
            self.assertEqual(kernel.run("fmt.Println(other.Run.Remembered.IsZero())").text, "false\n", "what does not hang on it is computed anew")


@with_gopls
class StateWithGopls(unittest.TestCase):
    def test_what_a_cell_changes_is_announced(self):
        with Session() as kernel:
            kernel.ask(kernel.client.complete("mjq.", 4))  # so that gopls is there
            reply = kernel.run('f := figure.New("two").X("x").Y("y")\ncount := 1\nrows := []int{2, 1}\nfunc add() { count++ }')
            self.assertTrue(reply.ok, reply)
            for cell, note in (
                ('f.Theory("a", []float64{1, 2}, []float64{3, 4})\nf', "What this cell changes in f ends with it"),
                ("add()\ncount", "What this cell changes in count ends with it"),
                ("slices.Sort(rows)\nrows", "What this cell changes in rows ends with it"),
                ("f.Title()", ""),
                ('g := figure.New("one").X("x").Y("y")\ng.Theory("a", []float64{1, 2}, []float64{3, 4})\ng', ""),
                ("g", "g is as cell 6 declares it, without what that cell did to it then"),
                ("g", ""),
            ):
                reply = kernel.run(cell)
                self.assertTrue(reply.ok, reply)
                self.assertIn(note, reply.text, cell)
                self.assertEqual(reply.text == "", note == "", reply)


@with_gopls
class CompletionWithGopls(unittest.TestCase):
    def test_options_with_documentation(self):
        with Session() as kernel:
            first = IMPORTS + MODEL
            answer, took = kernel.ask(kernel.client.complete(first + "\nm.", len(first) + 3))
            print(f"\nkernel ready after {kernel.ready:.2f} s; first completion {took:.2f} s")
            self.assertIn("Solve", answer["matches"], "before any cell has run")
            self.assertTrue(kernel.run(first).ok)
            times = []
            for code in 10 * ["m.", "m.Solve(context.Background(), mjq.", "%%\nr := mjq.Must(m.Solve(context.Background()))\nr."]:
                answer, took = kernel.ask(kernel.client.complete(code, len(code)))
                times.append(took)
                self.assertGreater(len(answer["matches"]), 10)
            print(f"completions: median {1000 * statistics.median(times):.0f} ms, longest {1000 * max(times):.0f} ms")
            for wrong, right in (("m.Stabilty()", "Stability"), ("mjq.Servrs(3)", "Servers"), ("fmt.Printn(1)", "Print")):
                self.assertIn(f"Did you mean {right}", kernel.run("fmt.Println(1)\n" + wrong).errors)
            asked = "m.Solve(ctx, mjq."
            answer, _ = kernel.ask(kernel.client.complete(asked, len(asked)))
            self.assertEqual(answer["matches"][:3], ["Exact{}", "Forward{}", "Simulation{}"], "methods come first")
            self.assertLess(answer["matches"].index("Seed"), answer["matches"].index("EASY()" if "EASY()" in answer["matches"] else "EASY"))
            answer, _ = kernel.ask(kernel.client.complete("mjq.Backw", 9))
            self.assertEqual((answer["matches"], answer["cursor_start"]), (["Backward"], 4))
            for code, want in (("mjq.Backward", "Algorithm 1 (SPS) of Baccelli"), ("mjq.Servers(", "s identical servers")):
                answer, took = kernel.ask(kernel.client.inspect(code, len(code)))
                print(f"documentation: {1000 * took:.0f} ms")
                self.assertIn(want, answer["data"]["text/plain"])

    def test_a_name_with_a_question_mark_shows_its_documentation(self):
        with Session({"MJQ_CHECKS": os.devnull}) as kernel:  # no clock on a busy machine
            self.assertTrue(kernel.run("cluster := mjq.Servers(4)").ok)
            for cell, want in (("mjq.Servers?", "s identical servers"), ("?mjq.Backward", "Algorithm 1"), ("cluster??", "mjq.Model"), ("cluster.Solve?", "func (m mjq.Model) Solve"),
                               ("nobody?", "nobody is unknown")):
                reply = kernel.run(cell)
                self.assertTrue(reply.ok, reply)
                self.assertIn(want, reply.errors + "".join(reply.plain), cell)
            self.assertEqual(kernel.run("cluster.Spec().Servers").plain, ["4"])

    def test_gopls_says_nothing_to_anybody(self):
        with Session() as kernel:
            kernel.ask(kernel.client.complete("mjq.", 4))
            for pid, name in children(kernel.manager.provisioner.process.pid).items():
                self.assertNotIn("telemetry", pathlib.Path(f"/proc/{pid}/cmdline").read_text(), name)

    def test_gopls_ends_with_a_killed_kernel(self):
        with Session() as kernel:
            kernel.ask(kernel.client.complete("mjq.", 4))
            process = kernel.manager.provisioner.process.pid
            below = children(process)
            self.assertIn("gopls", " ".join(below.values()))
            os.kill(process, signal.SIGKILL)
            end = time.monotonic() + 20
            while any(os.path.exists(f"/proc/{pid}") for pid in below):
                self.assertLess(time.monotonic(), end, below)
                time.sleep(0.1)

    def test_a_killed_front_takes_the_kernel_along(self):
        with Session() as kernel:
            process = kernel.manager.provisioner.process.pid
            below = children(process)
            relay = next(pid for pid, name in below.items() if name == "front" and "front" in children(pid).values())
            os.kill(relay, signal.SIGKILL)
            end = time.monotonic() + 20
            while kernel.manager.provisioner.process.poll() is None or any(os.path.exists(f"/proc/{pid}") for pid in below):
                self.assertLess(time.monotonic(), end, "the kernel is there and silent")
                time.sleep(0.1)

    def test_nothing_is_left_of_a_kernel_that_ends(self):
        with Session() as kernel:
            below = children(kernel.manager.provisioner.process.pid)
        end = time.monotonic() + 20
        while any(os.path.exists(f"/proc/{pid}") for pid in below):
            self.assertLess(time.monotonic(), end, below)
            time.sleep(0.1)


def children(process):
    """The programs below a process, by their process ids."""
    found = {}
    for status in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            name, _, rest = status.read_text().partition("(")[2].rpartition(")")
        except OSError:
            continue
        if int(rest.split()[1]) == process:
            pid = int(status.parent.name)
            found |= {pid: name} | children(pid)
    return found


if __name__ == "__main__":
    unittest.main()
