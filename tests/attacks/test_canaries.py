"""G17: personal data and secrets pushed through every path; none of it may stand in the log or in `api_call_logs`."""

import json
import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx2
import pytest
from sqlalchemy import create_engine, text

from tests.events.planning.desk import JPEG, URL
from tests.factories.processes import SECRETS, Server, started
from tests.factories.product import ADMIN, PASSWORD
from tests.factories.webhooks import body_of, event, sign
from tests.servers import browser, eventually
from tsudoi.core.clock import SystemClock, jst_text
from tsudoi.sandbox.config import SandboxConfig
from tsudoi.sandbox.server import RunningSandbox, running

NAME, MAIL, PHONE, STATUS = "金糸雀 花子", "kanaria@example.jp", "090-4711-0815", "CANARY-STATUS 金糸雀"
TYPED = "CANARY-typed-into-the-wrong-field"
SECRETS_OF_LINE = (SECRETS["LINE_CHANNEL_SECRET"], SECRETS["LINE_CHANNEL_ACCESS_TOKEN"])
PICTURE = "https://profile.example/CANARY-PICTURE.png"
TITLE, WORDS, MEMO, WHY = (
    "CANARY-TITLE 金糸雀の会",
    "CANARY-BODY 歌います",
    "CANARY-MEMO 遅れます",
    "CANARY-WHY 嵐のため",
)
OF_EVENTS = (TITLE, WORDS, MEMO, WHY)


@pytest.fixture
def box() -> Iterator[RunningSandbox]:
    config = SandboxConfig(
        port=0,
        channel_secret=SECRETS["LINE_CHANNEL_SECRET"],
        channel_access_token=SECRETS["LINE_CHANNEL_ACCESS_TOKEN"],
        login_channel_id=SECRETS["LINE_LOGIN_CHANNEL_ID"],
        liff_id=SECRETS["LIFF_ID"],
        webhook_url=None,
        liff_endpoint_url="http://127.0.0.1:8000/liff/",
    )
    with running(config) as found:
        yield found


@pytest.fixture
def server(tmp_path: Path, migrated_sqlite: Path, box: RunningSandbox) -> Iterator[Server]:
    """As talkative as it can be made."""
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "tsudoi.sqlite3").write_bytes(migrated_sqlite.read_bytes())
    settings = {"ADMIN_USERNAME": ADMIN, "ADMIN_PASSWORD": PASSWORD, "LOG_LEVEL": "DEBUG"}
    bases = {"LINE_API_BASE": box.url, "LINE_DATA_API_BASE": box.url}
    with started(tmp_path, "serve", **settings, **bases) as found:
        box.world.webhook_url = f"{found.url}/api/line/webhook"
        yield found


def rows(folder: Path, table: str) -> str:
    engine = create_engine(f"sqlite:///{folder / 'data' / 'tsudoi.sqlite3'}")
    with engine.connect() as connection:
        found = str(connection.execute(text(f"SELECT * FROM {table}")).all())
    engine.dispose()
    return found


def live(server: Server, control: httpx2.Client, folder: Path) -> list[str]:
    """A person's whole way through the product, well and badly; gives the secrets that were met on it."""
    made = {"display_name": NAME, "status_message": STATUS, "picture_url": PICTURE}
    who = control.post("/_sandbox/users", json=made).json()["user_id"]
    faults = [{"kind": "error_500_before", "endpoint": "profile", "times": 1}]
    control.put("/_sandbox/faults", json={"rules": faults}).raise_for_status()
    assert control.post(f"/_sandbox/users/{who}/follow").json()["webhook"]["status"] == 200
    control.post(f"/_sandbox/users/{who}/messages", json={"text": f"{NAME} {MAIL} {PHONE}"}).raise_for_status()
    eventually(lambda: NAME in rows(folder, "line_friends"))
    tokens = control.post(f"/_sandbox/users/{who}/id_token").json()
    old = control.post(f"/_sandbox/users/{who}/id_token", json={"expires_in": -1}).json()["id_token"]
    met = [who, *tokens.values(), old, PASSWORD, *SECRETS_OF_LINE]
    with server.client() as member:
        assert member.post("/api/liff/session", json={"id_token": old}).status_code == 401
        assert member.post("/api/liff/session", json={"id_token": tokens["id_token"]}).status_code == 200
        assert member.get("/api/liff/me", headers={"x-line-user-id": who}).json()["display_name"] == NAME
        met.append(member.cookies["tsudoi_liff"])
    with server.client() as office:
        for username, password in ((TYPED, TYPED), (ADMIN, TYPED), (MAIL, PHONE), ("\x00" + TYPED, TYPED)):
            office.post("/api/admin/login", json={"username": username, "password": password})
        csrf = office.post("/api/admin/login", json={"username": ADMIN, "password": PASSWORD}).json()["csrf_token"]
        met += [csrf, office.cookies["tsudoi_admin"], office.cookies["tsudoi_device"]]
        for path in (f"/api/{MAIL}/{PHONE}", f"/admin/{TYPED}", f"/api/admin/line/friends?cursor={TYPED}"):
            office.get(path, headers={"x-request-id": MAIL, "user-agent": TYPED, "referer": TYPED})
        office.post(
            "/api/admin/login", content=f'{{"{TYPED}": "{MAIL}"'.encode(), headers={"content-type": "application/json"}
        )
        assert office.get("/api/admin/line/friends").json()["items"][0]["display_name"] == NAME
    _hostile_webhooks(server)
    met += _ask(server, control, folder, who)
    return met


def _ask(server: Server, control: httpx2.Client, folder: Path, who: str) -> list[str]:
    """An event from its preview to its end, with LINE failing in every way; gives the user ids met on it."""
    strangers = [f"U{number:032x}" for number in (1, 2)]
    for number, user in enumerate((who, *strangers), 1):
        _enrol(folder, number, user)
    _break(control, "error_500_after", "timeout_before_accept")
    control.put("/_sandbox/behaviour", json={"multicast_unknown_id": "reject"}).raise_for_status()
    with server.client() as office:
        csrf = office.post("/api/admin/login", json={"username": ADMIN, "password": PASSWORD}).json()["csrf_token"]
        office.headers["x-csrf-token"] = csrf
        held_at = jst_text(SystemClock().now() + timedelta(days=7))
        draft = {"title": TITLE, "held_at": held_at, "body": WORDS, "extra_text_enabled": "true"}
        assert office.post(f"{URL}/preview", json={**draft, "target_member_ids": [1, 2, 3]}).status_code == 200
        form: dict[str, Any] = {name: (None, value) for name, value in draft.items()}
        for ids in ("[1,2,3", "[1,2,999]", "[1]"):
            files = {**form, "target_member_ids": (None, ids), "image": (f"{NAME}.jpg", JPEG, MAIL)}
            made = office.post(URL, files=files, headers={"idempotency-key": TYPED})
        event_id = made.json()["event_id"]
        assert office.post(f"{URL}/{event_id}/targets", json={"member_ids": [2, 3]}).status_code == 201
        _answer(server, control, who, event_id)
        decisions: tuple[tuple[str, str, dict[str, Any]], ...] = (
            ("POST", "/reminders", {}),
            ("PATCH", "", {"title": f"{TITLE}!", "body": f"{WORDS}!", "notify": True}),
            ("PATCH", "", {"title": TITLE * 50, "body": f"{WORDS}\x00"}),
            ("POST", "/answers", {"member_id": 2, "status": "attend", "extra_text": MEMO}),
            ("POST", "/cancellation", {"reason": WHY, "notify": True}),
        )
        for method, path, body in decisions:
            office.request(method, f"{URL}/{event_id}{path}", json=body)
        assert office.get(f"{URL}/{event_id}").json()["cancel_reason"] == WHY
        assert NAME in office.get(f"{URL}/{event_id}/export/latest.csv").text
        office.get(URL, params={"query": TITLE})
    return [*strangers, csrf]


def _answer(server: Server, control: httpx2.Client, who: str, event_id: int) -> None:
    token = control.post(f"/_sandbox/users/{who}/id_token").json()["id_token"]
    with server.client() as member:
        member.post("/api/liff/session", json={"id_token": token}).raise_for_status()
        for memo in (MEMO, MEMO * 50, f"{MEMO}\x00"):
            said = {"status": "attend", "extra_text": memo}
            member.post(f"/api/liff/events/{event_id}/respond", json=said, headers={"idempotency-key": "k"})
        assert member.get(f"/api/liff/events/{event_id}").json()["my_last_extra_text"] == MEMO


def _break(control: httpx2.Client, *kinds: str) -> None:
    rules = [{"kind": kind, "endpoint": "multicast", "times": 1, "seconds": 0.1} for kind in kinds]
    control.put("/_sandbox/faults", json={"rules": rules}).raise_for_status()


def _enrol(folder: Path, number: int, user: str) -> None:
    engine = create_engine(f"sqlite:///{folder / 'data' / 'tsudoi.sqlite3'}")
    added = """INSERT INTO members (id, name, name_key, is_target, line_user_id, created_at, updated_at)
        VALUES (:id, :name, :name, 1, :user, :at, :at)"""
    name = NAME if number == 1 else f"{NAME}{number}"
    with engine.begin() as connection:
        # Who the follower's name led to is somebody else here.
        connection.execute(text("UPDATE members SET line_user_id = NULL WHERE line_user_id = :user"), {"user": user})
        at = jst_text(SystemClock().now())
        connection.execute(text(added), {"id": number, "name": name, "user": user, "at": at})
    engine.dispose()


def _hostile_webhooks(server: Server) -> None:
    told = [event("message", at=SystemClock().now(), message={"text": f"{NAME} {TYPED}"})]
    with server.client() as http:
        for body in (body_of(*told), f'{{"{TYPED}"'.encode()):
            for secret in (SECRETS["LINE_CHANNEL_SECRET"], TYPED):
                headers = {"content-type": "application/json", "x-line-signature": sign(secret, body)}
                http.post("/api/line/webhook", content=body, headers=headers)


def test_no_canary_sings(server: Server, box: RunningSandbox, tmp_path: Path) -> None:
    with browser(box.url) as control:
        met = live(server, control, tmp_path)
    server.stop()
    canaries = [NAME, MAIL, PHONE, STATUS, TYPED, PICTURE, *OF_EVENTS, *met]
    log, calls = server.said(), rows(tmp_path, "api_call_logs")
    assert "/v2/bot/profile/" in calls
    assert "/oauth2/v2.1/verify" in calls
    assert "/v2/bot/message/multicast" in calls
    assert "/v2/bot/message/push" in calls
    assert [canary for canary in canaries if canary in calls] == []
    assert '"event":"request"' in log, "the log was not talkative"
    assert [canary for canary in canaries if canary in log] == []
    for line in log.splitlines():
        assert {"event", "level", "timestamp"} <= set(json.loads(line)), line
    kept = rows(tmp_path, "audit_logs") + rows(tmp_path, "lockouts") + rows(tmp_path, "rate_limits")
    assert [canary for canary in (*met, TYPED, MAIL, PHONE) if canary in kept] == []
    _check_documented_file(tmp_path)
    _check_push_file(tmp_path, canaries)


def _check_push_file(folder: Path, canaries: list[str]) -> None:
    """Who was told is there by number alone."""
    [file] = (folder / "data" / "logs" / "push").iterdir()
    told = file.read_text(encoding="utf-8")
    assert {json.loads(line)["member_id"] for line in told.splitlines()} == {1, 2, 3}
    assert [canary for canary in canaries if canary in told] == []


def _check_documented_file(folder: Path) -> None:
    """Document 000 wants names in this one, so it is only its form that counts."""
    [file] = (folder / "data" / "logs" / "line").iterdir()
    assert re.fullmatch(r"WEBHOOK-\d{4}-\d{2}-\d{2}\.ndjson", file.name)
    results = {json.loads(line)["result"] for line in file.read_text(encoding="utf-8").splitlines()}
    assert {"STORED", "UNMATCHED", "IGNORED"} <= results
