"""What the browser's console complains about during a test."""

import re

from playwright.sync_api import Page

# Chromium reports every answer of 400 and above as a console error; these are the ones a screen expects and handles.
# The frame with the HTML part of a mail runs no script, and Chromium says so when axe-core tries to look into it.
_ORDINARY = re.compile(
    r"Failed to load resource: the server responded with a status of (401|403|404|429)"
    r"|Blocked script execution in '[^']*/mails/"
)


class Complaints:
    """Script errors, refused resources and the content security policy, and which of them a test has caused itself.

    The console reports a moment after the page has reacted. So a test says what it expects, at any time, and the list
    is judged when the test is over.
    """

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._expected: list[str] = []

    def listen(self, page: Page) -> None:
        page.on("console", lambda message: self._texts.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: self._texts.append(str(error)))

    def expect(self, *words: str) -> None:
        """The test makes the browser complain with these words, such as "status of 409"."""
        self._expected += words

    def unexpected(self) -> list[str]:
        return [
            text
            for text in self._texts
            if not _ORDINARY.match(text) and not any(words in text for words in self._expected)
        ]
