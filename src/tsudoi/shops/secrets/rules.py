"""How the values that nobody may read are sealed: AES-256-GCM with a ring of keys.

A sealed value is `v1.<key id>.<base64url of nonce and ciphertext>`. The purpose is authenticated with it, so that a
row that is copied to another shop or another name cannot be opened there.
"""

import base64
import binascii
import hashlib
import re
import secrets
from dataclasses import dataclass, field

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from tsudoi.shops.secrets.errors import Unreadable

STORES_API_TOKEN = "STORES_API_TOKEN"  # noqa: S105 (the name of a secret)
# The names under which a shop may have a secret.
SECRET_KEYS = (STORES_API_TOKEN,)

_VERSION = "v1"
_KEY_BYTES = 32
_NONCE_BYTES = 12
_SEALED = re.compile(r"v1\.([0-9a-f]{8})\.([A-Za-z0-9_-]+)")
_LONG_ENOUGH_FOR_A_HINT = 12


@dataclass(frozen=True, slots=True)
class KeyRing:
    """The keys by their ids, in the order of the setting: the first one encrypts, and each of them decrypts."""

    keys: tuple[tuple[str, bytes], ...] = field(repr=False)

    @classmethod
    def of(cls, text: str) -> "KeyRing":
        """Read the setting SHOP_SECRETS_KEYS. The error says what is wrong and never repeats the value."""
        parts = [part.strip() for part in text.split(",")]
        keys = tuple((key_id(key), key) for key in (_key(part, place) for place, part in enumerate(parts, 1)))
        if len({name for name, _ in keys}) != len(keys):
            raise ValueError("SHOP_SECRETS_KEYS has the same key twice.")
        return cls(keys)

    @property
    def first_id(self) -> str:
        return self.keys[0][0]


def _key(part: str, place: int) -> bytes:
    try:
        key = base64.b64decode(part.replace("-", "+").replace("_", "/"), validate=True)
    except (binascii.Error, ValueError):
        raise ValueError(f"Key {place} of SHOP_SECRETS_KEYS is not base64.") from None
    if len(key) != _KEY_BYTES:
        raise ValueError(f"Key {place} of SHOP_SECRETS_KEYS has to be {_KEY_BYTES} bytes in base64.")
    if len(set(key)) == 1:
        raise ValueError(f"Key {place} of SHOP_SECRETS_KEYS is not random.")
    return key


def key_id(key: bytes) -> str:
    return hashlib.sha256(key).hexdigest()[:8]


def encrypt(ring: KeyRing, plain: str, purpose: str) -> str:
    name, key = ring.keys[0]
    nonce = secrets.token_bytes(_NONCE_BYTES)
    sealed = nonce + AESGCM(key).encrypt(nonce, plain.encode(), purpose.encode())
    return f"{_VERSION}.{name}.{base64.urlsafe_b64encode(sealed).decode().rstrip('=')}"


def decrypt(ring: KeyRing, sealed: str, purpose: str) -> str:
    """Raise `Unreadable` for everything that this ring did not seal for this purpose."""
    found = _SEALED.fullmatch(sealed)
    if found is None:
        raise Unreadable("The value is not in the sealed form.")
    key = dict(ring.keys).get(found[1])
    if key is None:
        raise Unreadable(f"Key {found[1]} is not in SHOP_SECRETS_KEYS.")
    try:
        raw = base64.b64decode(found[2] + "=" * (-len(found[2]) % 4), altchars=b"-_", validate=True)
        plain = AESGCM(key).decrypt(raw[:_NONCE_BYTES], raw[_NONCE_BYTES:], purpose.encode())
    except (binascii.Error, ValueError, InvalidTag):
        raise Unreadable("The value was changed, or it was sealed for something else.") from None
    return plain.decode()


def sealed_with(sealed: str) -> str | None:
    """The id of the key that sealed this value."""
    found = _SEALED.fullmatch(sealed)
    return found[1] if found else None


def secret_purpose(shop_id: int, key: str) -> str:
    return f"shop_secrets|{shop_id}|{key}"


def proof_purpose(shop_id: int) -> str:
    return f"identity_proofs|{shop_id}"


def snapshot_purpose(session_hash: str) -> str:
    return f"help_snapshot|{session_hash}"


def last_four(plain: str) -> str | None:
    """What the office sees of a secret, to tell two apart. A short one would be half told by its last four."""
    return plain[-4:] if len(plain) >= _LONG_ENOUGH_FOR_A_HINT else None
