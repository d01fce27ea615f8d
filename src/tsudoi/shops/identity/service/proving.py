"""Proofs of a mail address: written with their mail, consumed once, forgotten soon.

STORES is asked for nothing here. Nobody can learn from a proof whether an address is known.
"""

import secrets
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy import Row, insert, select, update

from tsudoi.core.db.interface import Tx
from tsudoi.core.rate_limit import Limit, RateLimitResult, count_request, count_requests
from tsudoi.core.runtime import Runtime
from tsudoi.core.tokens import new_token, same, token_hash
from tsudoi.gateway.api_comm.matching import phone_digits
from tsudoi.notifications.mails.queries import dead_addresses
from tsudoi.notifications.mails.rules.addresses import checked_address
from tsudoi.notifications.mails.rules.drafts import MailDraft
from tsudoi.notifications.mails.service import enqueue, forget
from tsudoi.shops.identity.errors import CodeSpent, LinkSpent, WrongCode
from tsudoi.shops.identity.queries import newest_code, proof_by_id
from tsudoi.shops.identity.rules.contacts import TypedContact
from tsudoi.shops.identity.rules.letters import ProofLetter, code_letter, link_letter
from tsudoi.shops.identity.rules.proofs import (
    CODE_DIGITS,
    HELP_LINK,
    LIFETIMES,
    LIFF_CODE,
    MOST_TRIES,
    Purpose,
    StoredProof,
    code_text,
    typed_code,
)
from tsudoi.shops.identity.service.keys import IdentityKeys
from tsudoi.shops.proofs.models import IdentityProof
from tsudoi.shops.secrets.rules import KeyRing
from tsudoi.shops.storefront.rules import VisitedShop

# What such a mail is about (`mail_messages.subject_kind`).
IDENTITY_PROOF = "identity_proof"
# Mails to one mailbox, asked for by one requester: a network address, or a LINE user. Who is over it gets the same
# answer, and no mail. A stranger who uses it up takes nothing from the owner, who asks from somewhere else.
PER_MAIL = Limit("identity-mail", 5, timedelta(hours=1))
# Mails to one mailbox for all requesters together, against somebody who changes network addresses. The help page and
# the pages inside LINE have a count each, so that the owner can still ask inside LINE.
PER_MAILBOX = Limit("identity-mailbox", 30, timedelta(hours=1))
# The customers of a shop share its Wi-Fi.
PER_CLIENT = Limit("identity-client", 60, timedelta(minutes=1))
PER_LINE_USER = Limit("identity-line", 60, timedelta(hours=1))
_FORGOTTEN_AT_A_TIME = 1_000


@dataclass(frozen=True, slots=True)
class ProofSettings:
    """What the settings say about proofs and their mails."""

    keys: IdentityKeys
    base_url: str
    mail_host: str


def proof_settings(runtime: Runtime) -> ProofSettings:
    keys, settings = IdentityKeys(runtime.part(KeyRing)), runtime.settings
    return ProofSettings(keys, settings.public_base_url, settings.mail_host)


def count_asking(tx: Tx, client: str, line_user_id: str | None = None) -> RateLimitResult:
    """Whether this network address, or this LINE user, has asked too often. Counted before anything else is done."""
    by_client = (PER_CLIENT, client)
    counted = count_requests(tx, [by_client] if line_user_id is None else [by_client, (PER_LINE_USER, line_user_id)])
    return next((one for one in counted if not one.allowed), counted[0])


def request_link(tx: Tx, common: ProofSettings, shop: VisitedShop, contact: TypedContact, client: str) -> None:
    """Mail a link to the typed address."""
    if _may_mail(tx, common.keys, contact, "help", client):
        token = new_token()
        proof_id = _write(tx, common.keys, HELP_LINK, shop.id, contact, token_hash(token))
        url = f"{common.base_url}/help/{shop.code}/verify/{token}"
        _mail(tx, common, contact, HELP_LINK, proof_id, link_letter(shop, url))


def request_code(tx: Tx, common: ProofSettings, shop: VisitedShop, contact: TypedContact, line_user_id: str) -> None:
    """Mail a code to the typed address, for this LINE user alone. An earlier code stops working."""
    if _may_mail(tx, common.keys, contact, "line", line_user_id):
        code = code_text(secrets.randbelow(10**CODE_DIGITS))
        secret = _code_hash(common.keys, shop.id, line_user_id, code)
        proof_id = _write(tx, common.keys, LIFF_CODE, shop.id, contact, secret, line_user_id)
        _mail(tx, common, contact, LIFF_CODE, proof_id, code_letter(shop, code))


def _may_mail(tx: Tx, keys: IdentityKeys, contact: TypedContact, way: str, requester: str) -> bool:
    """Count a mail to the mailbox, however its address was typed. What one requester has too many of is not counted
    for all, so that nobody uses up the bound of the mailbox from one place.
    """
    mailbox = keys.hashed("mailbox", checked_address(contact.email))
    if not count_request(tx, PER_MAIL, f"{mailbox}:{keys.hashed('requester', requester)}").allowed:
        return False
    return count_request(tx, PER_MAILBOX, f"{way}:{mailbox}").allowed


def _code_hash(keys: IdentityKeys, shop_id: int, line_user_id: str, code: str) -> str:
    return keys.hashed("code", f"{shop_id}|{line_user_id}|{code}")


def _write(
    tx: Tx,
    keys: IdentityKeys,
    purpose: Purpose,
    shop_id: int,
    contact: TypedContact,
    secret_hash: str,
    line_user_id: str | None = None,
) -> int:
    row = {
        "purpose": purpose,
        "shop_id": shop_id,
        "email_hash": keys.hashed("email", contact.email),
        "phone_hash": keys.hashed("phone", phone_digits(contact.phone_number)),
        "secret_hash": secret_hash,
        "contact_enc": keys.sealed(shop_id, contact),
        "line_user_id": line_user_id,
        "created_at_utc": tx.now,
        "expires_at_utc": tx.now + LIFETIMES[purpose],
    }
    return int(tx.scalar(insert(IdentityProof).values(**row).returning(IdentityProof.id)))


def _mail(
    tx: Tx, common: ProofSettings, contact: TypedContact, purpose: Purpose, proof_id: int, letter: ProofLetter
) -> None:
    """An address to which nothing can be delivered gets no more mails; the page looks the same."""
    address = checked_address(contact.email)
    if dead_addresses(tx, [address]):
        return
    draft = MailDraft(
        purpose=purpose,
        subject_kind=IDENTITY_PROOF,
        subject_id=str(proof_id),
        to_address=address,
        subject=letter.subject,
        text=letter.text,
        host=common.mail_host,
        send_before=tx.now + LIFETIMES[purpose],
    )
    enqueue(tx, draft)


def consume_link(tx: Tx, shop_id: int, token: str) -> int:
    """Use a mailed link. Returns the id of its proof; raises `LinkSpent` for everything that does not work."""
    open_one = (
        IdentityProof.purpose == HELP_LINK,
        IdentityProof.shop_id == shop_id,
        IdentityProof.secret_hash == token_hash(token),
        IdentityProof.used_at_utc.is_(None),
        IdentityProof.expires_at_utc > tx.now,
    )
    used = update(IdentityProof).where(*open_one).values(used_at_utc=tx.now).returning(IdentityProof.id)
    proof_id = tx.scalar(used)
    if proof_id is None:
        raise LinkSpent
    forget(tx, IDENTITY_PROOF, [str(proof_id)])
    return int(proof_id)


def try_code(
    tx: Tx, keys: IdentityKeys, shop_id: int, line_user_id: str, typed: str
) -> StoredProof | CodeSpent | WrongCode:
    """Count a try at the newest code. The error is returned and not raised, because the count has to be kept.

    A right code stays open until `close_proof`: STORES may be down, or the person has to be asked about a transfer.
    """
    newest = newest_code(tx, shop_id, line_user_id)
    if newest is None or not newest.is_open(tx.now):
        return CodeSpent()
    given = _code_hash(keys, shop_id, line_user_id, typed_code(typed))
    counted = (
        update(IdentityProof)
        .where(IdentityProof.id == newest.id, IdentityProof.tries < MOST_TRIES, IdentityProof.used_at_utc.is_(None))
        .values(tries=IdentityProof.tries + 1)
        .returning(IdentityProof.tries, IdentityProof.secret_hash)
    )
    row = tx.execute(counted).one_or_none()
    if row is None:
        return CodeSpent()
    if not same(given, row.secret_hash):
        return WrongCode(MOST_TRIES - row.tries)
    # Only wrong codes count: a right one stays right while STORES is down, or while the person decides on a transfer.
    tx.execute(update(IdentityProof).where(IdentityProof.id == newest.id).values(tries=IdentityProof.tries - 1))
    return newest


def close_proof(tx: Tx, proof_id: int) -> None:
    """The code has done its work."""
    is_open = (IdentityProof.id == proof_id, IdentityProof.used_at_utc.is_(None))
    tx.execute(update(IdentityProof).where(*is_open).values(used_at_utc=tx.now))
    forget(tx, IDENTITY_PROOF, [str(proof_id)])


def mail_is_still_true(tx: Tx, mail: Row[Any]) -> bool:
    """Right before the content of a mail goes out: whether its link or code still works."""
    proof = proof_by_id(tx, int(mail.subject_id))
    return proof is not None and proof.is_open(tx.now)


def forget_mail_texts(tx: Tx) -> int:
    """Remove the texts of mails whose link or code no longer works; returns how many proofs were looked at."""
    over = (IdentityProof.used_at_utc.is_not(None)) | (IdentityProof.expires_at_utc <= tx.now)
    recent = select(IdentityProof.id).where(over).order_by(IdentityProof.id.desc()).limit(_FORGOTTEN_AT_A_TIME)
    ids = [str(proof_id) for proof_id in tx.execute(recent).scalars()]
    forget(tx, IDENTITY_PROOF, ids)
    return len(ids)
