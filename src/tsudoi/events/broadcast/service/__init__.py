"""Broadcasts: written down before anything is sent (`enqueueing`), taken, ended, logged; `turn` does these three."""

from tsudoi.events.broadcast.service.claiming import people, release, take
from tsudoi.events.broadcast.service.enqueueing import Recipient, enqueue
from tsudoi.events.broadcast.service.logging import claim_unlogged, mark_logged
from tsudoi.events.broadcast.service.pieces import CHUNKS, LEASE, NOBODY, POLICY, PUSHES, Letter, People, Piece
from tsudoi.events.broadcast.service.settling import Settled, settle, withdraw_unsent
from tsudoi.events.broadcast.service.turning import Ended, Wanted, turn

__all__ = [
    "CHUNKS",
    "LEASE",
    "NOBODY",
    "POLICY",
    "PUSHES",
    "Ended",
    "Letter",
    "People",
    "Piece",
    "Recipient",
    "Settled",
    "Wanted",
    "claim_unlogged",
    "enqueue",
    "mark_logged",
    "people",
    "release",
    "settle",
    "take",
    "turn",
    "withdraw_unsent",
]
