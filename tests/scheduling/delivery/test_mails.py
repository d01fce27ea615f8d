"""Mails about threads as they arrive: subjects, texts, links, and calendars that follow the decision."""

from email import message_from_string
from email.message import EmailMessage
from email.policy import default
from typing import Any

import pytest
from icalendar import Calendar

from tests.factories.product import Box, Product
from tests.factories.threads import ALL
from tests.product_fixtures import sqlite_only
from tests.scheduling.delivery.rows import Asked
from tests.scheduling.organizing.desk import MEI, RAJ, Desk
from tsudoi.notifications.mails.models import MailMessage
from tsudoi.scheduling.delivery.models import ThreadMessage
from tsudoi.scheduling.thread.models import ThreadInvite

pytestmark = sqlite_only


def message_of(mail: dict[str, Any]) -> EmailMessage:
    parsed = message_from_string(mail["raw"], policy=default)
    assert isinstance(parsed, EmailMessage)
    return parsed


def calendars_of(mail: dict[str, Any]) -> list[tuple[str, Any]]:
    """METHOD and entry of the part that mail programs read."""
    parts = [part for part in message_of(mail).walk() if part.get_content_type() == "text/calendar"]
    found = [Calendar.from_ical(part.get_payload(decode=True)) for part in parts]  # type: ignore[arg-type]
    for part, calendar in zip(parts, found, strict=True):
        assert part.get_param("method") == str(calendar["METHOD"])
    return [(str(calendar["METHOD"]), calendar.walk("VEVENT")[0]) for calendar in found]


class TestTheInvitation:
    @pytest.mark.row("1.2.24")
    def test_has_the_subject_of_the_document_or_of_the_organiser(self, desk: Desk, box: Box) -> None:
        desk.create(title="役員会 & <b>", invitees=[RAJ])
        desk.create(title="役員会", invitees=[MEI], mail_subject="【日程のご相談】役員会")
        desk.product.drain()
        # Several threads send mails, so that their order is left to chance.
        assert {mail["subject"] for mail in box.mails()} == {
            "役員会 & <b> - You're invited to join a conversation",
            "【日程のご相談】役員会",
        }

    def test_says_who_asks_what_until_when_and_how_to_stop(self, desk: Desk, box: Box) -> None:
        made = desk.create(
            title="役員会 <i>",
            description="議題：会費\n持ち物：<印鑑>",
            place="本部 3階",
            invitees=[MEI],
            timezone="Europe/London",
            slots=[{"start_at": "2025-08-20T14:00:00+09:00", "end_at": "2025-08-20T15:30:00+09:00"}],
        )
        desk.product.drain()
        (mail,) = box.mails("mei@example.jp")
        token = made["candidates"][0]["invite_token"]
        link = f"{desk.product.url}/i/{token}"
        text = mail["text"].replace("\r\n", "\n")
        for wanted in (
            "林 芽衣 様",
            "みなと町会です。「役員会 <i>」の日程を決めるため",
            "議題：会費\n持ち物：<印鑑>",
            "・2025年8月20日（水）14:00〜15:30（日本時間。現地 8/20 06:00-07:30 Europe/London）",
            "場所：本部 3階",
            "回答期限：2025年8月19日（火）12:00",
            f"▼ 回答する\n{link}\n",
            "参加できない場合も1回押すだけ",
            f"{link}/unsubscribe",
            "Dear 林 芽衣,",
            "Wed, 20 Aug 2025 14:00-15:30 JST (8/20 06:00-07:30 Europe/London)",
        ):
            assert wanted in text, wanted
        message = message_of(mail)
        assert "".join(message["List-Unsubscribe"].split()) == f"<{link}/unsubscribe>"
        assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        assert message["Auto-Submitted"] == "auto-generated"
        html = message.get_body(("html",))
        assert html is not None
        page = html.get_content()
        assert "役員会 &lt;i&gt;" in page
        assert "持ち物：&lt;印鑑&gt;" in page
        assert "<i>" not in page
        assert f'href="{link}"' in page
        assert not any(word in page for word in ("<table", "<script", "<img", "<style"))

    @pytest.mark.row("1.2.25")
    def test_a_title_with_line_breaks_cannot_add_headers(self, desk: Desk, box: Box, asked: Asked) -> None:
        refused = desk.post(body={"title": "a\r\nBcc: x@example.jp", "invitees": [RAJ]})
        assert refused.status_code == 400
        # A row that another program wrote.
        asked.thread(title="a\r\nBcc: x@example.jp", mail_subject="b\nBcc: y@example.jp", place="\u2028本部")
        asked.invite("e:1", "山田\r\n太郎", "yamada@example.jp")
        assert len(asked.tell("invite")) == len(asked.tell("reminder")) == 1
        desk.product.drain()
        second, first = sorted(map(message_of, box.mails()), key=lambda mail: str(mail["Subject"]), reverse=True)
        assert (first["Subject"], second["Subject"]) == ("b Bcc: y@example.jp", "【回答のお願い】a Bcc: x@example.jp")
        assert first["Bcc"] is second["Bcc"] is None
        assert [mail["to"] for mail in box.mails()] == [["yamada@example.jp"]] * 2

    @pytest.mark.row("1.2.26")
    def test_a_mail_server_that_is_down_keeps_nothing_back(self, desk: Desk, box: Box) -> None:
        box.breaks("smtp_421", "smtp")
        made = desk.create(invitees=[RAJ], rule=ALL)
        thread_id, key = made["thread"]["id"], made["candidates"][0]["invitee_key"]
        desk.product.drain()
        assert len(desk.rows(ThreadInvite, thread_id=thread_id)) == 1
        assert [row["status"] for row in desk.rows(MailMessage)] == ["PENDING"]
        person = desk.get(f"/{thread_id}").json()["people"][0]
        assert person["delivery"]["state"] == "waiting"
        box.mends()
        assert desk.post(f"/{thread_id}/remind").json() == {"reminded": [key], "skipped": []}
        desk.product.drain()
        (mail,) = box.mails()
        assert made["candidates"][0]["invite_url"] in mail["text"]
        assert desk.get(f"/{thread_id}").json()["people"][0]["delivery"]["state"] == "sent"

    def test_an_address_that_does_not_exist_is_shown_and_not_written_to_again(self, desk: Desk, box: Box) -> None:
        box.breaks("smtp_550", "smtp")
        made = desk.create(invitees=[RAJ], rule=ALL)
        url = f"/{made['thread']['id']}"
        desk.product.drain()
        shown = desk.get(url).json()["people"][0]["delivery"]
        assert (shown["state"], "アドレスを確認してください" in shown["text"]) == ("failed", True)
        box.mends()
        assert [one["reason"] for one in desk.post(f"{url}/remind").json()["skipped"]] == ["UNREACHABLE"]
        again = desk.create(invitees=[RAJ], rule=ALL)
        (person,) = desk.get(f"/{again['thread']['id']}").json()["people"]
        assert (person["delivery"]["state"], "戻ってきました" in person["delivery"]["text"]) == ("call", True)
        assert box.mails() == []

    def test_without_a_mail_server_the_office_calls(self, make_product: Any, asked: Asked) -> None:
        product: Product = make_product()
        asked.common = type(asked.common)(
            asked.common.links, "みなと町会", "localhost", mail_is_on=False, line_is_on=True
        )
        asked.invite("e:1", "山田太郎", "yamada@example.jp")
        assert [one.channel for one in asked.tell("invite")] == ["call"]
        assert asked.mails() == []
        assert "メールの送信が設定されていません" in product.rows(ThreadMessage)[0]["not_by_line"]


class TestTheDecision:
    @pytest.mark.row("1.6.23")
    def test_everybody_is_told_once_and_in_words_that_fit(self, desk: Desk, box: Box) -> None:
        third, fourth = {"name": "三郎", "email": "three@example.jp"}, {"name": "四郎", "email": "four@example.jp"}
        made = desk.create(invitees=[RAJ, MEI, third, fourth], rule=ALL)
        raj, mei, other, _silent = made["candidates"]
        slots = [slot["slot_id"] for slot in made["slots"]]
        assert desk.respond(raj, slots[0]).status_code == 200
        assert desk.respond(mei, slots[1]).status_code == 200
        assert desk.respond(other).status_code == 200
        desk.product.drain()
        box.http.delete("/_sandbox/mails")
        decided = desk.post(f"/{made['thread']['id']}/finalize", {"selected_slot_id": slots[0], "reason": "会長の都合"})
        assert decided.json()["told"] == 4
        assert desk.post(f"/{made['thread']['id']}/finalize", {"selected_slot_id": slots[0]}).json()["told"] == 0
        desk.product.drain()
        mails = {mail["to"][0]: mail for mail in box.mails()}
        assert len(mails) == len(box.mails()) == 4
        assert {mail["subject"] for mail in mails.values()} == {"【日程決定】役員会（8/17（日）14:00）"}
        assert all("日時：2025年8月17日（日）14:00〜15:00" in mail["text"] for mail in mails.values())
        assert all("会長の都合" in mail["text"] for mail in mails.values())
        words = {to: [word for word in WORDS if word in mail["text"]] for to, mail in mails.items()}
        assert words == {
            "raj.patel@example.com": ["ご参加をお待ちしています"],
            "mei@example.jp": ["お知らせのみお送りします"],
            "three@example.jp": ["お知らせのみお送りします"],
            "four@example.jp": ["ご参加いただける場合は"],
        }
        assert {to: len(calendars_of(mail)) for to, mail in mails.items()} == {
            **dict.fromkeys(mails, 0),
            "raj.patel@example.com": 1,
        }

    @pytest.mark.row("1.I.12")
    def test_calendars_follow_the_decision(self, desk: Desk, box: Box) -> None:
        made = desk.create(invitees=[RAJ, MEI], rule=ALL, place="本部", description="議題：会費")
        url = f"/{made['thread']['id']}"
        raj, mei = made["candidates"]
        slots = [slot["slot_id"] for slot in made["slots"]]
        for person in (raj, mei):
            desk.respond(person, slots[1])
        told = self.told(desk, box)
        assert set(told) == {RAJ["email"], MEI["email"]}
        (method, entry) = told[RAJ["email"]][0]
        assert (method, entry["SEQUENCE"], str(entry["STATUS"])) == ("REQUEST", 1, "CONFIRMED")
        assert entry["DTSTART"].to_ical() == b"20250818T050000Z"
        assert entry["DTEND"].to_ical() == b"20250818T060000Z"
        assert str(entry["ORGANIZER"]) == "mailto:office@example.jp"
        assert str(entry["ATTENDEE"]) == f"mailto:{RAJ['email']}"
        assert (str(entry["SUMMARY"]), str(entry["LOCATION"])) == ("役員会", "本部")
        uid = str(entry["UID"])
        assert raj["invite_token"] not in str(entry.to_ical())

        assert desk.post(f"{url}/reopen", {"reason": "会場の都合"}).status_code == 200
        told = self.told(desk, box)
        assert {
            to: [(method, entry["SEQUENCE"], str(entry["UID"])) for method, entry in found]
            for to, found in told.items()
        } == {
            RAJ["email"]: [("CANCEL", 2, uid)],
            MEI["email"]: [("CANCEL", 2, uid)],
        }
        assert told[RAJ["email"]][0][1]["DTSTART"].to_ical() == b"20250818T050000Z"

        desk.respond(mei)
        assert desk.post(f"{url}/finalize", {"slot_id": slots[1], "reason": "多数決"}).status_code == 200
        told = self.told(desk, box)
        assert [(method, entry["SEQUENCE"]) for method, entry in told[RAJ["email"]]] == [("REQUEST", 3)]
        assert told[MEI["email"]] == []

        assert desk.post(f"{url}/cancel", {"reason": "台風"}).status_code == 200
        told = self.told(desk, box)
        assert [(method, entry["SEQUENCE"], str(entry["STATUS"])) for method, entry in told[RAJ["email"]]] == [
            ("CANCEL", 4, "CANCELLED")
        ]
        assert told[MEI["email"]] == []

    @staticmethod
    def told(desk: Desk, box: Box) -> dict[str, list[tuple[str, Any]]]:
        """The calendars of the mails that are new since the last time, by their receiver."""
        desk.product.drain()
        news = [mail for mail in box.mails() if "invited" not in mail["subject"]]
        box.http.delete("/_sandbox/mails")
        assert len(news) == len({mail["to"][0] for mail in news})
        return {mail["to"][0]: calendars_of(mail) for mail in news}

    def test_who_loses_the_place_without_being_told_of_the_reopening_gets_the_date_taken_back(
        self, desk: Desk, box: Box
    ) -> None:
        made = desk.create(invitees=[RAJ, MEI], rule=ALL)
        url, (raj, mei) = f"/{made['thread']['id']}", made["candidates"]
        slots = [slot["slot_id"] for slot in made["slots"]]
        for person in (raj, mei):
            desk.respond(person, slots[1])
        self.told(desk, box)
        desk.post(f"{url}/reopen", {"notify": False})
        desk.respond(mei)
        desk.post(f"{url}/finalize", {"slot_id": slots[1], "reason": "多数決"})
        told = self.told(desk, box)
        assert [method for method, _ in told[RAJ["email"]]] == ["REQUEST"]
        assert [method for method, _ in told[MEI["email"]]] == ["CANCEL"]


WORDS = ("ご参加をお待ちしています", "お知らせのみお送りします", "ご参加いただける場合は")
