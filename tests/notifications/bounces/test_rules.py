"""Reports of mail servers as they come: some say that a mail is lost, and everything else says nothing."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tsudoi.notifications.bounces.errors import UnreadableMail
from tsudoi.notifications.bounces.rules import (
    MOST_MESSAGE_IDS,
    MOST_RECIPIENTS,
    DeliveryReport,
    UndeliveredMail,
    read_report,
)
from tsudoi.notifications.mails.rules.failures import is_dead, refused_address

ID = "<0000-1111@tsudoi.example.jp>"


def report(
    *groups: str,
    original: str = f"Content-Type: text/rfc822-headers\n\nSubject: a\nMessage-ID: {ID}\n",
    head: str = "Subject: Undelivered Mail Returned to Sender\n",
    kind: str = "multipart/report; report-type=delivery-status",
) -> bytes:
    status = "\n\n".join(("Reporting-MTA: dns; mx.example.jp", *groups))
    parts = ("Content-Type: text/plain\n\nSorry.\n", f"Content-Type: message/delivery-status\n\n{status}\n", original)
    body = "".join(f"--x\n{part}\n" for part in parts if part)
    return f'{head}MIME-Version: 1.0\nContent-Type: {kind}; boundary="x"\n\n{body}--x--\n'.encode()


def group(to: str = "rfc822; Taro@Example.jp", action: str = "failed", status: str = "5.1.1") -> str:
    return f"Final-Recipient: {to}\nAction: {action}\nStatus: {status}\nDiagnostic-Code: smtp; 550 no"


class TestReadReport:
    def test_finds_who_did_not_get_which_mail(self) -> None:
        found = read_report(report(group(), group("rfc822; jiro@example.jp", status="4.4.1 (gave up)")))
        assert found == DeliveryReport(
            (ID,), (UndeliveredMail("taro@example.jp", "5.1.1"), UndeliveredMail("jiro@example.jp", "4.4.1"))
        )

    @pytest.mark.parametrize(
        ("written", "address"),
        [
            ("rfc822;taro@example.jp", "taro@example.jp"),
            ("RFC822; <taro@example.jp>", "taro@example.jp"),
            ("taro@example.jp", "taro@example.jp"),
            ('rfc822; "a..b."@docomo.ne.jp', "a..b.@docomo.ne.jp"),
        ],
    )
    def test_reads_addresses_as_servers_write_them(self, written: str, address: str) -> None:
        found = read_report(report(group(written)))
        assert found is not None
        assert [one.address for one in found.failed] == [address]

    @pytest.mark.parametrize(
        "made",
        [
            report(group(), original=f"Content-Type: message/rfc822\n\nSubject: a\nMessage-ID: {ID}\n\nHello\n"),
            report(group(), original="", head=f"In-Reply-To: {ID}\n"),
            report(group(), original="", head=f"References: <a@b>\n\t{ID}\n"),
        ],
    )
    def test_finds_the_mail_wherever_the_report_names_it(self, made: bytes) -> None:
        found = read_report(made)
        assert found is not None
        assert ID in found.message_ids

    def test_delays_successes_and_unreadable_groups_are_no_failures(self) -> None:
        groups = [group(action="delayed", status="4.4.1"), group(action="delivered", status="2.0.0")]
        groups += [group(status="five"), group("rfc822; nobody"), "Action: failed"]
        found = read_report(report(*groups))
        assert found is not None
        assert found.failed == ()

    @pytest.mark.parametrize(
        "other",
        [
            b"",
            b"Subject: Re: a\n\nThank you!",
            report(group(), kind="multipart/mixed"),
            report(group(), kind="multipart/report; report-type=disposition-notification"),
            b"x" * 6_000_000,
        ],
    )
    def test_everything_else_is_no_report(self, other: bytes) -> None:
        assert read_report(other) is None

    @given(st.binary(max_size=400), st.integers(0, 600))
    def test_no_content_makes_it_fail(self, noise: bytes, at: int) -> None:
        made = report(group())
        for message in (made[:at] + noise + made[at:], noise):
            with suppress(UnreadableMail):
                read_report(message)


def nested(depth: int) -> bytes:
    """A message whose parts are inside one another."""
    parts = (f'Content-Type: multipart/mixed; boundary="b{number}"\n\n--b{number}\n' for number in range(depth))
    return b'Content-Type: multipart/report; boundary="x"\n\n--x\n' + "".join(parts).encode()


class TestHostileReports:
    @pytest.mark.found("24.E2")
    def test_ten_mails_and_a_hundred_receivers_are_read(self) -> None:
        groups = [group(f"rfc822; u{number}@example.jp") for number in range(3_000)]
        head = "References: " + " ".join(f"<{number}@x.example>" for number in range(30_000)) + "\n"
        found = read_report(report(*groups, head=head))
        assert found is not None
        assert (len(found.message_ids), len(found.failed)) == (MOST_MESSAGE_IDS, MOST_RECIPIENTS)
        assert found.message_ids[0] == ID, "the mail that came back counts first"

    @pytest.mark.found("24.E3")
    @pytest.mark.parametrize(
        "made",
        [
            nested(1_200),
            b'Content-Type: multipart/report; x="' + b";" * 100_000 + b"\n\nx",
            b"Subject: a\nContent-Type: multipart/report;" + b'\n ";;;;;;;;;' * 10_000 + b"\n\nx",
            report(group(), original='Content-Type: text/rfc822-headers\n\nContent-Type: a/b; x="' + ";" * 100_000),
        ],
    )
    def test_what_cannot_be_read_is_named_so(self, made: bytes) -> None:
        with pytest.raises(UnreadableMail):
            read_report(made)


class TestFailures:
    @pytest.mark.parametrize("code", ["5.1.1", "5.1.10", "5.1.2", "5.2.1", "5.0.0", "5.4.4"])
    def test_what_ends_the_mails_at_once(self, code: str) -> None:
        assert is_dead(code)

    @pytest.mark.parametrize("code", ["4.4.1", "4.2.2", "5.2.2", "5.3.4", "5.7.1", "5.7.26", "2.0.0", "x", ""])
    def test_what_may_pass(self, code: str) -> None:
        assert not is_dead(code)

    def test_a_refusal_in_the_conversation_counts_when_it_is_about_the_address(self) -> None:
        assert refused_address(550, "5.1.1 No such user here") == "5.1.1"
        assert refused_address(550, "5.7.1 policy") is None
        assert refused_address(554, "5.1.1 bad sender") is None
        assert refused_address(550, "no such user") is None
