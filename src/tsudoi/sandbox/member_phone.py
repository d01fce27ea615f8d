"""A friend's phone that opens the member page and answers: the two calls that the page makes, without a browser."""

import re
import time
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any

import httpx2

from tsudoi.sandbox.answer_plan import ATTEND, PlannedAnswer
from tsudoi.sandbox.calls import Call
from tsudoi.sandbox.logins import log_in
from tsudoi.sandbox.state import World

PATIENCE_SECONDS = 10.0
_CODE = re.compile("[A-Z_]{1,40}")


class PhoneTrouble(Exception):
    """The product did not take the answer. What it said stands in the list of calls."""


def phone_client(world: World) -> httpx2.AsyncClient:
    """Shared by all phones, so it keeps no cookies: one phone's session must not become another's."""
    nobodys = CookieJar(DefaultCookiePolicy(allowed_domains=[]))
    return httpx2.AsyncClient(
        base_url=world.config.product_url, timeout=PATIENCE_SECONDS, trust_env=False, cookies=nobodys
    )


class MemberPhone:
    def __init__(self, world: World, client: httpx2.AsyncClient, base_url: str) -> None:
        self._world = world
        self._client = client
        self._base_url = base_url

    async def answer(self, planned: PlannedAnswer) -> None:
        user, event_id = planned.invitation.user, planned.invitation.event_id
        self._world.read_chat(user)
        id_token = log_in(self._world, user, self._base_url)["id_token"]
        opened = await self._post("/api/liff/session", {"id_token": id_token}, user.display_name)
        cookie = "; ".join(f"{name}={value}" for name, value in opened.cookies.items())
        body = {"status": planned.status, "extra_text": planned.memo}
        word = "出席" if planned.status == ATTEND else "欠席"
        await self._post(f"/api/liff/events/{event_id}/respond", body, f"{user.display_name}：{word}", cookie)

    async def _post(self, path: str, body: dict[str, Any], note: str, cookie: str = "") -> httpx2.Response:
        started = time.perf_counter()
        try:
            answer = await self._client.post(path, json=body, headers={"cookie": cookie} if cookie else {})
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            slow = isinstance(error, httpx2.TimeoutException)
            self._record(path, None, started, f"{note} / {'request_timeout' if slow else 'could_not_connect'}")
            raise PhoneTrouble from error
        code = "" if answer.is_success else f" / {_code(answer)}"
        self._record(path, answer.status_code, started, note + code)
        if not answer.is_success:
            raise PhoneTrouble
        return answer

    def _record(self, path: str, status: int | None, started: float, note: str) -> None:
        ms = (time.perf_counter() - started) * 1000
        self._world.record_call(Call("out", "POST", path, status, ms, note))


def _code(answer: httpx2.Response) -> str:
    """The product's own word for what is wrong; nothing else of its answer goes into the list."""
    try:
        code = answer.json()["code"]
    except (ValueError, KeyError, TypeError):
        return "error_status_code"
    return code if isinstance(code, str) and _CODE.fullmatch(code) else "error_status_code"
