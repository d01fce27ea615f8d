"""What the endpoints of both ways share: asking for a mail, and the questions to STORES with their snapshot."""

from tsudoi.core.db.interface import ReadTx
from tsudoi.core.errors import Problem
from tsudoi.core.runtime import Runtime
from tsudoi.gateway.clients.mail import MailConfig
from tsudoi.notifications.mails.jobs import mails_go_out
from tsudoi.shops.identity.errors import MailIsDown, MailIsOff
from tsudoi.shops.identity.queries import proof_by_id
from tsudoi.shops.identity.rules.contacts import TypedContact
from tsudoi.shops.identity.service.keys import IdentityKeys
from tsudoi.shops.identity.service.proving import count_asking, proof_settings, request_code, request_link
from tsudoi.shops.principals import Customer
from tsudoi.shops.secrets.rules import KeyRing
from tsudoi.shops.snapshots import jobs
from tsudoi.shops.snapshots.rules.customers import CustomerSnapshot
from tsudoi.shops.snapshots.rules.outcomes import problem_of_snapshot
from tsudoi.shops.snapshots.service import count_refresh, keep_snapshot, note_failure, snapshot_of
from tsudoi.shops.storefront.errors import NoHelpSession
from tsudoi.shops.storefront.rules import VisitedShop

HELP: jobs.Channel = "help"


async def mail_link(runtime: Runtime, shop: VisitedShop, contact: TypedContact, client: str) -> str:
    """Mail a link to the typed address. Returns the address from which the mail comes."""
    sender = await _sender(runtime, client)
    await runtime.db.write(request_link, proof_settings(runtime), shop, contact, client)
    runtime.work.send()
    return sender


async def mail_code(runtime: Runtime, shop: VisitedShop, contact: TypedContact, line_user_id: str, client: str) -> None:
    """Mail a code to the typed address, for this LINE user."""
    await _sender(runtime, client, line_user_id)
    await runtime.db.write(request_code, proof_settings(runtime), shop, contact, line_user_id)
    runtime.work.send()


async def _sender(runtime: Runtime, client: str, line_user_id: str | None = None) -> str:
    """The address from which the mail will come. Nobody is told to wait for a mail that does not go out.

    The request is counted first: who asks too often does not make us talk to the mail server.
    """
    (await runtime.db.write(count_asking, client, line_user_id)).raise_if_refused()
    config = MailConfig.of(runtime.settings)
    if config is None:
        raise MailIsOff
    if not await mails_go_out(runtime):
        raise MailIsDown
    return config.sender_address


def contact_of_proof(tx: ReadTx, runtime: Runtime, shop_id: int, proof_id: int) -> TypedContact:
    proof = proof_by_id(tx, proof_id)
    if proof is None or proof.shop_id != shop_id:
        raise NoHelpSession
    return IdentityKeys(runtime.part(KeyRing)).opened(shop_id, proof.contact_enc)


async def identify(runtime: Runtime, session_token: str, shop_id: int, proof_id: int) -> CustomerSnapshot:
    """Ask STORES who this is, once, after the proof. The session keeps the answer."""
    ring = runtime.part(KeyRing)
    contact = await runtime.db.read(contact_of_proof, runtime, shop_id, proof_id)
    found = await jobs.identify(runtime, shop_id, HELP, contact.payload)
    await runtime.db.write(keep_snapshot, ring, session_token, shop_id, HELP, found)
    return found


async def refresh(runtime: Runtime, customer: Customer) -> tuple[CustomerSnapshot, Problem | None]:
    """The person says that something changed: one more question, at most once a minute.

    Where STORES does not answer, what was known stays, and the problem says so.
    """
    token, shop_id = customer.credentials.token, customer.shop.id
    (await runtime.db.write(count_refresh, customer.rate_key, shop_id)).raise_if_refused()
    ring = runtime.part(KeyRing)
    known, _ = await runtime.db.read(snapshot_of, ring, token, shop_id)
    if known.state != "found" or known.stores_customer_id is None:
        found = await identify(runtime, token, shop_id, customer.proof_id)
        return found, problem_of_snapshot(found)
    found = await jobs.read_again(runtime, shop_id, HELP, known.stores_customer_id)
    if found.state == "failed":
        await runtime.db.write(note_failure, shop_id, HELP, found.code, found.status)
        return known, problem_of_snapshot(found)
    await runtime.db.write(keep_snapshot, ring, token, shop_id, HELP, found)
    return found, problem_of_snapshot(found)
