"""What is written when people are told: one row each, whichever way it goes, in the caller's transaction."""

import pytest

from tests.scheduling.delivery.rows import Asked


class TestTell:
    @pytest.mark.row("1.2.23")
    def test_writes_one_job_for_each_invitation_as_the_document_has_it(self, asked: Asked) -> None:
        token = asked.invite("e:1", "山田太郎", "yamada@example.jp")
        asked.invite("e:2", "佐藤花子", "sato@example.jp")
        assert [(one.invitee_key, one.channel) for one in asked.tell("invite")] == [("e:1", "mail"), ("e:2", "mail")]
        row = asked.messages()[0]
        assert {name: row[name] for name in ("job_id", "type", "to", "subject", "data", "status")} == {
            "job_id": "invite-i-e:1",
            "type": "invite",
            "to": "yamada@example.jp",
            "subject": "役員会 - You're invited to join a conversation",
            "data": {
                "token": token,
                "inviter_name": "みなと町会",
                "relation_type": "thread_invite",
                "thread_title": "役員会",
            },
            "status": "MAILED",
        }
        mails = asked.mails()
        assert [one["mail_id"] for one in asked.messages()] == [one["id"] for one in mails]
        assert [one["subject_id"] for one in mails] == [str(one["id"]) for one in asked.messages()]
        assert asked.tell("invite") == []
        assert len(asked.messages()) == len(asked.mails()) == 2
