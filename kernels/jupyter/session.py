"""A session with the kernel "Go (mjq)" over Jupyter's protocol, for tests and times."""

import os
import pathlib
import threading
import time
import unittest

from jupyter_client.manager import KernelManager

GOPLS = pathlib.Path(__file__).parents[2] / ".mjq/gopls/gopls"
TICKS = os.sysconf("SC_CLK_TCK")
PATIENCE = 300  # seconds, for machines that do other things beside
SHOWN = ("stream", "display_data", "execute_result", "update_display_data", "error")


def with_gopls(tests):
    """A class of tests that need gopls; make completion knows it by the end of its name."""
    assert tests.__name__.endswith("WithGopls")
    return unittest.skipUnless(GOPLS.exists(), "needs gopls: make completion")(tests)


class Reply:
    """What a cell has answered: its text, what it displayed, as HTML and as text, whether it went well, and
    what it took: first (to the first output), wall and cpu, in seconds."""

    def __init__(self):
        self.text, self.errors, self.html, self.plain, self.first = "", "", [], [], None

    def __str__(self):
        return f"ok {self.ok}, {self.wall:.2f} s, out {self.text!r}, err {self.errors!r}, shown {self.html!r}"


class WithKernel(unittest.TestCase):
    """Tests that share a kernel, as they need no fresh one. What env says is for its environment."""

    env = {}

    @classmethod
    def setUpClass(cls):
        cls.kernel = Session(cls.env)
        cls.addClassCleanup(cls.kernel.__exit__)


class Session:
    """A kernel that runs cells one at a time. It ends at the end of the with statement.
    Beside the client that asks another one listens, as Jupyter's server does."""

    def __init__(self, env=None, cwd=None):
        began = time.monotonic()
        self.manager = KernelManager(kernel_name="mjq")
        self.manager.start_kernel(env={**os.environ, **(env or {})}, cwd=cwd)
        self.client = self.manager.client()
        self.other = self.manager.client()
        for client in (self.client, self.other):
            client.start_channels()
        try:
            self.client.kernel_info()
            self.client.get_shell_msg(timeout=PATIENCE)
            self.ready = time.monotonic() - began  # what follows waits .2 s for silence, twice
            self.client.wait_for_ready(timeout=PATIENCE)
            self.other.wait_for_ready(timeout=PATIENCE)
        except Exception:
            self.__exit__()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.client.stop_channels()
        self.other.stop_channels()
        self.manager.shutdown_kernel()

    def cpu(self):
        """The seconds of processor time of the kernel and all that it has waited for."""
        with open(f"/proc/{self.manager.provisioner.process.pid}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
        return sum(map(int, fields[11:15])) / TICKS

    def interrupt(self):
        self.manager.interrupt_kernel()

    def ask(self, request):
        """The answer to the request whose id is given, and the seconds until it came."""
        began = time.monotonic()
        while (answer := self.client.get_shell_msg(timeout=PATIENCE))["parent_header"].get("msg_id") != request:
            pass
        return answer["content"], time.monotonic() - began

    def run(self, code, interrupts=(), timeout=120):
        """Runs a cell, which is interrupted so many seconds after it has first printed."""
        reply, began, before = Reply(), time.monotonic(), self.cpu()
        request = self.client.execute(code)
        heard = []
        for kind, content in published(self.client, request, timeout):
            heard.append((kind, content))
            if kind in SHOWN and reply.first is None:
                reply.first = time.monotonic() - began
            if kind == "stream" and not reply.text:
                for delay in interrupts:
                    threading.Timer(delay, self.interrupt).start()
            if kind == "stream" and content["name"] == "stdout":
                reply.text += content["text"]
            elif kind == "stream":
                reply.errors += content["text"]
            elif kind == "error":
                reply.errors += "\n".join(content["traceback"])
            elif kind in SHOWN:
                reply.html.append(content.get("data", {}).get("text/html", ""))
                reply.plain.append(content.get("data", {}).get("text/plain", ""))
        overheard = list(published(self.other, request, timeout))
        assert heard == overheard, f"one client hears {heard}, another {overheard}"
        while (answer := self.client.get_shell_msg(timeout=timeout))["parent_header"].get("msg_id") != request:
            pass
        reply.wall, reply.cpu = time.monotonic() - began, self.cpu() - before
        reply.ok = answer["content"]["status"] == "ok"
        return reply


def published(client, request, timeout):
    """What the kernel publishes about a request until it is done."""
    while True:
        message = client.get_iopub_msg(timeout=timeout)
        if message["parent_header"].get("msg_id") == request:
            yield message["msg_type"], message["content"]
            if message["msg_type"] == "status" and message["content"]["execution_state"] == "idle":
                return
