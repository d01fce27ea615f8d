"""LINE keeps token checks waiting: everybody who is inside already goes on, and the others are told so in time."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import timedelta

import anyio.to_thread
import httpx2
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tests.factories.id_tokens import forged_token
from tests.factories.product import Box, Product
from tests.product_fixtures import ProductMaker, sqlite_only
from tests.servers import eventually, serving
from tsudoi.gateway.clients.line import LinePolicies

pytestmark = sqlite_only
SESSION, ME = "/api/liff/session", "/api/liff/me"
THREADS, VISITORS = 2, 8


@dataclass
class HeldLine:
    """A LINE that answers nobody before it is let go."""

    go_on: threading.Event = field(default_factory=threading.Event)
    asked: list[str] = field(default_factory=list)

    async def answer(self, request: Request) -> Response:
        self.asked.append(request.url.path)
        await anyio.to_thread.run_sync(self.go_on.wait, 60)
        return JSONResponse({"error_description": "Invalid IdToken."}, status_code=400)


@pytest.fixture
def held() -> Iterator[tuple[HeldLine, str]]:
    line = HeldLine()
    with serving(Starlette(routes=[Route("/{path:path}", line.answer, methods=["GET", "POST"])])) as url:
        yield line, url
        line.go_on.set()


@pytest.fixture
def visitors() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(VISITORS) as pool:
        yield pool


def waiting_at_most(policies: LinePolicies, wait: timedelta) -> LinePolicies:
    pool = replace(policies.verify.pool, size=THREADS, longest_wait=wait)
    patience = timedelta(seconds=60)
    return replace(policies, verify=replace(policies.verify, pool=pool, timeout=patience, deadline=patience))


def enter(product: Product) -> httpx2.Response:
    with product.client() as http:
        return http.post(SESSION, json={"id_token": forged_token()})


def test_hanging_token_checks_keep_nobody_else_out(
    make_product: ProductMaker, box: Box, held: tuple[HeldLine, str], visitors: ThreadPoolExecutor
) -> None:
    line, url = held
    before = make_product()
    who = box.friend()
    assert before.http.post(SESSION, json={"id_token": box.id_token(who)}).status_code == 200
    before.make_admin()
    product = make_product(box_url=url)
    product.line.policies = waiting_at_most(product.line.policies, timedelta(seconds=60))
    answers = [visitors.submit(enter, product) for _ in range(VISITORS)]
    eventually(lambda: len(line.asked) == THREADS)
    assert product.log_in().status_code == 200
    with product.client(cookies=dict(before.http.cookies)) as member:
        assert member.get(ME).json()["user_id"] == who
    assert not [answer for answer in answers if answer.done()]
    assert len(line.asked) == THREADS
    line.go_on.set()
    assert [answer.result().status_code for answer in answers] == [401] * VISITORS


def test_token_checks_beyond_the_pool_are_refused_in_time_and_never_sent(
    make_product: ProductMaker, held: tuple[HeldLine, str], visitors: ThreadPoolExecutor
) -> None:
    line, url = held
    product = make_product(box_url=url)
    product.line.policies = waiting_at_most(product.line.policies, timedelta(seconds=1))
    answers = [visitors.submit(enter, product).result for _ in range(VISITORS)]
    found = [answer() for answer in answers]
    assert [(answer.status_code, answer.json()["code"]) for answer in found] == [(503, "LINE_UNAVAILABLE")] * VISITORS
    assert all(answer.headers["retry-after"].isdigit() for answer in found)
    assert len(line.asked) == THREADS


def test_a_line_that_keeps_the_quota_waiting_is_told_as_unknown(
    make_product: ProductMaker, held: tuple[HeldLine, str]
) -> None:
    _, url = held
    product = make_product(box_url=url)
    product.make_admin()
    product.log_in()
    account = product.line.policies.account
    slow = replace(account, pool=replace(account.pool, longest_wait=timedelta(seconds=0.2)))
    product.line.policies = replace(product.line.policies, account=slow)
    assert product.http.get("/api/admin/line/quota").json()["known"] is False
    assert product.http.get("/api/admin/line/account").json() == {"display_name": None}
