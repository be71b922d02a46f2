package main

import (
	"bytes"
	"encoding/base64"
	"errors"
	"os"
	"regexp"
)

// pageStyle makes a converted notebook readable at any width. Long lines of code
// and text are broken, wide tables scroll by themselves and not with the page.
// On a narrow screen the prompts go, and the panels of a figure stand one
// below the other: package figure says by how much each moves.
const pageStyle = `<style>
body.jp-Notebook { max-width: 1040px; margin: 0 auto; padding: 8px 16px 48px; overflow: visible }
.jp-Cell, .jp-Cell-inputWrapper, .jp-InputArea, .jp-OutputArea, .jp-OutputArea-child, .jp-OutputArea-output, .jp-InputArea-editor, .jp-RenderedMarkdown { min-width: 0 }
.jp-OutputArea-output, .jp-RenderedMarkdown { overflow-x: auto; overflow-wrap: break-word }
.jp-RenderedMarkdown pre, .highlight pre, .jp-RenderedText pre { white-space: pre-wrap; word-break: normal !important; overflow-wrap: anywhere; tab-size: 4 }
.jp-RenderedHTMLCommon table, .jp-OutputArea-output table { display: block; width: fit-content; max-width: 100%; overflow-x: auto; margin-left: 0 }
.jp-RenderedHTMLCommon table caption { display: block; width: max-content; max-width: 90vw }
.jp-OutputArea-output { padding-left: 8px }
.jp-OutputArea-output svg, .jp-OutputArea-output img { max-width: 100%; height: auto }
.mjq-report { font: 14px sans-serif; margin: 4px 0 12px }
.mjq-report a { color: #0a58a8; text-decoration: underline }
@media (max-width: 760px) {
  body.jp-Notebook { padding: 4px 10px 32px }
  .jp-Cell { padding: 4px 0 }
  .jp-Collapser, .jp-InputPrompt, .jp-OutputPrompt { display: none !important }
  .jp-InputArea, .jp-OutputArea-child { display: block; width: 100% }
  .jp-InputArea-editor, .jp-OutputArea-child .jp-OutputArea-output, .jp-MarkdownOutput { display: block; margin-left: 0; width: 100%; box-sizing: border-box; padding-left: 0; padding-right: 0 }
  .highlight pre { padding: 6px; font-size: 12px; tab-size: 2 }
  .jp-RenderedText pre, .jp-RenderedHTMLCommon table { font-size: 12px }
  .jp-RenderedHTMLCommon h1 { font-size: 24px; line-height: 1.2 }
  .jp-RenderedSVG { overflow: hidden }
  .jp-OutputArea-output svg.mjq-panels { width: calc(100% * var(--mjq-columns)); max-width: none !important; aspect-ratio: var(--mjq-ratio) }
  .mjq-panel { transform: var(--mjq-move) }
}
</style>
`

// back leads from a page to the report.
const back = `<p class="mjq-report"><a href="index.html">all notebooks and comparisons</a></p>
`

// picture is an SVG output as Jupyter's converter writes it.
var picture = regexp.MustCompile(`<img alt="[^"]*" src="data:image/svg\+xml;base64,([^"]*)"[^>]*>`)

// inline puts figures into the page itself, where its style reaches them.
// Other pictures, in outputs that are HTML, stay as they are.
func inline(page []byte) []byte {
	return picture.ReplaceAllFunc(page, func(img []byte) []byte {
		svg, err := base64.StdEncoding.DecodeString(string(picture.FindSubmatch(img)[1]))
		if err != nil || !bytes.HasPrefix(svg, []byte("<svg")) {
			return img
		}
		return svg
	})
}

// dress puts the style into the page that Jupyter's converter wrote, and its
// figures in line.
func dress(page []byte) ([]byte, error) {
	head, main := []byte("</head>"), []byte("<main>")
	if !bytes.Contains(page, head) || !bytes.Contains(page, main) {
		return nil, errors.New("the converted page has no head or no main part")
	}
	page = bytes.Replace(page, head, append([]byte(pageStyle), head...), 1)
	return inline(bytes.Replace(page, main, append(main, back...), 1)), nil
}

// dressFile is dress in place.
func dressFile(path string) error {
	page, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if page, err = dress(page); err != nil {
		return err
	}
	return os.WriteFile(path, page, 0o644)
}
