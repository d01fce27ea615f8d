"""Creates the threads of the demo through the API: one is open, one needs a single ○, one has become impossible."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import httpx2

from tsudoi.commands.demo_events import linked_members
from tsudoi.core.clock import JST, jst_text

Body = dict[str, Any]

_SUBJECT = "【日程のご相談】"
SECONDS_FOR_MESSAGES = 5.0
_TRY_EVERY = 0.2


@dataclass(frozen=True, slots=True)
class DemoAnswer:
    """What one person answers: a mark for each slot, `○△×`, or `-` for "I cannot come at all".

    It comes from the phone where LINE is linked, and by the link of the mail elsewhere. `by_phone_call`: the office
    writes it down.
    """

    name: str
    marks: str
    comment: str | None = None
    by_phone_call: bool = False


@dataclass(frozen=True, slots=True)
class DemoThread:
    """A thread of the demo. `days` and `hour`: when its slots begin, counted from the first start."""

    title: str
    description: str
    place: str
    group: str
    days: tuple[int, ...]
    hour: int
    rule: Body
    answers: tuple[DemoAnswer, ...]
    guests: tuple[tuple[str, str], ...] = ()
    # The person without whom it cannot take place.
    required: str | None = None
    options: Body = field(default_factory=dict)


THREADS = (
    DemoThread(
        title="広報紙 冬号の編集会議",
        description="冬号の記事と写真を選びます。1時間ほどの予定です。",
        place="市民会館 1階 研修室",
        group="広報部会",
        days=(8, 9, 12, 14),
        hour=19,
        rule={"type": "K_OF_N", "participants": [], "k": 5, "rule": {}},
        answers=(
            DemoAnswer("鈴木 一郎", "○○×△", "2つ目の日がいちばん助かります。"),
            DemoAnswer("森 久美子", "×○○○"),
            DemoAnswer("青木 玲奈", "-", "出張のため、今回は欠席します。"),
        ),
        guests=(("ひさご印刷 営業部 三浦 直樹", "miura@hisago.example"),),
        options={"remind_before_deadline": True, "answers_visible": True},
    ),
    DemoThread(
        title="臨時理事会",
        description="来年度の予算案について話し合います。会長の出席をお願いします。",
        place="本部 3階 会議室",
        group="理事会",
        days=(6, 7, 10),
        hour=18,
        rule={"type": "REQUIRED_PLUS_K", "optional": [], "quorum": 3, "rule": {}},
        answers=(
            DemoAnswer("佐藤 花子", "○○×"),
            DemoAnswer("鈴木 一郎", "×○○"),
            DemoAnswer("吉田 誠", "△○×", "お電話でうかがいました。", by_phone_call=True),
            DemoAnswer("松本 和子", "○××"),
        ),
        required="山田 太郎",
    ),
    DemoThread(
        title="防災訓練の下見",
        description="避難経路を全員で歩いて確かめます。",
        place="第三小学校 正門前に集合",
        group="防災部会",
        days=(4, 5),
        hour=10,
        rule={"type": "ALL", "participants": [], "rule": {}},
        answers=(
            DemoAnswer("伊藤 勝", "○×"),
            DemoAnswer("林 秀樹", "×○", "1日目は仕事が入っています。"),
            DemoAnswer("勅使河原 龍之介", "○○"),
        ),
    ),
)


def make_threads(office: httpx2.Client, sandbox_url: str, now: datetime) -> None:
    """Create those threads that are missing. Answers are given once, right after the creation."""
    known = {
        one["title"] for one in office.get("/api/threads", params={"limit": 100}).raise_for_status().json()["threads"]
    }
    missing = [thread for thread in THREADS if thread.title not in known]
    if not missing:
        return
    # A person whose LINE is not linked yet would be asked by mail.
    linked_members(office)
    groups = {one["name"]: one["id"] for one in office.get("/api/admin/audiences").raise_for_status().json()["items"]}
    with httpx2.Client(base_url=sandbox_url, timeout=30, trust_env=False) as box:
        phones = {one["display_name"]: one["user_id"] for one in box.get("/_sandbox/users").json()["users"]}
        made = [_made(office, _order(office, thread, groups, now)) for thread in missing]
        _wait_for_messages(office, made)
        for thread, one in zip(missing, made, strict=True):
            people = {person["name"]: person for person in one["candidates"]}
            for answer in thread.answers:
                if answer.name in people:
                    _Answering(office, box, phones, one).give(answer, people[answer.name])


def _made(office: httpx2.Client, order: Body) -> Body:
    return dict(office.post("/api/threads", json=order).raise_for_status().json())


def _wait_for_messages(office: httpx2.Client, made: list[Body]) -> None:
    """Nobody is asked any more who has answered, and then the phones and the mailbox would show no invitation."""
    deadline = time.monotonic() + SECONDS_FOR_MESSAGES
    while time.monotonic() < deadline:
        boards = [office.get(f"/api/threads/{one['thread']['id']}").raise_for_status().json() for one in made]
        news = [person["delivery"] for board in boards for person in board["people"]]
        if all(one is not None and one["state"] != "waiting" for one in news):
            return
        time.sleep(_TRY_EVERY)


def _order(office: httpx2.Client, thread: DemoThread, groups: Mapping[str, int], now: datetime) -> Body:
    group = groups.get(thread.group)
    rule = {
        "version": "1.0",
        "slot_policy": {"multiple_slots_allowed": True},
        "invitee_scope": {"allow_unregistered": True},
        "finalize_policy": {"auto_finalize": True, "policy": "EARLIEST_VALID"},
        **thread.rule,
    }
    if thread.required is not None:
        rule["required"] = [_key_of(office, thread.required)]
    return {
        "title": thread.title,
        "description": thread.description,
        "place": thread.place,
        "slots": [_slot(now, days, thread.hour) for days in thread.days],
        "audience_ids": [] if group is None else [group],
        "invitees": [{"name": name, "email": email} for name, email in thread.guests],
        "rule": rule,
        "deadline_at": jst_text(_day(now, min(thread.days) - 1, 20)),
        "mail_subject": f"{_SUBJECT}{thread.title}",
        **thread.options,
    }


def _key_of(office: httpx2.Client, name: str) -> str:
    everybody = {"all": 1, "require_target": 0, "require_line": 0}
    items = office.get("/api/admin/recipients/candidates", params=everybody).raise_for_status().json()["items"]
    return next(f"lm:{one['member_id']}" for one in items if one["name"] == name)


def _slot(now: datetime, days: int, hour: int) -> Body:
    begins = _day(now, days, hour)
    return {"start_at": jst_text(begins), "end_at": jst_text(begins + timedelta(hours=1))}


def _day(now: datetime, days: int, hour: int) -> datetime:
    return (now.astimezone(JST) + timedelta(days=days)).replace(hour=hour, minute=0, second=0, microsecond=0)


@dataclass(frozen=True, slots=True)
class _Answering:
    """Gives answers to one thread, each in the way in which the person would."""

    office: httpx2.Client
    box: httpx2.Client
    # The LINE users of the sandbox by the name that they show.
    phones: Mapping[str, str]
    made: Body

    def give(self, answer: DemoAnswer, person: Body) -> None:
        body = self._body(answer)
        thread_id = self.made["thread"]["id"]
        if answer.by_phone_call:
            on_behalf = {"invitee_key": person["invitee_key"], **body}
            self.office.post(f"/api/threads/{thread_id}/answers", json=on_behalf).raise_for_status()
        elif not self._from_the_phone(answer.name, thread_id, body):
            with httpx2.Client(base_url=self.office.base_url, timeout=30, trust_env=False) as browser:
                browser.post(f"/i/{person['invite_token']}/respond", json=body).raise_for_status()

    def _body(self, answer: DemoAnswer) -> Body:
        if answer.marks == "-":
            return {"status": "declined", "comment": answer.comment}
        marked = list(zip(answer.marks, (slot["slot_id"] for slot in self.made["slots"]), strict=True))
        return {
            "status": "selected",
            "selected_slot_ids": [slot_id for mark, slot_id in marked if mark == "○"],
            "maybe_slot_ids": [slot_id for mark, slot_id in marked if mark == "△"],
            "comment": answer.comment,
        }

    def _from_the_phone(self, name: str, thread_id: str, body: Body) -> bool:
        """False: the person has no phone in the sandbox, or it is not linked to the member."""
        if name not in self.phones:
            return False
        token = self.box.post(f"/_sandbox/users/{self.phones[name]}/id_token", json={}).raise_for_status().json()
        with httpx2.Client(base_url=self.office.base_url, timeout=30, trust_env=False) as phone:
            phone.post("/api/liff/session", json={"id_token": token["id_token"]}).raise_for_status()
            return phone.post(f"/api/liff/threads/{thread_id}/respond", json=body).is_success
