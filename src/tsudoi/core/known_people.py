"""The people whom an organisation knows, as every context describes its own."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class KnownPerson:
    """Somebody whom the organisation knows, with what helps to decide whether to ask them for something."""

    # `lm:<member>`, `u:staff:<staff_uid>`, or `e:<hash of the address>`.
    key: str
    name: str
    # Empty: no address is known, and the person is asked by LINE or by telephone.
    email: str = ""
    member_id: int | None = None
    audience_ids: frozenset[int] = frozenset()
    groups: tuple[str, ...] = ()
    role: str | None = None
    department: str | None = None
