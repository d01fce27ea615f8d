"""Broadcasts: written down before anything is sent (`enqueueing`), taken (`claiming`), ended (`settling`), logged."""

from tsudoi.events.broadcast.service.claiming import people, release, take
from tsudoi.events.broadcast.service.enqueueing import Recipient, enqueue
from tsudoi.events.broadcast.service.logging import claim_unlogged, mark_logged
from tsudoi.events.broadcast.service.pieces import CHUNKS, LEASE, POLICY, PUSHES, Letter, People, Piece
from tsudoi.events.broadcast.service.settling import Settled, settle, withdraw_unsent

__all__ = [
    "CHUNKS",
    "LEASE",
    "POLICY",
    "PUSHES",
    "Letter",
    "People",
    "Piece",
    "Recipient",
    "Settled",
    "claim_unlogged",
    "enqueue",
    "mark_logged",
    "people",
    "release",
    "settle",
    "take",
    "withdraw_unsent",
]
