"""Between two calls to LINE: one transaction writes down what became of the last ones and takes the next."""

from collections.abc import Sequence
from dataclasses import dataclass

from tsudoi.core.db.interface import Tx
from tsudoi.events.broadcast.rules import CalledOff
from tsudoi.events.broadcast.service.claiming import release, take
from tsudoi.events.broadcast.service.logging import mark_logged
from tsudoi.events.broadcast.service.pieces import People, Piece
from tsudoi.events.broadcast.service.settling import Settled, settle
from tsudoi.gateway.clients.line_outcomes import SendOutcome


@dataclass(frozen=True, slots=True)
class Ended:
    """`outcome` is empty when LINE was not called: there was no time left, or the lease had run out."""

    piece: Piece
    people: People
    outcome: SendOutcome | CalledOff | None


@dataclass(frozen=True, slots=True)
class Wanted:
    """How much to take, of one broadcast or of any."""

    chunks: int
    pushes: int
    broadcast_id: int | None = None


def turn(
    tx: Tx, ended: Sequence[Ended], written: Sequence[Piece], wanted: Wanted | None
) -> tuple[list[tuple[Ended, Settled]], list[Piece]]:
    """What is to be said of each that ended, and what was taken. `written`: their lines are in the file.

    Always in the same order, so that two workers who each write down several seldom wait for each other in a circle;
    when they do, PostgreSQL sends one of them back to the start.
    """
    settled = [(one, _end(tx, one)) for one in sorted(ended, key=_place)]
    chunk_ids = [piece.id for piece in written if not piece.alone]
    delivery_ids = [piece.id for piece in written if piece.alone]
    mark_logged(tx, chunk_ids=chunk_ids, delivery_ids=delivery_ids)
    return settled, take(tx, wanted.chunks, wanted.pushes, wanted.broadcast_id) if wanted else []


def _place(one: Ended) -> tuple[int, int, bool, int]:
    piece = one.piece
    return piece.letter.event_id, piece.letter.broadcast_id, piece.alone, piece.id


def _end(tx: Tx, one: Ended) -> Settled:
    if one.outcome is None:
        return Settled(kept=release(tx, one.piece), at=tx.now)
    return settle(tx, one.piece, one.outcome)
