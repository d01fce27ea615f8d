"""A news page in place of the organisation's own, for the button お知らせ of the demo's menu."""

from dataclasses import dataclass
from html import escape

from starlette.requests import Request
from starlette.responses import Response

from tsudoi.sandbox.pages.frame import page

_TITLE = "お知らせ"


@dataclass(frozen=True, slots=True)
class Article:
    """One news article."""

    title: str
    when: str
    paragraphs: tuple[str, ...]


_ARTICLES = {
    "hall": Article(
        "会館の利用時間が変わります",
        "11月1日",
        ("11月から、会館の利用は午後9時までになります。", "ご予約のある方には、個別にご連絡しています。"),
    ),
    "bulletin": Article(
        "会報 秋号ができました",
        "10月20日",
        ("夏祭りの写真と、新しい会員の紹介を載せています。", "紙の会報は、次の総会でお渡しします。"),
    ),
    "volunteers": Article(
        "清掃活動のお手伝いを募集しています",
        "10月5日",
        ("毎月第二日曜日の朝8時から、公園の清掃をしています。", "軍手とごみ袋は事務局で用意します。"),
    ),
}


async def list_news(request: Request) -> Response:
    rows = "".join(
        f'<li><a class="friend" href="/news/{key}">'
        f"<span>{escape(article.title)}<small>{article.when}</small></span></a></li>"
        for key, article in _ARTICLES.items()
    )
    about = "<p>会の Notion のページの代わりです。本番では <code>NOTION_NEWS_URL</code> のページが開きます。</p>"
    # Inside a phone, the phone's own button closes the page and shows the chat again.
    in_phone = request.headers.get("sec-fetch-dest") == "iframe"
    back = "左上の × でトークに戻ります。" if in_phone else '<a href="/">← スマホの画面へ</a>'
    return page(_TITLE, f'{about}<ul>{rows}</ul><p class="back">{back}</p>')


async def show_news(request: Request) -> Response:
    article = _ARTICLES.get(request.path_params["key"])
    back = '<p class="back"><a href="/news">← お知らせの一覧へ</a></p>'
    if article is None:
        return page(_TITLE, f"<p>このお知らせはありません。</p>{back}", 404)
    text = "".join(f"<p>{escape(paragraph)}</p>" for paragraph in article.paragraphs)
    return page(article.title, f"<p><small>{article.when}</small></p>{text}{back}")
