"""Tests of build.py: make site."""

import base64
import pathlib
import tempfile
import unittest
import unittest.mock

import build


class TestPictures(unittest.TestCase):
    def test_panels_stack_and_figures_have_titles(self):
        """Panels come in line, other figures stay images and are called by their titles."""
        def image(svg):
            coded = base64.b64encode(svg.encode()).decode()
            return f'<img alt="No description has been provided for this image" src="data:image/svg+xml;base64,{coded}"/>'
        panels, single = '<svg aria-label="A; B" class="mjq-panels"></svg>', '<svg aria-label="A &amp; B" class="mjq-560"></svg>'
        page = build.pictured("<p>" + image(panels) + image(single) + image("<svg/>") + "</p>")
        self.assertTrue(page.startswith("<p>" + panels + '<img alt="A &amp; B" src="data:'), page)
        self.assertEqual(page.count("No description"), 1)
        style = (build.TREE / "site/docs/extra.css").read_text()
        for name in ("mjq-panels", "mjq-panel ", "--mjq-columns", "--mjq-ratio", "--mjq-move"):  # which figures use
            self.assertIn(name, style)


class TestNavigation(unittest.TestCase):
    def test_packages_and_course(self):
        """The navigation has every page of packages and every notebook of the course once."""
        text = build.navigation("nav:\n NOTEBOOKS\n PACKAGES\n")
        for page in ("- Package mjq: packages/mjq.md", "- Results and pictures: packages/results.md", "notebooks/tutorial.ipynb"):
            self.assertEqual(text.count(page), 1, text)


class TestSearch(unittest.TestCase):
    def test_words_of_readers(self):
        """What readers search for stands in a heading, which the search puts first."""
        text = "\n".join(p.read_text() for p in (build.TREE / "site/docs").rglob("*.md"))
        headings = [line.lower() for line in text.split("\n") if line.startswith("#")]
        for words in ("EASY", "how many GPUs", "waiting time of those who wait", "gang jobs starve", "agents", "pods"):
            self.assertTrue(any(all(w in h for w in words.lower().split()) for h in headings), words)


class TestFold(unittest.TestCase):
    def test_tables_go_to_their_pages(self):
        """A table stands on the page that links it, not on that of intervals, and links lead there."""
        with tempfile.TemporaryDirectory() as folder:
            pages = pathlib.Path(folder)
            for name in ("methods", "measured"):
                (pages / name).mkdir()
            (pages / "methods/intervals.md").write_text("[a](../measured/a.md) [b](../measured/b.md)\n")
            (pages / "methods/rare.md").write_text("[a](../measured/a.md)\n")
            (pages / "methods/index.md").write_text("# Methods\n")
            (pages / "index.md").write_text("[a](measured/a.md)\n")
            for name in "abc":
                (pages / f"measured/{name}.csv").write_text(f"# title: T{name}\n# date: D\n# commit: C\n# command: go {name}\nx,y\n1,2\n")
            build.fold(pages)
            self.assertFalse((pages / "measured").exists())
            self.assertEqual((pages / "index.md").read_text(), "[a](methods/rare.md#a)\n")
            self.assertTrue((pages / "methods/intervals.md").read_text().startswith("[a](rare.md#a) [b](#b)\n\n## Measured\n"))
            self.assertIn('<a id="a"></a>\n\n??? note "Ta"\n\n', (pages / "methods/rare.md").read_text())
            self.assertIn("    | x | y |\n    | --- | --- |\n    | 1 | 2 |\n", (pages / "methods/rare.md").read_text())
            self.assertIn("go c", (pages / "methods/index.md").read_text())

    def test_cards(self):
        """Each table of a page is marked, and the text between stays."""
        self.assertEqual(build.cards("a\n\n| x |\n|---|\n\nb\n"), 'a\n\n<div class="cards" markdown="1">\n\n| x |\n|---|\n\n</div>\n\nb\n')


class TestDeadLinks(unittest.TestCase):
    def test_places_and_files(self):
        """Pages, files and places in pages that do not exist are found."""
        with tempfile.TemporaryDirectory() as folder, unittest.mock.patch.object(build, "SITE", pathlib.Path(folder).resolve()):
            (build.SITE / "a.html").write_text('<p id="here"><a href="#here"><a href="#gone"><a href="b.html#there"><img src="no.svg">')
            (build.SITE / "b.html").write_text('<a id="there" href="a.html#nowhere"><a href="https://elsewhere/#x"><a href="no.html">')
            self.assertEqual(sorted((str(page), link) for page, link in build.dead_links()),
                [("a.html", "#gone"), ("a.html", "no.svg"), ("b.html", "a.html#nowhere"), ("b.html", "no.html")])


if __name__ == "__main__":
    unittest.main()
