"""Small cells of which users of other kernels have reported that they go wrong, over Jupyter's protocol:

PYTHONPATH=kernels/jupyter docker/jupyter.sh unittest test_table
"""

import os
import pathlib
import signal
import subprocess
import sys
import time
import unittest

from session import Session, WithKernel, published
from test_front import children

QUIET = {"MJQ_CHECKS": os.devnull}
STACK = "func down(n int) int {\n\tif n == 0 {\n\t\treturn 0\n\t}\n\treturn down(n-1) + 1\n}\n"

# What it is about, the cell, whether it ends well, and what it shows, prints or says, all of it.
TABLE = (
    ("standard input", 'var word string\nn, err := fmt.Scan(&word)\nfmt.Println(n, err)', True, "0 EOF", "nobody can be asked here"),
    ("standard input of a shell", "!cat; echo done", True, "done", "nobody can be asked here"),
    ("a dot import", 'import . "math"\nSqrt(4)', True, "2"),
    ("without it", "fmt.Println(1)", True, "1\n"),
    ("with it again", "Floor(1.5)", True, "1"),
    ("another name of a package", 'import str "strings"\nstr.ToUpper("a")', True, "A"),
    ("a blank import", 'import _ "image/png"\nfmt.Println(2)', True, "2\n"),
    ("ctx", "ctx.Err() == nil", True, "true"),
    ("ctx taken away", "%rm ctx", True, "removed var ctx"),
    ("ctx comes back", "ctx.Err() == nil", True, "true"),
    ("ctx of one's own", 'ctx := context.WithValue(context.Background(), "a", 5)\nctx.Value("a")', True, "5"),
    ("taken away in the same cell", "%rm ctx\nctx.Value(\"a\") == nil", True, "true"),
    ("nothing to take away", "%rm nothing", True, "not found"),
    ("a file in a program", "//go:embed README.md\nvar text string", False, "//go:embed does nothing in a cell", 'os.ReadFile("README.md")'),
    ("a build tag", "//go:build linux\nfmt.Println(1)", False, "build constraints do nothing in a cell", "%goflags -tags"),
    ("a directive of a function", "//go:noinline\nfunc three() int { return 3 }\nthree()", True, "3"),
    ("another directive", "//go:generate ls\nvar y = 1", False, "//go:generate does nothing here"),
    ("a name twice", "a := 1\na := 2", False, "line 2: line 1 declares a already"),
    ("a function twice", "func g() {}\nfunc g() {}", False, "line 2: line 1 declares g already"),
    ("a shadowed name", "a := 1\nfor a := range 2 {\n\tfmt.Print(a)\n}\na", True, "01", "1"),
    ("a name of another kind", "func a() int { return 7 }\na()", True, "7"),
    ("a type", "type point struct{ x, y int }\nfunc (p point) sum() int { return p.x + p.y }", True),
    ("a method of a later cell", "func (p *point) twice() int { return 2 * p.sum() }\np := point{x: 1, y: 2}\np.twice()", True, "6"),
    ("a type anew", "type point struct{ x, y, z int }\npoint{1, 2, 3}.sum()", True, "3"),
    ("generic types", "type one[T any] []T\ntype two[T any] []T\nfunc (s one[T]) n() int { return 1 }\nfunc (s two[T]) n() int { return 2 }\none[int]{}.n() + two[int]{}.n()", True, "3"),
    ("a type with a method", "type lone int\nfunc (l lone) one() int { return 1 }\nlone(2).one()", True, "1"),
    ("a variable of its name", "lone := 3\nlone", True, "3"),
    ("a type taken away", "%rm point p\nfmt.Println(8)", True, "removed type point", "8\n"),
    ("a generic function", "func all[T any](xs ...T) []T { return xs }\nall(1, 2)", True, "[1 2]"),
    ("func init", 'func init() { fmt.Println("begun") }\nfmt.Println("run")', True, "begun\nrun\n"),
    ("func init is for its cell", 'fmt.Println("run")', True, "run\n"),
    ("func main", "func main() { fmt.Println(4) }", True, "4\n"),
    ("func main and statements", "func main() { fmt.Println(4) }\nfmt.Println(5)", False, "a cell has statements or func main, not both"),
    ("a package clause", "package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(6) }", True, "6\n"),
    ("a line that begins like one", "packages := 1\npackages = 2\npackages", True, "2"),
    ("C", 'import "C"\nfmt.Println(C.int(3))', False, "a cell cannot hold C code"),
    ("remarks alone", "// nothing\n/* at all */", True, ""),
    ("nothing", "", True, ""),
    ("defer", 'defer fmt.Println("last")\nfmt.Println("first")', True, "first\nlast\n"),
    ("a label", "found:\nfor i := range 9 {\n\tfor {\n\t\tif i == 3 {\n\t\t\tbreak found\n\t\t}\n\t\tcontinue found\n\t}\n}", True),
    ("return", 'fmt.Println("before")\nif true {\n\treturn\n}\nfmt.Println("after")', True, "before\n"),
    ("not Go", "y := 1 $", False, "illegal character U+0024"),
    ("other scripts", 'größe, 名前 := 1, "ü"\nfmt.Println(größe, 名前)', True, "1 ü\n"),
    ("a panic in a goroutine", 'go func() { panic("oh") }()\ntime.Sleep(time.Minute)', False, "panic: oh\n\nin line 1"),
    ("goroutines left behind", "go func() { select {} }()\nfmt.Println(1)", True, "1\n"),
    ("one map, two goroutines", "m := map[int]int{}\nfor range 4 {\n\tgo func() {\n\t\tfor {\n\t\t\tm[1]++\n\t\t}\n\t}()\n}\ntime.Sleep(time.Minute)", False, "two goroutines use one map at the same time"),
    ("no end of calls", STACK + "debug.SetMaxStack(1 << 20)\ndown(1 << 30)", False, "stack overflow: a function calls itself without end", "in line"),
    ("too much memory", "b := make([]byte, 1<<46)\nlen(b)", False, "out of memory: the cell wants more than there is"),
    ("a nil pointer", "var p *struct{ x int }\np.x", False, "invalid memory address or nil pointer dereference", "in line 2"),
    ("os.Exit", "os.Exit(3)", False, "exit status 3"),
    ("a signal", "syscall.Kill(os.Getpid(), syscall.SIGKILL)\ntime.Sleep(time.Minute)", False, "The cell was ended (signal: killed)."),
    ("an argument of another type", "strings.Repeat(a(), 2)", False, "strings.Repeat wants string here"),
    ("a built-in of another type", "xs := 3\nlen(xs)", False, "len does not take xs, which is int"),
    ("no goal", "mjq.Servers(4).FewestServers(ctx)", False, "FewestServers wants goal (mjq.Goal)", "(ctx, goal, …)"),
    ("no class", "mjq.Servers(4).LargestNeed(ctx)", False, "LargestNeed wants class (string) and goal (mjq.Goal)"),
    ("no prices", "mjq.Servers(4).CheapestMix(ctx)", False, "CheapestMix wants prices (map[string]float64) and goal (mjq.Goal)"),
    ("no grid", "mjq.Sweep(ctx, mjq.Servers(4))", False, "Sweep wants grid (mjq.Grid)"),
    ("no policies", "mjq.Compare(ctx, mjq.Servers(4))", False, "Compare wants policies ([]mjq.Policy)"),
    ("ctx printed", "fmt.Println(ctx.Err())", True, "<nil>\n"),
    ("an unknown function", "nobody(3)", False, "undefined: nobody", "func nobody(…)"),
    ("a character in two writes", 'for _, b := range []byte("é") {\n\tos.Stdout.Write([]byte{b})\n\ttime.Sleep(150 * time.Millisecond)\n}', True, "é"),
    ("a write of 100 kB", 'fmt.Print(strings.Repeat("aé", 30_000))', True, "aé" * 30_000),
)


def everything(reply):
    return reply.text + reply.errors + "".join(shown for shown in reply.plain)


class Output(WithKernel):
    env = QUIET

    def test_very_much_output(self):
        """The beginning and the end, in few messages, however it is written."""
        kernel = self.kernel
        for cell in ("for i := range 100_000 {\n\tfmt.Println(i)\n}", "w := bufio.NewWriter(os.Stdout)\nfor i := range 100_000 {\n\tfmt.Fprintln(w, i)\n}\nw.Flush();",
                     "for i := range 100_000 {\n\tfmt.Fprintln(os.Stderr, i)\n}"):
            request = kernel.client.execute(cell)
            texts = [content["text"] for kind, content in published(kernel.client, request, 60) if kind == "stream"]
            text = "".join(texts)
            self.assertLess(len(texts), 60, cell)
            self.assertTrue(text.startswith("0\n1\n2\n"), cell)
            self.assertTrue(text.endswith("\n99998\n99999\n"), text[-200:])
            self.assertIn("... 97980 lines left out.", text)
            self.assertLess(len(text), 20_000)
        reply = kernel.run("xs := make([]int, 100_000)\nxs")
        self.assertLess(len(everything(reply)) + len("".join(reply.html)), 50_000)
        self.assertIn("more", everything(reply))

    def test_an_input_box(self):
        kernel = self.kernel
        request = kernel.client.execute('fmt.Print("name? ")\nin := bufio.NewScanner(os.Stdin)\nfor in.Scan() {\n\tfmt.Println("hello", in.Text())\n\tif in.Text() == "end" {\n\t\tbreak\n\t}\n}')
        for line in ("Ann", "end"):
            self.assertEqual(kernel.client.get_stdin_msg(timeout=60)["msg_type"], "input_request")
            kernel.client.input(line)
        text = "".join(content["text"] for kind, content in published(kernel.client, request, 60) if kind == "stream")
        self.assertEqual(text, "name? hello Ann\nhello end\n")


class Table(unittest.TestCase):
    def test_small_cells(self):
        with Session(QUIET) as kernel:
            kernel.client.allow_stdin = False
            for name, cell, ok, *said in TABLE:
                with self.subTest(name):
                    reply = kernel.run(cell)
                    got = everything(reply)
                    self.assertEqual(reply.ok, ok, got[-500:])
                    for text in said:
                        self.assertIn(text, got[-100_000:])
                    self.assertNotIn("\ufffd", got)
                    self.assertNotIn("goroutine 1", got)
                    if said and all(text.endswith("\n") for text in said):
                        self.assertEqual(got, "".join(said))

    def test_a_killed_kernel_takes_its_cell_along(self):
        with Session(QUIET) as kernel:
            below = self.busy(kernel)
            os.kill(kernel.manager.provisioner.process.pid, signal.SIGKILL)
            self.gone(below)

    def test_the_kernel_ends_with_who_has_started_it(self):
        client = """import sys, time
from session import Session
from test_front import children
from test_table import Table
with Session() as kernel:
    below = Table().busy(kernel)
    print(kernel.manager.provisioner.process.pid, *below, flush=True)
    time.sleep(600)
"""
        with subprocess.Popen([sys.executable, "-c", client], stdout=subprocess.PIPE, text=True) as process:
            below = [int(pid) for pid in process.stdout.readline().split()]
            process.kill()
        self.assertGreater(len(below), 3)
        self.gone(below)

    def busy(self, kernel):
        """The processes of a kernel while a cell runs that ends by itself only after long."""
        request = kernel.client.execute('fmt.Println("begun")\ntime.Sleep(time.Hour)')
        for kind, _ in published(kernel.client, request, 60):
            if kind == "stream":
                return list(children(kernel.manager.provisioner.process.pid))
        raise AssertionError("the cell has ended")

    def gone(self, pids):
        end = time.monotonic() + 20
        while left := [pid for pid in pids if pathlib.Path(f"/proc/{pid}/stat").exists() and " Z " not in pathlib.Path(f"/proc/{pid}/stat").read_text()]:
            self.assertLess(time.monotonic(), end, left)
            time.sleep(0.1)


if __name__ == "__main__":
    unittest.main()
