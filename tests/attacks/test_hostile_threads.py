"""G9 for threads and invitations: a good request, and a hostile value in one place of it at a time."""

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any
from urllib.parse import quote

import httpx2
import pytest

from tests.attacks.test_hostile_input import CORPUS, QUERIES, cursors
from tests.factories.events import liff_client, make_members
from tests.factories.product import JSON, Box, Product
from tests.factories.threads import ALL, MadeThread, make_thread
from tests.scheduling.organizing.desk import URL, Desk, desk_at
from tests.sizes import FULL, share
from tsudoi.core.clock import ManualClock
from tsudoi.scheduling.invitations.endpoints.answering import AnswerRoute
from tsudoi.scheduling.invitations.endpoints.member import MemberAnswerRoute
from tsudoi.scheduling.organizing.endpoints.admitting import CountedRoute
from tsudoi.scheduling.organizing.endpoints.suggesting import SuggestionRoute

MARK = "HERE-COMES-SOMETHING-HOSTILE"
PERSON = {"name": "山田太郎", "email": "yamada@example.jp"}
# Who sends it, how, where below the thread, and with which body.
GoodRequest = tuple[str, str, str, dict[str, Any]]


def good_requests(desk: Desk, thread: MadeThread) -> list[GoodRequest]:
    key, slot_id = thread.invites[1].key, thread.slots[0]
    slot = desk.slot(days=9, timezone="Asia/Tokyo", label="午後")
    members = ["lm:101", key]
    group = {"name": "理事会", "audience_id": 3, "any_of_invitee_keys": members, "min": 1}
    rule: dict[str, Any] = {"version": "1.0", "type": "GROUP_ANY", "groups": [group], "rule": {"groups": 1}}
    rule |= {"slot_policy": {"multiple_slots_allowed": True}, "invitee_scope": {"allow_unregistered": True}}
    rule["finalize_policy"] = {"auto_finalize": True, "policy": "EARLIEST_VALID"}
    options: dict[str, Any] = {"description": "説明", "place": "本部", "deadline_at": slot["start_at"]}
    options |= {"decide_at_deadline": True, "remind_before_deadline": True, "maybe_allowed": True}
    options |= {"answers_visible": False, "mail_subject": "件名"}
    new = {"title": "役員会", **options, "slots": [slot], "invitees": [PERSON], "audience_ids": [3], "send": False}
    new |= {"timezone": "Asia/Tokyo", "rule": {"type": "ALL", "participants": ["lm:101"]}}
    answer = {"status": "selected", "selected_slot_id": slot_id, "selected_slot_ids": [slot_id], "comment": "はい"}
    answer["maybe_slot_ids"] = [thread.slots[1]]
    one = f"{URL}/{thread.id}"
    why, named = {"reason": "都合", "notify": True}, {"invitee_keys": [key], "message": "急ぎます"}
    required = {"type": "REQUIRED_PLUS_K"}
    return [
        ("office", "POST", URL, new),
        ("office", "POST", f"{URL}/preview", {"title": "役員会", "invitees": [PERSON], "audience_ids": [3]}),
        ("office", "POST", f"{URL}/suggestions", {"title": "役員会", "description": "説明", "audience_ids": [3]}),
        ("office", "PATCH", one, {"title": "役員会", "revision": 0, **options}),
        ("office", "POST", f"{one}/answers", {"invitee_key": key, **answer}),
        ("office", "POST", f"{one}/answers/preview", {"invitee_key": key, **answer}),
        ("office", "POST", f"{one}/late-answers", {"invitee_key": key, "coming": True, "comment": "はい"}),
        ("office", "POST", f"{one}/invitees", {"invitees": [PERSON], "audience_ids": [3], "force": True}),
        ("office", "POST", f"{one}/slots", {"slots": [slot], "notify": True}),
        ("office", "PUT", f"{one}/rule", {"version": 1, "rule": rule}),
        ("office", "PUT", f"{one}/rule", {"version": 1, "rule": {"type": "K_OF_N", "k": 1, "participants": members}}),
        ("office", "PUT", f"{one}/rule", {"version": 1, "rule": {**required, "required": [key], "quorum": 1}}),
        ("office", "POST", f"{one}/preview", {"action": "remind", **named, "slot_id": slot_id}),
        ("office", "POST", f"{one}/remind", {**named, "extend_hours": 24, "force": True}),
        ("office", "POST", f"{one}/send", {"confirm_over_quota": True}),
        ("office", "POST", f"{one}/finalize", {"selected_slot_id": slot_id, "slot_id": slot_id, **why}),
        ("office", "POST", f"{one}/reopen", why),
        ("office", "POST", f"{one}/cancel", why),
        ("link", "POST", thread.invites[1].respond, answer),
        ("member", "POST", f"/api/liff/threads/{thread.id}/respond", answer),
    ]  # fmt: skip


def hostile(body: dict[str, Any]) -> Iterator[bytes]:
    """The body with one value replaced by each of the corpus, at every depth, and as a whole."""
    yield from (value.encode() for value in CORPUS)
    for marked in marked_copies(body):
        text = json.dumps(marked)
        yield from (text.replace(json.dumps(MARK), value).encode() for value in CORPUS)


def marked_copies(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        for name in value:
            yield {**value, name: MARK}
            for inner in marked_copies(value[name]):
                yield {**value, name: inner}
        yield {**value, "unknown": MARK}
    elif isinstance(value, list) and value:
        yield [MARK]
        yield [*value, MARK]
        for inner in marked_copies(value[0]):
            yield [inner, *deepcopy(value[1:])]


def check(answer: httpx2.Response, told: object) -> None:
    assert answer.status_code < 500, (told, answer.text[:300])
    assert answer.status_code != 429, told
    if answer.status_code >= 400:
        body: dict[str, Any] = answer.json()
        assert {"error", "code", "message", "details"} <= set(body), told
        assert body["code"].isupper()
        assert all(set(detail) == {"field", "reason"} for detail in body["details"])


@pytest.fixture
def desk(product: Product, clock: ManualClock, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """Without limits."""
    for route in (AnswerRoute, MemberAnswerRoute):
        monkeypatch.setattr(route, "limits_per_principal", ())
    for admitted in (CountedRoute, SuggestionRoute):
        monkeypatch.setattr(admitted, "limit", None)
    make_members(product.db, 101, 102)
    found = desk_at(product, clock)
    found.group(3, 101, 102)
    return found


def test_no_field_of_a_thread_breaks_anything(desk: Desk, box: Box) -> None:
    db, tried = desk.product.db, 0

    def fresh() -> MadeThread:
        return make_thread(db, 101, "raj@example.com", "mei@example.jp", rule=ALL)

    with liff_client(desk.product, 101) as member:
        clients = {"office": desk.product.http, "link": desk.product.http, "member": member}
        for number in range(len(good_requests(desk, fresh()))):
            who, method, path, body = good_requests(desk, fresh())[number]
            headers = {**JSON, **(desk.bearer if who == "office" else {})}
            for content in sample(hostile(body), db.dialect):
                answer = clients[who].request(method, path, content=content, headers=headers)
                check(answer, (method, path, content[:300]))
                tried += 1
                if answer.is_success:
                    # What was hostile was good enough, and the thread has changed: the next one finds a new one.
                    who, method, path, _ = good_requests(desk, fresh())[number]
    assert tried > 500


def sample(bodies: Iterator[bytes], dialect: str) -> Iterator[bytes]:
    """All at full size. Otherwise every seventh, each time others: all values meet all kinds of places."""
    return (body for number, body in enumerate(share(bodies, dialect)) if FULL or number % 7 == 0)


def test_the_good_requests_are_good(desk: Desk) -> None:
    """Otherwise the hostile ones would end at something else.

    A thread that is no draft cannot be sent, and nobody answers late before the decision.
    """
    heard = {}
    with liff_client(desk.product, 101) as member:
        for number in range(20):
            thread = make_thread(desk.product.db, 101, "raj@example.com", "mei@example.jp", rule=ALL)
            who, method, path, body = good_requests(desk, thread)[number]
            http = member if who == "member" else desk.product.http
            answer = http.request(method, path, json=body, headers=desk.bearer if who == "office" else {})
            heard[number] = answer.status_code
    expected = dict.fromkeys(range(20), 200) | {0: 201, 6: 409, 7: 201, 8: 201, 14: 409, 16: 409}
    assert heard == expected


def test_no_place_in_an_address_breaks_anything(desk: Desk) -> None:
    thread = make_thread(desk.product.db, "raj@example.com", rule=ALL)
    asked: list[tuple[str, Callable[[str], str]]] = [
        ("GET", lambda value: f"{URL}?status={value}"),
        ("GET", lambda value: f"{URL}?query={value}"),
        ("GET", lambda value: f"{URL}?limit={value}"),
        ("GET", lambda value: f"{URL}?cursor={value}"),
        ("GET", lambda value: f"{URL}/{thread.id}?at={value}"),
        ("GET", lambda value: f"{URL}/{thread.id}/history?cursor={value}"),
        ("GET", lambda value: f"{URL}/{thread.id}/history?limit={value}"),
        ("GET", lambda value: f"{URL}/{value}"),
        ("GET", lambda value: f"{URL}/{value}/status"),
        ("DELETE", lambda value: f"{URL}/{thread.id}/slots/{value}"),
        ("DELETE", lambda value: f"{URL}/{thread.id}/invitees/{value}"),
        ("GET", lambda value: f"/i/{value}"),
        ("GET", lambda value: f"{thread.invites[0].path}?tz={value}"),
        ("GET", lambda value: f"{thread.invites[0].path}?saved={value}"),
        ("GET", lambda value: f"/i/assets/{value}"),
        ("GET", lambda value: f"/i/{value}/unsubscribe"),
        ("POST", lambda value: f"/i/{value}/respond"),
        ("POST", lambda value: f"/i/{value}/late"),
        ("POST", lambda value: f"/i/{value}/unsubscribe"),
        ("POST", lambda value: f"/i/{value}/resubscribe"),
    ]
    for method, address in asked:
        for value in [one for one in QUERIES + cursors() if one]:
            body = None if method == "GET" else {"status": "declined"}
            answer = desk.product.http.request(method, address(value), headers=desk.bearer, json=body)
            assert answer.status_code < 500, (method, address(value)[:200], answer.text[:200])


def test_no_form_breaks_anything(desk: Desk) -> None:
    thread = make_thread(desk.product.db, "raj@example.com", "mei@example.jp", rule=ALL)
    invite, slot = thread.invites[0], f"slot-{thread.slots[0]}"
    texts = [json.loads(value) if value.startswith('"') else value for value in CORPUS if len(value) < 3000]
    values = [quote(text.encode("utf-8", "surrogatepass")) for text in texts]
    forms = ["", "&&&", "=", "a", "status", slot, "%ff=%fe", "&".join(f"f{number}=1" for number in range(3000))]
    forms += [f"{slot}=yes&{slot}=no", f"status=selected&{slot}=yes&status=declined"]
    forms += [f"{name}={value}" for name in ("status", slot, "comment", "slot-x") for value in values]
    forms += [f"status=selected&{slot}=yes&comment={value}" for value in values]
    headers = {"content-type": "application/x-www-form-urlencoded", "origin": "null"}
    for form in forms:
        answer = desk.product.http.post(invite.respond, content=form.encode(), headers=headers)
        assert answer.status_code in (303, 400, 409), (form[:100], answer.status_code)
        assert answer.status_code == 303 or answer.headers["content-type"].startswith("text/html")


def test_no_header_breaks_anything(desk: Desk) -> None:
    thread = make_thread(desk.product.db, "raj@example.com", "mei@example.jp", rule=ALL)
    values = [b"", b"\xff", b"admin:1", b"admin:" + b"9" * 400, b"x" * 5000, "管理者".encode(), b"%00", b"1e400"]
    for name in ("x-user-id", "idempotency-key", "content-type", "origin", "authorization"):
        for value in values:
            headers = {**{key: text.encode() for key, text in desk.bearer.items()}, "content-type": b"application/json"}
            headers[name] = value
            for path, body in (
                (URL, b'{"title":"a","invitees":[]}'),
                (thread.invites[0].respond, b'{"status":"declined"}'),
            ):
                answer = desk.product.http.post(
                    path, content=body, headers=[(key.encode(), text) for key, text in headers.items()]
                )
                assert answer.status_code < 500, (name, value[:50], path, answer.text[:200])
