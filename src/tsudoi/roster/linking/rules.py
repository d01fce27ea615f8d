"""The six results of an attempt to link, similar names, and the greetings. Pure."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum

from tsudoi.roster.members.rules import search_key

# Names with a lower score are not suggested.
_ALIKE = 0.5
_MOST_SUGGESTIONS = 3


class LinkResultType(StrEnum):
    """The six possible results of an attempt to link."""

    LINKED = "LINKED"
    ALREADY_LINKED_SAME = "ALREADY_LINKED_SAME"
    ALREADY_LINKED_OTHER = "ALREADY_LINKED_OTHER"
    UNMATCHED = "UNMATCHED"
    AMBIGUOUS = "AMBIGUOUS"
    ERROR = "ERROR"


@dataclass(frozen=True, slots=True)
class LinkResult:
    """The result of an attempt to link, with the data for the log."""

    type: LinkResultType
    member_id: int | None = None
    normalized_name: str | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Candidate:
    """A member whose name key is equal to the searched one."""

    member_id: int
    line_user_id: str | None


def judge(candidates: Sequence[Candidate], user_id: str, linked_to: int | None, key: str) -> LinkResult | Candidate:
    """Decide before anything is written: a final result, or the one member to link.

    `linked_to` is the member who is already linked to this LINE user. Each LINE user has one member and each member
    one LINE user; conflicts are left to the office.
    """
    if len(candidates) > 1:
        return LinkResult(LinkResultType.AMBIGUOUS, normalized_name=key, reason="name_key_twice")
    if not key or not candidates:
        return LinkResult(LinkResultType.UNMATCHED, normalized_name=key)
    found = candidates[0]
    if found.line_user_id == user_id or linked_to == found.member_id:
        return LinkResult(LinkResultType.ALREADY_LINKED_SAME, found.member_id, key)
    if found.line_user_id is not None:
        return LinkResult(LinkResultType.ALREADY_LINKED_OTHER, found.member_id, key, "member_has_another_line_user")
    if linked_to is not None:
        return LinkResult(LinkResultType.ALREADY_LINKED_OTHER, linked_to, key, "line_user_is_another_member")
    return found


@dataclass(frozen=True, slots=True)
class SimilarName:
    """A member with a similar name. `exact`: the name keys are equal."""

    member_id: int
    name: str
    exact: bool


class SimilarNames:
    """An index of members (id, name, key) by the characters of their names, so that a search need not read them all.

    Old and new forms of a character count as the same, as in every search: 渡邊 finds 渡辺. Only `exact` does not.
    """

    def __init__(self, members: Iterable[tuple[int, str, str]]) -> None:
        self._members = [(member_id, name, key, search_key(key)) for member_id, name, key in members]
        self._having: dict[tuple[str, int], list[int]] = defaultdict(list)
        for place, (_, _, _, folded) in enumerate(self._members):
            for token in _tokens(folded):
                self._having[token].append(place)

    def of(self, key: str) -> list[SimilarName]:
        """The members with the most similar names, best first. They are suggestions only."""
        shared: Counter[int] = Counter()
        wanted = search_key(key)
        for token in _tokens(wanted):
            shared.update(self._having.get(token, ()))
        bounds = sorted(
            ((-_at_most(common, wanted, self._members[place][3]), place) for place, common in shared.items())
        )
        best: list[tuple[float, int, str]] = []
        for bound, place in bounds:
            worst = -best[-1][0] if len(best) == _MOST_SUGGESTIONS else _ALIKE
            if -bound < worst:
                break
            member_id, name, member_key, folded = self._members[place]
            score = 2.0 if member_key == key else _likeness(wanted, folded)
            if score >= _ALIKE:
                best = sorted([*best, (-score, member_id, name)])[:_MOST_SUGGESTIONS]
        return [SimilarName(member_id, name, score < -1) for score, member_id, name in best]


def _tokens(key: str) -> Iterator[tuple[str, int]]:
    """Each character with how many of it came before, so that what two names share can be counted."""
    seen: Counter[str] = Counter()
    for character in key:
        yield character, seen[character]
        seen[character] += 1


def _at_most(common: int, left: str, right: str) -> float:
    """An upper bound of the score of two names with this number of common characters."""
    if common == min(len(left), len(right)):
        return 2.0 if len(left) == len(right) else 1.0
    return 2 * common / (len(left) + len(right))


def _likeness(left: str, right: str) -> float:
    """A nickname is often a part of the name, so a name that contains the other one gets a high score."""
    shorter, longer = sorted((left, right), key=len)
    if len(shorter) > 1 and shorter in longer:
        return 0.9
    return SequenceMatcher(None, left, right, autojunk=False).ratio()


_WELCOME = "友だち追加ありがとうございます。"
_CONFIRMED = f"{_WELCOME}会員情報の確認が完了しました。\n今後、こちらのLINEからお知らせ／出欠のご案内をお送りします。"
_PLEASE_REGISTER = (
    f"{_WELCOME}名簿の照合が完了しませんでした。\nお手数ですが、こちらからお名前を登録してください：\n{{link}}"
)
_ASK_THE_OFFICE = f"{_WELCOME}照合に時間がかかっています。\n恐れ入りますが、事務局までご連絡ください。"


def greeting(result: LinkResultType, register_link: str) -> str:
    """The three texts of the specification, unchanged."""
    match result:
        case LinkResultType.LINKED | LinkResultType.ALREADY_LINKED_SAME:
            return _CONFIRMED
        case LinkResultType.UNMATCHED:
            return _PLEASE_REGISTER.format(link=register_link)
        case LinkResultType.AMBIGUOUS | LinkResultType.ALREADY_LINKED_OTHER | LinkResultType.ERROR:
            return _ASK_THE_OFFICE
