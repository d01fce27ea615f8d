"""The keys with which typed data are sealed and hashed."""

from dataclasses import asdict, dataclass, field

import orjson

from tsudoi.shops.identity.rules.contacts import TypedContact, contact_hash
from tsudoi.shops.secrets.rules import KeyRing, decrypt, encrypt, proof_purpose


@dataclass(frozen=True, slots=True)
class IdentityKeys:
    """The ring of the shops' secrets, which also seals what customers type."""

    ring: KeyRing = field(repr=False)

    def sealed(self, shop_id: int, contact: TypedContact) -> str:
        return encrypt(self.ring, orjson.dumps(asdict(contact)).decode(), proof_purpose(shop_id))

    def opened(self, shop_id: int, sealed: str) -> TypedContact:
        return TypedContact(**orjson.loads(decrypt(self.ring, sealed, proof_purpose(shop_id))))

    def hashed(self, kind: str, value: str) -> str:
        return contact_hash(self.ring.keys[0][1], kind, value)
