"""What the worker makes of follow and unfollow: each once, in any order, whether or not LINE shows the profile."""

import random
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import func, select
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tests.conftest import NOON
from tests.factories.product import CHANNEL_SECRET, Box, Product
from tests.factories.webhooks import body_of, event, sign, user_id
from tests.product_fixtures import ProductMaker, sqlite_only
from tests.servers import serving
from tests.sizes import size
from tsudoi.access.health import heartbeat_name
from tsudoi.access.registration import ActiveContexts
from tsudoi.core.clock import ManualClock
from tsudoi.core.heartbeats import BACKUP, beat
from tsudoi.gateway.models import ApiCallLog
from tsudoi.line.friends.models import LineFriend
from tsudoi.line.inbox.models import LineEvent


def states(product: Product) -> dict[str, bool]:
    return {row["user_id"]: row["following"] for row in product.rows(LineFriend)}


class TestFollow:
    def test_a_new_friend_is_noted_with_name_and_picture(self, product: Product, box: Box) -> None:
        who = box.person("山田 太郎", picture_url="https://example.com/taro.png")
        assert box.does(who, "follow")["status"] == 200
        assert product.drain() == 1
        [friend] = product.rows(LineFriend)
        assert (friend["user_id"], friend["display_name"], friend["following"]) == (who, "山田 太郎", True)
        assert friend["picture_url"] == "https://example.com/taro.png"
        [row] = product.rows(LineEvent)
        assert (row["status"], row["attempt_count"], row["last_error"]) == ("DONE", 1, None)

    def test_the_office_sees_the_friend(self, product: Product, box: Box) -> None:
        who = box.person("山田 太郎")
        box.does(who, "follow")
        product.drain()
        product.make_admin()
        product.log_in()
        page = product.http.get("/api/admin/line/friends").json()
        assert [(item["user_id"], item["display_name"]) for item in page["items"]] == [(who, "山田 太郎")]
        assert (page["total"], page["next_cursor"]) == (1, None)
        overview = product.http.get("/api/admin/overview").json()
        assert overview["friends"] == {"following": 1, "blocked": 0}
        assert overview["inbox"] == {"waiting": 0, "unknown": 0, "failed": 0}
        assert overview["last_webhook_at"] == "2025-08-16T12:00:00+09:00"
        assert overview["backup"] == {"last_at": None, "overdue": True}
        product.db.write_now(beat, BACKUP)
        backup = product.http.get("/api/admin/overview").json()["backup"]
        assert backup == {"last_at": "2025-08-16T12:00:00+09:00", "overdue": False}
        assert "tsudoi_backup_age_seconds 0" in product.http.get("/metrics").text

    def test_the_office_sees_that_the_worker_stands_still(self, product: Product, clock: ManualClock) -> None:
        product.make_admin()
        product.log_in()
        active = product.runtime.part(ActiveContexts)
        loops = ["clockwork", *(sender.name for sender in active.senders)]

        def work() -> dict[str, Any]:
            return dict(product.http.get("/api/admin/overview").json()["work"])

        assert work() == {"silent_loops": loops, "late_since": None}
        for loop in loops:
            product.db.write_now(beat, heartbeat_name(loop))
        product.post_webhook(event())
        assert work() == {"silent_loops": [], "late_since": None}
        clock.advance(timedelta(minutes=5))
        product.db.write_now(beat, heartbeat_name("clockwork"))
        assert work() == {"silent_loops": loops[1:], "late_since": "2025-08-16T12:00:00+09:00"}

    def test_blocking_and_coming_back(self, product: Product, box: Box) -> None:
        who = box.person("山田 太郎")
        for what, following in (("follow", True), ("block", False), ("unblock", True)):
            box.does(who, what)
            product.drain()
            assert states(product) == {who: following}
        assert product.rows(LineFriend)[0]["display_name"] == "山田 太郎"

    def test_the_newest_state_wins_whatever_the_order(self, product: Product) -> None:
        moments = [
            event(kind, who=user_id(1), at=NOON + timedelta(seconds=n))
            for n, kind in enumerate(["follow", "unfollow", "follow", "unfollow"])
        ]
        for told in (moments[3], moments[0], moments[2], moments[1]):
            product.post_webhook(told)
            product.drain()
        [friend] = product.rows(LineFriend)
        assert friend["following"] is False
        assert friend["first_contact_at"] == NOON
        assert friend["last_contact_at"] == NOON + timedelta(seconds=3)


class TestProfileThatCannotBeHad:
    def test_not_shown_is_no_failure(self, product: Product) -> None:
        product.post_webhook(event(who=user_id(5)))
        assert product.drain() == 1
        assert states(product) == {user_id(5): True}
        assert product.rows(LineEvent)[0]["status"] == "DONE"
        assert product.webhook_lines()[-1]["reason"] == "profile_not_found"

    @pytest.mark.parametrize("kind", ["error_500_before", "timeout_before_accept", "rate_limited"])
    def test_is_asked_for_again_later(self, product: Product, box: Box, clock: ManualClock, kind: str) -> None:
        who = box.person("山田 太郎")
        box.breaks(kind, "profile", seconds=1)
        box.does(who, "follow")
        assert product.drain() == 1
        assert states(product) == {who: True}, "the friend is noted although LINE does not answer"
        [row] = product.rows(LineEvent)
        assert (row["status"], row["attempt_count"], row["lease_token"]) == ("PENDING", 1, None)
        assert timedelta(seconds=1) <= row["due_at"] - clock.now() <= timedelta(seconds=2)
        assert product.webhook_lines()[-1]["result"] == "ERROR"
        assert product.drain() == 0, "not before it is due"
        box.mends()
        clock.advance(timedelta(seconds=2))
        assert product.drain() == 1
        assert product.rows(LineFriend)[0]["display_name"] == "山田 太郎"
        assert product.rows(LineEvent)[0]["status"] == "DONE"

    @sqlite_only
    def test_is_given_up_after_some_tries_and_shown_to_the_office(
        self, product: Product, box: Box, clock: ManualClock
    ) -> None:
        box.breaks("error_500_before", "profile")
        box.does(box.person(), "follow")
        tries = 0
        while product.rows(LineEvent)[0]["status"] == "PENDING":
            tries += product.drain()
            clock.advance(timedelta(minutes=5))
            assert tries < 20
        [row] = product.rows(LineEvent)
        assert (row["status"], tries) == ("FAILED", 8)
        product.make_admin()
        product.log_in()
        assert product.http.get("/api/admin/overview").json()["inbox"]["failed"] == 1

    @pytest.mark.parametrize("name", ['"\\ud800x\\u0000"', '"' + "名" * 5000 + '"'])
    def test_a_name_of_any_kind_is_kept(self, make_product: ProductMaker, name: str) -> None:
        async def profile(request: Request) -> Response:
            body = f'{{"userId":"{request.path_params["who"]}","displayName":{name}}}'
            return Response(body, media_type="application/json")

        with serving(Starlette(routes=[Route("/v2/bot/profile/{who}", profile)])) as url:
            product = make_product(box_url=url)
            product.post_webhook(event(who=user_id(6)))
            product.drain()
        assert product.rows(LineEvent)[0]["status"] == "DONE"
        assert product.rows(LineFriend)[0]["display_name"]


class TestLines:
    def test_each_step_leaves_one_with_the_documented_fields(self, product: Product, box: Box) -> None:
        who = box.person("山田 太郎")
        box.does(who, "follow")
        product.drain()
        stored, noted = product.webhook_lines()
        assert {"ts", "kind", "userId", "result"} <= set(stored)
        assert (stored["kind"], stored["result"]) == ("follow", "STORED")
        assert (noted["kind"], noted["userId"], noted["displayName"]) == ("follow", who, "山田 太郎")
        assert noted["ts"] == "2025-08-16T12:00:00+09:00"

    @sqlite_only
    def test_the_file_is_named_after_the_japanese_day(self, product: Product, clock: ManualClock) -> None:
        clock.advance(timedelta(hours=11, minutes=59))
        product.post_webhook()
        product.post_raw(b"x", "forged")
        clock.advance(timedelta(minutes=1))
        product.post_raw(b"x", "forged")
        names = sorted(path.name for path in (product.settings.log_dir / "line").iterdir())
        assert names == ["WEBHOOK-2025-08-16.ndjson", "WEBHOOK-2025-08-17.ndjson"]


EVENTS = size(80, 2000)


def test_repeated_and_shuffled_webhooks_are_applied_once_and_forged_ones_never(product: Product) -> None:
    """G8: the profile is asked for once per follow, and each person ends in the newest state."""
    dice = random.Random(8)
    people = [user_id(100 + n) for n in range(12)]
    good = [
        event(dice.choice(["follow", "unfollow"]), who=dice.choice(people), at=NOON + timedelta(milliseconds=n))
        for n in range(EVENTS)
    ]
    posts: list[tuple[bytes, str]] = []
    for told in good + dice.sample(good, EVENTS * 3 // 10):
        body = body_of(told)
        posts.append((body, sign(CHANNEL_SECRET, body)))
    for n in range(EVENTS // 4):
        body = body_of(event(who=user_id(900 + n)))
        posts.append((body, sign("guessed", body)))
    dice.shuffle(posts)
    for number, (body, signature) in enumerate(posts):
        assert product.post_raw(body, signature).json() == {"ok": True}
        if number % 30 == 0:
            product.drain()
    product.drain()
    newest: dict[str, dict[str, Any]] = {told["source"]["userId"]: told for told in good}
    assert states(product) == {who: told["type"] == "follow" for who, told in newest.items()}
    assert len(product.rows(LineEvent)) == EVENTS
    assert {row["status"] for row in product.rows(LineEvent)} == {"DONE"}
    assert {row["attempt_count"] for row in product.rows(LineEvent)} == {1}
    asked = product.db.read_now(lambda tx: tx.scalar(select(func.count()).select_from(ApiCallLog)))
    assert asked == sum(told["type"] == "follow" for told in good)
