"""Builds the site into build/site/html: python site/build.py.

Pages are put together in build/site/pages: README as the start page, those of site/docs, the
documents and notebooks of the tree with their committed outputs, the public packages, the
gallery of pictures and the playground. Links that lead nowhere fail the build.
"""

import base64
import csv
import html.parser
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tomllib
import urllib.parse

TREE = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TREE / "docker"))

import mjq_formulas  # noqa: E402 - it stands beside the set-up that installs it

PAGES = TREE / "build/site/pages"
SITE = TREE / "build/site/html"
SOURCE = "https://github.com/mjqueue/mjq/blob/main/"
MOST = 70  # pages: a reader can look through the navigation

DOCUMENTS = {
    "README.md": "index.md",
    "notebooks/README.md": "all-notebooks.md",
    "mjq/COMPARISON.md": "COMPARISON.md",
    "mjq/cmd/mjq/README.md": "command-line.md",
    "notebooks/MATRIX.md": "MATRIX.md",
    "CHANGELOG.md": "CHANGELOG.md",
}


def main():
    shutil.rmtree(TREE / "build/site", ignore_errors=True)
    shutil.copytree(TREE / "site/docs", PAGES)
    for source, name in DOCUMENTS.items():
        (PAGES / name).write_text(relinked(TREE / source))
    start = PAGES / "index.md"
    start.write_text("---\nhide: [navigation, toc]\n---\n" + start.read_text())
    fold(PAGES)
    for name in ("glossary.md", "MATRIX.md"):
        (PAGES / name).write_text(cards((PAGES / name).read_text()))
    (PAGES / "notebooks").mkdir()
    for notebook in (TREE / "notebooks").glob("*.ipynb"):
        book = typeset(json.loads(notebook.read_text()))
        (PAGES / "notebooks" / notebook.name).write_text(json.dumps(book, ensure_ascii=False))
    (PAGES / "packages").mkdir()
    run("go", "run", "./site/packages", PAGES / "packages")
    run("go", "run", "./site/gallery", PAGES)
    run("make", "-s", "playground", "PLAYGROUND=" + str(PAGES / "playground"))
    config = TREE / "build/site/mkdocs.yml"
    config.write_text(navigation((TREE / "site/mkdocs.yml").read_text()))
    run(sys.executable, "-m", "mkdocs", "build", "--quiet", "--config-file", config)
    for page in (SITE / "notebooks").glob("*.html"):
        page.write_text(pictured(page.read_text()))
    dead = list(dead_links())
    for page, link in dead:
        print(f"{page}: {link} leads nowhere", file=sys.stderr)
    pages = sum(1 for _ in SITE.rglob("*.html"))
    print(f"{pages} pages in {SITE.relative_to(TREE)}, {len(dead)} dead links")
    if pages > MOST:
        print(f"more than {MOST} pages: put one with another", file=sys.stderr)
    return 1 if dead or pages > MOST else 0


def run(*command):
    subprocess.run([str(c) for c in command], cwd=TREE, check=True)


def relinked(document):
    """The text of a document, its links to other files of the tree as they are on the site."""
    known = {(TREE / source).resolve(): name for source, name in DOCUMENTS.items()}

    def link(found):
        target, mark, anchor = found[2].partition("#")
        if not target or re.match(r"\w+:", target):
            return found[0]
        path = (document.parent / target).resolve()
        if path in known:
            return f"{found[1]}({known[path]}{mark}{anchor})"
        inside = path.relative_to(TREE)
        if path.is_relative_to(TREE / "site/docs"):
            return f"{found[1]}({path.relative_to(TREE / 'site/docs')}{mark}{anchor})"
        if inside.parent == pathlib.Path("notebooks") and path.suffix == ".ipynb":
            return f"{found[1]}({inside}{mark}{anchor})"
        return f"{found[1]}({SOURCE}{inside})"

    return re.sub(r"(\[[^\]]*\])\(([^)\s]+)\)", link, document.read_text())


MEASURED = re.compile(r"\]\((?:\.\./)?measured/([a-z0-9-]+)\.md\)")


def fold(pages):
    """Puts each table of measurements, folded, at the end of the page that it is about, and
    has all links lead there: a page of methods that links it, if possible not that of intervals."""
    texts = {page: page.read_text() for page in sorted(pages.rglob("*.md"))}
    homes = {}
    for page, text in texts.items():
        for table in MEASURED.findall(text):
            rank = lambda home: (home.parent.name != "methods", home.stem == "intervals")
            homes[table] = min(homes.get(table, page), page, key=rank)
    for table in sorted((pages / "measured").glob("*.csv")):
        homes.setdefault(table.stem, pages / "methods/index.md")
    for page, text in texts.items():

        def link(found):
            home = homes[found[1]]
            other = "" if home == page else os.path.relpath(home, page.parent)
            return f"]({other}#{found[1]})"

        text = MEASURED.sub(link, text)
        tables = [table for table, home in sorted(homes.items()) if home == page]
        if tables:
            text += "\n## Measured\n\n" + "\n".join(measured(table, (pages / f"measured/{table}.csv").read_text()) for table in tables)
        page.write_text(text)
    shutil.rmtree(pages / "measured")


def measured(name, text):
    """A table of measurements, folded. Lines that begin with # say what it is, when and
    at which commit it was made and how to make it again."""
    about = dict(line[2:].split(": ", 1) for line in text.splitlines() if line.startswith("# "))
    head, *rows = csv.reader(line for line in text.splitlines() if not line.startswith("# "))
    lines = [about.get("note", ""), ""]
    lines += [f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows)]
    lines += ["", f"Recorded {about['date']} at commit `{about['commit']}`. Reproduce:", "", "    " + about["command"]]
    title = about["title"].replace('"', "'")
    return f'<a id="{name}"></a>\n\n??? note "{title}"\n\n' + "".join(f"    {line}\n" if line else "\n" for line in lines)


def cards(text):
    """The text of a page with its tables marked: on a telephone their rows become cards."""
    return re.sub(r"(?m)((?:^\|.*\n)+)", r'<div class="cards" markdown="1">\n\n\1\n</div>\n', text)


def typeset(book):
    """A notebook with its formulas as MathML, which needs no script."""
    for cell in book["cells"]:
        if cell["cell_type"] == "markdown":
            cell["source"] = mjq_formulas.typeset("".join(cell["source"]))
    return book


def pictured(page):
    """A page of a notebook with panels in line, where the style sheet puts one below the other
    on a telephone, and with titles in place of "No description" at the other figures."""

    def figure(image):
        svg = base64.b64decode(image[1]).decode()
        if 'class="mjq-panels"' in svg:
            return svg
        title = re.search(r'aria-label="([^"]*)"', svg)
        return image[0].replace("No description has been provided for this image", title[1]) if title else image[0]

    return re.sub(r'<img alt="[^"]*" src="data:image/svg\+xml;base64,([^"]*)"[^>]*>', figure, page)


def navigation(text):
    """mkdocs.yml with the course in its order and the packages in theirs."""
    course = tomllib.loads((TREE / "notebooks/course.toml").read_text())
    notebooks = ""
    for part in course["part"]:
        notebooks += f"\n          - {part['title']}:"
        for name in part["notebooks"]:
            notebooks += f"\n              - notebooks/{name}.ipynb"
    packages = ""
    for name, title in re.findall(r'(?m)^\t\{"([a-z]+)", "([^"]+)"', (TREE / "site/packages/main.go").read_text()):
        packages += f"\n          - {title}: packages/{name}.md"
    text = text.replace(" NOTEBOOKS", notebooks).replace(" PACKAGES", packages)
    return text.replace("../build/site/", "")


class Links(html.parser.HTMLParser):
    """What a page links to and shows, and the places in it that can be linked to."""

    def __init__(self):
        super().__init__()
        self.links, self.places = [], set()

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("href", "src") and value:
                self.links.append(value)
            if name == "id":
                self.places.add(value)


def dead_links():
    """Links between pages of the site, to places in them and to their files, that lead
    nowhere."""
    pages = {}
    for page in SITE.rglob("*.html"):
        pages[page] = reader = Links()
        reader.feed(page.read_text())
    for page, reader in pages.items():
        for link in set(reader.links):
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc or page.name == "404.html":
                continue
            target = (page.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else page
            place = urllib.parse.unquote(parts.fragment)
            if not target.exists() or place and target in pages and place not in pages[target].places:
                yield page.relative_to(SITE), link


if __name__ == "__main__":
    sys.exit(main())
