"""Checks what does not work right now, and that an alarm would reach somebody. Nobody is told anything."""

from collections.abc import Iterator

from tsudoi.alarms.escalation.queries import channels_of_settings, rule_of, ticket_address
from tsudoi.alarms.health import OpenAlarm, open_alarms
from tsudoi.alarms.outages.queries import channels_out
from tsudoi.alarms.outages.rules import OUTAGES
from tsudoi.commands.checks.findings import DoctorContext, Finding, Level, without_database
from tsudoi.core.clock import display
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.settings import Settings
from tsudoi.gateway.api_comm.alarm_texts import CAUSES

ALARMS = "アラーム"
_NAMES = "ALARM_CHATWORK_ROOM_ID、ALARM_EMAIL_TO、ALARM_SMS_TO"


def alarms(context: DoctorContext) -> Iterator[Finding]:
    if context.db is None:
        yield without_database(ALARMS)
        return
    found, unheard = context.db.read_now(_look, context.settings)
    for one in found:
        message = f"{one.title}（{display(one.since)} から）/ {one.cause} is open"
        advice = f"チケットを見てください / see {ticket_address(context.settings, one.ticket_id)}"
        # A shop's own connection is for the shop; the rest concerns everybody.
        level = Level.WARNING if CAUSES[one.cause].of_shop else Level.PROBLEM
        yield Finding(ALARMS, level, message, advice)
    if unheard:
        message = f"だれにも知らせられない問題があります / nobody would be told of: {'、'.join(unheard)}"
        advice = f"{_NAMES} のどれかと、その送信の設定をしてください / set one of them, and what it is sent with"
        yield Finding(ALARMS, Level.PROBLEM, message, advice)
    if not found and not unheard:
        yield Finding(ALARMS, Level.OK, "続いている問題はなく、起きれば知らせます / nothing is open")


def _look(tx: ReadTx, settings: Settings) -> tuple[list[OpenAlarm], list[str]]:
    """The open alarms, and the causes that no channel could tell now."""
    out = channels_out(tx)
    unheard = []
    for outage in OUTAGES.values():
        rule = rule_of(tx, settings, outage.cause)
        channels = {*(rule.channels if rule else ()), *channels_of_settings(settings)} - out - {outage.channel}
        if not channels:
            unheard.append(outage.cause)
    return open_alarms(tx), unheard
