"""A peer: the queue of django-post-office with one HTTP call per message. It runs in an environment of its own.

    python bench/peer_post_office.py fill SANDBOX_URL FOLDER USER_ID …
    python bench/peer_post_office.py send SANDBOX_URL FOLDER USER_ID …

`fill` queues one message for each person. `send` is what its cron starts (`send_queued_mail_until_done`).
"""

import json
import sys
import urllib.request
import uuid
from typing import Any

import django
from django.conf import settings
from django.core.mail.backends.base import BaseEmailBackend
from django.core.management import call_command

STEP, URL, FOLDER, *USER_IDS = sys.argv[1:]
TEXT = {"type": "text", "text": "予約が確定しました。"}


class PushBackend(BaseEmailBackend):  # type: ignore[misc]  # Django is not installed where types are checked.
    """Sends a message by one push to the sandbox instead of by mail, so that both queues have the same work outside."""

    def send_messages(self, email_messages: list[Any]) -> int:
        for message in email_messages:
            user_id = message.to[0].partition("@")[0]
            body = json.dumps({"to": USER_IDS[int(user_id)], "messages": [TEXT]}).encode()
            headers = {"authorization": "Bearer bench", "x-line-retry-key": str(uuid.uuid4())}
            request = urllib.request.Request(
                f"{URL}/v2/bot/message/push", body, {**headers, "content-type": "application/json"}
            )
            urllib.request.urlopen(request, timeout=10).read()
        return len(email_messages)


def main() -> None:
    backends = {"default": f"{__name__}.PushBackend"}
    settings.configure(
        INSTALLED_APPS=["django.contrib.contenttypes", "post_office"],
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": f"{FOLDER}/peer.sqlite3"}},
        DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
        EMAIL_BACKEND="post_office.EmailBackend",
        POST_OFFICE={"BACKENDS": backends, "BATCH_SIZE": 100, "THREADS_PER_PROCESS": 8, "LOG_LEVEL": 2},
        CACHES={"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}},
        TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates"}],
        USE_TZ=True,
    )
    django.setup()
    from post_office import mail  # noqa: PLC0415 (needs the settings)

    if STEP == "send":
        mail.send_queued_mail_until_done(lockfile=f"{FOLDER}/peer.lock")
        return
    call_command("migrate", verbosity=0)
    mail.send_many(
        [
            {"sender": "office@example.com", "recipients": [f"{n}@example.com"], "subject": "予約", "message": "確定"}
            for n in range(len(USER_IDS))
        ]
    )


if __name__ == "__main__":
    main()
