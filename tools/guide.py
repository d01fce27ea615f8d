"""The office's handbook as a PDF that can be printed: `make guide` writes dist/operations.ja.pdf."""

from pathlib import Path

from markdown_it import MarkdownIt
from playwright.sync_api import sync_playwright

from tools.prepare import find_browser

SOURCE, TARGET = Path("docs/operations.ja.md"), Path("dist/operations.ja.pdf")
STYLE = """
@page { size: A4; margin: 18mm 16mm 20mm; }
body { font-family: "Noto Sans CJK JP", "Noto Sans JP", "Yu Gothic", sans-serif; }
body { font-size: 10.5pt; line-height: 1.75; color: #222; }
h1 { font-size: 22pt; border-bottom: 3px solid #1f5f57; padding-bottom: 4mm; }
h2 { font-size: 15pt; color: #1f5f57; break-before: page; margin-top: 0; }
h3 { font-size: 12pt; break-after: avoid; }
hr { display: none; }
table { border-collapse: collapse; width: 100%; break-inside: avoid; }
th, td { border: 1px solid #cfc8ba; padding: 2mm 3mm; text-align: left; vertical-align: top; }
th { background: #f4f0e8; }
pre { background: #f4f0e8; padding: 3mm 4mm; white-space: pre-wrap; break-inside: avoid; }
img { max-width: 100%; max-height: 150mm; border: 1px solid #cfc8ba; border-radius: 2mm; break-inside: avoid; }
blockquote { border-left: 4px solid #f4a88d; margin: 0; padding: 1mm 5mm; background: #fff7f2; break-inside: avoid; }
a { color: inherit; text-decoration: none; }
"""
NUMBERS = '<span class="pageNumber"></span> / <span class="totalPages"></span>'
FOOTER = f'<div style="font-size:8px;width:100%;text-align:center;color:#777">{NUMBERS}</div>'


def main() -> None:
    body = MarkdownIt("commonmark").enable("table").render(SOURCE.read_text())
    page = SOURCE.with_suffix(".print.html")
    page.write_text(
        f'<!doctype html><html lang="ja"><meta charset="utf-8"><style>{STYLE}</style><body>{body}</body></html>'
    )
    TARGET.parent.mkdir(exist_ok=True)
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=find_browser(), args=["--no-sandbox"])
            view = browser.new_page()
            # From the file itself, so that the pictures beside it are found.
            view.goto(page.absolute().as_uri())
            view.pdf(
                path=TARGET,
                prefer_css_page_size=True,
                display_header_footer=True,
                header_template="<i></i>",
                footer_template=FOOTER,
            )
            browser.close()
    finally:
        page.unlink()
    print(TARGET)


if __name__ == "__main__":
    main()
