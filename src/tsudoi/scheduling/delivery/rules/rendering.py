"""A letter as plain text and as HTML. Pure.

The HTML has inline styles only and no tables, pictures or scripts, so that old programs and telephones show it. Every
value is escaped by the template.
"""

from functools import cache
from typing import TYPE_CHECKING, Any

from tsudoi.scheduling.delivery.rules.letters import LetterPart

if TYPE_CHECKING:
    from jinja2 import Template

_LINE = "―" * 20
_HTML = """<!doctype html>
<html lang="ja">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{ title }}</title>
</head>
<body style="margin:0;padding:16px;background:#ffffff;color:#222222;font-family:sans-serif;font-size:16px;\
line-height:1.7">
<div style="max-width:600px;margin:0 auto">
<h1 style="font-size:20px;line-height:1.4;margin:0 0 16px">{{ title }}</h1>
{%- for part in parts %}
<div lang="{{ part.lang }}"{% if not loop.first %} style="margin-top:32px;padding-top:16px;\
border-top:1px solid #cccccc"{% endif %}>
<p style="margin:0 0 12px">{{ part.letter.greeting }}</p>
{%- for paragraph in part.letter.paragraphs %}
<p style="margin:0 0 12px">{% for line in paragraph.splitlines() %}{{ line }}{% if not loop.last %}<br>\
{% endif %}{% endfor %}</p>
{%- endfor %}
{%- if part.letter.slots %}
<p style="margin:0 0 4px;font-weight:bold">{{ part.letter.slots_heading }}</p>
<ul style="margin:0 0 12px;padding-left:24px">
{%- for slot in part.letter.slots %}
<li>{{ slot }}</li>
{%- endfor %}
</ul>
{%- endif %}
{%- for label, value in part.letter.facts %}
<p style="margin:0 0 4px"><strong>{{ label }}</strong>{{ part.colon }}{{ value }}</p>
{%- endfor %}
<p style="margin:20px 0"><a href="{{ link }}" style="display:inline-block;padding:12px 28px;background:#06704a;\
color:#ffffff;text-decoration:none;border-radius:6px;font-weight:bold">{{ part.letter.button }}</a></p>
{%- if loop.first %}
<p style="margin:0 0 12px;font-size:13px;word-break:break-all"><a href="{{ link }}" style="color:#06704a">\
{{ link }}</a></p>
{%- endif %}
{%- for note in part.letter.notes %}
<p style="margin:0 0 4px;font-size:14px;color:#555555">{{ note }}</p>
{%- endfor %}
<p style="margin:12px 0 0;font-size:13px"><a href="{{ stop }}" style="color:#555555">{{ part.letter.stop }}</a></p>
</div>
{%- endfor %}
<p style="margin:24px 0 0;font-size:13px;color:#555555">{{ organisation }}</p>
</div>
</body>
</html>
"""


@cache
def _template() -> "Template":
    from jinja2 import Environment  # noqa: PLC0415 (most processes never build a mail)

    return Environment(autoescape=True).from_string(_HTML)


def mail_html(title: str, organisation: str, link: str, stop: str, parts: tuple[LetterPart, LetterPart]) -> str:
    given: list[dict[str, Any]] = [
        {"lang": "ja", "colon": "：", "letter": parts[0]},
        {"lang": "en", "colon": ": ", "letter": parts[1]},
    ]
    return _template().render(title=title, organisation=organisation, link=link, stop=stop, parts=given)


def mail_text(organisation: str, link: str, stop: str, parts: tuple[LetterPart, LetterPart]) -> str:
    japanese, english = (_text_of(part, link, stop, colon) for part, colon in zip(parts, ("：", ": "), strict=True))
    return f"{japanese}\n\n{_LINE}\n{english}\n\n{_LINE}\n{organisation}\n"


def _text_of(part: LetterPart, link: str, stop: str, colon: str) -> str:
    blocks = [part.greeting, *part.paragraphs]
    if part.slots:
        blocks.append("\n".join([f"■ {part.slots_heading}", *(f"・{slot}" for slot in part.slots)]))
    if part.facts:
        blocks.append("\n".join(f"{label}{colon}{value}" for label, value in part.facts))
    blocks += [f"▼ {part.button}\n{link}", "\n".join(part.notes), f"{part.stop}{colon}\n{stop}"]
    return "\n\n".join(blocks)
