"""The input of a check of `tsudoi doctor`, and its result."""

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
    """How serious a finding is."""

    OK = "ok"
    WARNING = "注意"
    PROBLEM = "問題"


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of a check. `message`: what was found. `advice`: what to do. Both are in Japanese and English."""

    title: str
    level: Level
    message: str
    advice: str = ""


@dataclass(frozen=True, slots=True)
class DoctorContext:
    """What every check can use."""

    settings: Settings
    clock: Clock
    # None if the database cannot be used; the check of the database reports that.
    db: Database | None
    gateway: HttpGateway
    account: LineAccount


@dataclass(frozen=True, slots=True)
class Check:
    """One check of `tsudoi doctor`."""

    title: str
    look: Callable[[DoctorContext], Finding | Iterable[Finding]]

    def findings(self, context: DoctorContext) -> Iterator[Finding]:
        """Run the check. An exception becomes a finding, so that the other checks still run."""
        try:
            found = self.look(context)
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
    """The finding of every check that LINE refused. Only the check of the token reports a wrong token as a problem."""
    if refused.reason == NO_TOKEN:
        message = "アクセストークンが空のため未確認です / not checked: the access token is empty"
    elif isinstance(refused, Rejected):
        message = f"LINE に断られたため未確認です / not checked, LINE refused: {refused.status} {refused.reason}"
    else:
        message = f"LINE に届かないため未確認です / not checked, LINE is out of reach: {refused.reason}"
    return Finding(title, Level.WARNING, message, "アクセストークンの項目を見てください / see the access token")
