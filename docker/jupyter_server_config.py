"""How the private Jupyter starts; set-up copies this to .mjq/jupyter."""

import importlib.util
import pathlib
import shutil
import warnings

c = get_config()  # noqa: F821 - Jupyter defines it

checkout = pathlib.Path(__file__).resolve().parent.parent.parent
words = (checkout / "kernels/jupyter/words.txt").read_text().splitlines()

# A start page, notebooks and the file of the log; not the Go and Python beside them.
c.LabApp.default_url = "/lab/tree/START.md"
c.ContentsManager.hide_globs = ["check", "papers", "run", "course.toml", "__pycache__", "*.pyc", ".*"]
# One kernel, so new notebooks need not ask which.
c.KernelSpecManager.allowed_kernelspecs = {"mjq"}
c.KernelSpecManager.ensure_native_kernel = False
c.MultiKernelManager.default_kernel_name = "mjq"
c.LabApp.custom_css = True
# Exports follow the reader's preference for light or dark.
c.HTMLExporter.template_name = "mjq"
# Exports are offered whose programs are there; the others would show an error 500. To get
# paper without them, print the page or its HTML.
pandoc = bool(shutil.which("pandoc"))
c.RSTExporter.enabled = c.ASCIIDocExporter.enabled = pandoc
c.LatexExporter.enabled = pandoc and bool(shutil.which("inkscape"))
c.PDFExporter.enabled = c.LatexExporter.enabled and bool(shutil.which("xelatex"))
c.WebPDFExporter.enabled = bool(importlib.util.find_spec("playwright"))
c.QtPDFExporter.enabled = c.QtPNGExporter.enabled = bool(importlib.util.find_spec("PyQt5"))
# The playground in the outputs of cells, as "make playground" has put it together. Whoever
# reaches the server reads this folder without the token, so it has nothing else.
c.ServerApp.extra_static_paths = [str(checkout / "build/static")]

FIRST = """cluster := mjq.Servers(20).
	Poisson(1.4).                                   // arrivals a minute
	Class("small", 1, 0.8, mjq.ExpMean(0.5)).       // name, servers, probability, service time
	Class("big", 10, 0.2, mjq.LogNormalMeanSCV(3, 2))
cluster.Stability(ctx)
"""


def begin(model, path, contents_manager, **_):
    """A new notebook begins with how cells work and with a first cell to change."""
    content = model.get("content")
    if model["type"] != "notebook" or not content or content["cells"] or content["nbformat"] != 4:
        return
    if pathlib.Path(contents_manager.root_dir, path.strip("/")).exists():  # somebody has emptied it
        return
    content["nbformat_minor"] = 5
    content["metadata"]["kernelspec"] = {"name": "mjq", "display_name": "Go (mjq)", "language": "go"}
    content["cells"] = [
        {"cell_type": "markdown", "id": "words", "metadata": {}, "source": words_of_markdown()},
        {"cell_type": "code", "id": "first", "metadata": {}, "source": FIRST.strip(), "outputs": [], "execution_count": None},
    ]


def words_of_markdown():
    head, *rules = words
    return head + "\n\n" + "\n".join(rules)


# Jupyter makes two managers of contents, and warns that the second has the hook of the first.
warnings.filterwarnings("ignore", "Overriding existing pre_save_hook", UserWarning)
c.FileContentsManager.pre_save_hook = begin
# The kernel completes code; no server of another language is looked for.
c.LanguageServerManager.autodetect = False
