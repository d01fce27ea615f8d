"""The addresses that lead to a thread. Pure."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ThreadLinks:
    """Builds the links of a thread: for everybody by token, and for members inside LINE."""

    public_base_url: str
    liff_base: str
    liff_id: str | None

    def invitation(self, token: str) -> str:
        return f"{self.public_base_url}/i/{token}"

    def calendar(self, token: str) -> str:
        return f"{self.public_base_url}/i/{token}/calendar.ics"

    def unsubscribe(self, token: str) -> str:
        return f"{self.public_base_url}/i/{token}/unsubscribe"

    def inside_line(self, thread_id: str) -> str:
        return f"{self.liff_base}/{self.liff_id}/threads/{thread_id}"
