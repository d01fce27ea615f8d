"""What the office hears when a part of its order was not done, or was left out. Pure."""

from dataclasses import dataclass

_MOST_NAMED = 5


@dataclass(frozen=True, slots=True)
class OrganizerWarning:
    """A part that was not done, although the rest was."""

    code: str
    message: str


RULE_NOT_CREATED = OrganizerWarning(
    "RULE_NOT_CREATED",
    "決め方を保存できませんでした。日程調整はできています。詳細画面で決め方を設定してください。",
)


def slot_not_created(when: str) -> OrganizerWarning:
    return OrganizerWarning(
        "SLOT_NOT_CREATED", f"候補日（{when}）を保存できませんでした。詳細画面からもう一度追加してください。"
    )


def invite_not_created(name: str) -> OrganizerWarning:
    return OrganizerWarning(
        "INVITE_NOT_CREATED", f"{name}さんを招待できませんでした。詳細画面からもう一度招待してください。"
    )


def message_not_created(name: str) -> OrganizerWarning:
    return OrganizerWarning(
        "MESSAGE_NOT_CREATED", f"{name}さんへの招待を送れませんでした。詳細画面の「督促」からもう一度送れます。"
    )


def duplicate_people(names: list[str]) -> list[OrganizerWarning]:
    if not names:
        return []
    message = f"{listed(names)}は、すでに招待する人に含まれているため、1回だけ招待します。"
    return [OrganizerWarning("DUPLICATE_PERSON", message)]


def not_asked_again(names: list[str], code: str, why: str) -> list[OrganizerWarning]:
    return [OrganizerWarning(code, f"{listed(names)}{why}")] if names else []


def listed(names: list[str]) -> str:
    """Some of the names; a long list says how many more there are."""
    shown = "、".join(f"{name}さん" for name in names[:_MOST_NAMED])
    return shown if len(names) <= _MOST_NAMED else f"{shown}ほか{len(names) - _MOST_NAMED}人"
