"""What newcomers get wrong and what they are told, over Jupyter's protocol:

PYTHONPATH=kernels/jupyter docker/jupyter.sh unittest test_messages
"""

import unittest

from session import Session, with_gopls

MODEL = """cluster := mjq.Servers(20).Poisson(1).
	Class("small", 1, 0.8, mjq.ExpMean(0.5)).
	Class("big", 10, 0.2, mjq.ExpMean(3))
"""

# The mistake, the cell, the first line of the message, and what it says to do.
MISTAKES = (
    ("a misspelt method", "fmt.Println(1)\ncluster.Stabilty(ctx)", "line 2: cluster.Stabilty undefined", "Did you mean Stability?"),
    ("a misspelt function", "mjq.Servrs(3)", "line 1: undefined: mjq.Servrs", "Did you mean Servers?"),
    ("an ambiguous package", "x := 1\nrand.IntN(x)", "line 2: rand is the name of several packages", 'import "crypto/rand", "math/rand" or "math/rand/v2"'),
    ("a package that nobody knows", "numpy.Zeros(3)", "line 1: undefined: numpy", "No cell that has run declares numpy"),
    ("an unused variable", "fmt.Println(1)\nunused := 2", "line 2: declared and not used: unused", "keep it for later cells"),
    ("a result not taken", "1 + 2\nfmt.Println(3)", "line 1: 1 + 2 (", "The last expression of a cell is shown"),
    ("a wrong argument type", 'mjq.Servers("20")', 'line 1: mjq.Servers wants int here, not the text "20"', ""),
    ("another", "mjq.Servers(2.5)", "line 1: ", "2.5"),
    ("no ctx", "cluster.Solve()", "line 1: cluster.Solve wants ctx first", "cluster.Solve(ctx, …)"),
    ("a missing parenthesis", 'x := 1\nfmt.Println("a", x', "line 2: the ( is never closed", "A closing ) is missing"),
    ("a missing brace", "if 1 > 0 {\n\tfmt.Println(1)", "line 1: the { is never closed", "A closing } is missing"),
    ("one bracket too many", "fmt.Println(1))", "line 1: ", "closes nothing"),
    ("print as in Python", "print(cluster)", "line 1: print is for Go's own use", "fmt.Println"),
    ("import as in Python", "import numpy as np\nnp.zeros(3)", "line 1: an import names a path", "come by themselves"),
    ("import from", "from math import sqrt", "line 1: an import names a path", "come by themselves"),
    ("a loop as in Python", "for i in range(3):\n    print(i)", "line 1: ", "for i := range 10"),
    ("a function as in Python", "def f(x):\n    return x", "line 1: ", "func name(x float64) float64"),
    ("a block as in Python", "x := 1\nif x > 0:\n    x", "line 2: ", "Blocks stand in braces"),
    ("True", "x := True", "line 1: undefined: True", "In Go: true."),
    ("an assignment as in Python", "x = 3", "line 1: undefined: x", "x := …"),
    ("a remark as in Python", "fmt.Println(1) # one", "line 1: a remark begins with //, not #", ""),
    ("text as in Python", "fmt.Println('one')", "line 1: ", 'Text stands in "double quotes".'),
    ("a power as in Python", "x := 2.0\nx**2", "line 2: ", "math.Pow(x, y)"),
    ("a model with three faults", 'mjq.Servers(0).Poisson(-1).Class("a", 1, 1, mjq.ExpMean(-2)).Solve(ctx)', "mjq: the model has 3 faults", "in line 1"),
    ("a variable before its cell ran", "fmt.Println(later)", "line 1: undefined: later", "run the one that does"),
    ("a method without braces", "cluster.Solve(ctx, mjq.Exact)", "line 1: mjq.Exact is a type", "mjq.Exact{}"),
    ("an option without parentheses", "cluster.Solve(ctx, mjq.NoCache)", "line 1: mjq.NoCache is a function", "mjq.NoCache()"),
    ("an option without its argument", "cluster.Solve(ctx, mjq.Seed)", "line 1: mjq.Seed is a function", "mjq.Seed(…)"),
    ("one value of two", "r := cluster.Solve(ctx)", "line 1: cluster.Solve(ctx) gives an answer and an error", "mjq.Must(cluster.Solve(ctx))"),
    ("an answer and an error passed on", "plots.Tails(cluster.Solve(ctx))", "line 1: plots.Tails gets an answer and an error", "mjq.Must"),
    ("an answer and an error asked on", "cluster.Solve(ctx).All", "line 1: cluster.Solve(ctx) gives an answer and an error", "mjq.Must(cluster.Solve(ctx))"),
)


@with_gopls
class MessagesWithGopls(unittest.TestCase):
    def test_mistakes_of_newcomers(self):
        with Session() as kernel:
            self.assertTrue(kernel.run(MODEL).ok)
            kernel.ask(kernel.client.complete("mjq.", 4))  # so that gopls is there
            for name, cell, first, remedy in MISTAKES:
                with self.subTest(name):
                    reply = kernel.run(cell)
                    self.assertFalse(reply.ok, reply)
                    self.assertTrue(reply.errors.startswith(first), reply.errors)
                    self.assertIn(remedy, reply.errors)
                    said, line, *advice = reply.errors.split("\n\n")
                    self.assertLessEqual(len(said.splitlines()), 4, "a long message")
                    self.assertIn(line.strip().split("\n")[0].removeprefix("in line 1:").strip(), cell, "the line of the cell")
                    self.assertLessEqual(sum(not a.startswith("(and ") for a in advice), 1, reply.errors)
            self.assertEqual(kernel.run("later := 3\nlater").ok, True)


class Messages(unittest.TestCase):
    def test_what_is_not_a_mistake(self):
        """A forgotten import is there, an unused one goes, and a lone function says what it is."""
        with Session() as kernel:
            self.assertEqual(kernel.run("fmt.Println(strings.ToUpper(\"a\"))").text, "A\n")
            self.assertEqual(kernel.run("say := func() { fmt.Println(\"said\") }\nsay()").text, "said\n")
            self.assertEqual(kernel.run("import \"os\"\nfmt.Println(1)").text, "1\n")
            self.assertIn("call it with its arguments", "".join(kernel.run("strings.ToUpper").plain))


if __name__ == "__main__":
    unittest.main()
