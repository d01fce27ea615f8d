"""`POST /api/line/webhook`, document 000 §3.7.2: what is said, what is kept, what is left alone."""

import json
from datetime import timedelta

import pytest

from tests.conftest import NOON
from tests.factories.product import CHANNEL_SECRET, Box, Product
from tests.factories.webhooks import body_of, event, sign, user_id
from tests.product_fixtures import ProductMaker
from tsudoi.line.friends.models import LineFriend
from tsudoi.line.inbox.models import LineEvent

OK = {"ok": True}


class TestSignature:
    @pytest.mark.quick("happy_path")
    def test_a_good_one_is_stored_and_answered(self, product: Product) -> None:
        answer = product.post_webhook(event(who=user_id(1)))
        assert (answer.status_code, answer.json()) == (200, OK)
        [row] = product.rows(LineEvent)
        assert (row["type"], row["user_id"], row["status"]) == ("follow", user_id(1), "PENDING")

    @pytest.mark.parametrize(
        "signature",
        [None, "x", "AAAA", "é", sign("another secret", body_of(event(event_id="01FORGED")))],
        ids=["missing", "short", "base64", "not-ascii", "other-secret"],
    )
    @pytest.mark.quick("refusal")
    def test_a_bad_one_hears_200_and_leaves_only_a_line(self, product: Product, signature: str | None) -> None:
        body = body_of(event(event_id="01FORGED"))
        answer = product.post_raw(body, signature)
        assert (answer.status_code, answer.json()) == (200, OK)
        assert product.rows(LineEvent) == []
        [line] = product.webhook_lines()
        assert line == {
            "ts": "2025-08-16T12:00:00+09:00",
            "kind": "webhook",
            "result": "IGNORED",
            "reason": "signature_invalid",
        }

    def test_it_covers_the_raw_bytes_not_their_meaning(self, product: Product) -> None:
        body = body_of(event())
        rewritten = json.dumps(json.loads(body), indent=1).encode()
        assert product.post_raw(rewritten, sign(CHANNEL_SECRET, body)).json() == OK
        assert product.rows(LineEvent) == []
        assert product.post_raw(rewritten).json() == OK
        assert len(product.rows(LineEvent)) == 1

    def test_a_byte_more_is_another_body(self, product: Product) -> None:
        body = body_of(event())
        product.post_raw(body + b" ", sign(CHANNEL_SECRET, body))
        assert product.rows(LineEvent) == []

    def test_without_a_secret_nobody_is_believed(self, make_product: ProductMaker) -> None:
        product = make_product(line_channel_secret=None)
        body = body_of(event())
        assert product.post_raw(body, sign("", body)).json() == OK
        assert product.rows(LineEvent) == []

    def test_the_sandbox_with_a_wrong_signature_is_not_believed(self, product: Product, box: Box) -> None:
        assert box.does(box.person(), "follow", bad_signature=True)["status"] == 200
        assert product.rows(LineEvent) == []


class TestOnce:
    def test_the_same_event_id_is_stored_once(self, product: Product) -> None:
        same = event()
        for _ in range(3):
            assert product.post_webhook(same).json() == OK
        assert len(product.rows(LineEvent)) == 1
        assert [line["result"] for line in product.webhook_lines()] == ["STORED", "DUPLICATE", "DUPLICATE"]

    def test_copies_at_the_same_moment_are_stored_once(self, product: Product, box: Box) -> None:
        delivered = box.does(box.person(), "follow", copies=12)
        assert delivered["statuses"] == [200] * 12
        assert len(product.rows(LineEvent)) == 1

    def test_twice_in_one_body_is_stored_once(self, product: Product) -> None:
        same = event()
        product.post_webhook(same, same, event())
        assert len(product.rows(LineEvent)) == 2

    def test_without_an_id_person_and_time_tell_it_apart(self, product: Product) -> None:
        first = event(who=user_id(1), at=NOON, event_id=None)
        for other in (first, first, {**first, "timestamp": first["timestamp"] + 1}):
            product.post_webhook(other)
        product.post_webhook(event(who=user_id(2), at=NOON, event_id=None))
        assert sorted((row["user_id"], row["event_ms"] - first["timestamp"]) for row in product.rows(LineEvent)) == [
            (user_id(1), 0),
            (user_id(1), 1),
            (user_id(2), 0),
        ]

    def test_a_redelivery_of_what_is_known_changes_nothing(self, product: Product, box: Box) -> None:
        sent = box.does(box.person(), "follow")
        again = box.http.post(f"/_sandbox/webhooks/{sent['event_id']}/redeliver")
        assert again.json()["webhook"]["status"] == 200
        [row] = product.rows(LineEvent)
        assert row["redelivered"] is False

    def test_a_redelivery_of_what_was_missed_is_stored(self, product: Product) -> None:
        product.post_webhook(event(deliveryContext={"isRedelivery": True}))
        [row] = product.rows(LineEvent)
        assert row["redelivered"] is True


class TestAge:
    def test_older_than_24_hours_is_dropped_with_a_line(self, product: Product) -> None:
        old = event(who=user_id(7), at=NOON - timedelta(hours=24, milliseconds=1))
        assert product.post_webhook(old).json() == OK
        assert product.rows(LineEvent) == []
        [line] = product.webhook_lines()
        assert (line["result"], line["reason"], line["userId"]) == ("DROPPED", "older_than_24h", user_id(7))

    def test_exactly_24_hours_is_kept(self, product: Product) -> None:
        product.post_webhook(event(at=NOON - timedelta(hours=24)))
        assert len(product.rows(LineEvent)) == 1

    def test_an_old_one_does_not_take_its_neighbours_along(self, product: Product) -> None:
        product.post_webhook(event(at=NOON - timedelta(days=2)), event())
        assert len(product.rows(LineEvent)) == 1


class TestKinds:
    @pytest.mark.parametrize("kind", ["message", "postback", "join", "videoPlayComplete", "invented_tomorrow"])
    def test_others_are_stored_and_not_acted_on(self, product: Product, kind: str) -> None:
        product.post_webhook(event(kind))
        [row] = product.rows(LineEvent)
        assert (row["type"], row["status"]) == (kind, "DONE")
        assert product.drain() == 0
        assert product.rows(LineFriend) == []

    def test_what_a_person_writes_is_kept_whole(self, product: Product, box: Box) -> None:
        who = box.friend()
        box.http.post(f"/_sandbox/users/{who}/messages", json={"text": "こんにちは\n🎣"}).raise_for_status()
        [row] = product.rows(LineEvent)
        assert row["payload"] == {}, "a chat is nobody's business here"

    def test_a_follow_without_a_person_is_kept_and_left_alone(self, product: Product) -> None:
        product.post_webhook({**event(), "source": {"type": "group", "groupId": "C1"}})
        [row] = product.rows(LineEvent)
        assert (row["user_id"], row["status"]) == (None, "DONE")

    def test_no_events_is_the_consoles_check(self, product: Product) -> None:
        assert product.post_webhook().json() == OK
        assert product.rows(LineEvent) == []
