"""What a check is given, and what it says."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from tsudoi.core.clock import Clock
from tsudoi.core.db.interface import Database
from tsudoi.core.settings import Settings
from tsudoi.gateway.clients.line_account import LineAccount
from tsudoi.gateway.clients.line_outcomes import NO_TOKEN, Refused, Rejected
from tsudoi.gateway.http import HttpGateway


class Level(StrEnum):
    OK = "ok"
    WARNING = "注意"
    PROBLEM = "問題"


@dataclass(frozen=True, slots=True)
class Finding:
    """`said` is what was found, `cure` what to do about it; both in Japanese with a little English."""

    title: str
    level: Level
    said: str
    cure: str = ""


@dataclass(frozen=True, slots=True)
class Patient:
    settings: Settings
    clock: Clock
    # None when the database cannot be used; what is found in that case is said by its own check.
    db: Database | None
    gateway: HttpGateway
    account: LineAccount


@dataclass(frozen=True, slots=True)
class Check:
    title: str
    look: Callable[[Patient], Finding | Iterable[Finding]]

    def findings(self, patient: Patient) -> Iterator[Finding]:
        """Whatever happens in one check, the others are still to be heard."""
        try:
            found = self.look(patient)
            yield from [found] if isinstance(found, Finding) else list(found)
        except Exception as error:  # noqa: BLE001 (a check that fails is a finding too)
            yield Finding(
                self.title,
                Level.PROBLEM,
                f"調べている途中で失敗しました / the check itself failed: {type(error).__name__}",
                "ほかの「問題」を先に直してから、もう一度実行してください / mend the others, then run this again",
            )


def without_database(title: str) -> Finding:
    return Finding(
        title,
        Level.WARNING,
        "データベースが使えないため未確認です / not checked: no database",
        "先にデータベースの問題を直してください / mend the database first",
    )


def line_refused(title: str, refused: Refused) -> Finding:
    """The same for every question to LINE: a wrong token is told once, by the check of the token."""
    if refused.reason == NO_TOKEN:
        said = "アクセストークンが空のため未確認です / not checked: the access token is empty"
    elif isinstance(refused, Rejected):
        said = f"LINE に断られたため未確認です / not checked, LINE refused: {refused.status} {refused.reason}"
    else:
        said = f"LINE に届かないため未確認です / not checked, LINE is out of reach: {refused.reason}"
    return Finding(title, Level.WARNING, said, "アクセストークンの項目を見てください / see the access token")
