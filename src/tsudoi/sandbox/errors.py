"""The responses with which LINE refuses a request, in LINE's own words."""

from dataclasses import dataclass, field
from typing import Any, NamedTuple


class Detail(NamedTuple):
    """One property of a request body, and what is wrong with it."""

    property: str
    message: str


@dataclass
class Refusal(Exception):
    """A response that is not 2xx. The endpoint renders it; the code that raises it has changed nothing before."""

    status: int
    message: str
    details: list[Detail] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)

    def body(self) -> dict[str, Any]:
        body: dict[str, Any] = {"message": self.message}
        if self.details:
            body["details"] = [{"message": detail.message, "property": detail.property} for detail in self.details]
        return body


@dataclass
class OAuthRefusal(Exception):
    """A refusal of LINE Login or Google's log-in, which have another shape than the Messaging API."""

    description: str
    error: str = "invalid_request"
    status: int = 400

    def body(self) -> dict[str, Any]:
        return {"error": self.error, "error_description": self.description}


def invalid_body(details: list[Detail]) -> Refusal:
    return Refusal(400, f"The request body has {len(details)} error(s)", details)


def invalid_property(name: str) -> Refusal:
    return Refusal(400, f"The property, '{name}', in the request body is invalid (line: -, column: -)")


def unauthenticated() -> Refusal:
    return Refusal(401, "Authentication failed. Confirm that the access token in the authorization header is valid.")


def not_found(message: str = "Not found") -> Refusal:
    return Refusal(404, message)


def unsupported_type(content_type: str) -> Refusal:
    return Refusal(415, f"The content type, {content_type}, is not supported")


def rate_limited() -> Refusal:
    return Refusal(429, "The API rate limit has been exceeded. Try again later.")


def quota_exhausted() -> Refusal:
    return Refusal(429, "You have reached your monthly limit.")


def server_error() -> Refusal:
    return Refusal(500, "The server encountered an internal error. Try again later.")


def invalid_reply_token() -> Refusal:
    return Refusal(400, "Invalid reply token")


def unknown_recipient() -> Refusal:
    return Refusal(400, "Failed to send messages")
