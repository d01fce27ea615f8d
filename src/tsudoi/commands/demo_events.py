"""Creates the events and answers of the demo through the API, as the office and the members do."""

import io
import json
import time
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import httpx2
from PIL import Image, ImageDraw, ImageFont

from tsudoi.commands.typeface import japanese_typeface
from tsudoi.core.clock import JST, display

_A4 = (1240, 1754)
_PAPER, _INK, _GREEN, _CORAL = "#fffdf8", "#26302e", "#1f5f57", "#f4a88d"
_SECONDS_FOR_LINKS = 5.0
_TRY_EVERY = 0.2


@dataclass(frozen=True, slots=True)
class DemoEvent:
    """An event of the demo. `days`: days between the first start and the event."""

    title: str
    days: int
    hour: int
    place: str
    lines: tuple[str, ...]
    memo: str | None = None
    # The answers of the linked friends in roster order; the other friends have not answered.
    answers: tuple[tuple[str, str | None], ...] = ()


EVENTS = (
    DemoEvent(
        "秋の定例総会",
        9,
        18,
        "市民会館 2階 大会議室",
        ("一、今年度の活動報告", "一、会計の中間報告", "一、来年度の行事について", "終了後、懇親会を予定しています。"),
        memo="懇親会の参加",
        answers=(("attend", "参加します"), ("attend", None), ("absent", None)),
    ),
    DemoEvent(
        "防災訓練",
        20,
        9,
        "第三小学校 校庭",
        ("動きやすい服装でお越しください。", "雨天の場合は体育館で行います。"),
        answers=(("absent", None),),
    ),
    DemoEvent("新年会", 55, 17, "料亭 ひさご", ("会費は五千円です。", "会場の都合により人数を早めに確定します。")),
)


def make_events(office: httpx2.Client, sandbox_url: str, now: datetime) -> None:
    """Create the events, unless there are some already."""
    if office.get("/api/admin/events").raise_for_status().json()["items"]:
        return
    members = linked_members(office)
    typeface = japanese_typeface()
    for event in EVENTS if members else ():
        _make(office, event, members, typeface, now)
    if members:
        _answer(str(office.base_url), sandbox_url)


def linked_members(office: httpx2.Client) -> list[int]:
    """The ids of the linked members. The worker links friends shortly after they were created, so this waits."""
    deadline, found = time.monotonic() + _SECONDS_FOR_LINKS, list[int]()
    while time.monotonic() < deadline:
        items = office.get("/api/admin/recipients/candidates", params={"all": 1}).raise_for_status().json()["items"]
        if items and len(items) == len(found):
            break
        found = [item["member_id"] for item in items]
        time.sleep(_TRY_EVERY)
    return found


def _make(office: httpx2.Client, event: DemoEvent, members: list[int], typeface: bytes, now: datetime) -> None:
    held_at = (now.astimezone(JST) + timedelta(days=event.days)).replace(hour=event.hour, minute=0, second=0)
    form = {
        "title": event.title,
        "held_at": held_at.isoformat(timespec="seconds"),
        "target_member_ids": json.dumps(members),
        "extra_text_enabled": "true" if event.memo else "false",
        **({"extra_text_label": event.memo} if event.memo else {}),
    }
    files = {"image": ("notice.jpg", notice(event, held_at, typeface), "image/jpeg")}
    # `wait=0` leaves the sending to the worker, so that the demo starts sooner.
    office.post("/api/admin/events", params={"wait": 0}, data=form, files=files).raise_for_status()


def notice(event: DemoEvent, held_at: datetime, typeface: bytes) -> bytes:
    """A picture of a printed notice, as the office would scan it."""
    page = Image.new("RGB", _A4, _PAPER)
    draw = ImageDraw.Draw(page)

    def write(text: str, y: int, size: int, colour: str = _INK, **how: Any) -> None:
        draw.text((how.get("x", _A4[0] // 2), y), text, colour, _font(typeface, size), anchor=how.get("anchor", "mm"))

    draw.rectangle((0, 0, _A4[0], 260), fill=_GREEN)
    write("ご案内", 130, 96, _PAPER)
    write(event.title, 400, 92, _GREEN)
    draw.line((140, 490, _A4[0] - 140, 490), fill=_CORAL, width=8)
    write(f"日時　{display(held_at)}", 600, 56, x=160, anchor="lm")
    write(f"場所　{event.place}", 710, 56, x=160, anchor="lm")
    for number, line in enumerate(event.lines):
        write(line, 900 + number * 100, 52, x=160, anchor="lm")
    write("出欠は、このあとのメッセージのリンクからご回答ください。", 1600, 40, _GREEN)
    out = io.BytesIO()
    page.save(out, "JPEG", quality=88)
    return out.getvalue()


def _font(typeface: bytes, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(io.BytesIO(typeface), size)


def _answer(base_url: str, sandbox_url: str) -> None:
    """Let the linked friends answer through the LIFF API."""
    waiting = {event.title: list(event.answers) for event in EVENTS}
    with (
        httpx2.Client(base_url=sandbox_url, timeout=30, trust_env=False) as box,
        httpx2.Client(base_url=base_url, timeout=30, trust_env=False) as phone,
    ):
        for person in box.get("/_sandbox/users").raise_for_status().json()["users"]:
            if not any(waiting.values()):
                return
            # Each person starts without the session of the person before.
            phone.cookies.clear()
            _from_the_phone(phone, box, person["user_id"], waiting)


def _from_the_phone(
    phone: httpx2.Client, box: httpx2.Client, user_id: str, waiting: dict[str, list[tuple[str, str | None]]]
) -> None:
    token = box.post(f"/_sandbox/users/{user_id}/id_token", json={}).json()
    phone.post("/api/liff/session", json={"id_token": token["id_token"]}).raise_for_status()
    asked = phone.get("/api/liff/events")
    if asked.status_code != 200:  # noqa: PLR2004 (not linked to a member)
        return
    for event in asked.json()["items"]:
        if waiting.get(event["title"]):
            status, memo = waiting[event["title"]].pop(0)
            body = {"status": status, "extra_text": memo}
            phone.post(f"/api/liff/events/{event['id']}/respond", json=body).raise_for_status()
