"""Tests of the kernel "Go (mjq)" over Jupyter's protocol:

PYTHONPATH=kernels/jupyter docker/jupyter.sh unittest test_session
"""

import unittest

from session import Session

START = """import (
	"fmt"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/widgets"
)

var ctx = widgets.Context()
var m = mjq.Must(mjq.FiveClassExponential().Poisson(1.4).Build())
"""


class Interrupts(unittest.TestCase):
    def test_one_interrupt_keeps_what_there_is(self):
        with Session() as kernel:
            self.assertTrue(kernel.run(START).ok)
            cell = """%%
fmt.Println("begun")
r := mjq.Must(m.Sample().Backward().N(50_000_000).Run(ctx))
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
            self.assertIn("signal: interrupt", reply.errors)


if __name__ == "__main__":
    unittest.main()
