"""A `TransactionRoute` gives the same answers as an ordinary route with the same parameters, in one transaction."""

import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

import httpx2
import pytest
import structlog
from fastapi import APIRouter, FastAPI, Header, Query
from fastapi import Path as PathParameter
from prometheus_client import CollectorRegistry
from pydantic import BaseModel, ConfigDict, Field, StringConstraints
from sqlalchemy import Column, MetaData, Table, Text, func, insert, select

from tests.factories.product import ADMIN, JSON, PASSWORD_HASH
from tests.product_fixtures import sqlite_only
from tests.servers import browser, serving
from tsudoi.access import rendering
from tsudoi.access.admins import service
from tsudoi.access.guard import AdminDep
from tsudoi.access.middleware import EdgeMiddleware
from tsudoi.access.principals import Admin
from tsudoi.access.rendering import ErrorShape, standard_body
from tsudoi.access.writes import TransactionRoute
from tsudoi.core.db.interface import Database, ReadTx, Tx
from tsudoi.core.errors import Conflict, PreconditionRequired, Problem, Unavailable
from tsudoi.core.runtime import Runtime
from tsudoi.core.settings import Settings

NOTES = Table("notes", MetaData(), Column("text", Text))
ThingId = Annotated[int, PathParameter(ge=1, le=2**53)]
Times = Annotated[int, Query(ge=1, le=9)]
Colour = Annotated[Literal["red", "blue"], Header()]


class Wish(BaseModel):
    model_config = ConfigDict(extra="forbid")

    status: Literal["attend", "absent"]
    extra_text: Annotated[str, StringConstraints(max_length=5)] | None = None


class Granted(BaseModel):
    id: int
    status: str
    extra_text: str | None
    notes: int = 0


def grant(thing_id: int, body: Wish) -> Granted:
    if body.extra_text == "409":
        raise Conflict
    return Granted(id=thing_id, status=body.status, extra_text=body.extra_text)


class CamelBody(BaseModel):
    error: str


def camel_body(problem: Problem) -> dict[str, Any]:
    if isinstance(problem, PreconditionRequired):
        return {"needed": "PIN"}
    body = standard_body(problem)
    details = [{**one, "field": one["field"].replace("extra_text", "extraText")} for one in body["details"]]
    return {"error": problem.code.lower(), **body, "details": details}


class OwnShapeRoute(TransactionRoute):
    """As a context declares it whose document asks for another shape, and for refusals that are replayed."""

    error_shape = ErrorShape(camel_body, CamelBody)
    kept_refusals = frozenset({409})


router = APIRouter(route_class=TransactionRoute)
own_shape = APIRouter(prefix="/own", route_class=OwnShapeRoute)


@router.post("/ordinary/{thing_id}")
async def ordinary(thing_id: ThingId, body: Wish, _admin: AdminDep) -> Granted:
    return grant(thing_id, body)


@router.post("/ours/{thing_id}")
def ours(_tx: Tx, _admin: Admin, thing_id: ThingId, body: Wish) -> Granted:
    return grant(thing_id, body)


@router.get("/ordinary/{thing_id}")
async def ordinary_query(_admin: AdminDep, thing_id: ThingId, times: Times = 1, x_colour: Colour = "red") -> list[str]:
    return [f"{thing_id} {x_colour}"] * times


@router.get("/ours/{thing_id}")
def our_query(_tx: ReadTx, _admin: Admin, thing_id: ThingId, times: Times = 1, x_colour: Colour = "red") -> list[str]:
    return [f"{thing_id} {x_colour}"] * times


class Note(BaseModel):
    text: str
    fails: int = Field(0, description="The status with which the function refuses after it has written.")


def _count(tx: ReadTx) -> int:
    return int(tx.scalar(select(func.count()).select_from(NOTES)))


def _note(tx: Tx, body: Note) -> Granted:
    tx.execute(insert(NOTES).values(text=body.text))
    if body.fails:
        raise {409: Conflict, 428: PreconditionRequired, 503: Unavailable}[body.fails]
    return Granted(id=1, status=body.text, extra_text=None, notes=_count(tx))


@router.post("/notes", status_code=201)
def note(tx: Tx, admin: Admin, runtime: Runtime, body: Note) -> Granted:
    """Writes, and looks who asks."""
    tx.after_commit(lambda: runtime.add(admin))
    return _note(tx, body)


@router.post("/things/{thing_id}/notes", status_code=201)
def note_of_a_thing(
    tx: Tx, _admin: Admin, thing_id: ThingId, body: Note, dry_run: int = 0, name: str = "", wait: int = 20
) -> Granted:
    """As the routes that send messages take them."""
    return _note(tx, body)


@router.delete("/notes", status_code=204)
def forget(tx: Tx, _admin: Admin) -> None:
    tx.execute(NOTES.delete())


@own_shape.post("/notes", status_code=201)
def own_note(tx: Tx, _admin: Admin, body: Note) -> Granted:
    return _note(tx, body)


@pytest.fixture
def runtime(db: Database, tmp_path: Path) -> Runtime:
    db.write_now(lambda tx: NOTES.create(tx.connection))
    return Runtime.of(Settings(data_dir=tmp_path, _env_file=None), db)


@pytest.fixture
def app(runtime: Runtime) -> FastAPI:
    app = FastAPI()
    app.state.runtime = runtime
    rendering.install(app)
    app.router.routes.extend([*router.routes, *own_shape.routes])
    return app


@pytest.fixture
def http(app: FastAPI, db: Database) -> Iterator[httpx2.Client]:
    db.write_now(service.create_admin, ADMIN, PASSWORD_HASH)
    headers = {"authorization": f"Bearer {db.write_now(service.create_token, ADMIN)}", **JSON}
    with serving(app) as url, browser(url, headers=headers) as found:
        yield found


def both(http: httpx2.Client, thing_id: str, body: bytes) -> list[tuple[int, object]]:
    answers = [http.post(f"/{kind}/{thing_id}", content=body) for kind in ("ordinary", "ours")]
    return [(answer.status_code, answer.json()) for answer in answers]


GOOD = b'{"status":"attend"}'
RIGHT = (
    GOOD,
    b'{"status":"attend","extra_text":"abc"}',
    b'{"status":"absent","extra_text":null}',
    b'{"status":"attend","status":"absent"}',
    b' {"status" : "attend" } \n',
    b'{"status":"attend","extra_text":"409"}',
)
WRONG = (
    b"",
    b"null",
    b"[]",
    b'"x"',
    b"7",
    b"true",
    b"{}",
    b"{",
    b"attend",
    b'{"status":"attend"',
    b'{"status":"attend"}}',
    b'{"status":"maybe"}',
    b'{"status":1}',
    b'{"status":["attend"]}',
    b'{"status":"Attend"}',
    b'{"status":"attend","extra_text":"123456"}',
    b'{"status":"attend","extra_text":7}',
    b'{"status":"attend","more":1}',
    b'{"status":"maybe","extra_text":"123456","more":1,"":2}',
    b"\xff\xfe",
    b'[{"status":"attend"}]',
)
IDS = ("1", "007", str(2**53), "0", "-1", str(2**53 + 1), "9" * 30, "x", "1.5", "1e3", "%20", "1%00", "0x1", "１")


@sqlite_only
class TestTheSameAnswer:
    def test_is_given_to_what_is_right(self, http: httpx2.Client) -> None:
        for body in RIGHT:
            usual, answer = both(http, "7", body)
            assert answer == usual, body

    def test_is_given_to_what_is_wrong(self, http: httpx2.Client) -> None:
        for body in WRONG:
            for thing_id in ("7", "0"):
                usual, answer = both(http, thing_id, body)
                assert answer[0] == 400
                assert answer == usual, body

    def test_is_given_to_every_number(self, http: httpx2.Client) -> None:
        for thing_id in IDS:
            usual, answer = both(http, thing_id, GOOD)
            assert answer == usual, thing_id

    def test_is_given_to_another_method(self, http: httpx2.Client) -> None:
        usual, answer = http.put("/ordinary/7"), http.put("/ours/7")
        assert (answer.status_code, answer.json(), answer.headers["allow"]) == (
            405,
            usual.json(),
            usual.headers["allow"],
        )

    @pytest.mark.parametrize("query", ["", "?times=3", "?times=0", "?times=x", "?times=3&times=4", "?other=1"])
    @pytest.mark.parametrize("colour", [None, "blue", "green"])
    def test_is_given_to_queries_and_headers(self, http: httpx2.Client, query: str, colour: str | None) -> None:
        headers = {} if colour is None else {"x-colour": colour}
        usual, answer = (http.get(f"/{kind}/7{query}", headers=headers) for kind in ("ordinary", "ours"))
        assert (answer.status_code, answer.json()) == (usual.status_code, usual.json())

    def test_stands_in_the_api_description(self, app: FastAPI) -> None:
        """Apart from the key, which only our route takes."""
        paths = app.openapi()["paths"]
        for method in ("get", "post"):
            usual, answer = (paths[f"/{kind}/{{thing_id}}"][method] for kind in ("ordinary", "ours"))
            key = [one for one in answer["parameters"] if one["name"] == "idempotency-key"]
            assert len(key) == (method == "post")
            names = [sorted(one["name"] for one in found["parameters"] if one not in key) for found in (usual, answer)]
            assert names[0] == names[1]
            assert answer.get("requestBody") == usual.get("requestBody")
            assert answer["responses"].keys() == usual["responses"].keys()
        posted = [paths[f"/{kind}/{{thing_id}}"]["post"]["responses"]["200"] for kind in ("ordinary", "ours")]
        assert posted[0] == posted[1]


@sqlite_only
class TestOnPurposeOtherwise:
    @pytest.mark.parametrize(
        "body",
        [
            b'{"status":"attend","extra_text":NaN}',
            b'{"status":"attend","extra_text":"\\ud800"}',
            b'{"status":"\xff"}',
            '{"status":"attend","extra_text":7}'.encode("utf-16"),
            b"[" * 2000 + b"]" * 2000,
        ],
        ids=["NaN", "half a character", "no UTF-8", "UTF-16", "deep"],
    )
    def test_what_is_no_json_by_the_standard_is_none(self, http: httpx2.Client, body: bytes) -> None:
        """Python's own parser takes most of these, and the checks after it refuse them: 400 either way."""
        (usual, _), (status, said) = both(http, "7", body)
        assert (usual, status) == (400, 400)
        assert said["details"] == [{"field": "body", "reason": "INVALID_JSON"}]  # type: ignore[index]

    def test_a_body_of_another_type_is_415(self, http: httpx2.Client) -> None:
        for media_type in ("text/plain", "application/x-www-form-urlencoded"):
            answer = http.post("/ours/7", content=GOOD, headers={"content-type": media_type})
            assert (answer.status_code, answer.json()["code"]) == (415, "UNSUPPORTED_MEDIA_TYPE")

    def test_a_stranger_does_not_hear_what_is_wrong_with_the_input(self, http: httpx2.Client) -> None:
        for token in ("x", "made-up"):
            answer = http.post("/ours/0", content=b"{", headers={"authorization": f"Bearer {token}"})
            assert answer.status_code == 401


def send(http: httpx2.Client, path: str = "/notes", key: str | None = "k", **body: Any) -> httpx2.Response:
    headers = {} if key is None else {"idempotency-key": key}
    return http.post(path, content=json.dumps({"text": "a", **body}), headers=headers)


class TestLog:
    def test_the_line_about_an_answer_says_who_asked(
        self, app: FastAPI, runtime: Runtime, http: httpx2.Client, caplog: pytest.LogCaptureFixture
    ) -> None:
        """As it does for an ordinary route, whatever the answer is; of a stranger there is nothing to say."""
        caplog.set_level(logging.DEBUG, "tsudoi.http")
        edge = EdgeMiddleware(app, runtime, CollectorRegistry())
        merge = structlog.contextvars.merge_contextvars
        with (
            structlog.testing.capture_logs(processors=[merge]) as logs,
            serving(edge) as url,
            browser(url, headers=http.headers) as client,
        ):
            for path in ("/ordinary/7", "/ours/7"):
                client.get(path).raise_for_status()
            for path in ("/notes", "/own/notes"):
                for key, fails in (("k", 0), ("k", 0), ("l", 409), (None, 503), (None, 0)):
                    send(client, path, key, fails=fails)
            client.post("/ours/0", content=b"{}")
            client.post("/ours/7", content=GOOD, headers={"authorization": "Bearer made-up"})
        about = [line for line in logs if line["event"] in ("request", "request_refused")]
        lines = [(line["route"], line["status"], line.get("principal")) for line in about]
        named, stranger = lines[:-1], lines[-1]
        assert {principal for _, _, principal in named} == {"admin:1"}, named
        assert {status for _, status, _ in named} == {200, 201, 409, 503, 400}
        assert stranger[1:] == (401, None)
        assert http.headers["authorization"].removeprefix("Bearer ") not in str(logs)


class TestOneTransaction:
    def test_writes_once_per_key_and_replays_the_bytes(self, http: httpx2.Client, db: Database) -> None:
        first, second = send(http), send(http)
        assert (first.status_code, second.content) == (201, first.content)
        assert (second.status_code, second.headers["idempotent-replayed"]) == (201, "true")
        assert send(http, text="b").json()["code"] == "IDEMPOTENCY_KEY_REUSED"
        assert send(http, key="l").json()["notes"] == 2
        assert [send(http, key=None).json()["notes"] for _ in range(2)] == [3, 4]
        assert db.read_now(_count) == 4

    def test_another_wish_is_another_request(self, http: httpx2.Client) -> None:
        """As for a dry run and the real thing under one key."""
        asked = ("dry_run=1", "", "name=a", "name=a%26dry_run%3D1", "name=a&dry_run=1")
        answers = [send(http, f"/things/7/notes?{query}").json()["notes"] for query in asked]
        assert answers == [1, 2, 3, 4, 5]

    @pytest.mark.found("24.A1")
    def test_the_same_wish_written_in_another_way_is_the_same_request(self, http: httpx2.Client, db: Database) -> None:
        """How long to wait, what the route does not know, the order and the spelling are no part of the wish."""
        ways = ("wait=0", "", "wait=1", "wait=20&wait=3", "_=1731938766", "&", "wait=00&wait=0")
        for path in ("/things/7/notes", "/things/007/notes"):
            for query in ways:
                assert send(http, f"{path}?{query}").json()["notes"] == 1, query
        for query in ("name=%E4%BC%9A&dry_run=1", "dry_run=01&name=会", "dry_run=1&wait=0&name=%e4%bc%9a"):
            assert send(http, f"/things/7/notes?{query}").json()["notes"] == 2, query
        assert send(http, "/things/8/notes").json()["notes"] == 3
        assert db.read_now(_count) == 3

    def test_a_refusal_undoes_everything_and_leaves_the_key_unused(self, http: httpx2.Client, db: Database) -> None:
        assert send(http, fails=409).status_code == 409
        assert db.read_now(_count) == 0
        assert send(http, text="another").status_code == 201

    def test_hands_over_the_runtime_and_what_is_asked_for_after_the_commit(
        self, http: httpx2.Client, runtime: Runtime
    ) -> None:
        send(http)
        assert runtime.part(Admin).username == ADMIN

    def test_nothing_to_say_is_an_empty_reply(self, http: httpx2.Client, db: Database) -> None:
        send(http)
        for replayed in (False, True):
            answer = http.delete("/notes", headers={"idempotency-key": "k"})
            assert (answer.status_code, answer.content) == (204, b"")
            assert ("idempotent-replayed" in answer.headers) is replayed
        assert db.read_now(_count) == 0


@sqlite_only
class TestAShapeOfItsOwn:
    def test_is_how_every_refusal_of_the_router_is_written(self, http: httpx2.Client) -> None:
        conflict = send(http, "/own/notes", fails=409)
        assert (conflict.status_code, conflict.json()["error"], conflict.json()["code"]) == (
            409,
            "conflict",
            "CONFLICT",
        )
        wrong = http.post("/own/notes", content=b'{"extra_text":1}')
        assert (wrong.status_code, wrong.json()["error"]) == (400, "invalid_input")
        missing = send(http, "/own/notes", key=None, fails=428)
        assert (missing.status_code, missing.json()) == (428, {"needed": "PIN"})
        assert http.put("/own/notes").json()["error"] == "method_not_allowed"

    def test_leaves_the_others_as_they_are(self, http: httpx2.Client) -> None:
        assert set(send(http, fails=409).json()) == {"code", "message", "details"}


class TestRefusalsThatAreReplayed:
    def test_are_the_same_bytes_and_have_no_effect(self, http: httpx2.Client, db: Database) -> None:
        first, second = (send(http, "/own/notes", fails=409) for _ in range(2))
        assert (first.status_code, second.content) == (409, first.content)
        assert ["idempotent-replayed" in answer.headers for answer in (first, second)] == [False, True]
        assert send(http, "/own/notes").status_code == 422
        assert db.read_now(_count) == 0

    @sqlite_only
    def test_are_only_those_that_the_route_names(self, http: httpx2.Client) -> None:
        for key, status in (("a", 428), ("b", 503)):
            assert send(http, "/own/notes", key, fails=status).status_code == status
            assert send(http, "/own/notes", key).status_code == 201
        assert send(http, "/own/notes", key=None, fails=409).status_code == 409
