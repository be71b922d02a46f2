"""Tests of the kernel "Go (mjq)" over Jupyter's protocol:

PYTHONPATH=kernels/jupyter docker/jupyter.sh unittest test_session
"""

import pathlib
import tempfile
import time
import unittest

from session import PATIENCE, Session, published

START = """import (
	"fmt"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/workload"
	"github.com/mjqueue/mjq/widgets"
)

var ctx = widgets.Context()
var m = workload.FiveClassExponential().Poisson(1.4)
"""


class Interrupts(unittest.TestCase):
    def test_one_interrupt_keeps_what_there_is(self):
        with Session() as kernel:
            self.assertTrue(kernel.run(START).ok)
            cell = """%%
fmt.Println("begun")
r := mjq.Must(m.Solve(ctx, mjq.Backward{Samples: 50_000_000}))
widgets.Show(r)
fmt.Println("samples", r.Run.Samples > 0, "complete", r.Run.Complete)
time.Sleep(7 * time.Second) // GoNB alone would kill it five seconds after the interrupt
fmt.Println("the rest has run")
"""
            reply = kernel.run(cell, interrupts=[2])
            self.assertTrue(reply.ok, reply)
            self.assertIn("samples true complete false", reply.text)
            self.assertIn("the rest has run", reply.text)
            self.assertIn("Interrupted", "".join(reply.html), reply)
            self.assertTrue(kernel.run("%%\nfmt.Println(ctx.Err())").text.startswith("<nil>"), "the next cell is interrupted too")

    def test_an_interrupt_while_a_cell_is_compiled(self):
        with Session({"GONB_GO": "go"}) as kernel:  # half a second at least
            self.assertTrue(kernel.run(START).ok)
            request = kernel.client.execute('%%\nfmt.Println("begun")\n<-ctx.Done()\ntime.Sleep(time.Minute)')
            for kind, content in published(kernel.client, request, PATIENCE):
                if kind == "execute_input":
                    time.sleep(0.1)
                    kernel.interrupt()
                self.assertNotEqual(kind, "stream", content)
            self.assertFalse(kernel.ask(request)[0]["status"] == "ok")
            self.assertTrue(kernel.run("fmt.Println(1)").ok)

    def test_a_second_interrupt_ends_the_cell(self):
        with Session() as kernel:
            self.assertTrue(kernel.run(START).ok)
            cell = """%%
fmt.Println("begun")
<-ctx.Done()
fmt.Println("one")
time.Sleep(time.Minute)
fmt.Println("too late")
"""
            reply = kernel.run(cell, interrupts=[0.5, 1.5])
            self.assertFalse(reply.ok, reply)
            self.assertIn("one", reply.text)
            self.assertNotIn("too late", reply.text)
            self.assertLess(reply.wall, 30)
            self.assertEqual(reply.errors.count("signal: interrupt"), 1, reply)

    def test_the_first_interrupt_of_a_cell_that_goes_on_says_how_to_end_it(self):
        with Session() as kernel:
            self.assertTrue(kernel.run(START).ok)
            request = kernel.client.execute('fmt.Println("begun")\nfor {\n}')
            said = ""
            for kind, content in published(kernel.client, request, 60):
                if kind == "stream":
                    said += content["text"]
                    if content["text"] == "begun\n" or "a second interrupt ends it" in content["text"]:
                        kernel.interrupt()
                if kind == "error":
                    said += "\n".join(content["traceback"])
            for once in ("a second interrupt ends it", "signal: interrupt"):
                self.assertEqual(said.count(once), 1, said)


EXACT = """var exact = mjq.Must(m.Solve(ctx, mjq.Exact{}))
%%
fmt.Println(exact.Run.Remembered.IsZero(), exact.All.Waiting.Mean.Value)
"""
LATER = """%%
fmt.Println(exact.Run.Remembered.IsZero(), exact.All.Waiting.Mean.Value)
"""
SMALL = """var m = mjq.Servers({}).Poisson(0.9).Class("a", 1, 0.8, mjq.ExpMean(0.5)).Class("b", 4, 0.2, {})
var r = mjq.Must(m.Solve(ctx, mjq.Backward{{Samples: 2000}}))
%%
fmt.Println(r.Run.Remembered.IsZero(), r.All.Waiting.Mean.Value)
"""
LAW = """type twice struct{ law.Law }

func (l twice) Form() law.Form { return law.Form{Name: "twice"} }
func (l twice) Quantile(p float64) float64 { return factor * l.Law.Quantile(p) }

const factor = 1
%%
"""
QUESTIONS = (
    "compared := mjq.Must(mjq.Compare(ctx, m, []mjq.Policy{mjq.FCFS(), mjq.EASY()}, mjq.Simulation{Jobs: 4000, Replications: 4}))",
    "drawn := mjq.Must(m.Solve(ctx, mjq.Backward{Samples: 4000}))",
    "simulated := mjq.Must(m.Solve(ctx, mjq.Simulation{Jobs: 20_000, Replications: 4}))",
    'own := mjq.Servers(4).Poisson(1).Class("a", 1, 1, twice{mjq.ErlangMeanPhases(1, 2)})\n'
    "ofOwn := mjq.Must(own.Solve(ctx, mjq.Simulation{Jobs: 20_000, Replications: 4}))",
)
OTHER_CELLS = (
    "widgets.Show(ofOwn)",
    "fmt.Println(1)",
    'widgets.Show(strings.ToUpper("a"))',
    "fmt.Println(math.Pi, strings.Fields(os.Args[0]))",
    "_ = plots.Compare",
)


class Memory(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.addCleanup(folder.cleanup)
        self.env = {"MJQ_REMEMBER": folder.name}

    def asked(self, kernel, cell):
        """Whether the cell has computed, and its number."""
        reply = kernel.run(cell)
        self.assertTrue(reply.ok, reply)
        new, number = reply.text.split()
        return new == "true", number, reply

    def test_a_solution_is_computed_once(self):
        with Session(self.env) as kernel:
            self.assertTrue(kernel.run(START).ok)
            nothing = kernel.run("%%\nfmt.Println(1)")
            new, number, first = self.asked(kernel, EXACT)
            self.assertTrue(new)
            later = []
            for i in range(3):
                new, same, reply = self.asked(kernel, LATER + f"// {i}")
                self.assertFalse(new)
                self.assertEqual(number, same)
                later.append(reply)
        with Session(self.env) as kernel:  # another day
            self.assertTrue(kernel.run(START).ok)
            new, same, again = self.asked(kernel, EXACT)
            self.assertFalse(new)
            self.assertEqual(number, same)
        cost = sorted(reply.cpu for reply in later)[1]
        print(f"\nCPU of a cell: {nothing.cpu:.2f} s with nothing to compute, {first.cpu:.2f} s with an exact solution, "
              f"{cost:.2f} s below it, {again.cpu:.2f} s after a restart")
        self.assertLess(cost - nothing.cpu, 0.3 * (first.cpu - nothing.cpu))

    def test_an_edited_model_is_a_new_question(self):
        with Session(self.env) as kernel:
            self.assertTrue(kernel.run(START).ok)
            new, twenty, _ = self.asked(kernel, SMALL.format(8, "mjq.ExpMean(1)"))
            self.assertTrue(new)
            new, forty, _ = self.asked(kernel, SMALL.format(6, "mjq.ExpMean(1)"))
            self.assertTrue(new)
            self.assertNotEqual(twenty, forty)
            new, back, _ = self.asked(kernel, SMALL.format(8, "mjq.ExpMean(1)"))
            self.assertFalse(new)
            self.assertEqual(twenty, back)

    def test_laws_of_a_cell(self):
        with Session(self.env) as kernel:
            self.assertTrue(kernel.run(START).ok)
            reply = kernel.run('import "github.com/mjqueue/mjq/mjq/law"\n' + LAW)
            self.assertTrue(reply.ok, reply)
            cell = SMALL.format(8, "twice{mjq.ErlangMeanPhases(1, 2)}")
            self.assertEqual([True, False], [self.asked(kernel, cell)[0] for _ in range(2)])
            before = self.answers()
            self.assertTrue(kernel.run(LAW.replace("factor = 1", "factor = 1.1")).ok)
            self.assertGreater(self.answers(), before, "the edited law gives the answer of the old one")
            self.assertFalse(self.asked(kernel, cell)[0])

    def test_any_cell_finds_the_answer(self):
        with Session(self.env) as kernel:
            self.assertTrue(kernel.run(START).ok)
            self.assertTrue(kernel.run('import "github.com/mjqueue/mjq/mjq/law"\n' + LAW).ok)
            declared = kernel.run("\n".join(QUESTIONS))
            self.assertTrue(declared.ok, declared)
            computed = self.answers()
            self.assertGreaterEqual(computed, len(QUESTIONS))
            for cell in OTHER_CELLS:
                reply = kernel.run(cell)
                self.assertTrue(reply.ok, reply)
                self.assertEqual(self.answers(), computed, f"a question is computed anew by {cell!r}")

    def answers(self):
        """The number of answers that have been computed and kept."""
        return len(list(pathlib.Path(self.env["MJQ_REMEMBER"]).glob("*.answer")))

    def test_without_memory(self):
        with Session({"MJQ_REMEMBER": "off"}) as kernel:
            self.assertTrue(kernel.run(START).ok)
            cell = SMALL.format(8, "mjq.ExpMean(1)")
            self.assertEqual([True, True], [self.asked(kernel, cell)[0] for _ in range(2)])


if __name__ == "__main__":
    unittest.main()
