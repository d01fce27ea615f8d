"""Shows the spreadsheets as tables that can be edited."""

from html import escape
from urllib.parse import quote, unquote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from tsudoi.sandbox.a1 import letters
from tsudoi.sandbox.control_api.requests import refuse_other_origins
from tsudoi.sandbox.errors import Refusal
from tsudoi.sandbox.pages.frame import page
from tsudoi.sandbox.spreadsheets import Cell, Sheet
from tsudoi.sandbox.wire import read_body, world_of

_TITLE = "名簿シート"
# What a form can show and send back without becoming slow.
_SHOWN_ROWS = 300
_EMPTY_ROWS = 5
_PLAIN_NUMBER = 15


async def list_sheets(request: Request) -> Response:
    found = [(book.id, title) for book in world_of(request).spreadsheets.by_id.values() for title in book.sheets]
    if not found:
        return page(_TITLE, "<p>まだシートがありません。</p>")
    if len(found) == 1:
        return RedirectResponse(_address(*found[0]), 303)
    links = "".join(
        f'<li><a class="friend" href="{escape(_address(*each))}">{escape(each[0])}／{escape(each[1])}</a></li>'
        for each in found
    )
    return page(_TITLE, f"<ul>{links}</ul>")


async def show_sheet(request: Request) -> Response:
    sheet = _sheet(request)
    if sheet is None:
        return page(_TITLE, "<p>このシートはありません。</p>", 404)
    return page(_TITLE, _form(request, sheet), wide=True)


async def save_sheet(request: Request) -> Response:
    try:
        refuse_other_origins(request, world_of(request))
        raw = await read_body(request)
    except Refusal as refusal:
        return page(_TITLE, f"<p>{escape(refusal.message)}</p>", refusal.status)
    sheet = _sheet(request)
    if sheet is None:
        return page(_TITLE, "<p>このシートはありません。</p>", 404)
    for name, text in _fields(raw):
        row, _, column = name.removeprefix("c").partition("-")
        if row.isdigit() and column.isdigit() and int(row) < _SHOWN_ROWS and int(column) < sheet.column_count:
            _type(sheet, int(row), int(column), text)
    while sheet.rows and not any(cell != "" for cell in sheet.rows[-1]):
        sheet.rows.pop()
    return RedirectResponse(f"{request.url.path}?saved", 303)


def _fields(raw: bytes) -> list[tuple[str, str]]:
    pairs = (part.partition("=") for part in raw.decode("latin-1").split("&") if part)
    return [(name, unquote(value.replace("+", " "), errors="replace")) for name, _, value in pairs]


def _type(sheet: Sheet, row: int, column: int, text: str) -> None:
    """Typing a number makes it a number; a cell that was not touched keeps its kind."""
    cells = sheet.rows[row] if row < len(sheet.rows) else []
    before = cells[column] if column < len(cells) else ""
    if str(before) == text:
        return
    plain = text.isascii() and text.isdigit() and len(text) < _PLAIN_NUMBER and str(int(text)) == text
    sheet.write(row, column, [[int(text) if plain else text]])


def _sheet(request: Request) -> Sheet | None:
    book = world_of(request).spreadsheets.get(request.path_params["id"])
    return None if book is None else book.sheets.get(request.path_params["sheet"])


def _address(book: str, title: str) -> str:
    return f"/_sandbox/sheets/{quote(book, safe='')}/{quote(title, safe='')}/edit"


def _form(request: Request, sheet: Sheet) -> str:
    rows = sheet.rows[:_SHOWN_ROWS]
    width = max((len(row) for row in rows), default=0) + 1
    height = min(len(rows) + _EMPTY_ROWS, _SHOWN_ROWS)
    head = "".join(f'<th scope="col">{letters(column)}</th>' for column in range(width))
    body = "".join(_row(rows[number] if number < len(rows) else [], number, width) for number in range(height))
    left_out = len(sheet.rows) - len(rows)
    more = f"<p>ほか {left_out:,} 行は表示していません。</p>" if left_out else ""
    saved = '<p role="status" class="saved">保存しました。</p>' if "saved" in request.query_params else ""
    return (
        "<p>Google スプレッドシートの代わりです。保存したあと、別の端末で "
        f"<code>{escape(world_of(request).config.command)} members sync</code> を実行すると名簿に反映されます。</p>"
        f'{saved}<form method="post"><div class="grid"><table><caption>{escape(sheet.title)}</caption>'
        f"<thead><tr><td></td>{head}</tr></thead><tbody>{body}</tbody></table></div>{more}"
        '<button type="submit">保存する</button></form>'
    )


def _row(cells: list[Cell], number: int, width: int) -> str:
    inputs = "".join(
        f'<td><input name="c{number}-{column}" aria-label="{letters(column)}{number + 1}"'
        f' value="{escape(str(cells[column]) if column < len(cells) else "")}"></td>'
        for column in range(width)
    )
    return f'<tr><th scope="row">{number + 1}</th>{inputs}</tr>'
