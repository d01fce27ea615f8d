"""The people to ask before they are invited: each once, whichever way they were named. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from tsudoi.core.addresses import mail_key
from tsudoi.core.errors import Detail
from tsudoi.notifications.mails.errors import BadMailAddress
from tsudoi.notifications.mails.rules.addresses import checked_address
from tsudoi.scheduling.thread.rules.keys import is_registered

MOST_PEOPLE = 1_000


@dataclass(frozen=True, slots=True)
class PersonDraft:
    """Somebody to ask. The address is '' where none is known."""

    key: str
    name: str
    email: str
    member_id: int | None = None
    reason: str | None = None


@dataclass(slots=True)
class PeopleDraft:
    """Those to ask, and the names of those who were named twice."""

    people: list[PersonDraft] = field(default_factory=list)
    duplicates: list[str] = field(default_factory=list)

    @property
    def keys(self) -> list[str]:
        return [person.key for person in self.people]


def people_by_mail(named: Iterable[tuple[str, str]]) -> tuple[list[PersonDraft], list[Detail]]:
    """(name, typed address) of each, and what is wrong with the addresses."""
    people, faults = list[PersonDraft](), list[Detail]()
    for number, (name, typed) in enumerate(named):
        try:
            address = checked_address(typed)
        except BadMailAddress as error:
            faults.append(Detail(f"invitees.{number}.email", error.reason))
        else:
            people.append(PersonDraft(mail_key(address), name, address))
    return people, faults


def each_once(members: Sequence[PersonDraft], by_mail: Sequence[PersonDraft]) -> PeopleDraft:
    """Members come first: the address of one of them is that member, and is asked as such."""
    found = PeopleDraft()
    known, addresses = set[str](), {mail_key(person.email) for person in members if person.email}
    for person in (*members, *by_mail):
        if person.key in known or person.key in addresses:
            found.duplicates.append(person.name)
        else:
            known.add(person.key)
            found.people.append(person)
    return found


def not_yet_asked(wanted: PeopleDraft, asked: Mapping[str, str]) -> PeopleDraft:
    """`asked`: the key and the address of everybody in the thread. Nobody is asked under two keys."""
    addresses = {mail_key(address) for key, address in asked.items() if address and is_registered(key)}
    found = PeopleDraft(duplicates=list(wanted.duplicates))
    for person in wanted.people:
        by_mail_already = person.member_id is not None and person.email and mail_key(person.email) in asked
        if person.key not in asked and (person.key in addresses or by_mail_already):
            found.duplicates.append(person.name)
        else:
            found.people.append(person)
    return found
