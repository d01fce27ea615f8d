"""Answers an invitation as a member page does, with the same two calls, but without a browser."""

import re
import time
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any

import httpx2

from tsudoi.sandbox.answer_plan import ATTEND, PlannedAnswer
from tsudoi.sandbox.calls import Call
from tsudoi.sandbox.logins import log_in
from tsudoi.sandbox.state import World

TIMEOUT_SECONDS = 10.0
_CODE = re.compile("[A-Z_]{1,40}")


class PhoneError(Exception):
    """The product did not accept the answer. Its response is in the list of calls."""


def phone_client(world: World) -> httpx2.AsyncClient:
    """All phones share this client, so it keeps no cookies: each phone has a session of its own."""
    no_cookies = CookieJar(DefaultCookiePolicy(allowed_domains=[]))
    return httpx2.AsyncClient(
        base_url=world.config.product_url, timeout=TIMEOUT_SECONDS, trust_env=False, cookies=no_cookies
    )


class MemberPhone:
    """The phones of all members who answer in one run."""

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
            response = await self._client.post(path, json=body, headers={"cookie": cookie} if cookie else {})
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            slow = isinstance(error, httpx2.TimeoutException)
            self._record(path, None, started, f"{note} / {'request_timeout' if slow else 'could_not_connect'}")
            raise PhoneError from error
        code = "" if response.is_success else f" / {_code(response)}"
        self._record(path, response.status_code, started, note + code)
        if not response.is_success:
            raise PhoneError
        return response

    def _record(self, path: str, status: int | None, started: float, note: str) -> None:
        ms = (time.perf_counter() - started) * 1000
        self._world.record_call(Call("out", "POST", path, status, ms, note))


def _code(response: httpx2.Response) -> str:
    """The error code of the product; nothing else of its response goes into the list of calls."""
    try:
        code = response.json()["code"]
    except (ValueError, KeyError, TypeError):
        return "error_status_code"
    return code if isinstance(code, str) and _CODE.fullmatch(code) else "error_status_code"
