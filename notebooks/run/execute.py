"""Runs a notebook in the kernel "Go (mjq)" and makes a page of it."""

import asyncio
import base64
import html
import json
import os
import re
import signal
import sys
import tempfile
import time

import nbformat
from nbclient import NotebookClient


# A kernel that has not answered for so many seconds after its start, as happens on a machine
# that has run out of memory, is started anew, so many times in all.
ANSWER, TRIES = 90, 3


class Silent(RuntimeError):
    def __init__(self):
        super().__init__(f"the kernel has not answered for {ANSWER} s after its start, {TRIES} times; is the machine out of memory?")


def read(path):
    return nbformat.read(path, as_version=nbformat.NO_CONVERT)


def code_cells(nb):
    return [cell for cell in nb.cells if cell.cell_type == "code"]


def execute(path, out, effort, limit, label=""):
    """Runs all cells of the notebook at path, writes the copy to out, and returns the
    faults and the records of its checks, each with the id of its cell.

    A cell that fails does not stop those after it; the limit, in seconds for the whole
    notebook, does. What the cells have shown until then is in the copy.
    """
    nb = read(path)
    checks = out.with_suffix(".checks.jsonl")
    checks.unlink(missing_ok=True)
    # Cells share what they compute; nothing is taken from an earlier run.
    remembered = tempfile.TemporaryDirectory(prefix="mjq", ignore_cleanup_errors=True)
    env = {**os.environ, "MJQ_EFFORT": effort, "MJQ_CHECKS": str(checks), "MJQ_REMEMBER": remembered.name}
    records, faults = [], []

    def collect(cell, **_):
        lines = checks.read_text().splitlines() if checks.exists() else []
        records.extend({**json.loads(line), "cell": cell.id} for line in lines[len(records):])

    def run():
        client = NotebookClient(
            nb, kernel_name="mjq", timeout=None, allow_errors=True, coalesce_streams=True,
            record_timing=False, resources={"metadata": {"path": str(path.parent)}},
        )
        client.on_cell_executed = collect
        asyncio.run(play(client, limit, env, label))

    try:
        for tries in range(TRIES):
            try:
                run()
                break
            except Silent:
                if tries == TRIES - 1:
                    raise
    except TimeoutError:
        faults.append({"text": f"stopped: not finished after {limit:.0f} s"})
    except RuntimeError as err:  # the kernel died
        faults.append({"text": str(err)})
    finally:
        checks.unlink(missing_ok=True)
        remembered.cleanup()
    nb.metadata.get("language_info", {}).pop("version", None)
    nbformat.write(nb, out)
    return [*cell_faults(nb), *faults], records


async def play(client, limit, env, label):
    """Executes until the limit (TimeoutError) or an interrupt (KeyboardInterrupt). Either
    stops the cell's program, which the end of its kernel alone does not."""
    task, loop = asyncio.current_task(), asyncio.get_running_loop()
    interrupted, silent = [], []

    def interrupt():
        interrupted.append(True)
        task.cancel()

    def give_up():
        silent.append(True)
        task.cancel()

    patience = loop.call_later(ANSWER, give_up)

    def started(notebook):  # over nbclient's own handlers, which leave the program
        patience.cancel()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, interrupt)

    async def stopped(notebook):
        if client.km and await client.km.is_alive():
            await client.km.interrupt_kernel()

    client.on_notebook_start, client.on_notebook_error = started, stopped
    ticker = asyncio.ensure_future(tell(client, label))
    try:
        async with asyncio.timeout(limit) as limited:
            client.startup_timeout = 2 * ANSWER  # ours comes first
            await client.async_execute(env=env)
    except (RuntimeError, asyncio.CancelledError):  # nbclient turns the one into the other
        if interrupted:
            raise KeyboardInterrupt from None
        if limited.expired():
            raise TimeoutError from None
        if silent:
            raise Silent from None
        raise
    finally:
        patience.cancel()
        ticker.cancel()


async def tell(client, label):
    """Says where a run stands, on a terminal in one line, elsewhere in a line a minute."""
    terminal, start, at = sys.stdout.isatty(), time.monotonic(), [0]
    client.on_cell_execute = lambda cell, cell_index: at.__setitem__(0, cell_index + 1)
    try:
        while True:
            await asyncio.sleep(1 if terminal else 60)
            line = f"{label}  cell {at[0]} of {len(client.nb.cells)}  {time.monotonic() - start:.0f} s"
            print("\r\x1b[K" + line if terminal else "      " + line, end="" if terminal else "\n", flush=True)
    finally:
        print("\r\x1b[K" if terminal else "", end="", flush=True)


def cell_faults(nb):
    """The cells with an output of type "error", by number and id, with the last words of
    their programs. GoNB shows the compiler's words only as a page."""
    faults = []
    for number, cell in enumerate(nb.cells, 1):
        outputs = cell.get("outputs", [])
        errors = [o.evalue for o in outputs if o.output_type == "error"]
        if not errors:
            continue
        words = "".join(o.text for o in outputs if o.get("name") == "stderr")
        if not words:
            pages = "".join(o.data.get("text/html", "") for o in outputs if "data" in o)
            words = html.unescape(re.sub(r"(?s)<style>.*?</style>|<[^>]*>", "", pages))
        words = re.sub(r"\x1b\[[0-9;]*m", "", words)
        last = [line.rstrip() for line in words.splitlines() if line.strip()][-20:]
        if errors[-1] not in "\n".join(last):
            last.append(errors[-1])
        statements = [s.strip() for s in cell.source.splitlines() if s.strip() and not s.startswith("%%")]
        faults.append({"cell": number, "id": cell.id, "line": statements[0] if statements else "", "text": "\n".join(last)})
    return faults


def merged(path, copy):
    """The notebook at path with the outputs of an executed copy of the same code."""
    nb = read(path)
    for cell, run in zip(code_cells(nb), code_cells(copy), strict=True):
        cell.outputs, cell.execution_count = run.outputs, run.execution_count
    if "language_info" in copy.metadata:
        nb.metadata.language_info = copy.metadata.language_info
    return nb


def page(nb, style):
    """The notebook as a page, with the style last in its head, the way back to the report
    first, and its figures in line, where the style reaches them."""

    def inline(image):
        svg = base64.b64decode(image[1])
        return svg.decode() if svg.startswith(b"<svg") else image[0]

    from mjq_formulas import Formulas
    from nbconvert import HTMLExporter  # which takes a second, and most runs make no page

    exporter = HTMLExporter()
    exporter.register_preprocessor(Formulas, enabled=True)
    text, _ = exporter.from_notebook_node(nb)
    back = '<p class="mjq-report"><a href="index.html">all notebooks and comparisons</a></p>\n'
    for mark, new in (("</head>", f"<style>\n{style}</style>\n</head>"), ("<main>", "<main>" + back)):
        if mark not in text:
            raise ValueError(f"the converted page has no {mark}")
        text = text.replace(mark, new, 1)
    return re.sub(r'<img alt="[^"]*" src="data:image/svg\+xml;base64,([^"]*)"[^>]*>', inline, text)
