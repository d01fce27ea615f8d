"""What the fields of a staff person may contain, for request bodies and for the import. Pure.

Each function returns the value as it is stored, or raises a `PydanticCustomError` whose type is the reason.
"""

import re
import unicodedata
from collections.abc import Mapping
from datetime import date
from typing import Annotated, Any, Literal

from pydantic import AfterValidator
from pydantic_core import PydanticCustomError

from tsudoi.booking.texts import plain_text
from tsudoi.core.addresses import masked_address
from tsudoi.core.clock import in_known_years
from tsudoi.core.errors import Detail, InvalidInput
from tsudoi.notifications.mails.errors import BadMailAddress
from tsudoi.notifications.mails.rules.addresses import checked_address
from tsudoi.roster.members.rules import search_key

LONGEST_NAME = 50
LONGEST_JOB_TITLE = 100
LONGEST_NUMBER = 20
_NUMBER = re.compile("[0-9]+")
_DAY = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}")
_KATAKANA = re.compile("[ァ-ヺー・]+")


def staff_number(text: str) -> str:
    """A staff id or a patient id: ASCII digits, and leading zeros count."""
    if not _NUMBER.fullmatch(text):
        raise PydanticCustomError("NOT_DIGITS", "ASCII digits only")
    if len(text) > LONGEST_NUMBER:
        raise PydanticCustomError("TOO_LONG", "more than 20 digits")
    return text


def person_name(text: str) -> str:
    return plain_text(text, LONGEST_NAME)


def job_title(text: str) -> str:
    return plain_text(text, LONGEST_JOB_TITLE)


def kana_name(text: str) -> str:
    """Full-width katakana without white space. Half-width katakana is typed daily, so it is converted."""
    stored = "".join(unicodedata.normalize("NFKC", text).split())
    if not _KATAKANA.fullmatch(stored):
        raise PydanticCustomError("NOT_KATAKANA", "katakana only")
    if len(stored) > LONGEST_NAME:
        raise PydanticCustomError("TOO_LONG", "the text is too long")
    return stored


def birth_date(text: str) -> str:
    """A real day, written `YYYY-MM-DD`. `refuse_future` compares it with the day of the request."""
    if not _DAY.fullmatch(text):
        raise PydanticCustomError("INVALID_FORMAT", "YYYY-MM-DD")
    try:
        in_known_years(date.fromisoformat(text))
    except ValueError:
        raise PydanticCustomError("INVALID_FORMAT", "no such day") from None
    return text


def mail_address(text: str) -> str:
    """Full-width characters are converted, as those of half-width katakana are."""
    try:
        return checked_address(text)
    except BadMailAddress:
        raise PydanticCustomError("INVALID_FORMAT", "no mail address") from None


def audited(values: Mapping[str, Any]) -> dict[str, Any]:
    """The columns of a person as the audit trail keeps them."""
    return {name: masked_address(value) if name == "email" else value for name, value in values.items()}


def refuse_future(date_of_birth: str | None, today: str) -> None:
    """`today`: the day in Japan, such as `core.clock.jst_date(tx.now)`."""
    if date_of_birth is not None and date_of_birth > today:
        raise InvalidInput("生年月日に、未来の日付は使えません。", [Detail("dateOfBirth", "IN_FUTURE")])


StaffId = Annotated[str, AfterValidator(staff_number)]
EmrPatientId = Annotated[str, AfterValidator(staff_number)]
PersonName = Annotated[str, AfterValidator(person_name)]
KanaName = Annotated[str, AfterValidator(kana_name)]
JobTitle = Annotated[str, AfterValidator(job_title)]
BirthDate = Annotated[str, AfterValidator(birth_date)]
MailAddress = Annotated[str, AfterValidator(mail_address)]
SexCode = Literal["1", "2"]


def full_name(family_name: str, given_name: str) -> str:
    return family_name + given_name


def full_name_kana(family_name_kana: str | None, given_name_kana: str | None) -> str | None:
    return (family_name_kana or "") + (given_name_kana or "") or None


def search_text(
    staff_id: str, family_name: str, given_name: str, family_name_kana: str | None, given_name_kana: str | None
) -> str:
    """What a search looks through. The separator keeps a match from running across two values."""
    kana = full_name_kana(family_name_kana, given_name_kana) or ""
    return "|".join(map(search_key, (staff_id, full_name(family_name, given_name), kana)))
