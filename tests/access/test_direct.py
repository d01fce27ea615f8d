"""A direct route gives the same answers as the ordinary one that describes it: both are asked the same questions."""

from collections.abc import Iterator
from typing import Annotated, Literal

import httpx2
import pytest
from fastapi import APIRouter, FastAPI, Path
from pydantic import BaseModel, ConfigDict, StringConstraints
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from tests.servers import browser, serving
from tsudoi.access import rendering
from tsudoi.access.direct import direct, parsed, path_id
from tsudoi.core.errors import Conflict


class Wish(BaseModel):
    model_config = ConfigDict(extra="forbid")

    status: Literal["attend", "absent"]
    extra_text: Annotated[str, StringConstraints(max_length=5)] | None = None


async def ordinary(thing_id: Annotated[int, Path(ge=1, le=2**53)], body: Wish) -> dict[str, object]:
    if body.extra_text == "409":
        raise Conflict
    return {"id": thing_id, **body.model_dump()}


async def answering(request: Request) -> Response:
    thing_id, body = path_id(request, "thing_id"), parsed(Wish, await request.body())
    return JSONResponse(await ordinary(thing_id, body))


@pytest.fixture(scope="module")
def http() -> Iterator[httpx2.Client]:
    app = FastAPI(openapi_url=None)
    rendering.install(app)
    router = APIRouter()
    router.add_api_route("/ordinary/{thing_id}", ordinary, methods=["POST"])
    router.add_api_route("/direct/{thing_id}", ordinary, methods=["POST"], route_class_override=direct(answering))
    app.router.routes.extend(router.routes)
    with serving(app) as url, browser(url, headers={"content-type": "application/json"}) as found:
        yield found


def both(http: httpx2.Client, thing_id: str, body: bytes) -> list[tuple[int, object]]:
    answers = [http.post(f"/{kind}/{thing_id}", content=body) for kind in ("ordinary", "direct")]
    return [(answer.status_code, answer.json()) for answer in answers]


GOOD = b'{"status":"attend"}'


class TestTheSameAnswer:
    @pytest.mark.parametrize(
        "body",
        [
            GOOD,
            b'{"status":"attend","extra_text":"abc"}',
            b'{"status":"absent","extra_text":null}',
            b'{"status":"attend","status":"absent"}',
            b' {"status" : "attend" } \n',
            b'{"status":"attend","extra_text":"409"}',
        ],
    )
    def test_is_given_to_what_is_right(self, http: httpx2.Client, body: bytes) -> None:
        usual, ours = both(http, "7", body)
        assert ours == usual

    @pytest.mark.parametrize(
        "body",
        [
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
        ],
    )
    def test_is_given_to_what_is_wrong(self, http: httpx2.Client, body: bytes) -> None:
        usual, ours = both(http, "7", body)
        assert ours[0] == 400
        assert ours == usual

    @pytest.mark.parametrize(
        "thing_id",
        ["1", "007", str(2**53), "0", "-1", str(2**53 + 1), "9" * 30, "x", "1.5", "1e3", "%20", "1%00", "0x1", "１"],
    )
    def test_is_given_to_every_number(self, http: httpx2.Client, thing_id: str) -> None:
        usual, ours = both(http, thing_id, GOOD)
        assert ours == usual

    def test_is_given_to_another_method(self, http: httpx2.Client) -> None:
        usual, ours = http.get("/ordinary/7"), http.get("/direct/7")
        assert (ours.status_code, ours.json(), ours.headers["allow"]) == (405, usual.json(), usual.headers["allow"])


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
