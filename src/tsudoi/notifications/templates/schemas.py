from typing import Annotated

from pydantic import BaseModel, Field, StringConstraints

from tsudoi.core.api_examples import example, strict_example
from tsudoi.notifications.templates.rules import BUILT_IN, TemplateKey

# Longer than any text that LINE takes. The check of the text itself says what is wrong with it.
Body = Annotated[str, StringConstraints(max_length=20_000)]
_TEXT = BUILT_IN["REMINDER"]
_PLACEHOLDER = {"name": "氏名", "description": "予約した人の名前", "sample": "山田 太郎", "may_be_empty": False}
_ITEM = {
    "key": "REMINDER",
    "label": "リマインド",
    "body": _TEXT,
    "is_built_in": True,
    "changed_at": None,
    "changed_by": None,
}
_PREVIEW = {
    "text": "【リマインド】\n山田 太郎 様\nご予約の日が近づきました。\n\n日時：2026/12/10 08:00",
    "buttons": ["予約を見る", "変更する", "キャンセルする", "カレンダーに追加"],
    "length": 57,
    "longest_length": 743,
    "limit": 5000,
    "problems": [],
}


class PlaceholderItem(BaseModel):
    """A word in braces that stands for a value of the reservation."""

    name: str
    description: str
    sample: str
    may_be_empty: bool = Field(description="A line in which all placeholders are empty is left out.")


class TemplateItem(BaseModel):
    """The text of one notice."""

    model_config = example(**_ITEM)

    key: TemplateKey
    label: str = Field(description="How the office calls it.")
    body: str = Field(description="The text that is used now.")
    is_built_in: bool = Field(description="Whether this is the text that the product came with.")
    changed_at: str | None = Field(description="When the office changed it: `YYYY/MM/DD HH:mm` in Japan.")
    changed_by: str | None


class TemplateList(BaseModel):
    """The texts of all notices, and the placeholders that they may use."""

    model_config = example(items=[_ITEM], placeholders=[_PLACEHOLDER])

    items: list[TemplateItem]
    placeholders: list[PlaceholderItem]


class TemplateVersion(BaseModel):
    """One version of a text. `body` is null where the office went back to the built-in text."""

    body: str | None
    created_at: str
    created_by: str


class TemplateDetail(TemplateItem):
    """The text of one notice with its earlier versions."""

    model_config = example(**_ITEM, built_in_body=_TEXT, versions=[])

    built_in_body: str
    versions: list[TemplateVersion] = Field(description="The newest first, at most twenty.")


class TemplateChange(BaseModel):
    """The new text of a notice."""

    model_config = strict_example(body=_TEXT)

    body: Body | None = Field(description="The text with placeholders in braces; null: back to the built-in text.")


class TemplateDraft(BaseModel):
    """A text to look at."""

    model_config = strict_example(body=_TEXT)

    body: Body


class TemplateProblem(BaseModel):
    """Why a text cannot be saved."""

    code: str
    message: str = Field(description="A sentence for the office.")


class TemplatePreview(BaseModel):
    """How a notice would look on a phone, with sample values."""

    model_config = example(**_PREVIEW)

    text: str
    buttons: list[str] = Field(description="The labels of the buttons below the text.")
    length: int = Field(description="The length as LINE counts it.")
    longest_length: int = Field(description="The length with the longest values that a reservation may have.")
    limit: int
    problems: list[TemplateProblem] = Field(description="Empty: the text can be saved.")
