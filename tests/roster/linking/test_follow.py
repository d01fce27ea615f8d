"""`link_follow` through the whole house: the sandbox's webhook, the inbox, the worker, the answer on the phone."""

from datetime import timedelta
from typing import Any

import pytest

from tests.factories.product import LIFF_ID, Box, Product, runtime_for
from tests.factories.webhooks import event, user_id
from tests.product_fixtures import ProductMaker, sqlite_only
from tests.roster.members.people import enrol, links, member, office
from tsudoi.core.clock import ManualClock
from tsudoi.core.db.connect import open_database
from tsudoi.line.inbox.models import LineEvent
from tsudoi.roster.linking.jobs import renew_keys
from tsudoi.roster.linking.queries import keys_by_another_rule
from tsudoi.worker import Worker

TS = "2025-08-16T12:00:00+09:00"
REGISTER = f"https://liff.line.me/{LIFF_ID}/register"
# Word for word from the document, 3.7.2.
CONFIRMED = """友だち追加ありがとうございます。会員情報の確認が完了しました。
今後、こちらのLINEからお知らせ／出欠のご案内をお送りします。"""
PLEASE_REGISTER = f"""友だち追加ありがとうございます。名簿の照合が完了しませんでした。
お手数ですが、こちらからお名前を登録してください：
{REGISTER}"""
ASK_THE_OFFICE = """友だち追加ありがとうございます。照合に時間がかかっています。
恐れ入りますが、事務局までご連絡ください。"""


def texts(box: Box, who: str) -> list[str]:
    return [entry["message"]["text"] for entry in box.chat(who)]


def last_line(product: Product) -> dict[str, Any]:
    return product.webhook_lines()[-1]


def follow(product: Product, box: Box, name: str) -> str:
    who = box.person(name)
    box.does(who, "follow")
    product.drain()
    return who


class TestSilent:
    def test_each_result_is_written_down_and_nobody_hears_anything(self, product: Product, box: Box) -> None:
        enrol(product.db, (101, "山田太郎"), (103, "鈴木一郎"), (104, "鈴木一郎"))
        lines, people = [], []
        for name in ("山田　太郎", "山田太郎", "鈴木一郎", "知らない人", "\u3164"):
            people.append(follow(product, box, name))
            lines.append(last_line(product))
        common = {"ts": TS, "kind": "follow", "mode": "silent"}
        one = {"displayName": "山田　太郎", "normalized": "山田太郎", "result": "LINKED", "member_id": 101}
        assert lines[0] == {**common, "userId": people[0], **one}
        assert lines[1]["displayName"] == "山田太郎"
        assert (lines[1]["result"], lines[1]["member_id"]) == ("ALREADY_LINKED_OTHER", 101)
        assert (lines[2]["result"], lines[2]["reason"]) == ("AMBIGUOUS", "name_key_twice")
        unmatched = {"displayName": "知らない人", "normalized": "知らない人", "result": "UNMATCHED"}
        assert lines[3] == {**common, "userId": people[3], **unmatched}
        assert lines[4] == {**common, "userId": people[4], "displayName": "\u3164", "result": "UNMATCHED"}
        assert links(product.db) == {101: people[0]}
        assert [box.chat(who) for who in people] == [[]] * 5
        assert not box.calls("/message/")

    def test_coming_back_under_another_name_changes_the_name_only(self, product: Product, box: Box) -> None:
        enrol(product.db, (101, "山田太郎"), (102, "佐藤花子"))
        who = follow(product, box, "山田太郎")
        box.does(who, "block")
        product.drain()
        http = office(product)
        assert http.get("/api/admin/members").json()["items"][0]["reachable"] is False
        box.http.patch(f"/_sandbox/users/{who}", json={"display_name": "たろう"})
        box.does(who, "unblock")
        product.drain()
        assert (last_line(product)["result"], last_line(product)["member_id"]) == ("ALREADY_LINKED_SAME", 101)
        [taro, _] = http.get("/api/admin/members").json()["items"]
        assert (taro["line_display_name"], taro["reachable"], taro["is_target"]) == ("たろう", True, 1)
        assert links(product.db) == {101: who}

    @sqlite_only
    def test_the_office_confirms_where_automatic_links_are_off(self, make_product: ProductMaker, box: Box) -> None:
        product = make_product(onboarding_auto_link="off")
        enrol(product.db, (101, "山田太郎"), (102, "山田花子"))
        who = follow(product, box, "山田 太郎")
        assert (last_line(product)["result"], last_line(product)["reason"]) == ("UNMATCHED", "auto_link_off")
        assert links(product.db) == {}
        [friend] = office(product).get("/api/admin/links/unlinked-friends").json()["items"]
        assert friend["user_id"] == who
        assert friend["suggestions"][0] == {"member_id": 101, "name": "山田太郎", "exact": True}
        assert friend["suggestions"][1] == {"member_id": 102, "name": "山田花子", "exact": False}

    @sqlite_only
    def test_full_width_letters_match_with_nfkc(self, make_product: ProductMaker, box: Box) -> None:
        product = make_product(onboarding_name_nfkc=True)
        enrol(product.db, (101, "Abe Ken"), nfkc=True)
        who = follow(product, box, "ＡＢＥ　ＫＥＮ")
        assert links(product.db) == {101: who}

    @pytest.mark.found("24.C12")
    @sqlite_only
    def test_full_width_letters_match_whatever_their_case(self, product: Product, box: Box) -> None:
        enrol(product.db, (101, "ＡＢＥ　ＫＥＮ"), (102, "abe ken"))
        who = follow(product, box, "ａｂｅ　ｋｅｎ")
        assert links(product.db) == {101: who}, "without NFKC ａ is not a"

    @pytest.mark.found("24.C12")
    def test_a_changed_setting_needs_no_sync(self, make_product: ProductMaker, box: Box) -> None:
        product = make_product(onboarding_name_nfkc=True)
        enrol(product.db, (101, "ＡＢＥ　ＫＥＮ"), (102, "山田太郎"), nfkc=False)
        assert product.db.read_now(keys_by_another_rule, nfkc=True) == [(101, "abeken")]
        assert (renew_keys(product.runtime), renew_keys(product.runtime)) == (1, 0)
        who = follow(product, box, "Abe Ken")
        assert links(product.db) == {101: who}


class TestInteractive:
    def test_each_result_is_answered_once_in_the_documents_words(self, make_product: ProductMaker, box: Box) -> None:
        product = make_product(onboarding_mode="interactive")
        enrol(product.db, (101, "山田太郎"), (103, "鈴木一郎"), (104, "鈴木一郎"))
        expected = {
            "山田太郎": ("LINKED", CONFIRMED),
            "知らない人": ("UNMATCHED", PLEASE_REGISTER),
            "鈴木一郎": ("AMBIGUOUS", ASK_THE_OFFICE),
            "山田 太郎": ("ALREADY_LINKED_OTHER", ASK_THE_OFFICE),
        }
        for name, (result, text) in expected.items():
            who = follow(product, box, name)
            assert texts(box, who) == [text]
            line = last_line(product)
            assert (line["mode"], line["result"], line["reply"]) == ("interactive", result, "sent")
            assert line.get("reply_link") == (REGISTER if result == "UNMATCHED" else None)
        [taro] = links(product.db).values()
        box.does(taro, "block")
        box.does(taro, "unblock")
        product.drain()
        assert texts(box, taro) == [CONFIRMED] * 2, "another follow is another hello"
        assert last_line(product)["result"] == "ALREADY_LINKED_SAME"
        assert {call["path"] for call in box.calls("/message/")} == {"/v2/bot/message/reply"}
        assert {row["reply"] for row in product.rows(LineEvent) if row["type"] == "follow"} == {"sent"}

    def test_the_answer_is_pushed_once_the_reply_token_is_too_old(self, make_product: ProductMaker, box: Box) -> None:
        product = make_product(onboarding_mode="interactive", onboarding_reply_link="https://example.com/r")
        who = box.person("知らない人")
        box.does(who, "follow")
        box.http.post("/_sandbox/clock", json={"advance_seconds": 61}).raise_for_status()
        product.drain()
        assert texts(box, who) == [PLEASE_REGISTER.replace(REGISTER, "https://example.com/r")]
        assert [(call["path"][-5:], call["status"]) for call in box.calls("/message/")] == [
            ("reply", 400),
            ("/push", 200),
        ]
        assert (last_line(product)["reply"], last_line(product)["reply_link"]) == ("sent", "https://example.com/r")

    @sqlite_only
    def test_an_event_without_a_reply_token_is_answered_by_push(self, make_product: ProductMaker, box: Box) -> None:
        product = make_product(onboarding_mode="interactive")
        who = box.friend("知らない人")
        product.post_webhook(event(who=who))
        product.drain()
        assert texts(box, who) == [PLEASE_REGISTER]

    def test_repeated_and_forged_webhooks_are_not_answered(self, make_product: ProductMaker, box: Box) -> None:
        product = make_product(onboarding_mode="interactive")
        enrol(product.db, (101, "山田太郎"), (102, "佐藤花子"))
        forger = box.person("佐藤花子")
        box.does(forger, "follow", bad_signature=True)
        who = box.person("山田太郎")
        sent = box.does(who, "follow", copies=3)
        product.drain()
        box.http.post(f"/_sandbox/webhooks/{sent['event_id']}/redeliver").raise_for_status()
        product.drain()
        assert texts(box, who) == [CONFIRMED]
        assert box.chat(forger) == []
        assert links(product.db) == {101: who}
        results = [line["result"] for line in product.webhook_lines()]
        assert sorted(results) == ["DUPLICATE"] * 3 + ["IGNORED", "LINKED", "STORED"]

    @sqlite_only
    def test_a_follow_that_comes_after_its_unfollow_links_and_stays_blocked(
        self, make_product: ProductMaker, box: Box, clock: ManualClock
    ) -> None:
        product = make_product(onboarding_mode="interactive")
        enrol(product.db, (101, "山田太郎"))
        who = box.friend("山田太郎")
        now = clock.now()
        product.post_webhook(event("unfollow", who=who, at=now))
        product.drain()
        product.post_webhook(event("follow", who=who, at=now - timedelta(minutes=1)))
        product.drain()
        assert links(product.db) == {101: who}
        assert office(product).get("/api/admin/members").json()["items"][0]["reachable"] is False


def test_a_server_that_dies_after_its_200_leaves_the_work_to_the_next(
    product: Product, box: Box, database_url: str, clock: ManualClock
) -> None:
    enrol(product.db, (101, "山田太郎"))
    who = box.person("山田太郎")
    assert box.does(who, "follow")["status"] == 200
    product.db.close()
    again = open_database(database_url, clock)
    with runtime_for(product.settings, again) as runtime:
        assert Worker(runtime).drain() == 1
        assert links(again) == {101: who}
        assert member(again, 101)["is_target"] == 1
    again.close()


@sqlite_only
def test_who_is_not_shown_by_line_is_noted_and_matched_to_nobody(product: Product) -> None:
    enrol(product.db, (101, "山田太郎"))
    product.post_webhook(event(who=user_id(404)))
    product.drain()
    assert last_line(product) == {
        "ts": TS,
        "kind": "follow",
        "userId": user_id(404),
        "mode": "silent",
        "result": "UNMATCHED",
        "reason": "profile_not_found",
    }
